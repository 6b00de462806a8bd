#!/usr/bin/env python3
"""Runs the build script of OSS-Fuzz here, as its image does, and each target that it made over its seeds.

    oss_fuzz.py CLANG SOURCE SCRATCH

CLANG may be empty. The engine is libFuzzer. The build takes minutes, and so runs under CUTLET_TEST_ALL.
"""

import glob
import os
import shutil
import sys
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

CFLAGS = "-O1 -fno-omit-frame-pointer -fsanitize=address,undefined,fuzzer-no-link"
NEEDED = ("language", "fuzzing_engines", "sanitizers")


def main(report, clang, source, scratch):
    folder = os.path.join(source, "tests", "fuzz", "oss-fuzz")
    with open(os.path.join(folder, "project.yaml")) as text:
        keys = {line.split(":")[0] for line in text if line[0] not in " #-\n"}
    report.check("project.yaml says what is built", not set(NEEDED) - keys, str(sorted(keys)))
    if not clang or not tap.ALL:
        report.skip("build.sh", "no clang found" if not clang else "takes minutes; CUTLET_TEST_ALL runs it")
        return
    shutil.rmtree(scratch, ignore_errors=True)
    out = os.path.join(scratch, "out")
    os.makedirs(out)
    os.makedirs(os.path.join(scratch, "src"))
    os.symlink(os.path.abspath(source), os.path.join(scratch, "src", "cutlet"))
    env = dict(os.environ, CC=clang, CXX=clang, CFLAGS=CFLAGS, CXXFLAGS=CFLAGS, OUT=out,
               SRC=os.path.join(scratch, "src"), WORK=os.path.join(scratch, "work"),
               LIB_FUZZING_ENGINE="-fsanitize=fuzzer")
    status, output = tap.run(["bash", "-eu", os.path.join(folder, "build.sh")], timeout=1200, env=env)
    if not report.check("build.sh", status == 0, tap.tail(output)):
        return
    for target in sorted(glob.glob(os.path.join(source, "tests", "fuzz", "fuzz_*.c"))):
        name = os.path.splitext(os.path.basename(target))[0]
        seeds = os.path.join(scratch, name)
        with zipfile.ZipFile(os.path.join(out, name + "_seed_corpus.zip")) as archive:
            archive.extractall(seeds)
        status, output = tap.run([os.path.join(out, name), "-runs=0", seeds], timeout=300)
        report.check(name, status == 0 and len(os.listdir(seeds)) > 0, tap.tail(output))


tap.main(main)
