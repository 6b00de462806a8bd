#!/usr/bin/env python3
"""`cutlet redistribute` as a user meets it: what it explains, what it runs, what it refuses.

    test_redistribute.py CUTLET
"""

import os
import random
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

# name, arguments, exit status, texts that must be there
ROWS = [
    ("rows to columns", "--from shard:0 --to shard:1 --shape 4x6 --mesh 2 --link 1", 0,
     ["2 ranks: 48 bytes in 2 messages; the least is 48 bytes", "rounds: 1; a rank has up to 1 message",
      "time: at least 0.024 us", "rank 0 keeps 6, sends 6 and receives 6 elements",
      "stays      6 elements: 0@(3,2):(1,6) to 0@(3,2):(1,3)",
      "round 0    0 -> 1  6 elements: 3@(3,2):(1,6) to 0@(3,2):(1,3)",
      "rank 1 keeps 6, sends 6 and receives 6 elements"]),
    ("nothing to do", "--from shard:0 --to shard:0 --shape 4x6 --mesh 2 --run --explain", 0,
     ["0 bytes in 0 messages; the least is 0 bytes", "rounds: 0", "verified: 24 elements on 2 ranks, 0 bytes sent"]),
    ("to every rank", "--from shard:0 --to replicate --shape 5x3 --mesh 4 --run", 0,
     ["verified: 60 elements on 4 ranks, 180 bytes sent"]),
    ("an empty shard", "--from shard:0 --to shard:1 --shape 3x5 --mesh 4 --run --carry messages", 0,
     ["verified: 15 elements on 4 ranks"]),
    ("a mesh of two modes", "--from shard:0,replicate --to shard:1,shard:0 --shape 16x16 --mesh 2x4 --rank 3", 0,
     ["8 ranks: 512 bytes in 4 messages", "round 0    5 -> 3  32 elements"]),
    ("a layout", "--from shard:0 --to (4,(8,32)):(8@1,(1@1,1@0)) --shape 32x32 --mesh 4 --run", 0,
     ["verified: 1024 elements on 4 ranks, 3072 bytes sent"]),
    ("a conversion sends the smaller type",
     "--from shard:0 --to shard:1 --shape 32x32 --mesh 4 --type double --to-type half --scale 0.5 --run", 0,
     ["verified: 1024 elements on 4 ranks, 1536 bytes sent"]),
    ("raw elements", "--from cyclic:0:3 --to shard:0/f --shape 32x9 --mesh 4 --type uint16 --run --chunk 4K", 0,
     ["verified: 288 elements on 4 ranks"]),
    ("65536 ranks", "--from shard:0 --to shard:1 --shape 65536x65536 --mesh 65536 --rank 7", 0,
     ["65536 ranks: 16 GiB in 4294901760 messages; the least is 16 GiB", "rounds: 65535",
      "and 131007 more transfers"]),
    # rank 0 sends 6 elements to each other rank: 24 bytes inside its group of two, 48 to the other one
    ("the link inside", "--from shard:0 --to shard:1 --shape 8x12 --mesh 4 --link 1,4:2", 0,
     ["time: at least 0.024 us, by rank 0, which sends 24 bytes inside groups of 2 over a link of 1 GB/s each way\nrank 0"]),
    ("the link between", "--from shard:0 --to shard:1 --shape 8x12 --mesh 4 --link 4,1:2", 0,
     ["time: at least 0.048 us, by rank 0, which sends 48 bytes between groups of 2 over a link of 1 GB/s each way\nrank 0"]),
    ("the link of the rank that needs all", "--from shard:0 --to cyclic:0:4 --shape 4x1 --mesh 4 --link 9,1:2", 0,
     ["time: at least 0.008 us, by rank 0, which receives 8 bytes between groups of 2"]),
    ("the link of the rank that holds all", "--from cyclic:0:4 --to replicate --shape 4x1 --mesh 4 --link 9,1:2", 0,
     ["time: at least 0.032 us, by rank 0, which sends 32 bytes between groups of 2"]),
    ("a link for a long time", "--from shard:0 --to shard:1 --shape 1048576x1048576 --mesh 4 --rank 0 --link 2,1:2", 0,
     ["time: at least 550 s, by rank 0, which sends 512 GiB between groups of 2 over a link of 1 GB/s each way\nrank 0"]),
    ("one of each", "--from (2,1):(1@0,1@0) --to (2,1):(0,1@0) --shape 1 --mesh 2 --type int8 --run --explain", 0,
     ["2 ranks: 1 byte in 1 message; the least is 1 byte", "rounds: 1; a rank has up to 1 message to",
      "rank 1 keeps 0, sends 0 and receives 1 element\n", "verified: 2 elements on 2 ranks, 1 byte sent"]),
    ("one element", "--from shard:0 --to shard:0 --shape 1 --mesh 1 --run", 0,
     ["verified: 1 element on 1 rank, 0 bytes sent"]),
    ("more forms than modes", "--from shard:0,shard:1 --to shard:0 --shape 4x4 --mesh 2", 2,
     ["--from: more forms than modes of the mesh, which has 1; each has one"]),
    ("a mesh without an end", "--from shard:0 --to shard:0 --shape 4 --mesh 4x", 2,
     ["--mesh: `4x` is no mesh: the ranks along each of its modes, as 8, 2x4 or (2,4)"]),
    ("a shape without an end", "--from shard:0 --to shard:0 --shape 4x --mesh 4", 2,
     ["--shape: `4x` is no shape, as 1024x512 or (1024,512)"]),
    ("a shape of too many digits", "--from shard:0 --to shard:0 --shape 4x99999999999999999999 --mesh 4", 2,
     ["--shape: `4x99999999999999999999` is no shape", "this integer is out of range"]),
    ("too many elements", "--from shard:0 --to shard:0 --shape 144115188075855872 --mesh 1", 2,
     ["--from: the tensor has more than 2^57 - 1 elements"]),
    ("nearly too many elements", "--from shard:0 --to shard:0 --shape 144115188075855871 --mesh 1", 0,
     ["rank 0 keeps 144115188075855871"]),
    ("one group of all", "--from shard:0 --to shard:1 --shape 8x12 --mesh 4 --link 1,0.001:4", 0,
     ["time: at least 0.072 us, by rank 0, which sends 72 bytes inside groups of 4"]),
    ("a rate between of 0", "--from shard:0 --to shard:0 --shape 4 --mesh 2 --link 1,0:2", 2, ["a rate is more than 0"]),
    ("groups of 0", "--from shard:0 --to shard:0 --shape 4 --mesh 2 --link 1,1:0", 2, ["`0` is no number of ranks"]),
    ("a second rate without groups", "--from shard:0 --to shard:0 --shape 4 --mesh 2 --link 1,1", 2, ["as 350,45:8"]),
    ("no rate", "--from shard:0 --to shard:0 --shape 4 --mesh 2 --link fast", 2, ["`fast` is no rate"]),
    ("two rates of too many ranks", "--from shard:0 --to shard:1 --shape 1025x1025 --mesh 1025 --rank 0 --link 2,1:5", 2,
     ["1025 ranks; two rates are for up to 1024"]),
    ("a picture of too many ranks", "--from shard:0 --to shard:1 --shape 65x65 --mesh 65 -o /dev/null.svg", 2,
     ["65 ranks; up to 64 are drawn"]),
    ("a picture in another format", "--from shard:0 --to shard:1 --shape 4x4 --mesh 2 -o x.png", 2, ["ends in none of"]),
    ("no --from", "--to shard:0 --shape 4 --mesh 2", 2, ["--from is missing"]),
    ("no --shape", "--from shard:0 --to shard:0 --mesh 2", 2, ["--shape is missing"]),
    ("no such form", "--from shared:0 --to shard:0 --shape 4 --mesh 2", 2, ["--from: `shared:0` is no form"]),
    ("no such mode", "--from shard:0 --to shard:1 --shape 4 --mesh 2", 2, ["--to: shard:1: the tensor has no mode 1"]),
    ("no mesh", "--from shard:0 --to shard:0 --shape 4", 2, ["needs a mesh"]),
    ("no such rank", "--from shard:0 --to shard:0 --shape 4 --mesh 2 --rank 2", 2, ["there is no rank 2"]),
    ("types that are not converted", "--from shard:0 --to shard:0 --shape 4 --mesh 2 --type int32 --to-type half", 2,
     ["are not converted to half"]),
    ("a small chunk", "--from shard:0 --to shard:0 --shape 4 --mesh 2 --chunk 16", 2, ["chunks of 16 bytes"]),
    ("a rate of 0", "--from shard:0 --to shard:0 --shape 4 --mesh 2 --link 0", 2, ["a rate is more than 0"]),
    ("a scale that is not a number", "--from shard:0 --to shard:0 --shape 4 --mesh 2 --scale x", 2, ["`x` is not a number"]),
    ("another way to carry", "--from shard:0 --to shard:0 --shape 4 --mesh 2 --carry pigeon", 2, ["--carry"]),
    ("an operand", "4 --from shard:0 --to shard:0 --shape 4 --mesh 2", 2, ["`4` belongs to no option"]),
    ("too many to run", "--from shard:0 --to shard:0 --shape 1000 --mesh 500 --run", 2, ["up to", "are run"]),
]


