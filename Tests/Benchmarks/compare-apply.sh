#!/usr/bin/env bash
# Times `shardctl apply` of a sample against mawk and sort over the same rows, in turn, so that a machine that changes its
# speed slows both. Prints seconds of each and their ratio per pair, then the median of the ratios.
#
#     compare-apply.sh SHARDCTL DIR [PAIRS]      DIR: a folder that `shardctl sample` wrote; PAIRS: 5 unless given
#
# What the other side does is less: it normalises Russian spellings with one rule, sorts by number and keeps one row each.
# It plans nothing, writes no index and loads nobody. Needs mawk and GNU sort.
set -euo pipefail
shardctl=$(realpath "$1")
directory=$(realpath "$2")
pairs=${3:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/normalise.awk" <<'AWK'
BEGIN { FS = OFS = "\t" }
NR > 1 {
  p = $1; plus = substr(p, 1, 1) == "+"; gsub(/[^0-9]/, "", p)
  if (!plus && length(p) == 11 && substr(p, 1, 1) == "8") p = "7" substr(p, 2)
  print p, $2, $7
}
AWK
head -n 1 "$directory/companies-russia.tsv" >"$work/raw.tsv"
for table in moscow-spb russia abroad; do tail -n +2 "$directory/companies-$table.tsv"; done >>"$work/raw.tsv"

ours() {
  rm -rf "$directory/shards" "$directory/.shardctl"
  "$shardctl" apply --plan "$directory/plan.json" --quiet >/dev/null
}
theirs() {
  LC_ALL=C mawk -f "$work/normalise.awk" "$work/raw.tsv" |
    LC_ALL=C sort -t$'\t' -k1,1n -u --parallel=2 -S 1G >"$work/sorted"
}
seconds() {
  local start=${EPOCHREALTIME/[.,]/}
  "$1"
  echo $((${EPOCHREALTIME/[.,]/} - start))
}

ours
theirs
for ((pair = 1; pair <= pairs; pair++)); do
  a=$(seconds ours)
  b=$(seconds theirs)
  awk -v a="$a" -v b="$b" 'BEGIN { printf "apply %.2f s   mawk | sort %.2f s   ratio %.3f\n", a / 1e6, b / 1e6, a / b }' |
    tee -a "$work/ratios"
done
sort -k10,10n "$work/ratios" | awk '{ r[NR] = $NF } END { printf "median ratio %.3f\n", r[int((NR + 1) / 2)] }'
