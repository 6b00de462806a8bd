#!/usr/bin/env python3
"""Lets ptxas take every mma.sync and wgmma.mma_async that there is an atom of, with as many registers as
the atom's layouts give a thread: one that does not exist, or has others, does not assemble. The text of
tcgen05.mma does not say its shape: each text of an atom is taken once.

    mma_ptx.py CUTLET PTXAS SCRATCH
"""

import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

TYPE = r"(?:F16|BF16|TF32|F32|F64|U1|[SU][48]|S32|E[2-5]M[1-3])"
NAME = re.compile(rf"SM(\d+)_(?:SPARSE_)?(\d+)x(\d+)x(\d+)_({TYPE})({TYPE})({TYPE})({TYPE}|)_"
                  r"(?:([TN])([TN])|([SR])S(?:_TN)?)(?:_(SATURATE|XORPOPC|ANDPOPC|VS|VS16))?$")
TENSOR = re.compile(rf"SM100_(SPARSE_)?(\d+)x(\d+)x(\d+)_({TYPE})({TYPE})({TYPE})(_2x1SM)?_([ST])S(?:_(VS|VS16|WS))?$")
# The instruction of sm_70 is one of sm_75 as well, which ptxas still knows.
TARGET = {"70": "sm_75", "75": "sm_75", "80": "sm_80", "89": "sm_89", "90": "sm_90a", "100": "sm_100a",
          "120": "sm_120a"}
BITS = {"U1": 1, "S4": 4, "U4": 4, "S8": 8, "U8": 8, "E4M3": 8, "E5M2": 8,
        "F16": 16, "BF16": 16, "F32": 32, "TF32": 32, "S32": 32, "F64": 32}


def ptx_type(name):
    return "b1" if name == "U1" else name.lower()


def values(operand):
    """How many values a thread has, by the sizes of the second mode of its layout."""
    count, modes = 1, [operand["tv"]["shape"][1]]
    while modes:
        mode = modes.pop()
        if isinstance(mode, list):
            modes += mode
        else:
            count *= mode
    return count


def registers(prefix, count):
    return "{" + ", ".join(f"%{prefix}{i}" for i in range(count)) + "}"


def metadata(atom):
    """The metadata of a sparse instruction and its last selector."""
    return f", %e0, {atom['e']['selectors'] - 1}" if "e" in atom else ""


def sync(match, counts, atom, sparse):
    """The text of an mma.sync, which the parts of its name and the numbers of registers give; sparse: what
    stands behind mma."""
    arch, m, n, k, d, a, b, c, major_a, major_b, _, form = match.groups()
    rows = {"T": "row", "N": "col"}
    cols = {"T": "row", "N": "col"}
    kind = ""
    if arch == "120":
        kind = ".kind::f8f6f4"
        if form == "VS":
            kind = (".kind::mxf8f6f4.block_scale.scale_vec::1X" if k == ("64" if sparse else "32")
                    else ".kind::mxf4.block_scale.scale_vec::2X")
        elif form == "VS16":
            kind = ".kind::mxf4nvf4.block_scale.scale_vec::4X"
    scale_type = {"VS": ".ue8m0", "VS16": ".ue4m3"}.get(form, "")
    scale = ", {%s0}, {0, 0}, {%s1}, {0, 0}" if scale_type else ""
    popc = {"XORPOPC": ".xor.popc", "ANDPOPC": ".and.popc"}.get(form, "")
    saturate = ".satfinite" if form == "SATURATE" else ""
    types = ".".join(ptx_type(t) for t in (d, a, b, c))
    return (f"mma{sparse}.sync.aligned.m{m}n{n}k{k}.{rows[major_a]}.{cols[major_b]}{kind}{saturate}.{types}"
            f"{scale_type}{popc} {registers('d', counts[2])}, {registers('a', counts[0])}, "
            f"{registers('b', counts[1])}, {registers('c', counts[2])}{metadata(atom)}{scale};")


def wgmma(match, counts, atom):
    _, m, n, k, d, a, b, _, _, _, source, form = match.groups()
    from_registers = source == "R"
    scales = "" if a in ("S8", "U8") else ", 1, 1"
    if a in ("F16", "BF16"):
        scales += ", 0" if from_registers else ", 0, 0"
    saturate = ".satfinite" if form == "SATURATE" else ""
    types = ".".join(ptx_type(t) for t in (d, a, b))
    operand = registers("a", counts[0]) if from_registers else "%q0"
    sparse = ".sp" if "e" in atom else ""
    return (f"wgmma.mma_async{sparse}.sync.aligned.m{m}n{n}k{k}.{types}{saturate} {registers('d', counts[2])}, "
            f"{operand}, %q1{metadata(atom)}, %p0{scales};")


