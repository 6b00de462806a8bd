#!/bin/sh
# The lines of the copy: its engine, its drivers, rows at any address, kernels of plans; and of what launches those.
cd "$(dirname "$0")/../.."
echo "copy: $(cat device/copy/*.h device/staged/*.h device/unaligned/*.h device/tensor/tile.h device/tensor/thread_slice.h \
    device/element/funnel_shift.h device/element/move.h device/element/permute.h device/kernels/*.h device/kernels/*.cu \
    src/plan/kernels/*.h src/plan/kernels/*.cu | wc -l)"
echo "launches: $(cat src/plan/gpu/* src/plan/cuda/source.c 2>/dev/null | wc -l)"
