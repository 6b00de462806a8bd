#!/bin/sh
# Products and attention beside another tree's: `beside.sh keep FOLDER` there, then `beside.sh FOLDER` here.
# Verifies, then times both in turn, and prints TSV. About 5 minutes on an H200.
set -e
here=$(dirname "$0")
image=attention_128.cubin
if [ "$1" = keep ]; then
    mkdir -p "${2:?folder}"
    python3 "$here/gemm.py" --keep "$2"
    nvcc -std=c++17 -arch=sm_90a -cubin -DATTENTION_KEYS=128 -I"$here/../../include" -o "$2/$image" \
        "$here/../../examples/attention/attention.cu"
else
    for set in large fp8 odd shapes mma_sync simt; do python3 "$here/gemm.py" --sets $set --runs "${RUNS:-7}" --beside "${1:?folder}"; done
    python3 "$here/../attention/attention.py" --beside "$1/$image"
fi