def check_examples(report, command):
    """The examples of the help survive pasting."""
    _, text = tap.run([command, "redistribute", "--help"])
    lines = re.findall(r"^  (cutlet redistribute .*(?:\n {4,}.*)*)", text, re.M)
    report.check("the help has examples", len(lines) >= 5, text)
    with tempfile.TemporaryDirectory() as folder:
        for line in lines:
            line = re.sub(r"\s+", " ", line)
            call = line.replace("cutlet", os.path.abspath(command), 1)
            status, said = tap.run(["sh", "-c", f"cd {folder} && {call}"])
            report.check(line, status == 0, said)


def check_picture(report, command):
    """The cells of the picture are the messages that are explained."""
    words = "--from shard:0 --to cyclic:0:3 --shape 40x5 --mesh 4".split()
    status, drawn = tap.run([command, "draw", "redistribute", *words])
    report.check("cutlet draw redistribute", status == 0 and "4 ranks send" in drawn, drawn)
    _, said = tap.run([command, "redistribute", *words, "--explain"])
    sent = {(a, b): (int(n) * 4, k) for k, a, b, n in re.findall(r"round (\d+) +(\d) -> (\d) +(\d+) elements", said)}
    rows = [line.split() for line in drawn.splitlines() if re.match(r" +\d  ", line)]
    wrong = len(rows) != 4 or len(sent) != 12
    for row in rows:
        cells = dict(zip("0123", zip(row[1::2], row[2::2])))
        for to, (size, label) in cells.items():
            wrong |= row[0] != to and (int(size), label[1:]) != sent.get((row[0], to))
            wrong |= row[0] == to and label != "stays"
    _, one = tap.run([command, "draw", "redistribute", "--from", "(2,1):(1@0,1@0)", "--to", "(2,1):(0,1@0)", "--shape", "1",
                      "--type", "int8"])
    report.check("a picture of one message", "2 ranks send 1 byte, in 1 message and 1 round.\n" in one, one)
    report.check("the picture has the messages", not wrong, drawn + said)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "exchange.svg")
        status, said = tap.run([command, "redistribute", *words, "-o", path])
        with open(path, encoding="utf-8") as file:
            report.check("an SVG", status == 0 and not said and "</svg>" in file.read(), said)


