#!/usr/bin/env python3
"""Runs a Python script with a package from PyPI, in a virtual environment of its own.

    with_package.py VENV PACKAGE SCRIPT ARGUMENTS

PACKAGE may be several, and options of pip, with blanks between. The environment VENV is made once. Where
it cannot be made (no venv module, no network, a download of more than 240 seconds) the script is run by
this Python if that has the package itself; else this exits with 77 (skipped), after a line that says why.
Tests that share VENV wait for each other, and what failed for one is not tried again by those that waited.
"""

import fcntl
import importlib.util
import os
import shutil
import subprocess
import sys
import time

import tap

DOWNLOAD_SECONDS = 240


def give_up(reason, output):
    """Does without an environment, or says why the test is skipped."""
    package, script = sys.argv[2:4]
    if package.isidentifier() and importlib.util.find_spec(package):
        print(f"{reason} This Python's own {package} is used.", file=sys.stderr)
        sys.exit(subprocess.run([sys.executable, script, *sys.argv[4:]], check=False).returncode)
    lines = [line for line in output.splitlines() if line.strip()]
    print("\n".join(lines[-5:]))
    print(reason)
    sys.exit(77)


def main():
    if len(sys.argv) < 4:
        tap.die(__doc__)
    venv, package, script = sys.argv[1:4]
    python = os.path.join(venv, "bin", "python")
    done = os.path.join(venv, package.replace(" ", "_") + ".installed")
    os.makedirs(os.path.dirname(os.path.abspath(venv)), exist_ok=True)
    failed = done + ".failed"
    began = time.time()
    lock = open(venv + ".lock", "w")  # tests that share it make it one after another
    fcntl.flock(lock, fcntl.LOCK_EX)
    if not os.path.exists(done):
        if os.path.exists(failed) and os.path.getmtime(failed) >= began:
            give_up(f"pip could not install {package} for the test before this one", "")
        shutil.rmtree(venv, ignore_errors=True)
        status, output = tap.run([sys.executable, "-m", "venv", venv])
        if status:
            give_up("Python cannot make a virtual environment (Debian: python3-venv)", output)
        status, output = tap.run([python, "-m", "pip", "install", "--quiet",
                                  "--disable-pip-version-check", "--retries", "1", "--timeout", "15",
                                  *package.split()], timeout=DOWNLOAD_SECONDS)
        if status:
            with open(failed, "w"):
                pass
            give_up(f"pip could not install {package}: no network?", output)
        with open(done, "w"):
            pass
    lock.close()
    sys.exit(subprocess.run([python, script, *sys.argv[4:]], check=False).returncode)


if __name__ == "__main__":
    main()
