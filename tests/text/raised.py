#!/usr/bin/env python3
"""Every message of the text layer, the commands and the layers below them stands in a test with what raises it: the
sources' calls that fail are scanned for their sentences. A sentence counts as listed where the text of a test has it,
or where a command of raised.txt prints it; what no command reaches has a reason there.

Usage: raised.py CUTLET SOURCE_DIR
Prints TAP."""
import glob
import math
import os
import re
import shlex
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

FOLDERS = ("src/text", "src/convert", "src/verify", "src/suggest", "src/advice", "src/plan", "src/relayout", "src/model",
           "src/draw", "src/redistribute", "tools/cutlet", "include/cutlet/algebra", "src/base", "src/io", "src/compare",
           "src/gemm", "src/grid", "src/driver", "src/ptx", "python/core")
CALL = re.compile(r"\b(?:ct_refuse|ct_reader_fail|ct_reader_expected|ct_conversion_fail|ct_cli_wrong|ct_cli_complain|"
                  r"refuse|complain|wrong|WRONG|WRONG_MEMORY|wrong_kind|malformed|give_up|bad_at|fail|"
                  r"fail_locked|ct_one_line|CT_REASON|CT_REASON_OF|CT_REASON_OF_SIDE|ct_cuda_fail|ct_cuda_check|"
                  r"ct_grid_set_message|ct_grid_fail_at|ct_grid_fail|fail_at_name|say|FAIL|choice|check_matrix|add_shared|ct_ptx_fail|"
                  r"ct_ptx_refuse|ct_ptx_refuse_token|PyErr_Format|PyErr_SetString|PySequence_Fast)\s*\(")
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
SPECIFIER = re.compile(r"%(?:\.\*|[-.\d]*)?(?:ll|l|z|h)?[a-zA-Z%]")
TESTS = (".c", ".h", ".py", ".txt", ".check", ".cu", ".sh")


def plain(text):
    """A C or Python text as its strings print: neighbours joined, escapes resolved."""
    text = re.sub(r"([\"'])\s*\n\s*[fr]?\1", "", text)
    return text.replace('\\"', '"').replace("\\'", "'").replace("\\\\", "\\")


def arguments(text, at):
    """The text between the parentheses of a call."""
    depth, end = 0, at
    while True:
        if text[end] == '"':
            end = LITERAL.match(text, end).end() - 1
        depth += (text[end] == "(") - (text[end] == ")")
        end += 1
        if depth == 0:
            return text[at:end]


def sentences(source):
    """(path, the pieces of a sentence between its numbers: those of 10 characters, or all where each is shorter)"""
    for folder in FOLDERS:
        for path in sorted(glob.glob(os.path.join(source, folder, "**", "*.[ch]"), recursive=True)):
            with open(path) as f:
                text = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S)
            text = re.sub(r'"\s*PRI\w+\s*("?)', lambda end: "lld" if end[1] else 'lld"', text)
            for call in CALL.finditer(text):
                inside = re.sub(r'(?<!\\)"\s*"', "", arguments(text, call.end() - 1))
                for literal in LITERAL.findall(inside):
                    pieces = SPECIFIER.split(plain(literal))
                    if re.search(r"[a-z`]\S* +\S*[a-z`]", " ".join(pieces)):
                        yield (os.path.relpath(path, source),
                               tuple(piece for piece in pieces if len(piece) >= 10) or tuple(pieces))


def unsaid(pieces, said):
    """The longest piece that no text has; of pieces all short, one after the other in a line."""
    if len(max(pieces, key=len)) >= 10:
        return max((piece for piece in pieces if piece not in said), key=len, default=None)
    together = ".{1,80}?".join(map(re.escape, pieces))
    return None if re.search(together, said) else max(pieces, key=len)


def rows(path):
    """The commands, and file -> the pieces that none prints."""
    commands, never, where = [], {}, None
    with open(path) as f:
        for line in f.read().splitlines():
            if line.startswith("never "):
                where = line[6:].split(" | ")[0]
                never[where] = set()
            elif line.startswith("    "):
                never[where] |= {piece.strip() for piece in line.split(" ;; ")}
            elif line and not line.startswith("#"):
                commands.append(line)
    return commands, never


def main(report, cutlet, source):
    commands, never = rows(os.path.join(source, "tests/text/raised.txt"))
    printed, said, quiet = {}, [], []
    with tempfile.TemporaryDirectory() as scratch:
        for name, kind, shape in ("a.npy", "u", (8, 8)), ("i.npy", "i", (8, 8)), ("deep.npy", "u", (1,) * 17):
            with open(os.path.join(scratch, name), "wb") as f:
                header = f"{{'descr': '|{kind}1', 'fortran_order': False, 'shape': {shape}, }}".ljust(117).encode() + b"\n"
                f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + bytes(math.prod(shape)))
        for command in commands:
            words = shlex.split(command.replace("{source}", os.path.abspath(source)))
            run = subprocess.run([os.path.abspath(cutlet), *words], capture_output=True, text=True, timeout=60, cwd=scratch)
            printed[command] = run.stdout + run.stderr
            if run.returncode == 0:
                quiet.append(command)
    for path in glob.glob(os.path.join(source, "tests", "**", "*"), recursive=True):
        if path.endswith(TESTS) and "raised." not in path:
            with open(path, errors="replace") as f:
                said.append(plain(f.read()))
    found = set(sentences(source))
    tests = "\n".join(said)
    alone = [pieces for _, pieces in found if unsaid(pieces, tests) is not None]
    spare = [command for command, text in printed.items() if all(unsaid(pieces, text) for pieces in alone)]
    said = "\n".join((tests, *printed.values()))
    missing = sorted({(path, piece) for path, pieces in found if (piece := unsaid(pieces, said)) is not None})
    memory = ("not enough memory", "out of host memory", "no host memory") # as test_no_memory.py lets it run out
    unlisted = [f"{path}: {piece}" for path, piece in missing
                if piece.strip() not in never.get(path, ()) and not any(m in piece for m in memory)]
    report.check(f"each of {len(found)} sentences stands in a test, or is printed by a command of raised.txt",
                 len(found) > 800 and not unlisted, "\n".join(unlisted))
    report.check("each command of raised.txt fails", not quiet, "\n".join(quiet))
    report.check("each command of raised.txt prints what no test has", not spare, "\n".join(spare))
    needed = {(path, piece.strip()) for path, piece in missing}
    idle = [f"{path}: {piece}" for path, pieces in never.items() for piece in pieces if (path, piece) not in needed]
    report.check("each reason of raised.txt is needed", not idle, "\n".join(sorted(idle)))


tap.main(main)
