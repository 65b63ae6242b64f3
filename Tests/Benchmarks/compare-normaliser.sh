#!/usr/bin/env bash
# The normaliser on one core: plain digits against a loop that only reads the same digits into an integer, and the raw
# spellings of a list against Debian's libphonenumber.
#
#     compare-normaliser.sh ORACLE        ORACLE: a table with the columns raw (3rd), region (4th) and how (6th)
#
# Needs a release build of this package, g++ and libphonenumber-dev; without the last two that comparison is left out.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
benchmark=$here/.build/release/benchmark
oracle=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Rows with a region alone: without one libphonenumber refuses national spellings early.
awk -F'\t' 'NR > 1 && $4 != "" { print $3 "\t" $4 }' "$oracle" >"$work/all.tsv"
awk -F'\t' '$1 ~ /^[0-9]+$/' "$work/all.tsv" >"$work/plain.tsv"
awk -F'\t' '$1 !~ /^[0-9]+$/' "$work/all.tsv" >"$work/formatted.tsv"
echo "plain digits";      "$benchmark" normalise "$work/plain.tsv"
echo "formatted text";    "$benchmark" normalise "$work/formatted.tsv"
if g++ -O2 -std=c++17 -o "$work/libphonenumber" "$here/libphonenumber.cpp" -lphonenumber 2>"$work/log"; then
  "$work/libphonenumber" "$work/formatted.tsv"
else
  echo "libphonenumber: not here, left out"
fi
