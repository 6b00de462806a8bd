"""Seconds of work on a GPU, between two CUDA events of PyTorch: the one timing of all benchmarks by PyTorch."""
import sys


def pytorch(program):
    """The module, where it finds a CUDA device; ends the program with a line where it does not."""
    try:
        import torch
    except ImportError:
        sys.exit(f"{program} needs PyTorch, and a CUDA device")
    return torch if torch.cuda.is_available() else sys.exit(f"{program}: PyTorch finds no CUDA device")


def mark(torch, work):
    """Queues the work between two events: what seconds() takes."""
    start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    work()
    stop.record()
    return start, stop


def seconds(marked):
    """Of a mark; waits until its work is done."""
    start, stop = marked
    stop.synchronize()
    return start.elapsed_time(stop) * 1e-3


def each(torch, work, runs, warmups=3):
    """The seconds of each run behind the warmups. All are queued before one is waited for."""
    marks = [mark(torch, work) for _ in range(warmups + runs)]
    return [seconds(m) for m in marks[warmups:]]


def in_turn(torch, calls, rounds):
    """name -> its seconds in every round but the first. Each call is done before the next one begins."""
    times = {name: [] for name in calls}
    for number in range(rounds + 1):
        for name, call in calls.items():
            took = seconds(mark(torch, call))
            if number:
                times[name].append(took)
    return times
