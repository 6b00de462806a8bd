#!/usr/bin/env python3
"""The timing of benchmarks by PyTorch (bench/events.py), on a device whose clock this script moves.

    test_events.py SOURCE
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap


class Event:
    """torch.cuda.Event of a device that works at once."""
    now = 0.0  # ms
    waits = 0

    def __init__(self, enable_timing=False):
        self.timing, self.at = enable_timing, None

    def record(self):
        self.at = Event.now

    def synchronize(self):
        Event.waits += 1

    def elapsed_time(self, other):
        assert self.timing and other.timing
        return other.at - self.at


class Torch:
    """The part of PyTorch that is used."""
    class cuda:
        Event = Event


def work(*milliseconds):
    """A call that takes these times, one after the other."""
    left = list(milliseconds)

    def call():
        Event.now += left.pop(0)
    return call


def main(report, source):
    sys.path.insert(0, os.path.join(source, "bench"))
    import events
    near = lambda found, wanted: len(found) == len(wanted) and all(abs(a - b) < 1e-12 for a, b in zip(found, wanted))
    report.check("a mark", near([events.seconds(events.mark(Torch, work(5)))], [5e-3]))
    report.check("warmups are left out", near(events.each(Torch, work(90, 80, 1, 2, 3), 3, 2), [1e-3, 2e-3, 3e-3]))
    Event.waits = 0
    found = events.in_turn(Torch, {"a": work(70, 1, 2), "b": work(60, 4, 5)}, 2)
    report.check("in turn, without the first round", list(found) == ["a", "b"] and near(found["a"], [1e-3, 2e-3])
                 and near(found["b"], [4e-3, 5e-3]), str(found))
    report.check("each call is done before the next", Event.waits == 6, str(Event.waits))


tap.main(main)
