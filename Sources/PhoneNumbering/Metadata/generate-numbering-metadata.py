#!/usr/bin/env python3
"""Writes NumberingMetadata+Generated.swift, the numbering facts that PhoneNumbering reads at run time.

    pip install phonenumbers==9.0.43        # Apache-2.0; needed here only, never by the build
    python3 generate-numbering-metadata.py > ../NumberingMetadata+Generated.swift

What it does: takes calling codes, possible lengths, international and national prefix rules and national number
patterns from the `phonenumbers` package, turns each pattern into a finite automaton over digits (shared sub-automata
are stored once; a state whose verdict depends on the remaining length alone becomes a length mask), each prefix rule
into a small program, and each shared calling code into a prefix tree that names the region. All tables are strings of
printable characters, base 92, so that the compiler has nothing to do and the program reads them in place.
"""

import re._constants as sre
import re._parser as sre_parser
import sys

import phonenumbers
from phonenumbers import COUNTRY_CODE_TO_REGION_CODE, PhoneMetadata

EXPECTED_VERSION = "9.0.43"
LONGEST = 17  # digits of the longest national significant number that a pattern may describe
BASE = 92
FIRST = 35  # '#': the first of the 92 characters up to '~'; '"' stays outside, '\' is written twice
TYPES = (
    "premium_rate toll_free shared_cost voip personal_number pager uan voicemail fixed_line mobile".split()
)

# Leading digits that are a region's by treaty though nothing is assigned there yet: +7 6 is Kazakhstan's second zone
# (ITU-T E.164 national numbering plan of Kazakhstan), which the package leaves out.
RESERVED = {"KZ": "[67]"}

sys.setrecursionlimit(100_000)


def encode(value, width):
    """`value` as `width` characters, most significant first."""
    out = ""
    for _ in range(width):
        value, digit = divmod(value, BASE)
        out = chr(FIRST + digit) + out
    assert value == 0
    return out


class Languages:
    """Finite sets of digit strings as hash-consed acyclic automata: equal sets have equal numbers."""

    def __init__(self):
        self.nodes = [(False, (0,) * 10)]
        self.ids = {self.nodes[0]: 0}
        self.memo = {}
        self.masks = {0: 0}
        self.empty_string = self.node(True, (0,) * 10)
        self.everything = self.empty_string
        for _ in range(LONGEST + 1):
            self.everything = self.node(True, (self.everything,) * 10)

    def node(self, accepts, children):
        key = (accepts, tuple(children))
        if key not in self.ids:
            self.ids[key] = len(self.nodes)
            self.nodes.append(key)
        return self.ids[key]

    def combine(self, name, accept, left, right):
        key = (name, left, right)
        if key not in self.memo:
            if left == 0 and right == 0:
                return 0
            a, b = self.nodes[left], self.nodes[right]
            children = tuple(self.combine(name, accept, x, y) for x, y in zip(a[1], b[1]))
            self.memo[key] = self.node(accept(a[0], b[0]), children)
        return self.memo[key]

    def union(self, left, right):
        return self.combine("union", lambda a, b: a or b, left, right)

    def intersection(self, left, right):
        return self.combine("intersection", lambda a, b: a and b, left, right)

    def difference(self, left, right):
        return self.combine("difference", lambda a, b: a and not b, left, right)

    def compile(self, items, rest):
        """The strings of a parsed regular expression, each followed by a string of `rest`."""
        for operator, value in reversed(list(items)):
            if operator in (sre.LITERAL, sre.IN):
                digits = digit_set(operator, value)
                rest = self.node(False, (rest if d in digits else 0 for d in range(10)))
            elif operator is sre.BRANCH:
                union = 0
                for branch in value[1]:
                    union = self.union(union, self.compile(branch, rest))
                rest = union
            elif operator is sre.SUBPATTERN:
                rest = self.compile(value[3], rest)
            elif operator is sre.MAX_REPEAT:
                least, most, body = value
                most = LONGEST if most is sre.MAXREPEAT else min(most, LONGEST)
                end = rest
                for _ in range(most - least):
                    rest = self.union(end, self.compile(body, rest))
                for _ in range(least):
                    rest = self.compile(body, rest)
            else:
                raise ValueError(f"unexpected {operator}")
        return rest

    def matching(self, pattern):
        return self.compile(sre_parser.parse(pattern), self.empty_string) if pattern else 0

    def starting_with(self, pattern):
        return self.compile(sre_parser.parse(pattern), self.everything)

    def length_mask(self, number):
        """Bit n: strings of length n are members; None when membership depends on more than the length."""
        if number not in self.masks:
            accepts, children = self.nodes[number]
            mask = None
            if len(set(children)) == 1:
                below = self.length_mask(children[0])
                if below is not None:
                    mask = (below << 1) | accepts
            self.masks[number] = mask
        return self.masks[number]