def entry(number, name, atom):
    """A kernel of one instruction, of a sparse mma.sync in both its forms, and its target."""
    match = NAME.match(name)
    arch, d, a, b = match[1], match[5], match[6], match[7]
    held = {"a": BITS.get(a), "b": BITS.get(b), "c": BITS[d]}
    packed = "128" if "e" in atom else "64"
    if arch == "120":
        held["a"] = held["b"] = 4 if match[4] == packed else 8
    counts = [values(atom[x]) * held[x] // 32 for x in "abc"]
    if a == "F64":
        counts = [values(atom[x]) for x in "abc"]
    kind = {"F32": ".f32", "F64": ".f64"}.get(d, ".b32")
    declare = (f".reg {kind} %d<{counts[2]}>, %c<{counts[2]}>; .reg .b64 %q<2>; .reg .pred %p<1>; "
               f".reg {'.f64' if a == 'F64' else '.b32'} %a<{counts[0]}>, %b<{counts[1]}>; .reg .b32 %s<2>, %e<1>;")
    if match[8] == "":
        text = wgmma(match, counts, atom)
    elif "e" not in atom:
        text = sync(match, counts, atom, "")
    else:
        plain = [] if arch == "120" else [".sp"]
        text = "\n".join(sync(match, counts, atom, sparse) for sparse in plain + [".sp::ordered_metadata"])
    return TARGET[arch], f"// {name}\n.visible .entry k{number}() {{ {declare}\n{text}\nret; }}\n"


def tensor(match):
    """The texts of a tcgen05.mma, which the parts of its name give."""
    sparse, _, _, k, _, a, _, two, source, form = match.groups()
    if form == "VS16":
        kinds = ["mxf4nvf4.block_scale.scale_vec::4X"]
    elif form == "VS":
        kinds = (["mxf4.block_scale.scale_vec::2X", "mxf4nvf4.block_scale.scale_vec::2X"] if k == ("128" if sparse else "64")
                 else ["mxf8f6f4.block_scale.scale_vec::1X"])
    else:
        kinds = [{"F16": "f16", "BF16": "f16", "TF32": "tf32", "S8": "i8", "U8": "i8"}.get(a, "f8f6f4")]
    ws = ".ws" if form == "WS" else ".sp" if sparse else ""
    meta = ", [%r5]" if sparse else ""
    operand = "%q0" if source == "S" else "[%r2]"
    scale = ", [%r3], [%r4]" if form in ("VS", "VS16") else ""
    return [f"tcgen05.mma{ws}.cta_group::{2 if two else 1}.kind::{kind} [%r0], {operand}, %q1{meta}, %r1{scale}, %p0;"
            for kind in kinds]


def tensor_entries(names):
    """A kernel of each text of tcgen05.mma."""
    texts = sorted({text for name in names for text in tensor(TENSOR.match(name))})
    declare = ".reg .b32 %r<6>; .reg .b64 %q<2>; .reg .pred %p<1>;"
    return [f".visible .entry t{i}() {{ {declare}\n{text}\nret; }}\n" for i, text in enumerate(texts)]


def atoms_of(cutlet):
    """The atoms that PTX has as one instruction of a warp or more, by name; the names of tcgen05.mma."""
    names = [line.split()[1] for line in tap.run([cutlet, "help", "atoms"])[1].splitlines()
             if line.startswith("mma_atom")]
    tensors = [n for n in names if n.startswith("SM100")]
    names = [n for n in names if NAME.match(n) and not n.startswith("SM100")]
    found = []
    for first in range(0, len(names), 200):
        some = names[first:first + 200]
        lines = tap.run([cutlet, "eval", "--json", *some])[1].splitlines()
        found += zip(some, map(json.loads, lines))
    return found, tensors


def main(report, cutlet, ptxas, scratch):
    os.makedirs(scratch, exist_ok=True)
    texts = {}
    found, tensors = atoms_of(cutlet)
    for number, (name, atom) in enumerate(found):
        target, text = entry(number, name, atom)
        texts.setdefault(target, []).append(text)
    texts[TARGET["100"]] = tensor_entries(tensors)
    counts = {target: len(some) for target, some in texts.items()}
    report.check("atoms of every architecture", counts == {
        "sm_75": 11, "sm_80": 103, "sm_89": 12, "sm_90a": 2115, "sm_120a": 154, "sm_100a": 72}, str(counts))
    if not os.path.exists(ptxas):
        report.skip("the instructions", f"no {ptxas}")
        return
    for target, some in sorted(texts.items()):
        path = os.path.join(scratch, f"mma_{target}.ptx")
        with open(path, "w") as out:
            out.write(f".version 8.8\n.target {target}\n.address_size 64\n" + "".join(some))
        status, output = tap.run([ptxas, f"-arch={target}", "-O0", "-o", os.devnull, path])
        bad = [line for line in output.splitlines() if "error" in line or "fatal" in line]
        report.check(f"{len(some)} instructions of {target}", status == 0, "\n".join(bad[:5]))


tap.main(main)