def form(dice, modes):
    kind = dice.choice(["shard", "shard", "cyclic", "replicate"])
    mode = dice.randrange(modes)
    return {"shard": f"shard:{mode}", "cyclic": f"cyclic:{mode}:{dice.randint(1, 9)}", "replicate": "replicate"}[kind]


def check_random(report, command):
    """Forms of any kind, run and verified."""
    seed = int(os.environ.get("CUTLET_SEED", "1"))
    print(f"# seed {seed}")
    dice = random.Random(seed)
    wrong, ran = "", 0
    for _ in range(40):
        shape = [dice.randint(1, 20) for _ in range(dice.randint(1, 3))]
        mesh = [dice.randint(1, 4) for _ in range(dice.randint(1, 2))]
        sides = [",".join(form(dice, len(shape)) for _ in mesh) + dice.choice(["", "/f", "/c"]) for _ in range(2)]
        arguments = ["--from", sides[0], "--to", sides[1], "--shape", "x".join(map(str, shape)), "--mesh",
                     "x".join(map(str, mesh)), "--carry", dice.choice(["direct", "messages", "staged"]), "--run"]
        status, said = tap.run([command, "redistribute", *arguments])
        if status == 2 and "cut by another form too" in said:
            continue
        ran += 1
        if status or "verified: " not in said:
            wrong = f"{' '.join(arguments)}: {said}"
            break
    report.check("random forms", not wrong and ran > 20, wrong)


def main(report, cutlet):
    command = cutlet
    for name, arguments, wanted, texts in ROWS:
        status, said = tap.run([command, "redistribute", *arguments.split()])
        missing = [text for text in texts if text not in said]
        report.check(name, status == wanted and not missing, f"status {status}, without {missing}:\n{said[:2000]}")
    check_examples(report, command)
    check_picture(report, command)
    check_random(report, command)


tap.main(main)
