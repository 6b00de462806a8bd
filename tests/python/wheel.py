#!/usr/bin/env python3
"""The Python package as a user gets it: a source distribution, a wheel of that, both installed in empty environments,
and tested.

    wheel.py SOURCE SCRATCH TEST..

Without a network, or without Python's headers, it is skipped.
"""

import glob
import os
import shutil
import sys
import sysconfig
import tarfile
import xml.etree.ElementTree
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

PIP = ["-m", "pip", "--disable-pip-version-check", "--quiet", "--retries", "1", "--timeout", "15"]
PINNED = ["--constraint", os.path.join(os.path.dirname(os.path.abspath(__file__)), "constraints.txt")]

# What a new user does first, with nothing but the package.
FIRST = """
import sys, pycutlet
assert "numpy" not in sys.modules
print(pycutlet.Layout((4, 8), (8, 1))(2, 3), pycutlet.__version__)
print(pycutlet.access([0, 128, 256, 384], "lds", bits=32).conflicts)
try:
    pycutlet.evaluate("composition((4,2):(1,8), 3:3)")
except pycutlet.Error as error:
    print(str(error).splitlines()[-1])
plan = pycutlet.Plan((2, 3), "(2,3):(3,1)", 1)
out = bytearray(6)
plan.run(out, bytes(range(6)))
print(list(out))
"""
SAYS = ["19 0.1.0", "3", "  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~", "[0, 2, 4, 1, 3, 5]"]


#: Of a wheel without kernels for GPUs.
MOST_BYTES = 1_400_000


def environment(folder, *packages):
    """A fresh virtual environment: (its Python, what went wrong)."""
    shutil.rmtree(folder, ignore_errors=True)
    status, output = tap.run([sys.executable, "-m", "venv", folder])
    python = os.path.join(folder, "bin", "python")
    if not status and packages:
        status, output = tap.run([python, *PIP, "install", *PINNED, *packages])
    return python, tap.tail(output, 5) if status else ""


def skipped(report, reason):
    report.skip("wheel", reason)
    return report.finish()


GIT = ["git", "-c", "user.name=test", "-c", "user.email=test@localhost"]


def sources(report, source, scratch, python):
    """The source distribution of a tree without git and with it, from a copy; the first unpacked, or None."""
    tree, unpacked = os.path.join(scratch, "tree"), []
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(source, tree, symlinks=True, ignore=shutil.ignore_patterns("build", "build-*", ".git", "*_cache", "__pycache__"))
    for how in ("without git", "with git"):
        dist, place = (os.path.join(scratch, name, how[:-4]) for name in ("sdist", "source"))
        for folder in (dist, place):
            shutil.rmtree(folder, ignore_errors=True)
        if how == "with git":
            for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "a tree"]):
                tap.run([*GIT, *words], cwd=tree)
        status, output = tap.run([python, "-m", "build", "--sdist", "--no-isolation", "--outdir", dist, tree],
                                 env=dict(os.environ, PATH=path_of(python)))
        made = glob.glob(os.path.join(dist, "pycutlet-*.tar.gz"))
        report.check("the source distribution, " + how, not status and len(made) == 1, tap.tail(output))
        if len(made) != 1:
            return None
        with tarfile.open(made[0]) as archive:
            archive.extractall(place)
        unpacked += glob.glob(os.path.join(place, "pycutlet-*"))
    names = [{os.path.relpath(os.path.join(folder, name), place) for folder, _, files in os.walk(place)
              for name in files} for place in unpacked]
    report.check("they hold the same files", names[0] == names[1] and "PKG-INFO" in names[0], names[0] ^ names[1])
    return unpacked[0]


def path_of(python):
    return os.path.dirname(python) + os.pathsep + os.environ["PATH"]


def install(command, source, scratch, python, *more):
    """pip of the builder, with one build folder for all that it builds."""
    # Debian 12's pip 23.0 knows no -C, and keeps one setting of a name.
    env = dict(os.environ, PATH=path_of(python))
    return tap.run([python, *PIP, command, source, "--no-deps", "--no-build-isolation", *more,
                    "--config-settings=build-dir=" + os.path.join(scratch, "build"),
                    "--config-settings=setup-args=-Dcuda=disabled"], timeout=900, env=env)


def build(report, source, scratch, python):
    """The wheel, or None after a failed test."""
    dist = os.path.join(scratch, "dist")
    for folder in (dist, os.path.join(scratch, "build")):
        shutil.rmtree(folder, ignore_errors=True)
    status, output = install("wheel", source, scratch, python, "-w", dist)
    wheels = glob.glob(os.path.join(dist, "pycutlet-*.whl"))
    report.check("the wheel is built", not status and len(wheels) == 1, tap.tail(output))
    return wheels[0] if len(wheels) == 1 else None


