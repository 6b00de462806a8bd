#!/usr/bin/env python3
"""The first choices of `cutlet suggest` among the times of an H200.

    test_suggest_measured.py CUTLET SOURCE
"""

import os
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

MEAN, WORST = 0.98, 0.93


def main(report, cutlet, source):
    sys.path.insert(0, os.path.join(source, "bench", "suggest"))
    import order  # pylint: disable=import-outside-toplevel
    ratios, measured = [], 0
    for name, text, place, first, fastest in order.choices(
            cutlet, [os.path.join(source, "bench", "data", "h200_suggest.tsv")]):
        ratios.append(float(fastest["us"]) / float(first["us"]))
        measured += place == 0
        report.check(f"{name}: {ratios[-1]:.3f} of the fastest", ratios[-1] >= WORST,
                     f"{text}\n{first['about']}")
    mean, worst = statistics.mean(ratios), min(ratios)
    report.check(f"the mean is {mean:.3f}", mean >= MEAN, ratios)
    report.check("twelve problems, every first choice measured",
                 (len(ratios), measured) == (12, 12), (len(ratios), measured))


tap.main(main)