def digit_set(operator, value):
    if operator is sre.LITERAL:
        return {value - 48}
    digits = set()
    for kind, item in value:
        if kind is sre.LITERAL:
            digits.add(item - 48)
        elif kind is sre.RANGE:
            digits.update(range(item[0] - 48, item[1] - 47))
        elif kind is sre.CATEGORY:
            digits.update(range(10))
        else:
            raise ValueError(f"unexpected {kind}")
    return digits


class Programs:
    """Prefix rules as backtracking programs, in order of preference like the regular expression.

    d MASK    consume a digit whose bit is set      s ADDRESS   go on, and on failure from ADDRESS
    g ADDRESS go to ADDRESS                         ( )         the captured group begins, ends
    $         only at the end of the digits         m           matched
    """

    def __init__(self):
        self.text = "m"  # address 0 means "no rule"
        self.known = {}

    def address(self, pattern):
        if not pattern:
            return 0
        if pattern not in self.known:
            parsed = sre_parser.parse(pattern)
            self.known[pattern] = len(self.text)
            self.sequence(parsed, parsed.state.groups - 1)
            self.text += "m"
        return self.known[pattern]

    def literal(self, digits):
        """The address of a digit string that ends with 'm'; 0 for None."""
        if digits is None:
            return 0
        key = ("literal", digits)
        if key not in self.known:
            self.known[key] = len(self.text)
            self.text += digits + "m"
        return self.known[key]

    def hole(self, operation):
        self.text += operation + "##"
        return len(self.text) - 2

    def fill(self, hole):
        self.text = self.text[:hole] + encode(len(self.text), 2) + self.text[hole + 2 :]

    def sequence(self, items, last_group):
        for operator, value in items:
            if operator in (sre.LITERAL, sre.IN):
                mask = sum(1 << digit for digit in digit_set(operator, value))
                self.text += "d" + encode(mask, 2)
            elif operator is sre.AT:
                self.text += "$"
            elif operator is sre.SUBPATTERN:
                captures = value[0] is not None and value[0] == last_group
                self.text += "(" if captures else ""
                self.sequence(value[3], last_group)
                self.text += ")" if captures else ""
            elif operator is sre.BRANCH:
                ends = []
                for index, branch in enumerate(value[1]):
                    last = index + 1 == len(value[1])
                    other = None if last else self.hole("s")
                    self.sequence(branch, last_group)
                    if not last:
                        ends.append(self.hole("g"))
                        self.fill(other)
                for end in ends:
                    self.fill(end)
            elif operator is sre.MAX_REPEAT:
                least, most, body = value
                assert most is not sre.MAXREPEAT
                for _ in range(least):
                    self.sequence(body, last_group)
                skips = []
                for _ in range(most - least):
                    skips.append(self.hole("s"))
                    self.sequence(body, last_group)
                for skip in skips:
                    self.fill(skip)
            else:
                raise ValueError(f"unexpected {operator}")


def transform_literal(rule, pattern):
    """The digits that a national prefix transform puts before the last captured group; None without a transform."""
    if not rule:
        return None
    groups = sre_parser.parse(pattern).state.groups - 1
    reference = f"\\{groups}"
    assert rule.endswith(reference) and "\\" not in rule[: -len(reference)], rule
    return rule[: -len(reference)]


def first_two_digits(languages, pattern):
    """Bit d of the first mask: a match may begin with digit d; of the second: d may be the digit behind it."""
    first, second = 0, 0
    for digit, child in enumerate(languages.nodes[languages.matching(pattern)][1]):
        if child:
            first |= 1 << digit
            accepts, children = languages.nodes[child]
            second |= sum(1 << d for d, grandchild in enumerate(children) if accepts or grandchild)
    return first, second


