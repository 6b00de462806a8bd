#!/usr/bin/env python3
"""`cutlet explain descriptor`: its fields make its number, its steps lie within the tile, a refusal is
one line, and the nearest layout, named in another, is accepted.

    test_explain_descriptor.py CUTLET
"""

import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

HALF = "SM90_64x128x16_F32F16F16_SS"
TF32 = "SM100_128x128x8_F32TF32TF32_SS"

# tile, operand, atom, number, parts of the text
ROWS = [
    ("Sw<3,3,3> o 0 o (64,64):(64,1)", "a", HALF, "0x4000004000010000",
     ["64 x 16 elements of 16 bits, K-major", "not read: K-major with a swizzle",
      "1024 bytes from 8 elements of m to the next 8", "Sw<3,4,3> of bytes, Sw<3,3,3> of these elements",
      "(1,4):(0,32)", "imm-trans-a of the instruction is 0"]),
    ("Sw<3,3,3> o 0 o ((64,2),64):((1,4096),64)", "b", HALF, "0x4000004002000000",
     ["N-major", "8192 bytes from 64 elements of n to the next 64", "1024 bytes from 8 elements of k",
      "imm-trans-b of the instruction is 1"]),
    ("((8,16),(8,2)):((1,64),(8,1024))", "b", HALF, "0x0000000800800000",
     ["leading dimension byte offset    128  2048 bytes from 8 elements of k",
      "stride dimension byte offset       8  128 bytes from 8 elements of n", "0 without a swizzle"]),
    ("Sw<3,3,3> o 0 o (64,64):(1,64)", "a", HALF, "0x4000004000000000",
     ["M-major", "not read: an instruction has no more than 64 elements of m"]),
    ("Sw<2,3,2> o 0 o ((32,4),16):((1,512),32)", "a", TF32, "0x2000402000800000",
     ["version                            1", "chunks of 32: Sw<2,5,2> of bytes",
      '"transpose A" of the instruction descriptor is 1']),
    ("Sw<3,4,3> o 0 o (64,128):(128,1)", "a", "SM90_64x64x32_S32S8S8_SS_TN", "0x4000004000010000",
     ["rows of 128 bytes, chunks of 16: Sw<3,4,3> of bytes\n", "reads no other major mode"]),
]

# tile, operand, atom, part of the refusal
REFUSED = [
    ("(64,64):(64,1)", "a", HALF, "mode 0: element 1 is 128 bytes from element 0, and consecutive rows of 16 bytes"),
    ("Sw<3,4,3> o 0 o (64,64):(64,1)", "a", HALF, "Sw<3,4,3> of elements of 16 bits is Sw<3,5,3> of bytes"),
    ("Sw<3,3,3> o 0 o (64,64):(72,1)", "a", HALF, "element 1 is 144 bytes from element 0"),
    ("(64,64):(1,64)", "a", "SM90_64x128x8_F32TF32TF32_SS_TN", "only with k contiguous"),
    ("Sw<3,2,3> o 0 o (128,64):(1,128)", "a", TF32, "sm_100 does not read elements of this type"),
    ("(192,64):(1,200)", "b", "SM90_64x24x16_F32F16F16_SS", "mode 1: element 1 is 400 bytes"),
]

# arguments, status, part of the complaint
WRONG = [
    (["--operand", "a", "--atom", HALF], 2, "a layout is missing"),
    (["(64,64)", "--atom", HALF], 2, "--operand is missing"),
    (["(64,64)", "--operand", "a"], 2, "--atom is missing"),
    (["(64,64)", "(64,64)", "--operand", "a", "--atom", HALF], 2, "one layout at a time"),
    (["(64,64)", "--operand", "c", "--atom", HALF], 2, "--operand is a or b, not `c`"),
    (["(64,64)", "--operand", "a", "--atom", HALF, "--address", "-1"], 2, "--address is a byte of shared memory"),
    (["(64,64)", "--operand", "a", "--atom", HALF, "--address", "262144"], 2, "0 to 262143"),
    (["(64,64", "--operand", "a", "--atom", HALF], 2, "this parenthesis is never closed"),
    (["(64,64)", "--operand", "a", "--atom", "SM90_64x12x16_F32F16F16_SS"], 2, "did you mean"),
    (["Sw<3,4,3>", "--operand", "a", "--atom", HALF], 2, "takes a layout, swizzled or not"),
    (["(96,64)", "--operand", "a", "--atom", HALF], 1, "mode 0 has 96 elements, not a multiple of the 64"),
    (["(64,64)", "--operand", "a", "--atom", "SM80_16x8x16_F32F16F16F32_TN"], 1, "only A and B in shared memory"),
    (["Sw<3,3,3> o 0 o (64,64):(64,1)", "--operand", "a", "--atom", HALF, "--address", "0x110"], 1,
     "the address is 16 past a multiple of 128"),
]


def main(report, cutlet):
    def explain(*args):
        done = subprocess.run([cutlet, "explain", "descriptor", *args], capture_output=True, text=True,
                              check=False, timeout=60)
        return done.returncode, done.stdout, done.stderr

    for tile, operand, atom, number, parts in ROWS:
        args = [tile, "--operand", operand, "--atom", atom]
        status, out, err = explain(*args)
        missing = [p for p in [f"the number: {number}\n", *parts] if p not in out]
        report.check(tile, status == 0 and err == "" and not missing, f"{missing}\n{out}{err}")
        status, out, err = explain(*args, "--json")
        fields = json.loads(out)
        made = sum(f["value"] << f["low_bit"] for f in fields["fields"])
        report.check(f"{tile}: the fields make the number",
                     status == 0 and fields["number"] == f"0x{made:016x}" == number, out)

    _, out, _ = explain(*["Sw<3,3,3> o 16 o (64,16):(64,1)", "--operand", "a", "--atom", HALF, "--json"],
                        "--address", "0x580")
    fields = {f["name"]: f["value"] for f in json.loads(out)["fields"]}
    report.check("an address and an offset", fields["start address"] == (0x580 + 32) // 16 and
                 fields["base offset"] == 3, out)

    for tile, operand, atom, part in REFUSED:
        args = ["--operand", operand, "--atom", atom]
        status, out, err = explain(tile, *args)
        report.check(f"{tile} is refused", status == 1 and part in err and out == "" and err.count("\n") == 2, out + err)
        nearest = re.search(r": the nearest layout that it reads is (.*)\n$", err)
        report.check(f"{tile}: the nearest is accepted", nearest and explain(nearest[1], *args)[0] == 0, out)
        status, text, err = explain(tile, *args, "--json")
        said = json.loads(text)
        report.check(f"{tile}: the same as JSON", status == 1 and err == "" and part in said["error"] and
                     nearest and said["nearest"] == nearest[1], text)

    for args, expected, part in WRONG:
        status, out, err = explain(*args)
        report.check(" ".join(args), status == expected and part in err and out == "", f"{status}\n{out}{err}")


tap.main(main)
