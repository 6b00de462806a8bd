#!/usr/bin/env python3
"""Runs each fuzzer for a short while, from its seeds (seeds.py) on.

    fuzz.py CLANG SCRATCH FLAGS -- TARGETS -- SOURCES -- CHECKS

CLANG may be empty. The sources of the library are compiled with the sanitisers. Each fuzzer makes the
same inputs each time, RUNS of them; CUTLET_FUZZ_SECONDS says how long each runs instead, and
CUTLET_FUZZ_SEED where it begins, for a search.
"""

import os
import shlex
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import seeds
import tap

SANITIZE = "address,undefined"
RUNS = 100000 if tap.ALL else 10000
# What is well formed takes longer than text that is refused.
RUNS_OF = {"fuzz_expression": RUNS // 10, "fuzz_plan": RUNS // 2}
SECONDS = int(os.environ.get("CUTLET_FUZZ_SECONDS", "0"))
SEED = int(os.environ.get("CUTLET_FUZZ_SEED", "1"))
HERE = os.path.dirname(os.path.abspath(__file__))


def words_of(name):
    """The words of a fuzzer: its own, those of expressions for the readers of text, or none."""
    own = os.path.join(HERE, name.replace("fuzz_", "") + ".dict")
    if not os.path.exists(own):
        own = os.path.join(HERE, "eval.dict")
    is_text = name in ("fuzz_text", "fuzz_eval") or not own.endswith("eval.dict")
    return [f"-dict={own}"] if is_text else []


def main():
    parts = " ".join(shlex.quote(a) for a in sys.argv[1:]).split(" -- ")
    if len(parts) != 4:
        tap.die(__doc__)
    first, targets, sources, checks = (shlex.split(p) for p in parts)
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
    seeds.write(corpus, checks)
    options = [clang, "-std=gnu11", "-O1", "-g", "-fno-sanitize-recover=all",
               "-fno-omit-frame-pointer", *flags]

    def compile_one(source):
        out = os.path.join(scratch, os.path.abspath(source).replace("/", "_") + ".o")
        status, output = tap.run([*options, "-fsanitize=fuzzer-no-link," + SANITIZE, "-c", source,
                                  "-o", out])
        return status, output, out

    objects = []
    for status, output, out in tap.parallel(compile_one, sources):
        if status:
            report.check("the library compiles for fuzzing", False, tap.tail(output))
            return report.finish()
        objects.append(out)
    library = os.path.join(scratch, "library.a")  # each fuzzer takes what it needs
    tap.run(["ar", "crs", library, *objects])

    def fuzz(target):
        name = os.path.splitext(os.path.basename(target))[0]
        program = os.path.join(scratch, name)
        found = os.path.join(scratch, name + "_corpus")
        os.makedirs(found)
        status, output = tap.run([*options, "-fsanitize=fuzzer," + SANITIZE, target, library, "-lm",
                                  "-lpthread", "-o", program])
        if status == 0:
            length = f"-max_total_time={SECONDS}" if SECONDS else f"-runs={RUNS_OF.get(name, RUNS)}"
            status, output = tap.run([program, found, os.path.join(corpus, name), length,
                                      f"-seed={SEED}", *words_of(name), "-timeout=60", "-max_len=400",
                                      "-rss_limit_mb=4096", f"-artifact_prefix={program}-"],
                                     timeout=SECONDS + 600)
        return name, status == 0, tap.tail(output, 40)

    for result in tap.parallel(fuzz, targets):
        report.check(*result)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