def finite_strings(pattern):
    """Every string of a short pattern, ascending."""
    languages = Languages()

    def walk(number, prefix):
        accepts, children = languages.nodes[number]
        if accepts:
            yield prefix
        for digit, child in enumerate(children):
            if child:
                yield from walk(child, prefix + str(digit))

    return sorted(walk(languages.matching(pattern), "")) if pattern else []


def swift_string(name, comment, text):
    """A computed StaticString property, so that nothing is initialised at run time."""
    lines, width = [], 108
    for start in range(0, len(text), width):
        lines.append("    " + text[start : start + width].replace("\\", "\\\\") + "\\")
    body = "\n".join(lines).removesuffix("\\") if lines else "    "
    if text and text[-1] == "\\" and not body.endswith("\\\\"):
        body += "\\"
    return f'  /// {comment}\n  static var {name}: StaticString {{\n    """\n{body}\n    """\n  }}\n'


def main():
    assert phonenumbers.__version__ == EXPECTED_VERSION, phonenumbers.__version__
    languages, programs = Languages(), Programs()
    plans = []  # (region or "", calling code, metadata), main region of a calling code first
    for code in sorted(COUNTRY_CODE_TO_REGION_CODE):
        for region in COUNTRY_CODE_TO_REGION_CODE[code]:
            if region == "001":
                plans.append(("", code, PhoneMetadata.metadata_for_nongeo_region(code)))
            else:
                plans.append((region, code, PhoneMetadata.metadata_for_region(region)))

    # What is assigned, and to whom: the first region of a calling code whose leading digits or types match.
    general, assigned = {}, {}
    for index, (region, code, metadata) in enumerate(plans):
        general[index] = languages.matching(metadata.general_desc.national_number_pattern)
    by_code = {}
    for index, (region, code, metadata) in enumerate(plans):
        by_code.setdefault(code, []).append(index)
    valid = {}
    for code, indexes in by_code.items():
        taken = total = 0
        for index in indexes:
            metadata = plans[index][2]
            own = 0
            for name in TYPES:
                description = getattr(metadata, name)
                if description is not None:
                    own = languages.union(own, languages.matching(description.national_number_pattern))
            own = languages.intersection(own, general[index])
            claim = own
            if len(indexes) > 1 and metadata.leading_digits:
                claim = languages.starting_with(metadata.leading_digits)
                own = languages.intersection(own, claim)
            assigned[index] = languages.difference(own, taken)
            taken = languages.union(taken, claim)
            total = languages.union(total, assigned[index])
        valid[code] = total

    # Number the pattern states. Values below the mask count are masks, the rest are rows.
    roots = [general[i] for i in range(len(plans))] + [valid[c] for c in sorted(valid)]
    rows, masks, pending = [], {0: 0}, list(dict.fromkeys(roots))
    seen = set()
    while pending:
        number = pending.pop(0)
        if number in seen:
            continue
        seen.add(number)
        mask = languages.length_mask(number)
        if mask is not None:
            masks.setdefault(mask, len(masks))
            continue
        rows.append(number)
        pending = [c for c in languages.nodes[number][1] if c not in seen] + pending
    row_of = {number: len(masks) + position for position, number in enumerate(rows)}

    def value(number):
        mask = languages.length_mask(number)
        return row_of[number] if mask is None else masks[mask]

    state_text = ""
    for number in rows:
        accepts, children = languages.nodes[number]
        state_text += "".join(encode(value(child), 2) for child in children) + encode(int(accepts), 1)
    mask_text = "".join(encode(mask, 3) for mask in masks)

    # Prefix trees: which region a national number of a shared calling code belongs to. Values below the plan count
    # are plans, the rest are rows. Where nobody is assigned, the main region stands for the calling code.
    trees, tree_ids = [], {}

    def tree(claims, main):
        claims = [(index, left) for index, left in claims if left]
        if not claims:
            return main
        if len(claims) == 1:
            return claims[0][0]
        children = []
        for digit in range(10):
            children.append(tree([(i, languages.nodes[left][1][digit]) for i, left in claims], main))
        if len(set(children)) == 1:
            return children[0]
        key = tuple(children)
        if key not in tree_ids:
            tree_ids[key] = len(plans) + len(trees)
            trees.append(key)
        return tree_ids[key]

    region_root = {}
    for code, indexes in by_code.items():
        claims = []
        for index in indexes:
            metadata = plans[index][2]
            claim = assigned[index]
            if len(indexes) > 1 and metadata.leading_digits and index != indexes[0]:
                # Leading digits speak for numbers nobody was assigned, too.
                leading = RESERVED.get(plans[index][0], metadata.leading_digits)
                claim = languages.difference(languages.starting_with(leading), assigned[indexes[0]])
                for other in indexes:
                    if other != index:
                        claim = languages.difference(claim, assigned[other])
            claims.append((index, claim))
        region_root[code] = tree(claims, indexes[0])
    tree_text = "".join("".join(encode(child, 2) for child in row) for row in trees)

    # Calling codes: plan of the main region plus one, or 0.
    code_table = [0] * 1000
    for code, indexes in by_code.items():
        code_table[code] = indexes[0] + 1
    code_text = "".join(encode(entry, 2) for entry in code_table)

    # Regions: plan plus one for each pair of letters, or 0.
    region_table = [0] * 676
    for index, (region, _, _) in enumerate(plans):
        if region:
            region_table[(ord(region[0]) - 65) * 26 + ord(region[1]) - 65] = index + 1
    region_text = "".join(encode(entry, 2) for entry in region_table)

    def lengths(values):
        return sum(1 << length for length in values if 0 < length <= LONGEST)

    plan_text, record = "", 0
    for index, (region, code, metadata) in enumerate(plans):
        parsing = metadata.national_prefix_for_parsing
        digit = int(parsing) + 1 if parsing and len(parsing) == 1 else 0
        literal = transform_literal(metadata.national_prefix_transform_rule, parsing)
        text = region or "--"
        text += encode(code, 2)
        text += encode(value(general[index]), 2)
        text += encode(value(valid[code]), 2)
        text += encode(region_root[code], 2)
        text += encode(lengths(metadata.general_desc.possible_length), 3)
        text += encode(lengths(metadata.general_desc.possible_length_local_only), 3)
        text += encode(programs.address(parsing), 2)
        text += encode(digit, 1)
        text += encode(programs.literal(literal), 2)
        text += encode(programs.address(metadata.international_prefix), 2)
        text += "".join(encode(mask, 2) for mask in first_two_digits(languages, metadata.international_prefix))
        text += encode(programs.literal(metadata.national_prefix), 2)
        short = PhoneMetadata.short_metadata_for_region(region) if region else None
        emergency = finite_strings(short.emergency.national_number_pattern) if short and short.emergency else []
        text += encode(programs.literal("e".join(emergency) if emergency else None), 2)
        record = len(text)
        plan_text += text

    print(f"""\
// swift-format-ignore-file
// Generated by Metadata/generate-numbering-metadata.py from the Python package phonenumbers {EXPECTED_VERSION}, the port of
// Google's libphonenumber metadata (Apache License 2.0, see NOTICE). Do not edit: change the generator and run it.
// Over 400 lines because it is data: {len(plans)} plans, {len(rows)} pattern states, {len(trees)} region tree nodes.

/// Numbering facts as printable base-92 tables, read in place by `NumberingMetadata` and never decoded as a whole.
extension NumberingMetadata {{
  /// The package and version the tables were taken from.
  static var source: StaticString {{ "phonenumbers {EXPECTED_VERSION}" }}
  /// Numbering plans: {sum(1 for p in plans if p[0])} regions, and the calling codes that belong to no region.
  static var planCount: Int {{ {len(plans)} }}
  /// Characters of one plan.
  static var planWidth: Int {{ {record} }}
  /// Pattern values below this are length masks, the rest are states.
  static var maskCount: Int {{ {len(masks)} }}
""")
    print(swift_string("plans", "One record per plan; `NumberingRules.init(plan:)` names the fields.", plan_text))
    print(swift_string("callingCodes", "Main plan of each calling code 0 … 999 plus one, 0 where there is none.", code_text))
    print(swift_string("regions", "Plan of each pair of letters AA … ZZ plus one, 0 where there is none.", region_text))
    print(swift_string("programs", "Prefix programs and digit literals, by address.", programs.text))
    print(swift_string("regionTrees", "Region tree nodes: ten children each.", tree_text))
    print(swift_string("masks", "Length masks: bit n set, a remainder of n digits is a match.", mask_text))
    print(swift_string("states", "Pattern states: ten children and whether a number may end here.", state_text).rstrip())
    print("}")


if __name__ == "__main__":
    main()