def contents(report, wheel, python):
    """The package and its description, nothing of the C library beside it."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    wanted = {"pycutlet/__init__.py", "pycutlet/__init__.pyi", "pycutlet/py.typed", "pycutlet/pycute/__init__.py"}
    others = [n for n in names if not n.startswith("pycutlet/") and ".dist-info/" not in n]
    core = [n for n in names if n.startswith("pycutlet/_core.")]
    report.check("the wheel holds the package alone", wanted <= set(names) and len(core) == 1 and not others, names)
    stable = os.path.basename(wheel).startswith("pycutlet-0.1.0-cp311-abi3-") and core == ["pycutlet/_core.abi3.so"]
    report.check("it is for every Python from 3.11 on", stable or sys.version_info < (3, 11), wheel)
    status, output = tap.run([python, "-m", "auditwheel", "show", wheel])
    report.check("it runs on any Linux with the glibc of its tag", not status and '"manylinux_2_' in output, output)
    report.check("it is small", os.path.getsize(wheel) < MOST_BYTES, os.path.getsize(wheel))


def first_steps(report, wheel, scratch):
    """An empty environment, without a network: the package needs no other."""
    python, wrong = environment(os.path.join(scratch, "user"))
    status, output = tap.run([python, *PIP, "install", "--no-index", wheel])
    report.check("it is installed without any other package", not wrong and not status, wrong or output)
    status, output = tap.run([python, "-c", FIRST], cwd=scratch)
    report.check("the first steps", not status and output.splitlines() == SAYS, output)
    return python


def run_tests(report, python, scratch, source, tests):
    """The tests of pytest, each a test here."""
    result = os.path.join(scratch, "tests.xml")
    if os.path.exists(result):
        os.remove(result)
    status, output = tap.run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junit-xml=" + result,
                              "--rootdir", scratch, *tests], timeout=600, cwd=scratch,
                             env=dict(os.environ, CUTLET_SOURCE=source, PYTHONDONTWRITEBYTECODE="1"))
    if not os.path.exists(result):
        report.check("pytest", False, tap.tail(output))
        return
    count = 0
    for case in xml.etree.ElementTree.parse(result).iter("testcase"):
        count += 1
        name = f"{case.get('classname').rpartition('.')[2]} {case.get('name')}".replace("#", " ")[:100]
        bad = [part.text or "" for part in case if part.tag in ("failure", "error")]
        if any(part.tag == "skipped" for part in case):
            report.skip(name, case.find("skipped").get("message", "").replace("\n", " ")[:80])
        else:
            report.check(name, not bad, "\n".join(bad))
    report.check("pytest ran every file", count > len(tests) and status in (0, 1), tap.tail(output))


def main():
    if len(sys.argv) < 4:
        tap.die(__doc__)
    source, scratch, tests = sys.argv[1], sys.argv[2], sys.argv[3:]
    report = tap.Report()
    os.makedirs(scratch, exist_ok=True)
    if not os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h")):
        return skipped(report, "no headers of Python (Debian: python3-dev)")
    builder, wrong = environment(os.path.join(scratch, "builder"), "build", "meson-python", "meson",
                                 "ninja", "auditwheel")
    if wrong:
        return skipped(report, "no environment with meson-python: no network? " + wrong.splitlines()[-1][:80])
    unpacked = sources(report, source, scratch, builder)
    wheel = unpacked and build(report, unpacked, scratch, builder)
    if not wheel:
        return report.finish()
    contents(report, wheel, builder)
    status, output = install("install", unpacked, scratch, builder)  # its other packages are for building
    status, output = (status, output) if status else tap.run([builder, "-c", FIRST], cwd=scratch)
    report.check("the source distribution is installed", not status and output.splitlines() == SAYS, output)
    python = first_steps(report, wheel, scratch)
    status, output = tap.run([python, *PIP, "install", *PINNED, "pytest", "numpy"])
    if status:
        return skipped(report, "no pytest and NumPy: no network?")
    tap.run([python, *PIP, "install", *PINNED, "mypy", "pyright[nodejs]", "resvg-py"])  # without one a test is skipped by name
    for package in ("ml_dtypes", "nvidia-cutlass"):
        tap.run([python, *PIP, "install", *PINNED, "--no-deps", package])
    run_tests(report, python, scratch, source, tests)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
