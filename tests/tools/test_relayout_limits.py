#!/usr/bin/env python3
"""`cutlet relayout` where something is short: memory, room on the disk, rights, time, the input itself.
Whatever happens, the output is whole or was never there, and nothing is left beside it.

    test_relayout_limits.py CUTLET [FAIL_ALLOC.so SPOIL_WRITE.so]

FAIL_ALLOC lets an allocation fail, SPOIL_WRITE writes a wrong byte; a sanitised command, which needs its
own allocator and more memory, goes without.
"""

import os
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import npy_bytes
import tap
from relayout_command import (MARKS, SIDE, Command, elements, is_one_line, leftovers, on_terminal,
                              write_large)


def memory(c):
    """A file much larger than the memory that may be used, in an address space that is little more."""
    write_large("large.npy")
    npy_bytes.write("small.npy", "<u4", (8, 8), bytes(256))
    _, least = c.usage("small.npy", "out.npy", "--to", "f", "--memory", "1M")
    wide = -(-SIDE // 60)
    ways = {
        "f": lambda i, j: i + SIDE * j,
        "tiled:100x60": lambda i, j: (i // 100 * wide + j // 60) * 6000 + i % 100 * 60 + j % 60,
        "swizzled:3,4,3": lambda i, j: (i * SIDE + j) ^ ((i * SIDE + j) >> 7 & 7) << 4,
        "swizzled:2,20,2": lambda i, j: (i * SIDE + j) ^ ((i * SIDE + j) >> 22 & 3) << 20,
        "(4096,4096):(4100,1)": lambda i, j: 4100 * i + j,
        "(8192,2048):(2048,1)": lambda i, j: (i + SIDE * j) % 8192 * 2048 + (i + SIDE * j) // 8192,
        "(32768,512):(1,32768)": lambda i, j: i + SIDE * j,
    }
    for layout, place in ways.items():
        status, used = c.usage("large.npy", "out.npy", "--to", layout, "--memory", "1M", limit=64 << 20)
        found = elements("out.npy", [place(i, j) for i, j in MARKS]) if status == 0 else []
        c.report.check(f"{layout} in 1 MiB", found == list(MARKS.values()), str(found))
        c.report.check(f"{layout}: memory", used <= least + (3 << 20), f"{used} bytes, {least} for nothing")
        status, used = c.usage("out.npy", "back.npy", "--to", layout, "--inverse", "--shape",
                               f"({SIDE},{SIDE})", "--memory", "1M", "--verify", limit=64 << 20)
        same = status == 0 and subprocess.run(["cmp", "large.npy", "back.npy"], check=False).returncode == 0
        c.report.check(f"{layout}: and back, verified", same)
        c.report.check(f"{layout}: memory on the way back", used <= least + (3 << 20),
                       f"{used} bytes, {least} for nothing")
    for name in ("out.npy", "back.npy"):
        os.unlink(name)
    def little():
        resource.setrlimit(resource.RLIMIT_AS, (64 << 20, 64 << 20))
    c.fails("out of memory", "not enough memory for blocks", "large.npy", "out.npy", "--to", "f", "--memory", "1G",
            preexec_fn=little)


def allocations(c, library):
    """Each allocation of the command fails once, in one pass and in two, verified too."""
    data = bytes(i * 7 % 251 for i in range(4 * 84 * 20))
    npy_bytes.write("A.npy", "<u4", (84, 20), data)
    for args in (["--to", "tiled:32x16", "--verify"], ["--to", "(21,80):(80,1)"],
                 ["--to", "f", "--effort", "measure"]):
        status, out = c.run("A.npy", "right.npy", *args)
        said = out.replace("right.npy", "out.npy")
        with open("right.npy", "rb") as file:
            right = file.read()
        wrong, refused = "" if status == 0 else out, 0
        for number in range(1, 1000):
            env = dict(os.environ, LD_PRELOAD=library, CUTLET_FAIL_ALLOC=str(number),
                       CUTLET_FAILED_ALLOC="failed")
            status, out = c.run("A.npy", "out.npy", *args, env=env)
            there = os.path.exists("out.npy")
            if there:
                with open("out.npy", "rb") as file:
                    there = file.read() == right
                os.unlink("out.npy")
            refused += status == 2
            if leftovers() or not (status == 0 and there and out == said or
                                   status == 2 and is_one_line(out) and not there):
                wrong = wrong or f"allocation {number}: {status}, {out}"
            if not os.path.exists("failed"):
                break
            os.unlink("failed")
        c.report.check(f"each allocation fails: {' '.join(args)}", not wrong and 3 < refused < 900,
                       f"{wrong} ({refused} refused)")
    os.unlink("right.npy")


def spoiled(c, library):
    """A byte of each write is another one: whoever asks for it is told so, whoever does not is not."""
    for number in (1, 2, 3, 7):
        env = dict(os.environ, LD_PRELOAD=library, CUTLET_SPOIL_WRITE=str(number))
        for layout in ("tiled:32x16", "(21,80):(80,1)"):
            c.fails(f"{layout}: write {number} goes wrong", "verification: element ", "A.npy", "out.npy",
                    "--to", layout, "--memory", "4K", "--verify", env=env)
    status, _ = c.run("A.npy", "out.npy", "--to", "f", "--memory", "4K", env=env)
    c.report.check("a write goes wrong, and nobody looks", status == 0)
    os.unlink("out.npy")


def signals(c):
    write_large("larger.npy", 16384)
    def no_core():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGALRM,
                   signal.SIGXCPU, signal.SIGUSR1, signal.SIGUSR2):
        signal.signal(number, signal.SIG_DFL)  # whoever began this may ignore it, as nohup does
        with c.until_it_runs("larger.npy", "out.npy", "--to", "f", "--memory", "1M",
                             preexec_fn=no_core) as process:
            seen = leftovers()
            process.send_signal(number)
            status = process.wait()
        c.report.check(f"{number.name}: the command ends by it", status == -number, str(status))
        c.report.check(f"{number.name}: nothing is left", seen and not leftovers() and
                       not os.path.exists("out.npy"), str(leftovers()))
    with c.until_it_runs("larger.npy", "out.npy", "--to", "f", "--memory", "1M") as process:
        seen = leftovers()
        process.stderr.close()  # the progress is written to a pipe that nobody reads
        status = process.wait()
    c.report.check("SIGPIPE: the command ends by it", status == -signal.SIGPIPE, str(status))
    c.report.check("SIGPIPE: nothing is left", seen and not leftovers() and not os.path.exists("out.npy"),
                   str(leftovers()))
    os.unlink("larger.npy")

    def ignore():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    with c.until_it_runs("large.npy", "out.npy", "--to", "f", "--memory", "1M",
                         preexec_fn=ignore) as process:
        process.send_signal(signal.SIGINT)
        threading.Thread(target=process.stderr.read).start()
        status = process.wait()
    c.report.check("a signal that is ignored stays so", status == 0 and os.path.exists("out.npy"),
                   str(status))
    os.unlink("out.npy")


def nothing(c):
    """Arrays without elements: their shape and order."""
    for shape in ((0, ), (0, 3), (4, 0, 2)):
        npy_bytes.write("none.npy", "<f4", shape, b"")
        for to, fortran in (("f", True), ("c", False)):
            status, out = c.run("none.npy", "out.npy", "--to", to, "--verify")
            head, data = npy_bytes.read("out.npy") if status == 0 else ("", b"")
            c.report.check(f"no elements, {shape} to {to}", data == b"" and f"'fortran_order': {fortran}" in head and
                           ", ".join(map(str, shape)) in head and "verified: 0 elements" in out, f"{status} {out}{head}")
            os.unlink("out.npy")
    for to in ("tiled:2x2", "swizzled:1,0,1", "(2,3):(3,1)"):
        c.fails(f"no elements to {to}", "--to: none.npy has no elements, only shape and order; c and f are possible",
                "none.npy", "out.npy", "--to", to)
        c.fails(f"no elements from {to}", "--from: none.npy has no elements", "none.npy", "out.npy", "--from", to, "--to", "c",
                "--shape", "(2,3)")


def disk(c):
    def short_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
    c.fails("a limit on files", "out.npy: cannot be written: File too large", "large.npy", "out.npy", "--to",
            "f", preexec_fn=short_files)
    status, out = c.run("small.npy", "/dev/full", "--to", "f")
    c.report.check("/dev/full", status == 2 and "/dev/full: cannot be written: No space left" in out and
                   is_one_line(out), out)
    status, out = c.run("small.npy", "/dev/null", "--to", "f")
    c.report.check("/dev/null", status == 2 and "/dev/null: not a regular file" in out and is_one_line(out), out)
    os.mkfifo("pipe.npy")
    status, out = c.run("pipe.npy", "out.npy", "--to", "f", timeout=20)
    c.report.check("a pipe that nobody writes", status == 2 and "pipe.npy: not a regular file" in out and
                   is_one_line(out), out)
    status, out = c.run("small.npy", "pipe.npy", "--to", "f", timeout=20)
    c.report.check("a pipe that nobody reads", status == 2 and "pipe.npy: not a regular file" in out and
                   is_one_line(out), out)
    os.symlink("nowhere.npy", "dangling.npy")
    status, out = c.run("small.npy", "dangling.npy", "--to", "f")
    c.report.check("a dangling link", status == 2 and is_one_line(out) and
                   "dangling.npy: cannot be written: a dangling link: No such file" in out and
                   os.path.islink("dangling.npy") and not os.path.lexists("nowhere.npy"), out)
    c.fails("no such folder", "cannot be written: No such file or directory", "small.npy", "none/out.npy",
            "--to", "f")
    os.mkdir("full")
    mount = "mount -t tmpfs -o size=2m none full"
    unshare = ["unshare", "--mount", "sh", "-c"]
    if not shutil.which("unshare") or subprocess.run([*unshare, mount], capture_output=True,
                                                      check=False).returncode:
        c.report.skip("a full disk", "no folder of a limited size can be mounted here")
        return
    for layout in ("f", "(8192,2048):(2048,1)"):
        status, out = tap.run([*unshare, f'{mount} && {{ "$@"; status=$?; ls full; exit $status; }}', "sh",
                               c.cutlet, "relayout", "large.npy", "full/out.npy", "--to", layout])
        c.report.check(f"a full disk, {layout}", status == 2 and "No space left on device" in out and
                       is_one_line(out), out)


def rights(c):
    """Where a user has no right to read or write; whoever is root becomes one without rights."""
    os.mkdir("closed")
    shutil.copy(c.cutlet, "cutlet")  # that user may not reach the build, nor the path of this folder
    os.chmod("cutlet", 0o755)
    own = Command("./cutlet", c.report)
    def nobody():
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
    for path, mode in ((".", 0o755), ("closed", 0o555), ("small.npy", 0o644)):
        os.chmod(path, mode)
    own.fails("a folder that is read-only", "closed/out.npy: cannot be written: Permission denied",
              "small.npy", "closed/out.npy", "--to", "f", preexec_fn=nobody)
    os.chmod("small.npy", 0o600 if os.geteuid() == 0 else 0)
    own.fails("an input that may not be read", "small.npy: cannot be read: Permission denied", "small.npy",
              "out.npy", "--to", "f", preexec_fn=nobody)
    os.chmod("small.npy", 0o644)
    os.unlink("cutlet")
    c.fails("an input that is a folder", "not a regular file", "closed", "out.npy", "--to", "f")


def inputs(c):
    """An input that changes on the way, and one that is the output too."""
    def halfway(change):
        with c.until_it_runs("large.npy", "out.npy", "--to", "f", "--memory", "4K") as process:
            process.send_signal(signal.SIGSTOP)
            change()
            process.send_signal(signal.SIGCONT)
            said = process.stderr.read()
            return process.wait(), said.splitlines()[-1]
    status, said = halfway(lambda: os.truncate("large.npy", 1 << 20))
    c.report.check("an input that becomes shorter", status == 2 and not leftovers() and
                   said == "cutlet relayout: large.npy: it became shorter while it was read", said)
    write_large("large.npy")
    status, said = halfway(lambda: os.utime("large.npy", (1, 1)))
    c.report.check("an input that is written to", status == 2 and not leftovers() and
                   said == "cutlet relayout: large.npy: it changed while it was read", said)
    status, said = halfway(lambda: os.unlink("large.npy"))
    c.report.check("an input that is removed", status == 0 and not leftovers() and
                   elements("out.npy", [i + SIDE * j for i, j in MARKS]) == list(MARKS.values()), said)
    os.unlink("out.npy")
    values = list(range(120))
    npy_bytes.write("A.npy", "<u4", (10, 12), struct.pack("<120I", *values))
    os.symlink("A.npy", "link.npy")
    os.link("A.npy", "other.npy")
    transposed = [values[i * 12 + j] for j in range(12) for i in range(10)]
    for source, target in (("A.npy", "A.npy"), ("link.npy", "A.npy"), ("A.npy", "link.npy")):
        npy_bytes.write("A.npy", "<u4", (10, 12), struct.pack("<120I", *values))
        status, out = c.run(source, target, "--to", "f", "--verify")
        c.report.check(f"{source} to {target}", status == 0 and os.path.islink("link.npy") and
                       npy_bytes.read("A.npy")[1] == struct.pack("<120I", *transposed), out)
    c.report.check("another name of the input keeps what it was",
                   npy_bytes.read("other.npy")[1] == struct.pack("<120I", *values))


def progress(c):
    write_large("large.npy")
    status, out = c.run("large.npy", "out.npy", "--to", "f", "--memory", "1M", "--progress", "--verify")
    *lines, said = sorted(out.splitlines(), key=lambda line: line.startswith("verified: "))
    c.report.check("what was verified is said apart",
                   said.startswith(f"verified: {SIDE * SIDE} elements of out.npy"), out)
    c.report.check("progress where it is asked for", status == 0 and len(lines) >= 2 and
                   all(re.fullmatch(r"relayout: \d+ %, \d+ MB/s, \d+ s left", line) for line in lines) and
                   lines[-1].startswith("relayout: 100 %") and lines[-1].endswith(", 0 s left"), out)
    status, out = c.run("large.npy", "out.npy", "--to", "f")
    c.report.check("and nowhere else", status == 0 and out == "", out)


def terminal(c):
    """Long work is shown, and the line cleared; short work is not."""
    status, took, shown = on_terminal([c.cutlet, "relayout", "large.npy", "out.npy", "--to", "f",
                                               "--memory", "4K"])
    if took < 1.5:
        c.report.skip("long work on a terminal", "this machine is too fast for it")
    else:
        c.report.check("long work on a terminal", status == 0 and shown.startswith("\r\x1b[Krelayout: ") and
                       " s left" in shown and shown.endswith("\r\x1b[K") and "\n" not in shown, shown)
    status, took, shown = on_terminal([c.cutlet, "relayout", "small.npy", "out.npy", "--to", "f"])
    c.report.check("short work on a terminal", status == 0 and (shown == "" or took > 1), shown)


def main(report, cutlet, *libraries):
    c = Command(os.path.abspath(cutlet), report)
    libraries = [os.path.abspath(path) for path in libraries]
    os.environ["CUTLET_NO_GPU"] = "1"
    os.environ["CUTLET_THREADS"] = "2"  # each has a stack
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    try:
        if libraries:
            memory(c)
            allocations(c, libraries[0])
            spoiled(c, libraries[1])
        else:
            report.skip("memory", "a sanitised command needs more of it")
            write_large("large.npy")
            npy_bytes.write("small.npy", "<u4", (8, 8), bytes(256))
        signals(c)
        nothing(c)
        disk(c)
        rights(c)
        inputs(c)
        progress(c)
        terminal(c)
        report.check("nothing is left over", not leftovers(), str(leftovers()))
    finally:
        shutil.rmtree(folder)


tap.main(main)
