"""The Test Anything Protocol, for the tests that drive compilers and the command."""

import concurrent.futures
import inspect
import os
import subprocess
import sys


# Whether a test takes all of its cases (`./run test all`), or the smaller part that is enough for each
# change of the code.
ALL = os.environ.get("CUTLET_TEST_ALL", "") != ""


class Report:
    """Collects results and prints each as a line of TAP."""

    def __init__(self):
        self.count = 0
        self.failed = 0
        print("TAP version 13", flush=True)

    def _line(self, text, details):
        self.count += 1
        print(text, flush=True)
        for line in details.splitlines():
            print("# " + line, flush=True)

    def check(self, name, passed, details=""):
        """One test. The details are printed when it failed."""
        if passed:
            self._line(f"ok {self.count + 1} - {name}", "")
        else:
            self.failed += 1
            self._line(f"not ok {self.count + 1} - {name}", str(details))
        return passed

    def skip(self, name, reason):
        """One test that cannot run here."""
        self._line(f"ok {self.count + 1} - {name} # SKIP {reason}", "")

    def finish(self):
        """Prints the plan; returns the exit status."""
        if self.count == 0:
            self.check("at least one test", False, "nothing was tested")
        print(f"1..{self.count}", flush=True)
        return 1 if self.failed else 0


def run(command, timeout=300, **options):
    """Runs a command; returns its exit status and all its output."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=timeout, text=True, errors="replace", **options)
    except subprocess.TimeoutExpired as late:
        out = late.stdout or ""
        if isinstance(out, bytes):
            out = out.decode(errors="replace")
        return 124, f"{out}\nstopped after {timeout} seconds: {' '.join(command)}"
    except OSError as bad:
        return 127, str(bad)
    return done.returncode, done.stdout


def tail(text, lines=25):
    """The last lines of an output."""
    return "\n".join(text.splitlines()[-lines:])


def parallel(function, items):
    """function(item) of each item, as many at a time as there are processors, in order."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        yield from pool.map(function, items)


def main(test):
    """Runs a script's test, test(report, the arguments of the command line ..), and ends; not where the script is imported."""
    if test.__module__ != "__main__":
        return
    try:
        inspect.signature(test).bind(None, *sys.argv[1:])
    except TypeError:
        die(sys.modules["__main__"].__doc__)
    report = Report()
    test(report, *sys.argv[1:])
    sys.exit(report.finish())


def die(message):
    """Bad usage of a test script."""
    print(f"{os.path.basename(sys.argv[0])}: {message}", file=sys.stderr)
    sys.exit(2)
