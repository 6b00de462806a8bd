#!/bin/sh
# `cutlet-bench matrix` on a fake driver (tests/support/fake_cuda.c), which runs the plain copy
# alone: right results are timed, wrong ones are not. bench_matrix.sh CUTLET-BENCH FAKE_DRIVER
unset CUTLET_NO_GPU
export CUTLET_CUDA_DRIVER="$2"

fail() {
    printf '%s:\n%s\n' "$1" "$out"
    exit 1
}

out=$("$1" matrix --mib 2 --runs 3 --group plain)
status=$?
if [ $status -eq 77 ]; then
    printf '%s\n' "$out"
    exit 77
fi
[ $status -eq 0 ] || fail "status $status for jobs that are right"
[ "$(printf '%s\n' "$out" | grep -c '^plain .* 1\.[05]00 ')" -eq 2 ] || fail "two jobs should be timed"
printf '%s\n' "$out" | grep -q '^plain .* memcpy / this 0\.667$' || fail "a launch takes 2 of 3"

file=$(mktemp)
"$1" matrix --mib 2 --runs 3 --group plain --tsv "$file" >/dev/null
out=$(awk -F'\t' '$3 == "one-access" { print $12, ($16 > 0), $19, $24, $27 }' "$file")
rm -f "$file"
[ "$out" = "3 1 1.5000 memcpy 0.6667" ] || fail "a row should have the job and the one beside it"

out=$("$1" matrix --mib 2 --runs 3)
[ $? -eq 1 ] || fail "the status should be 1 where results are wrong"
jobs=$("$1" matrix --mib 2 --list | grep -c -v '^plain')
[ "$(printf '%s\n' "$out" | grep -c ' wrong: byte ')" -eq "$jobs" ] || fail "$jobs should be wrong"
printf '%s\n' "$out" | grep -q "^$jobs wrong, not timed$" || fail "their number should come last"

image=$(mktemp)
printf 'cute_rows8_row and others' >"$image"
out=$("$1" matrix --mib 2 --runs 3 --group plain,peer --peer "$image")
status=$?
rm -f "$image"
[ $status -eq 1 ] && [ "$(printf '%s\n' "$out" | grep -c '^peer .* wrong: byte ')" -eq 28 ] ||
    fail "28 jobs of the peer should be wrong"
[ "$(printf '%s\n' "$out" | grep -c '^plain .* 1\.[05]00 ')" -eq 2 ] || fail "two should be timed"
out=$("$1" matrix --mib 2 --peer "$image" 2>&1) && fail "a peer that is not there"

out=$(CUTLET_NO_GPU=1 "$1" matrix)
[ $? -eq 77 ] && [ "$out" = "no GPU: CUTLET_NO_GPU is set" ] || fail "the GPU should be off"

for wrong in "--group none" "--only nothing" "--elem 3" "--tile 64" "--runs 0" "--mib 1G" --fast copy; do
    # shellcheck disable=SC2086
    out=$("$1" matrix $wrong 2>&1)
    [ $? -eq 2 ] && [ "$(printf '%s\n' "$out" | grep -c '^cutlet-bench matrix: ')" -eq 1 ] ||
        fail "\`$wrong' should be refused in a line"
done
out=$("$1" matrix --help)
[ $? -eq 0 ] && printf '%s\n' "$out" | grep -q '^Usage: cutlet-bench matrix \[OPTION...\]$' ||
    fail "the help should say how it is used"
