#!/usr/bin/env python3
r"""Instructions that a thread executes for a whole tile of each tiled copy, ours and CuTe's.

    sass_count.py --nvdisasm NVDISASM [--nvcc NVCC] [--cute INCLUDE] [--arch ARCH] [--path KERNEL]
    sass_count.py --ptx --cute INCLUDE [--nvcc NVCC] [--arch ARCH]
    sass_count.py --slice --nvdisasm NVDISASM --cute INCLUDE [--nvcc NVCC] [--arch ARCH]

Both are compiled with `nvcc -std=c++17 -arch=ARCH -cubin`; the machine code is followed from the
entry to EXIT, along every way without a loop. The way of a whole tile is the one that loads and
stores exactly the bytes of a thread without a predicate; of several, the shortest counts. --path
prints that way of one kernel. INCLUDE is the folder of CuTe's headers; without it, ours alone are
counted. With --ptx it is all instructions in the PTX of kernels for whole tiles only: CuTe's, and
the ones of tests/codegen/tiled_copy.cu. With --slice it is the kernel that takes a slice, a tile and a
partition before it copies: unchecked.cu beside bench/peers/cute_slice.cu, with batch strides of 64 and of
32 bits. Ends with status 1 where ours executes more than CuTe's.

The same counted by a GPU: the first metric divided by the second one.
    ncu --kernel-name regex:'^(ct_copy|cute)_' --metrics \
        smsp__inst_executed.sum,smsp__warps_launched.sum \
        cutlet-bench matrix --group peer --peer cute_copy.cubin --mib 64 --runs 1 --warmups 0
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CUTE = os.path.join(HERE, "../peers/cute_copy.cu")
sys.path.insert(0, os.path.join(ROOT, "tests/codegen"))
import gates

OWN = ["-I" + os.path.join(ROOT, "include"), "-I" + os.path.join(ROOT, "device")]
ELEM_BYTES, TILE = 2, 64 * 64
VARIANTS = [("rows4", "row"), ("rows4_wide", "row"), ("rows8", "row"), ("rows8_async", "row"),
            ("half_line", "row"), ("cols4", "row"), ("partition", "row"), ("rows4", "col"),
            ("printed4", "col"), ("printed8_async", "col"), ("cols4", "col"), ("cols8", "col"),
            ("cols8_async", "col"), ("partition", "col")]

GLOBAL = re.compile(r"^(LDG|LDGSTS|STG)\.E(?:\.\w+)*?(?:\.(U8|S8|U16|S16|64|128))?(?: |$)")
BYTES = {"U8": 1, "S8": 1, "U16": 2, "S16": 2, None: 4, "64": 8, "128": 16}


def kernels_of(sass):
    """name -> ([(predicate, instruction)], label -> index)."""
    kernels, code, labels = {}, None, None
    for line in sass.splitlines():
        section = re.match(r"^\.text\.(\w+):", line)
        label = re.match(r"^(\.L_x_\d+):", line)
        instruction = re.match(r"^\s+/\*[0-9a-f]+\*/\s+(?:@(!?U?P\w+)\s+)?([A-Z].*?);", line)
        if section:
            code, labels = [], {}
            kernels[section.group(1)] = (code, labels)
        elif code is None:
            continue
        elif label:
            labels[label.group(1)] = len(code)
        elif instruction:
            code.append(instruction.groups())
        elif line.startswith("\t.section"):
            code = None
    return kernels


def successors(code, labels, at):
    """Where the instruction may lead: the indices behind it, None for EXIT."""
    predicate, text = code[at]
    target = re.search(r"`\((\.L_x_\d+)\)", text)
    always = predicate in (None, "PT")
    if text.startswith("EXIT"):
        return [None] if always else [None, at + 1]
    if text.startswith("BRX"):
        return []
    if text.startswith("BRA") and target:
        conditional = not always or re.match(r"BRA(\.\w+)* !?U?P\d", text)
        to = labels[target.group(1)]
        return [to, at + 1] if conditional else [to]
    return [at + 1]


def moved_bytes(instruction):
    """(loaded, stored): what it moves from and to global memory; None where a predicate decides."""
    predicate, text = instruction
    match = GLOBAL.match(text)
    if not match:
        return 0, 0
    if predicate:
        return None
    size = BYTES[match.group(2)]
    return (0, size) if match.group(1) == "STG" else (size, 0)


def whole_tile_way(kernel, bytes_of_thread):
    """The indices along the shortest way that moves this many bytes; or None."""
    code, labels = kernel
    best, stack = None, [(0, [], 0, 0)]
    while stack:
        at, way, loaded, stored = stack.pop()
        while at is not None and at < len(code):
            moved = moved_bytes(code[at])
            if moved is None or loaded + moved[0] > bytes_of_thread:
                break
            way, loaded, stored = way + [at], loaded + moved[0], stored + moved[1]
            ways = successors(code, labels, at)
            whole = loaded == stored == bytes_of_thread
            if None in ways and whole and (best is None or len(way) < len(best)):
                best = way
            ways = [to for to in ways if to is not None and to > at]
            stack += [(to, way, loaded, stored) for to in ways[1:]]
            at = ways[0] if ways else None
    return best


def compile_to(o, scratch, kind, source, flags):
    """The path of what nvcc makes of a source: -cubin or -ptx."""
    out = os.path.join(scratch, "x" + kind)
    subprocess.run([o.nvcc, "-std=c++17", "-arch=" + o.arch, kind, *flags, "-o", out, source],
                   check=True)
    return out


def disassemble(o, scratch, source, flags):
    """The kernels of a source."""
    cubin = compile_to(o, scratch, "-cubin", source, flags)
    return kernels_of(subprocess.run([o.nvdisasm, "-c", cubin], check=True, text=True,
                                     capture_output=True).stdout)


def count(kernels, name, threads):
    """The way of the kernel; ends the program without one."""
    way = whole_tile_way(kernels[name], TILE * ELEM_BYTES // threads) if name in kernels else None
    if way is None:
        sys.exit(f"sass_count.py: no way of a whole tile through {name}")
    return way


def count_sass(o, scratch):
    """(variant, order) -> instructions of ours and of CuTe's, or None."""
    source = os.path.join(scratch, "tiled_copy.cu")
    with open(source, "w", encoding="utf-8") as file:
        file.write("#define CT_COPY_SIZES(K, ...) K(2, __VA_ARGS__)\n"
                   '#include "kernels/tiled_copy.cu"\n')
    kernels = disassemble(o, scratch, source, OWN)
    if o.cute:
        kernels |= disassemble(o, scratch, CUTE, ["-I" + o.cute])
    if o.path:
        threads = 256 if "partition" in o.path else 128
        for at in count(kernels, o.path, threads):
            predicate, text = kernels[o.path][0][at]
            print(f"{'@' + predicate if predicate else '':6} {text}")
        print()
    counts = {}
    for variant, order in VARIANTS:
        threads = 256 if variant == "partition" else 128
        counts[variant, order] = (
            len(count(kernels, f"ct_copy_{variant}_{order}_2", threads)),
            len(count(kernels, f"cute_{variant}_{order}", threads)) if o.cute else None)
    return counts


