#!/usr/bin/env python3
"""`--json` of every command against docs/json.md: each command that the help lists prints one document with the
members that the page names.

    test_json.py CUTLET SOURCE
"""

import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

WITHOUT = {"help", "completion"}
COPY = "tiled_copy(copy_atom(universal128,16), (16,8):(8,1), (1,8):(1,1))"
MATRIX = "(512,512):(512,1)"
EXAMPLES = {
    "eval": ["(4,8):(8,1)"], "check": ["good.check"], "explain": ["coalesce((2,4):(1,2))"],
    "eval TUPLE": ["(4,8)"], "eval UNKNOWN": ["(4,8):(?,1)"], "eval SWIZZLE": ["Sw<3,4,3>"], "eval TILER": ["<4,8>"],
    "eval SWIZZLED": ["Sw<3,3,3> o 0 o (8,64):(64,1)"], "eval LIST": ["offsets((4,16))"], "eval COPY_ATOM": ["copy_atom(universal128, 16)"],
    "eval TILED_COPY": ["tiled_copy(copy_atom(universal128, 16), (16,8):(8,1), (1,8))"], "eval MMA_ATOM": ["SM80_16x8x16_F32F16F16F32_TN"], "eval TILED_MMA": ["tiled_mma(SM80_16x8x16_F32F16F16F32_TN)"],
    "draw -o": ["(4,8):(8,1)", "-o", "a.svg"], "verify TILED_MMA": ["SM80_16x8x16_F32F16F16F32_TN"],
    "explain copy": ["--src", MATRIX], "draw": ["(4,8):(8,1)"],
    "explain descriptor": ["Sw<3,3,3> o 0 o (64,64):(64,1)", "--operand", "a", "--atom", "SM90_64x128x16_F32F16F16_SS"],
    "explain tma": ["(512,512):(512,1)", "--box", "64x64"],
    "report": [COPY, "--src", MATRIX, "-o", "page.html"], "compare": ["--rows", "64", "--cols", "64", "--no-gpu"],
    "compare --copy": ["--copy", "(16,8):(8,1) x (1,8)", "--src", MATRIX, "--no-gpu"],
    "access": [COPY, "--src", MATRIX], "access --lanes": ["--kind", "lds", "--bits", "32", "--lanes", "0,4"],
    "relayout": ["A.npy", "B.npy", "--to", "f"], "gemm": ["A.npy", "A.npy", "-o", "D.npy"], "sass": ["code.ptx"],
    "run": ["code.ptx", "--arg", "p=float[1]:out"], "run --list": ["code.ptx", "--list"],
    "suggest": ["--type", "half", "--tile", "16x32", "--threads", "32", "--src", MATRIX],
    "verify": [COPY, "--src", MATRIX], "convert": ["--to", "cute", "(4,8):(8,1)"],
    "lint": ["good.check"],
    "convert --same": ["--same", "(4,8):(1,4)", "(4,8)"],
    "redistribute": ["--from", "shard:0", "--to", "shard:1", "--shape", "8x8", "--mesh", "2"],
}
PTX = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p)
{
    .reg .b64 %rd<3>;
    .reg .b32 %r<2>;
    ld.param.u64 %rd1, [p];
    cvta.to.global.u64 %rd2, %rd1;
    ld.global.u32 %r1, [%rd2];
    st.global.u32 [%rd2], %r1;
    ret;
}
"""


def page(source):
    """{command: members} of the document."""
    with open(os.path.join(source, "docs", "json.md")) as file:
        rows = re.findall(r"^\| `([^`]+)` \| (.+) \|$", file.read(), re.M)
    return {command: set(re.findall(r"`([^`]+)`", members)) for command, members in rows}


def main(report, cutlet, source):
    cutlet, members = os.path.abspath(cutlet), page(source)
    listed = re.findall(r"^  ([a-z]+) .*  \S", subprocess.run([cutlet, "help"], capture_output=True, text=True).stdout, re.M)
    listed = [name for name in dict.fromkeys(listed) if name not in ("cutlet", *WITHOUT)]
    report.check("every command has a row", set(listed) <= set(members), set(listed) - set(members))
    report.check("every row has an example", set(members) == set(EXAMPLES) or
                 set(EXAMPLES) - set(members) == {"redistribute"} - set(listed), set(members) ^ set(EXAMPLES))
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "good.check"), "w") as file:
            file.write("size(4) == 4\n")
        with open(os.path.join(folder, "code.ptx"), "w") as file:
            file.write(PTX)
        subprocess.run([cutlet, "compare", "--rows", "16", "--cols", "16", "--no-gpu", "--order", "row", "--variants",
                        "best", "--output", "A.npy"], cwd=folder, capture_output=True)
        for command, want in members.items():
            if command.split()[0] not in listed:
                report.skip(command, "not built")
                continue
            words = [word for word in command.split() if word.islower() and word[0] != "-"]
            done = subprocess.run([cutlet, *words, *EXAMPLES[command], "--json"], cwd=folder, capture_output=True,
                                  text=True, timeout=100, env={**os.environ, "CUTLET_NO_GPU": "1"})
            try:
                found = set(json.loads(done.stdout))
            except ValueError:
                found = None
            report.check(f"{command}: the members of its document", found == want,
                         (done.returncode, found, want, done.stderr))


tap.main(main)
