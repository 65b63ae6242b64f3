#!/usr/bin/env python3
"""Holds an applied sample to an independent reading of its rows.

usage: check-sample.py SHARDCTL DIR

DIR is a folder that `shardctl sample` wrote and `shardctl apply` has loaded. Every number that the rows come to is looked
up with `lookup --batch`, and decision, blocker, label and labeller are compared with what this script makes of the rows by
itself: the spellings that the sample writes, merging, cuts, `overlaps: keep`, and the plan's settings order. The accounts
of `plan --json` are compared too. Needs nothing but Python.
"""
import collections, json, os, re, subprocess, sys, tempfile

shardctl, directory = sys.argv[1], sys.argv[2]
plan = os.path.join(directory, "plan.json")
SOURCES = ["moscow-spb", "russia", "abroad"]
ACTIONS = {"company": "identify", "spam": "both", "hidden": "block"}
# What the claims of the sample's plan say: which provider gets the rows of which source.
CLAIMED_BY = {"moscow-spb": "moscow-spb", "russia": "russia", "abroad": "abroad", "spam": "russia"}
separators = re.compile(r"[ ()\-]")


def normalise(text):
    """E.164 digits for the spellings of a sample, or None for what it writes to be refused."""
    digits = separators.sub("", text)
    plus = digits.startswith("+")
    digits = digits[1:] if plus else digits
    if not digits.isascii() or not digits.isdigit() or not 7 <= len(digits) <= 15:
        return None
    if plus:
        return int(digits)
    if len(digits) == 11 and digits[0] in "78":
        return int("7" + digits[1:])
    if len(digits) == 10:
        return int("7" + digits)
    return None


class Number:
    __slots__ = ("blocks", "labels", "allowed", "rows")

    def __init__(self):
        self.blocks = set()  # sources
        self.rows = []  # (source, label) of identification rows in order
        self.allowed = False


numbers = collections.defaultdict(Number)
read = refused = allows = 0
for source in SOURCES:
    with open(os.path.join(directory, f"companies-{source}.tsv"), encoding="utf-8", newline="\n") as rows:
        next(rows)
        for row in rows:
            phone, name, _, kind = row.rstrip("\n").split("\t")[:4]
            action = ACTIONS[kind]
            occurrences = 2 if action == "both" else 1
            read += occurrences
            number = normalise(phone)
            if number is None:
                refused += occurrences
                continue
            entry = numbers[number]
            if action != "identify":
                entry.blocks.add(source)
            if action != "block":
                entry.rows.append((source, name.strip()))
for name, action in (("spam.txt", "block"), ("never-block.txt", "allow")):
    with open(os.path.join(directory, name)) as rows:
        for row in rows:
            row = row.strip()
            if not row or row.startswith("#"):
                continue
            read += 1
            number = normalise(row)
            if number is None:
                refused += 1
            elif action == "block":
                numbers[number].blocks.add("spam")
            else:
                numbers[number].allowed = True
                allows += 1

expected = {}
used = 0
for number, entry in numbers.items():
    labelled = [row for row in entry.rows if row[1]]
    if not labelled:
        refused += len(entry.rows)
    providers = {CLAIMED_BY[source] for source, _ in entry.rows} if labelled else set()
    blockers = {CLAIMED_BY[source] for source in entry.blocks} if not entry.allowed else set()
    used += (1 if labelled else 0) + (1 if blockers else 0) + (1 if entry.allowed else 0)
    label = labeller = ""
    for provider in SOURCES:
        if provider in providers:
            own = [text for source, text in labelled if CLAIMED_BY[source] == provider]
            label, labeller = (own or [labelled[0][1]])[0], provider
            break
    blocker = next((provider for provider in SOURCES if provider in blockers), "")
    decision = "blocked" if blocker else "identified" if labeller else "unknown"
    expected[number] = (decision, blocker, label, labeller)

with tempfile.NamedTemporaryFile("w", suffix=".txt") as queries:
    for number in expected:
        queries.write(f"+{number}\n")
    queries.flush()
    answers = subprocess.run(
        [shardctl, "lookup", "--plan", plan, "--batch", queries.name], stdout=subprocess.PIPE, check=True)
wrong = 0
lines = answers.stdout.decode("utf-8").split("\n")
assert lines.pop() == ""
assert len(lines) == len(expected), f"{len(lines)} answers to {len(expected)} queries"
for line, (number, wanted) in zip(lines, expected.items()):
    query, found, decision, blocker, label, labeller = line.split("\t")
    label = label.replace("\\\\", "\\")
    if (query, found) != (f"+{number}", str(number)) or (decision, blocker, label, labeller) != wanted:
        wrong += 1
        if wrong <= 5:
            print(f"+{number}: expected {wanted}, found {(decision, blocker, label, labeller)}", file=sys.stderr)

report = json.loads(
    subprocess.run([shardctl, "plan", "--plan", plan, "--json"], stdout=subprocess.PIPE, check=True).stdout)
accounts = report["accounts"]
for key, value in (("read", read), ("used", used), ("refused", refused), ("dropped", 0), ("unclaimed", 0)):
    if accounts[key] != value:
        wrong += 1
        print(f"accounts: {key} is {accounts[key]}, expected {value}", file=sys.stderr)
print(f"{len(expected)} numbers looked up, {wrong} wrong; {read} occurrences read, {used} used, {refused} refused")
sys.exit(1 if wrong else 0)
