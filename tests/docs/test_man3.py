#!/usr/bin/env python3
"""The man pages of section 3: one for each public header, in a form that man takes without a warning.

    test_man3.py SOURCE VERSION
"""

import os
import re
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../support"), os.path.join(HERE, "../../tools/docs")]
import headers
import man
import tap


def warnings(files):
    """What mandoc, or groff, says of the pages; None where neither is here."""
    if shutil.which("mandoc"):
        _, said = tap.run(["mandoc", "-T", "lint", "-W", "warning", *files])
        return [line for line in said.splitlines() if "missing date" not in line]
    if shutil.which("groff"):
        _, said = tap.run(["groff", "-man", "-K", "utf8", "-T", "utf8", "-ww", "-z", *files])
        return [line for line in said.splitlines() if re.match(r"(troff|groff|preconv)\b.*(warning|error|can't)", line)]
    return None


def main(report, source, version):
    pages = man.pages(source, version)
    public = [h for h in headers.headers(source) if not h.internal and h.public()]
    report.check("each public header has its page, and nothing else", len(pages) == len(public), sorted(pages))
    text = "\n".join(pages.values())
    wanted = [d.name for header in public for d in header.public(("function",)) if d.comment]
    missing = [name for name in wanted if f".SS {name}\n" not in text]
    report.check("each public function is on a page", not missing and len(wanted) > 400, missing)
    wrong = [name for name, text in pages.items()
             if not all(part in text for part in (".SH NAME", f"#include <cutlet/", ".SH DESCRIPTION"))]
    report.check("each page has a name, a header and a description", not wrong, wrong)
    page = pages.get("cutlet_algebra_composition_h", "")
    report.check("a function has its failures, its cost and its examples",
                 all(f".I {title}:\n" in page for title in ("Ensures", "Errors", "Cost", "Examples", "Source")), page)
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, text in pages.items():
            files.append(os.path.join(folder, name + ".3"))
            with open(files[-1], "w", encoding="utf-8") as file:
                file.write(text)
        said = warnings(files)
        if said is None:
            report.skip("man takes the pages without a warning", "neither mandoc nor groff is here")
            return
        report.check("man takes the pages without a warning", not said, "\n".join(said[:20]))
        bad = os.path.join(folder, "bad.3")
        with open(bad, "w", encoding="utf-8") as file:
            file.write(page + ".SH\n.nosuch\n")
        report.check("a bad page would be found", warnings([bad]))


tap.main(main)
