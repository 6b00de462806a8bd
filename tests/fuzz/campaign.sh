#!/bin/bash
# Runs all fuzz targets at once, on all cores, and writes a line for each: what docs/proof.md says of fuzzing.
#
#     campaign.sh TARGETS SECONDS OUT
#
# TARGETS is the folder that oss-fuzz/build.sh fills, by clang with -fsanitize=address,undefined and libFuzzer. OUT gets
# fuzz.tsv, inputs that crash, and the end of what their target said. The programs run at the lowest priority.
set -u
targets=$(cd "$1" && pwd) seconds=$2 out=$3
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
cd "$work" || exit 1

# The first ten cores have one target each; of the others, those that make well-formed inputs have more.
names=(expression plan eval convert npy redistribute lanes text sass ptx)
order=("${names[@]}" expression plan eval expression convert plan expression npy redistribute lanes expression
       plan eval expression plan convert expression text eval expression plan redistribute expression)
cores=$(nproc)
((cores < ${#names[@]})) && cores=${#names[@]}
export ASAN_OPTIONS=allocator_may_return_null=1:handle_abort=1
end=$(($(date +%s) + seconds))

worker() { # NAME NUMBER: runs a target until the end, after a crash from the start again
    local name=$1 number=$2 left run=0 words=()
    [ -e "$targets/fuzz_$name.dict" ] && words=("-dict=$targets/fuzz_$name.dict")
    while left=$((end - $(date +%s))) && ((left > 2)); do
        run=$((run + 1))
        nice -n 19 "$targets/fuzz_$name" "corpus/$name" "seeds/$name" "${words[@]}" -seed=$((7000 + number * 100 + run)) \
            -max_total_time=$left -max_len=400 -timeout=150 -report_slow_units=60 -rss_limit_mb=3000 -reload=1 \
            -print_final_stats=1 "-artifact_prefix=found/$name/" > "log/$name.$number.$run" 2>&1
    done
    times > "cpu/$name.$number"
}

mkdir -p log cpu
for name in "${names[@]}"; do
    mkdir -p "corpus/$name" "seeds/$name" "found/$name"
    python3 -m zipfile -e "$targets/fuzz_${name}_seed_corpus.zip" "seeds/$name"
done
for ((i = 0; i < cores; ++i)); do
    worker "${order[i % ${#order[@]}]}" "$i" &
done
wait

sum() { awk '{ s += $2 } END { printf "%.0f", s }'; }
most() { awk '$2 > m { m = $2 } END { print m + 0 }'; }
printf 'target\tworkers\texecutions\tedges\tfeatures\tcpu_seconds\tcrashes\n' | tee "$out/fuzz.tsv"
for name in "${names[@]}"; do
    # The second line of `times` is what the programs took: 1m2.345s 0m0.100s
    cpu=$(tail -qn 1 cpu/"$name".* | tr ' ' '\n' | sed 's/s$//' | awk -Fm 'NF == 2 { s += 60 * $1 + $2 } END { print s }')
    crashes=0
    for input in found/"$name"/*; do
        case $input in
        *'/*' | */slow-unit-*) ;;
        *) crashes=$((crashes + 1)) && cp "$input" "$out/$name-$(basename "$input")" ;;
        esac
    done
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$name" "$(ls cpu | grep -c "^$name\.")" \
        "$(grep -h 'stat::number_of_executed_units' log/"$name".* | sum)" \
        "$(grep -ho 'cov: [0-9]*' log/"$name".* | most)" "$(grep -ho 'ft: [0-9]*' log/"$name".* | most)" \
        "$cpu" $crashes | tee -a "$out/fuzz.tsv"
    for said in $(grep -lE 'ERROR: |runtime error|SUMMARY: ' log/"$name".* | head -5); do
        tail -c 4000 "$said" > "$out/$(basename "$said").log"
    done
done
awk 'NR > 1 { e += $3; c += $6; x += $7 } END { printf "all: %.0f executions, %.2f CPU hours, %d crashes\n", e, c / 3600, x }' "$out/fuzz.tsv"
rm -rf "$work"
