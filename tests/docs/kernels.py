#!/usr/bin/env python3
"""Kernels leave to the tiled MMA, the copies and the register tensors what these know: kernels.py ROOT

The kernels of device/gemm and examples hold no number of a lane, no mask of a shuffle, no bytes of a stage, no words of
a fragment, and no descriptor.
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tap

FORBIDDEN = {
    "a thread's number taken apart": r"threadIdx\.x\s*[%/&]|\blane\s*%",
    "a mask of a shuffle": r"__shfl_\w+\([^;]*,\s*(0x)?[0-9a-f]+\s*\)",
    "bytes of a stage": r"(?<!CT_ELEMENTWISE)_BYTES\b|\w_bytes\s*[-+*/]|[-+*/]\s*\w+_bytes\b(?! *\()",
    "words of a fragment": r"CT_FRAGMENT\s*\(\s*uint32_t|\buint32_t\s+\w+\s*\[",
    "a descriptor": r"ct_(make_)?mma_descriptor|\bct_wgmma\s*\(",
}
PLANTED = {
    "a thread's number taken apart": "const int row = threadIdx.x / 4;",
    "a mask of a shuffle": "x = __shfl_xor_sync(0xffffffff, x, 16);",
    "bytes of a stage": "memory + p.stage * A_BYTES",
    "words of a fragment": "CT_FRAGMENT(uint32_t, sum, 64);",
    "a descriptor": "ct_wgmma(&op, sum, a, b, 1);",
}
# With the reason.
LEFT = {
    "examples/howto/port.cu": "plain CUDA, which its page ports",
    "examples/int4_gemm.cu": "scales of four groups, a register tensor of two halves for each, loaded before the loop",
    "examples/vector/layer_norm.h": "rows whose elements have bytes that are told at launch",
    "examples/vector/vector.h": "functions of the host, of the alignment of rows",
    "examples/tutorial/tma.cu": "unsigned integers of 16 bits, a type that no register tensor has",
}


def found(text):
    """(line, what) of each forbidden form in code; comments may speak of them."""
    text = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)
    return [(number, what) for number, line in enumerate(text.splitlines(), 1)
            for what, form in FORBIDDEN.items() if re.search(form, line)]


def main(report, source):
    root = pathlib.Path(source)
    for what, line in PLANTED.items():
        report.check(f"{what} is found", [w for _, w in found(line)] == [what], found(line))
    files = [f for folder in ("device/gemm", "examples") for f in sorted((root / folder).rglob("*"))
             if f.suffix == ".cu" or (f.suffix == ".h" and "CT_DEVICE" in f.read_text())]
    report.check("there are kernels", len(files) > 8, files)
    for f in files:
        name, wrong = f.relative_to(root).as_posix(), found(f.read_text())
        report.check(name, bool(wrong) == (name in LEFT), "\n".join(f"{name}:{number}: {what}" for number, what in wrong))


tap.main(main)
