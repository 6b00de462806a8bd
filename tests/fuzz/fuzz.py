#!/usr/bin/env python3
"""Runs each fuzzer for a short while, on the lines of the files of assertions to begin with.

    fuzz.py CLANG SCRATCH FLAGS -- TARGETS -- SOURCES -- SEEDS

CLANG may be empty. The sources of the library are compiled with the sanitisers. Each fuzzer makes the
same inputs each time, RUNS of them; CUTLET_FUZZ_SECONDS says how long each runs instead, and
CUTLET_FUZZ_SEED where it begins, for a search.
"""

import os
import shlex
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

SANITIZE = "address,undefined"
RUNS = 100000
SECONDS = int(os.environ.get("CUTLET_FUZZ_SECONDS", "0"))
SEED = int(os.environ.get("CUTLET_FUZZ_SEED", "1"))
HERE = os.path.dirname(os.path.abspath(__file__))


def words_of(name):
    """The words of a fuzzer: its own, or those of expressions."""
    own = os.path.join(HERE, name.replace("fuzz_", "") + ".dict")
    return own if os.path.exists(own) else os.path.join(HERE, "eval.dict")


def write_corpus(folder, seeds):
    """Each assertion, and each of its sides, in a file of its own."""
    os.makedirs(folder)
    count = 0
    for path in seeds:
        with open(path) as source:
            lines = [line.split("#")[0].strip() for line in source]
        for line in [line for line in lines if line][::20]:
            for text in [line, *line.split(" == ")]:
                with open(os.path.join(folder, str(count)), "w") as out:
                    out.write(text)
                count += 1


def main():
    parts = " ".join(shlex.quote(a) for a in sys.argv[1:]).split(" -- ")
    if len(parts) != 4:
        tap.die(__doc__)
    first, targets, sources, seeds = (shlex.split(p) for p in parts)
    clang, scratch, flags = first[0], first[1], first[2:]
    report = tap.Report()
    names = [os.path.splitext(os.path.basename(target))[0] for target in targets]
    probe = "int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return d && n > 9 ? 0 : 0; }"
    reason = "no clang found" if not clang else ""
    if clang and tap.run([clang, "-x", "c", "-fsanitize=fuzzer," + SANITIZE, "-o", os.devnull, "-"],
                         input=probe)[0]:
        reason = "this clang has no libFuzzer"
    if reason:
        for name in names:
            report.skip(name, reason)
        return report.finish()

    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    corpus = os.path.join(scratch, "seeds")
    write_corpus(corpus, seeds)
    options = [clang, "-std=gnu11", "-O1", "-g", "-fno-sanitize-recover=all",
               "-fno-omit-frame-pointer", *flags]

    def compile_one(source):
        out = os.path.join(scratch, os.path.basename(source) + ".o")
        status, output = tap.run([*options, "-fsanitize=fuzzer-no-link," + SANITIZE, "-c", source,
                                  "-o", out])
        return status, output, out

    objects = []
    for status, output, out in tap.parallel(compile_one, sources):
        if status:
            report.check("the library compiles for fuzzing", False, tap.tail(output))
            return report.finish()
        objects.append(out)

    def fuzz(target):
        name = os.path.splitext(os.path.basename(target))[0]
        program = os.path.join(scratch, name)
        found = os.path.join(scratch, name + "_corpus")
        os.makedirs(found)
        status, output = tap.run([*options, "-fsanitize=fuzzer," + SANITIZE, target, *objects,
                                  "-o", program])
        if status == 0:
            length = f"-max_total_time={SECONDS}" if SECONDS else f"-runs={RUNS}"
            status, output = tap.run([program, found, corpus, length, f"-seed={SEED}",
                                      f"-dict={words_of(name)}", "-timeout=20", "-max_len=400",
                                      "-rss_limit_mb=4096", f"-artifact_prefix={program}-"],
                                     timeout=SECONDS + 600)
        return name, status == 0, tap.tail(output, 40)

    for result in tap.parallel(fuzz, targets):
        report.check(*result)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
