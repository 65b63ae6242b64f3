#!/usr/bin/env bash
# The main job, from a clean clone to look-ups: builds shardctl, writes 4.2 million rows, splits them over three
# providers, drops a fourth one in as a library, and looks up numbers that show who wins and why.
#
#     Samples/quickstart.sh [ROWS]      ROWS: 1,000 to 4,200,000 numbers (default 4,200,000; also from $ROWS)
#
# Needs the Swift toolchain and nothing else. May be run again: it starts from an empty store each time. Everything it
# writes is ignored by git: .build, Plugins/*.so and, in Samples/russia, data, shards and .shardctl.
#
# Every look-up is checked. When one does not read as described, the script says so and exits with 1.
#
# SHARDCTL_BIN=DIR  use the programs in DIR, for example .build/debug, and build nothing.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
rows=${1:-${ROWS:-4200000}}
if [[ ! $rows =~ ^[1-9][0-9]{3,6}$ ]] || ((rows > 4200000)); then
  echo "quickstart: ROWS is \"$rows\"; expected a whole number from 1000 to 4200000" >&2
  exit 64
fi

# The numbers that every sample has, whatever its size.
labelled=+74951234567 # in the table of Moscow and Petersburg alone
overlap=+78001234567  # in the tables of Moscow and of the rest of Russia, with different labels
blocked=+79991234567  # a company in the table of Russia, and on the block list of the fourth provider
unknown=+74957654321  # nowhere

milliseconds() { local now=${EPOCHREALTIME/[.,]/}; echo $((now / 1000)); }
seconds() { printf '%d.%d s' $(($1 / 1000)) $(($1 % 1000 / 100)); }
begin=$(milliseconds)

headline() { printf '\n== %s\n' "$1"; }

# Prints a command, runs it, and says how long it took when that is worth saying.
show() {
  local start took
  start=$(milliseconds)
  printf '$ %s\n' "$*"
  "$@"
  took=$(($(milliseconds) - start))
  if ((took >= 1000)); then echo "  [$(seconds $took)]"; fi
}

# A look-up as `shardctl` prints it, then the same as JSON, which must hold every given member.
#     look_up NUMBER [OPTION…] -- MEMBER…
look_up() {
  local arguments=()
  while [[ $1 != -- ]]; do
    arguments+=("$1")
    shift
  done
  shift
  show shardctl lookup "${arguments[@]}"
  check "$@"
}
check() {
  local json member
  json=$(shardctl lookup "${arguments[@]}" --json)
  for member in "$@"; do
    if [[ $json != *"$member"* ]]; then
      echo "quickstart: lookup ${arguments[*]}: expected $member in" >&2
      echo "$json" >&2
      exit 1
    fi
  done
}

cd "$root"
if [[ -n ${SHARDCTL_BIN:-} ]]; then
  bin=$(cd "$SHARDCTL_BIN" && pwd)
else
  headline "build"
  show swift build -c release
  bin=$(swift build -c release --show-bin-path)
fi
PATH=$bin:$PATH
mkdir -p Plugins

# From here on ./plan.json is the plan of every command.
cd "$root/Samples/russia"
rm -rf shards .shardctl ../../Plugins/libSpamList.so

headline "$rows invented companies with real numbering ranges"
show shardctl sample --rows "$rows" --output data --force

headline "one directory, three providers, each within the phone's 1,999,999"
show shardctl apply

headline "every byte, order, count and limit of what was published"
show shardctl verify

headline "a label from the first provider"
look_up $labelled -- '"decision": "identified"' '"label": "Кофейня Велора"' '"labelFrom": "moscow-spb"'

headline "an overlap: two providers know the number, the upper one in the settings is shown"
look_up $overlap -- '"decision": "identified"' '"label": "Тамикс, доставка по Москве"' '"labelFrom": "moscow-spb"'
echo
echo "… and with the order swapped:"
show shardctl order russia
look_up $overlap -- '"decision": "identified"' '"label": "Тамикс, единая справочная"' '"labelFrom": "russia"'
show shardctl order --reset
arguments=($overlap)
check '"labelFrom": "moscow-spb"'

headline "a fourth provider, in C, dropped into Plugins with data of its own"
echo "Before, the number is a company:"
look_up $blocked -- '"decision": "identified"' '"label": "Окна Брависта"' '"labelFrom": "russia"'
echo
show cp "$bin/libSpamList.so" ../../Plugins/
show mkdir -p .shardctl/containers/spam
show cp data/blocklist.txt .shardctl/containers/spam/
show shardctl provider list
show shardctl enable spam

headline "its block wins from the last place"
look_up $blocked -- '"decision": "blocked"' '"blockedBy": "spam"'
count=0
for a in moscow-spb russia abroad spam; do
  for b in moscow-spb russia abroad spam; do
    for c in moscow-spb russia abroad spam; do
      for d in moscow-spb russia abroad spam; do
        if [[ $a = "$b" || $a = "$c" || $a = "$d" || $b = "$c" || $b = "$d" || $c = "$d" ]]; then continue; fi
        arguments=($blocked --order "$a,$b,$c,$d")
        check '"decision": "blocked"' '"blockedBy": "spam"'
        count=$((count + 1))
      done
    done
  done
done
echo "blocked by spam in each of the $count orders (lookup --order …)"

headline "without that provider the label is back"
look_up $blocked --without spam -- '"decision": "identified"' '"label": "Окна Брависта"' '"labelFrom": "russia"'

headline "a number that nobody knows"
look_up $unknown -- '"decision": "unknown"' '"label": null'

headline "the phone's settings"
show shardctl status

cat <<END

All look-ups read as described, in $(seconds $(($(milliseconds) - begin))) for $rows numbers. To go on from here:
  PATH="$bin:\$PATH"
  cd "$PWD"
  shardctl --help
END
