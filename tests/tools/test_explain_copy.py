#!/usr/bin/env python3
"""`cutlet explain copy`: rows for what people ask on forums; what its sentences say about run-time
numbers and its advice, tried out by asking again with these numbers.

    test_explain_copy.py CUTLET
"""

import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

PLAIN = ["--thr", "(16,8):(8,1)", "--val", "(1,8)"]
COPY = "tiled_copy(copy_atom(universal128, 16), (16,8):(8,1), (1,8))"

# name, arguments, bits, parts of the text
ROWS = [
    ("as wide as can be", ["--src", "(512,512):(512,1)", "--dst", "(512,512):(512,1)", *PLAIN], 128,
     ["8 elements of 2 bytes at a time, the widest possible",
      "E, the extent of mode 1, packed: 128-bit for every E that is a multiple of 8; 64-bit for E mod 8 = 4"]),
    ("values along the wrong mode", ["--src", "(512,512):(512,1)", "--thr", "(8,16):(1,8)", "--val", "(8,1)"], 16,
     ["a thread's values 0 and 1 step along mode 0, 512 elements in the source; its stride 1 is on mode 1",
      "128-bit val (1,8)"]),
    ("leading dimension odd", ["--src", "(512,512):(517,1)", *PLAIN], 16,
     ["mode 0 of the source has stride 517, which is not a multiple of 2 elements",
      "128-bit stride 520 instead of 517 on mode 0 of the source",
      "assembles each in-bounds load from two aligned ones and stays wide"]),
    ("leading dimension 4 mod 8", ["--src", "(512,512):(516,1)", *PLAIN], 64,
     ["stride 516, which is not a multiple of 8", "64-bit for ld mod 8 = 4", "every odd ld"]),
    ("base misaligned", ["--src", "(512,512):(512,1)", *PLAIN, "--src-align", "2"], 16,
     ["the source's base is aligned to only 2 bytes", "128-bit a base of the source that is a multiple of 16"]),
    ("destination misaligned", ["--src", "(64,64):(64,1)", "--dst", "(64,64):(64,1)", *PLAIN, "--dst-align", "8"],
     64, ["the destination's base is aligned to only 8 bytes"]),
    ("ragged extents", ["--src", "(500,500):(504,1)", *PLAIN], 128,
     ["The extent 500 of mode 1 is not a multiple of 8: the last 4 elements"]),
    ("ragged extents, packed", ["--src", "(500,500):(500,1)", *PLAIN], 64,
     ["128-bit for every E that is a multiple of 8; 64-bit for E mod 8 = 4", "stride 504 instead of 500"]),
    ("a swizzle whose base is too small", [COPY, "--dst", "Sw<3,2,3> o 0 o (64,64):(64,1)"], 64,
     ["The atom asks for 128 bits: these layouts do not allow it.",
      "Sw<3,2,3> of the destination moves runs of 4 elements, and the access has 8: its base must be at least 3",
      "128-bit Sw<3,3,3> in the destination"]),
    ("a swizzle whose base fits", [COPY, "--dst", "Sw<3,3,3> o 0 o (64,64):(64,1)"], 128, ["the widest"]),
    ("the same for bytes", ["--dst", "Sw<3,3,3> o 0 o (64,128):(128,1)", "--thr", "(16,8):(8,1)", "--val", "(1,16)",
                            "--type", "int8"], 64, ["its base must be at least 4", "Sw<3,4,3>"]),
    ("a run-time stride that may be 1", ["--src", "(512,512):(512,?)", *PLAIN], 16,
     ["the step may not be 1", "128-bit a stride of the source's mode 1 that is 1",
      "16-bit for every ld; 128-bit for ld = 1"]),
    ("a run-time leading dimension", ["--src", "(512,512):(?,1)", *PLAIN], 16,
     ["a stride that may be not a multiple of 2",
      "128-bit for every ld that is a multiple of 8; 64-bit for ld mod 8 = 4; 32-bit for ld mod 8 = 2,6; 16-bit for "
      "every odd ld", "128-bit a stride of the source's mode 0 that is a multiple of 8"]),
    ("both strides at run time, large extents", ["--src", "(100000,100000):(?,?)", *PLAIN], 16,
     ["128-bit a stride of the source's mode 1 that is 1; a stride of the source's mode 0 that is a multiple of 8"]),
    ("a transpose", ["--src", "(512,512):(512,1)", "--dst", "(512,512):(1,512)", *PLAIN], 16,
     ["its stride 1 is on mode 0", "no alternative that was tried is wider",
      "through shared memory each side has its own accesses: 128-bit from the source (as it is), 128-bit to the "
      "destination (val (8,1))"]),
    ("too few values", ["--src", "(512,512):(512,1)", "--thr", "(16,8):(8,1)", "--val", "(1,4)"], 64,
     ["a thread has 4 values of 2 bytes, not a whole number of accesses of 16 bytes", "128-bit val (1,8)"]),
    ("sm_100", ["--src", "(512,512):(512,1)", "--thr", "(16,8):(8,1)", "--val", "(1,16)", "--arch", "sm_100"], 256,
     ["16 elements of 2 bytes at a time, the widest"]),
    ("sm_100 with an odd half", ["--src", "(512,512):(520,1)", "--thr", "(16,8):(8,1)", "--val", "(1,16)", "--arch",
                                 "sm_100"], 128, ["256-bit stride 528 instead of 520"]),
    ("floats", ["--src", "(512,512):(514,1)", "--thr", "(16,8):(8,1)", "--val", "(1,4)", "--type", "float"], 64,
     ["128-bit for every ld that is a multiple of 4; 64-bit for ld mod 4 = 2; 32-bit for every odd ld"]),
    ("a thread-value layout", ["((8,16),8):((128,1),16)", "--tile", "(16,64)", "--src", "(64,64):(64,1)"], 128,
     ["the widest"]),
    ("three things at once", ["--src", "(512,512):(511,1)", "--thr", "(8,16):(1,8)", "--val", "(8,1)", "--src-align",
                              "2"], 16, ["128-bit val (1,8); stride 512 instead of 511 on mode 0 of the source; a base"]),
    ("a vector", ["--src", "4096:1", "--dst", "1@4096:1", "--thr", "128", "--val", "8"], 16,
     ["the destination begins at offset 1"]),
]

