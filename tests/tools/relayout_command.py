"""`cutlet relayout` for its tests: how it is run; a large file whose zeros take no room on the disk."""

import os
import pty
import resource
import struct
import subprocess
import time

import npy_bytes
import tap

SIDE = 4096  # of the large matrix: 64 MiB, most of it zeros that take no room on the disk
MARKS = {(0, 0): 7, (1, 0): 8, (17, 4095): 9, (4095, 1): 10, (4095, 4095): 11, (2050, 99): 12}


def write_large(path, side=SIDE):
    begin = npy_bytes.header("<u4", (side, side))
    with open(path, "wb") as file:
        file.truncate(len(begin) + 4 * side * side)
        file.write(begin)
        for (i, j), value in MARKS.items():
            file.seek(len(begin) + 4 * (i * side + j))
            file.write(struct.pack("<I", value))


def elements(path, places):
    """The elements at these places, as read from the file."""
    with open(path, "rb") as file:
        file.seek(8)
        begin = 10 + struct.unpack("<H", file.read(2))[0]
        found = []
        for place in places:
            file.seek(begin + 4 * place)
            found.append(struct.unpack("<I", file.read(4))[0])
        return found


def is_one_line(out):
    return out.startswith("cutlet relayout: ") and out.count("\n") == 1


class Command:
    def __init__(self, cutlet, report):
        self.cutlet, self.report = cutlet, report

    def run(self, *args, **options):
        return tap.run([self.cutlet, "relayout", *args], **options)

    def usage(self, *args, limit=0):
        """The exit status, and the most memory that the command had, in bytes."""
        def less():
            if limit:
                resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        with subprocess.Popen([self.cutlet, "relayout", *args], preexec_fn=less,
                              stdout=subprocess.DEVNULL) as process:
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, used.ru_maxrss * 1024

    def fails(self, name, part, *args, **options):
        """One line that says so, exit status 2, and no output."""
        status, out = self.run(*args, **options)
        self.report.check(name, status == 2 and part in out and is_one_line(out) and
                          not os.path.lexists(args[1]) and not leftovers(), f"{status} {out}")

    def until_it_runs(self, *args, **options):
        """The process, once it has said that some of it is done."""
        process = subprocess.Popen([self.cutlet, "relayout", *args, "--progress"], stderr=subprocess.PIPE,
                                   text=True, **options)
        process.stderr.readline()
        return process


def leftovers():
    return [name for name in os.listdir(".") if ".part" in name]


def on_terminal(command):
    """The exit status, the seconds that it took, and what a terminal shows."""
    ours, theirs = pty.openpty()
    begin = time.monotonic()
    with subprocess.Popen(command, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 4096):
                shown += part
        except OSError:  # the other end is closed
            pass
        status = process.wait()
    os.close(ours)
    return status, time.monotonic() - begin, shown.decode()
