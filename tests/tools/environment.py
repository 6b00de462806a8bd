#!/usr/bin/env python3
"""Variables of the environment that lead to code are not those of a user with fewer rights.

    environment.py SOURCE [CUTLET]

The sources read by plain getenv only what leads to no code. A copy of CUTLET that runs with the
rights of another user does not start the program that the environment names; that takes root.
"""

import os
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

# Numbers, switches and colours.
PLAIN = {"NO_COLOR", "TERM", "COLORTERM", "CUTLET_THREADS", "CUTLET_NO_GPU", "CUTLET_CACHE_BYTES"}
OTHER_USER = 65534


def plain_reads(folder):
    """(file, what getenv is given) of each call of it in the sources below folder."""
    for path, _, names in os.walk(folder):
        for name in sorted(names):
            if not name.endswith((".c", ".h")):
                continue
            with open(os.path.join(path, name), encoding="utf-8") as file:
                for argument in re.findall(r"\bgetenv\(([^)]*)\)", file.read()):
                    yield os.path.join(path, name), argument.strip('"')


def sources(report, root):
    """getenv is called for harmless variables, and where there is no secure_getenv."""
    found = [read for folder in ("src", "tools", "bench")
             for read in plain_reads(os.path.join(root, folder))]
    own = [read for read in found if read[0].endswith("src/base/trusted.c")]
    wrong = [f"{file}: {name}" for file, name in found
             if name not in PLAIN and not file.endswith("src/base/trusted.c")]
    report.check("getenv reads nothing that leads to code", len(found) > len(own) > 0 and not wrong,
                 "\n".join(wrong + ["ct_trusted_variable reads what leads to code"]))


def reason_not_to_run(folder):
    """Why a program cannot be run here with another user's rights, or nothing."""
    if os.geteuid() != 0:
        return "only root gives a program to another user"
    with open("/proc/self/status", encoding="ascii") as status:
        if re.search(r"^NoNewPrivs:\s*1", status.read(), re.M):
            return "this process may not gain rights"
    if os.statvfs(folder).f_flag & os.ST_NOSUID:
        return f"{folder} is mounted nosuid"
    return ""


def starts(cutlet, folder):
    """Whether `cutlet sass` starts the disassembler that the environment names; all it prints."""
    mark, tool, code = (os.path.join(folder, name) for name in ("mark", "tool", "code.cubin"))
    with open(tool, "w", encoding="ascii") as file:
        file.write(f"#!/bin/sh\n: >{mark}\n")
    os.chmod(tool, 0o755)
    with open(code, "wb") as file:
        file.write(b"\x7fELF" + bytes(100))
    _, output = tap.run([cutlet, "sass", code], env=dict(os.environ, CUTLET_CUOBJDUMP=tool))
    started = os.path.exists(mark)
    if started:
        os.unlink(mark)
    return started, output


def with_other_rights(report, cutlet):
    """The command as it is starts the program; set-user-ID it does not."""
    name = "a program with another user's rights starts no program that the environment names"
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        reason = reason_not_to_run(folder)
        if reason:
            report.skip(name, reason)
            return
        copy = shutil.copy(cutlet, os.path.join(folder, "cutlet"))
        started, output = starts(copy, folder)
        report.check("the command starts the program that the environment names", started, output)
        os.chown(copy, OTHER_USER, OTHER_USER)
        os.chmod(copy, 0o4755)
        started, output = starts(copy, folder)
        report.check(name, not started and output, output)


def main(report, source, cutlet=""):
    sources(report, source)
    if cutlet:
        with_other_rights(report, cutlet)


tap.main(main)
