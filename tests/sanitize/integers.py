#!/usr/bin/env python3
"""Runs tests of the algebra with Clang's sanitisers of integers: no overflow, also of unsigned numbers, no
bit shifted out, no conversion that changes a number or its sign.

    integers.py CLANG SCRATCH FLAGS -- SOURCES -- PROGRAMS -- CHECKS

CLANG may be empty. Each program is one source; `checker` runs on the files of assertions CHECKS and on the
headers beside them. integers.txt says which files are left out. A header of our own that wraps round shows
that the sanitisers see headers.
"""

import os
import shlex
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../support"))
import tap

SANITIZE = ["-fsanitize=integer,implicit-conversion", "-fno-sanitize-recover=all"]
# What must be found, in a header: a bit shifted out, a number that does not fit.
PLANTED = ["static unsigned f(unsigned x) { return x << 31; }",
           "static unsigned f(unsigned x) { return x * x * x; }",
           "static unsigned f(unsigned x) { const unsigned char c = x; return c; }"]


def check_planted(clang, scratch, report):
    """Each mistake in a header ends a program."""
    source = os.path.join(scratch, "planted.c")
    with open(source, "w") as out:
        out.write('#include "planted.h"\n'
                  "int main(int n, char **v) { (void)v; return (int)(f((unsigned)n * 65535) & 1); }\n")
    for number, function in enumerate(PLANTED):
        with open(os.path.join(scratch, "planted.h"), "w") as out:
            out.write(function + "\n")
        program = os.path.join(scratch, "planted")
        status, output = tap.run([clang, "-w", *SANITIZE, source, "-o", program])
        if status == 0:
            status, output = tap.run([program])
        report.check(f"mistake {number} is found", status != 0 and "runtime error" in output, output)


def main():
    parts = " ".join(shlex.quote(a) for a in sys.argv[1:]).split(" -- ")
    if len(parts) != 4:
        tap.die(__doc__)
    first, sources, programs, checks = (shlex.split(p) for p in parts)
    sources, programs = ([os.path.abspath(path) for path in paths] for paths in (sources, programs))
    clang, scratch, flags = first[0], first[1], first[2:]
    report = tap.Report()
    if not clang:
        report.skip("integers", "no clang found")
        return report.finish()
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    check_planted(clang, scratch, report)
    options = [clang, "-std=gnu11", "-O1", "-g", "-w", *SANITIZE,
               "-fsanitize-ignorelist=" + os.path.join(HERE, "integers.txt"), *flags]

    def compile_one(source):
        out = os.path.join(scratch, os.path.basename(source) + ".o")
        status, output = tap.run([*options, "-c", source, "-o", out], timeout=600)
        return status, output, out

    objects = []
    for status, output, out in tap.parallel(compile_one, [*sources, *programs]):
        if status:
            report.check("it compiles", False, tap.tail(output))
            return report.finish()
        objects.append(out)
    library, mains = objects[:len(sources)], objects[len(sources):]
    root = os.path.dirname(os.path.dirname(HERE))
    headers = [os.path.join(root, "include", "cutlet", folder, name)
               for folder in ("algebra", "copy", "mma")
               for name in sorted(os.listdir(os.path.join(root, "include", "cutlet", folder)))]

    def run_one(main_object):
        name = os.path.basename(main_object)[:-len(".c.o")]
        program = os.path.join(scratch, name)
        status, output = tap.run([clang, *SANITIZE, main_object, *library, "-lcmocka", "-lm", "-lpthread",
                                  "-o", program])
        if status == 0:
            files = [*headers, *checks] if name == "checker" else []
            status, output = tap.run([program, *files], timeout=1200, cwd=root,
                                     env=dict(os.environ, CUTLET_SOURCE=root))
        wrong = [line for line in output.splitlines() if "runtime error" in line]
        return name, status == 0 and not wrong, "\n".join(wrong[:5]) or tap.tail(output)

    for result in tap.parallel(run_one, mains):
        report.check(*result)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
