#!/usr/bin/env bash
# Times reading, normalising, sorting and merging a table against mawk and sort, DuckDB and Polars, in turn, so that a
# machine that changes its speed slows all. Prints seconds of each and the ratios to ours per round, then the medians.
#
#     compare-sources.sh FILE [ROUNDS]     FILE: a table with the columns phone, name and block; ROUNDS: 5 unless given
#
# Needs a release build of this package (swift build -c release), mawk, GNU sort, and for the last two the Python packages
# duckdb and polars; what is missing is left out. All write one row per number, sorted; the others know one rule of
# Russian spelling, ours the numbering plans of the world.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
benchmark=$here/.build/release/benchmark
file=$(realpath "$1")
rounds=${2:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >normalise.awk <<'AWK'
BEGIN { FS = OFS = "\t" }
NR > 1 {
  p = $1; plus = substr(p, 1, 1) == "+"; gsub(/[^0-9]/, "", p)
  if (!plus && length(p) == 11 && substr(p, 1, 1) == "8") p = "7" substr(p, 2)
  print p, $2, $7
}
AWK
cat >duck.py <<'PYTHON'
import duckdb, sys
connection = duckdb.connect()
connection.execute("SET threads=2; SET memory_limit='8GB'; SET preserve_insertion_order=false")
connection.execute(r"""COPY (
  SELECT CAST(CASE WHEN d[1]='8' AND length(d)=11 AND phone[1]<>'+' THEN '7'||d[2:] ELSE d END AS BIGINT) n,
    any_value(name) l, any_value(block) b
  FROM (SELECT regexp_replace(phone,'[^0-9]','','g') d, phone, name, block
    FROM read_csv('%s', delim='\t', header=true, quote='', all_varchar=true))
  GROUP BY 1 ORDER BY 1) TO 'duck.parquet' (FORMAT parquet, COMPRESSION zstd)""" % sys.argv[1])
PYTHON
cat >polar.py <<'PYTHON'
import polars as pl, sys
rows = pl.scan_csv(sys.argv[1], separator='\t', quote_char=None, schema_overrides={'phone': pl.String, 'block': pl.String})
digits = pl.col('phone').str.replace_all(r'[^0-9]', '')
national = (~pl.col('phone').str.starts_with('+')) & digits.str.starts_with('8') & (digits.str.len_bytes() == 11)
number = pl.when(national).then(pl.lit('7') + digits.str.slice(1)).otherwise(digits).cast(pl.Int64)
rows = rows.select(number.alias('n'), pl.col('name'), pl.col('block')).unique(subset='n', keep='any').sort('n')
rows.collect().write_parquet('polars.parquet', compression='zstd')
PYTHON

ours() { "$benchmark" sources "$file" ours.tsv 256 >ours.txt; }
mawk_sort() {
  LC_ALL=C mawk -f normalise.awk "$file" | LC_ALL=C sort -t$'\t' -k1,1n -u --parallel=2 -S 1G >sorted.tsv
}
duckdb() { python3 duck.py "$file"; }
polars() { python3 polar.py "$file"; }

others=(mawk_sort)
for other in duckdb polars; do
  if python3 -c "import $other" 2>/dev/null; then others+=("$other"); else echo "$other: not here, left out"; fi
done
# What one has written is on the disk before the next begins, so that nobody pays for another's output.
seconds() {
  sync
  local start=${EPOCHREALTIME/[.,]/}
  "$1"
  echo $((${EPOCHREALTIME/[.,]/} - start))
}

ours
for ((round = 1; round <= rounds; round++)); do
  for other in "${others[@]}"; do
    a=$(seconds ours)
    b=$(seconds "$other")
    awk -v n="$other" -v a="$a" -v b="$b" 'BEGIN { printf "ours %.2f s  %s %.2f s  ratio %.2f\n", a/1e6, n, b/1e6, b/a }' |
      tee -a ratios
  done
done
for other in "${others[@]}"; do
  awk -v n="$other" '$4 == n { print $NF }' ratios | sort -n |
    awk -v n="$other" '{ r[NR] = $1 } END { printf "median: %s takes %.2f times as long\n", n, r[int((NR + 1) / 2)] }'
done
cat ours.txt