REFUSED = [
    ("no layout", [*PLAIN], 2, "a layout is missing"),
    ("half of the threads", ["--src", "(8,8)", "--thr", "8"], 2, "a tiled copy is missing"),
    ("a `?` in a shape", ["--src", "(?,8):(8,1)", *PLAIN], 2, "`?` stands for a stride"),
    ("a refused thread layout", ["--src", "(8,8)", "--thr", "(4,2):(1,2)", "--val", "(1,2)"], 1, "twice"),
    ("extents that differ", ["--src", "(8,8)", "--dst", "(8,9)", *PLAIN], 2, "different extents"),
    ("an architecture", ["--src", "(8,8)", *PLAIN, "--arch", "frob"], 2, "--arch takes an architecture such as sm_90"),
    ("an alignment", ["--src", "(8,8)", *PLAIN, "--src-align", "1"], 2, "aligned to its elements"),
    ("a stride beyond all", ["--src", "(8,8):(4000000000000,1)", *PLAIN], 2, "up to 2^40"),
    ("4 bits", ["--src", "(64,64):(64,1)", "--type", "e2m1"], 2, "values of less than a byte, have widths of their own"),
    ("4 bits by threads", ["--src", "(64,64):(64,1)", "--type", "int4", *PLAIN], 2, "values of less than a byte, have"),
    ("ldmatrix", ["tiled_copy(copy_atom(ldmatrix_x4, 16), (32,1), (1,8))", "--src", "(64,64)"], 2, "ldmatrix"),
]


def widths_of(sentence, modulus):
    """What a sentence about run-time numbers says: the bits of each residue."""
    bits = {}
    for clause in sentence.split(": ", 1)[1].split("; "):
        found = re.match(r"(\d+)-bit for (.*)$", clause)
        width, when = int(found[1]), found[2]
        if when.startswith(("ld = 1", "E = 1")):
            continue
        for part in when.split(" or "):
            if re.fullmatch(r"every odd \w+", part):
                which = range(1, modulus, 2)
            elif re.fullmatch(r"every \w+", part):
                which = range(modulus)
            elif re.match(r"every \w+ that is a multiple of", part):
                which = range(0, modulus, int(part.split()[-1]))
            else:
                which = [int(r) for r in re.fullmatch(r"\w+ mod (\d+) = ([\d,]+)", part)[2].split(",")]
            for r in which:
                assert r not in bits, (sentence, r)
                bits[r] = width
    return [bits[r] for r in range(modulus)]


