#!/bin/sh
# The benchmark on a driver that is none (tests/fake_cuda.c), whose every kernel is the plain copy:
# right results are timed, wrong ones are not. check.sh BENCHMARK FAKE_DRIVER
unset CUTLET_NO_GPU
export CUTLET_CUDA_DRIVER="$2"

fail() {
    printf '%s:\n%s\n' "$1" "$out"
    exit 1
}

out=$("$1" --mib 2 --runs 3 --group plain)
status=$?
if [ $status -eq 77 ]; then
    printf '%s\n' "$out"
    exit 77
fi
[ $status -eq 0 ] || fail "status $status for jobs that are right"
[ "$(printf '%s\n' "$out" | grep -c '^plain .* 1\.[05]00 ')" -eq 2 ] || fail "two jobs should be timed"

out=$("$1" --mib 2 --runs 3)
[ $? -eq 1 ] || fail "the status should be 1 where results are wrong"
jobs=$("$1" --list | grep -c -v '^plain')
[ "$(printf '%s\n' "$out" | grep -c ' wrong: byte ')" -eq "$jobs" ] || fail "$jobs should be wrong"
printf '%s\n' "$out" | grep -q "^$jobs wrong, not timed$" || fail "their number should come last"

out=$(CUTLET_NO_GPU=1 "$1")
[ $? -eq 77 ] && [ "$out" = "no GPU: CUTLET_NO_GPU is set" ] || fail "the GPU should be off"
