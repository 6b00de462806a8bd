"""`python -m pycutlet` is the command: eval, explain, check, draw, access, verify, suggest, convert, relayout .."""

import signal
import sys

from . import _core


def main(arguments):
    """Runs the command; the exit status. Its help tells of this command too."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # as of any other program: Python does not run meanwhile
    asks = not arguments or arguments[0] == "help" or not {"-h", "--help"}.isdisjoint(arguments)
    status, out, _ = _core._command(arguments, asks, False)
    sys.stdout.write(out)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