def main(report, cutlet):
    def run(*args):
        p = subprocess.run([cutlet, "explain", "copy", *args], capture_output=True, text=True, timeout=60,
                           env=dict(os.environ, LC_ALL="C"))
        return p.returncode, p.stdout, p.stderr

    def ask(*args):
        return json.loads(run(*args, "--json")[1])

    for src, thr, val in (("4096", "(128):(1)", "(8)"), ("(512,512):(512,1)", "(16,8):(8,1)", "(1,8)"), ("7:3", "(1):(1)", "(4)"),
                          ("(512,512):(1,512)", "(8,16):(1,8)", "(8,1)"), ("(64,1,512):(512,1,1)", "(16,1,8):(8,0,1)", "(1,1,8)")):
        got = run("--src", src)
        report.check(f"threads are proposed for {src}", got[0] == 0 and got[1].startswith(
            f"no threads were given; proposed: --thr '{thr}' --val '{val}'\n"), got)
    for name, args, bits, parts in ROWS:
        got = run(*args)
        flat = " ".join(got[1].split())
        missing = [part for part in parts if part not in flat]
        report.check(name, got[0] == 0 and flat.startswith(f"{bits}-bit accesses: ") and not missing and
                     got[2] == "", (missing, got))
        report.check(f"{name}: no line is longer than 100", all(len(line) <= 100 for line in got[1].splitlines()),
                     got[1])
        answer = ask(*args)
        texts = [x["text"] for key in ("limits", "wider", "run_time") for x in answer[key]] + answer["notes"]
        report.check(f"{name}: JSON says the same", answer["bytes"] * 8 == bits and
                     all(" ".join(text.split()) in flat for text in texts), (answer, flat))
        report.check(f"{name}: notes are whole sentences", all(n.endswith(".") for n in answer["notes"]), answer)
        for fact in answer["run_time"]:
            told = widths_of(fact["text"], fact["modulus"])
            report.check(f"{name}: {fact['text'][:40]}.. says its numbers",
                         told == [8 * b for b in fact["bytes_by_residue"]], (told, fact))
        plain = [hint for hint in answer["wider"] if hint["changes"] == 1 and hint["text"].startswith(("val", "thr"))]
        for hint in plain:  # the advice taken
            again = [a for i, a in enumerate(args) if i == 0 or args[i - 1] not in ("--thr", "--val")]
            again = [a for a in again if a not in ("--thr", "--val", COPY)]
            took = ask(*again, "--thr", hint["thr"], "--val", hint["val"])
            report.check(f"{name}: {hint['text']} gives {8 * hint['bytes']} bits", took["bytes"] == hint["bytes"] and
                         took["bytes"] > answer["bytes"], took)
    for name, args, status, part in REFUSED:
        got = run(*args)
        report.check(f"refused: {name}", got[0] == status and part in got[2] and got[1] == "" and
                     got[2].startswith("cutlet explain copy: ") and got[2].count("\n") <= 3, got)

    fact = ask("--src", "(512,512):(?,1)", *PLAIN)["run_time"][0]
    for ld in range(512, 540):
        bits = ask("--src", f"(512,512):({ld},1)", *PLAIN)["bytes"]
        report.check(f"a leading dimension of {ld}", bits == fact["bytes_by_residue"][ld % 8], (bits, fact))
    fact = ask("--src", "(512,512):(512,1)", *PLAIN)["run_time"][0]
    for extent in range(200, 217):
        bits = ask("--src", f"(77,{extent}):({extent},1)", *PLAIN)["bytes"]
        report.check(f"an extent of {extent}", bits == fact["bytes_by_residue"][extent % 8], (bits, fact))

    text = run("--help")[1]
    examples = [line for line in text.replace("\\\n", "").splitlines() if line.startswith("  cutlet ")]
    report.check("the help has examples", len(examples) == 5, text)
    for line in examples:
        done = subprocess.run(["bash", "-c", line.replace("cutlet", f"'{cutlet}'", 1)],
                              capture_output=True, text=True, timeout=60)
        report.check(f"example of the help: {' '.join(line.split())}", done.returncode == 0 and done.stdout, done)


tap.main(main)