def count_ptx(o, scratch):
    """The same in the PTX."""
    bodies = {}
    for source, flags in ((os.path.join(ROOT, "tests/codegen/tiled_copy.cu"), OWN),
                          (CUTE, ["-I" + o.cute])):
        with open(compile_to(o, scratch, "-ptx", source, flags), encoding="utf-8") as file:
            bodies |= gates.kernels_of_ptx(file.read())
    return {(v, order): tuple(len(gates.instructions(bodies[f"{prefix}_{v}_{order}"]))
                              for prefix in ("whole", "cute")) for v, order in VARIANTS}


def count_slice(o, scratch):
    """name -> instructions of a kernel without branches, without what pads it."""
    cute = os.path.join(HERE, "../peers/cute_slice.cu")
    counts = {}
    for name, source, flags in (
            ("cutlet, batch strides of 64 bits", os.path.join(HERE, "unchecked.cu"), OWN),
            ("CuTe, of 64 bits", cute, ["-I" + o.cute]),
            ("CuTe, of 32 bits", cute, ["-I" + o.cute, "-DCUTE_SLICE_INT=int"])):
        (code, _), = disassemble(o, scratch, source, flags).values()
        texts = [text.split()[0] for _, text in code]
        counts[name] = texts.index("EXIT") + 1
    return counts


def print_slice(counts):
    """Returns whether ours are more than CuTe's of the same strides."""
    print("| kernel | instructions |\n|---|---|")
    for name, number in counts.items():
        print(f"| {name} | {number} |")
    own, cute, _ = counts.values()
    return own > cute


def print_table(counts):
    """Returns whether some of ours are more than CuTe's."""
    print("| variant | data | elements a thread | cutlet | CuTe | cutlet, an element | CuTe | "
          "ratio |\n"
          "|---|---|---|---|---|---|---|---|")
    for (variant, order), (own, cute) in counts.items():
        elems = TILE // (256 if variant == "partition" else 128)
        row = f"| {variant.replace('_', '-')} | {order} | {elems} | {own} |"
        if cute:
            row += f" {cute} | {own / elems:.2f} | {cute / elems:.2f} | {own / cute:.2f} |"
        else:
            row += f" | {own / elems:.2f} | | |"
        print(row)
    return any(cute and own > cute for own, cute in counts.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--nvdisasm", default="nvdisasm")
    parser.add_argument("--cute", help="the folder of CuTe's headers")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--path", help="the kernel whose way is printed")
    parser.add_argument("--ptx", action="store_true", help="the PTX instead of the machine code")
    parser.add_argument("--slice", action="store_true", help="the kernel that takes a slice first")
    o = parser.parse_args()
    if (o.ptx or o.slice) and not o.cute:
        parser.error("--ptx and --slice need --cute")
    for tool in [o.nvcc] + ([] if o.ptx else [o.nvdisasm]):
        if not shutil.which(tool):
            sys.exit(f"sass_count.py: no {tool} found; PyPI has it in nvidia-cuda-nvdisasm"
                     if tool == o.nvdisasm else f"sass_count.py: no {tool} found")
    with tempfile.TemporaryDirectory() as scratch:
        if o.slice:
            return 1 if print_slice(count_slice(o, scratch)) else 0
        counts = (count_ptx if o.ptx else count_sass)(o, scratch)
    return 1 if print_table(counts) else 0


if __name__ == "__main__":
    sys.exit(main())
