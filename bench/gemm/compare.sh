#!/bin/sh
# All rows of gemm.py, and what decides between forms of wgmma.cu: into the folder $1. About 5 minutes on an H200.
set -e
here=$(dirname "$0")
out=${1:?folder}
python3 "$here/gemm.py" --variants "$out/variants.tsv" --triton ${CUTLASS:+--cutlass "$CUTLASS"} | tee "$out/gemm.tsv"
for define in GEMM_GROUP=4 GEMM_GROUP=16; do
    python3 "$here/gemm.py" --sets order --runs 7 --define $define | tee "$out/$define.tsv"
done
