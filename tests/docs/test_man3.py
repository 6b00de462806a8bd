#!/usr/bin/env python3
"""The man pages of section 3: one for each public function, in a form that man takes without a warning.

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
    """What mandoc, or man, says of the pages; None where neither is here."""
    if shutil.which("mandoc"):
        _, said = tap.run(["mandoc", "-T", "lint", "-W", "warning", *files])
        return [line for line in said.splitlines() if "missing date" not in line]
    if shutil.which("man") and shutil.which("groff"):
        said = []
        for file in files:
            _, text = tap.run(["man", "--warnings=w", "-E", "UTF-8", "-l", "-T", "utf8", "-Z", file],
                              env={**os.environ, "LC_ALL": "C.UTF-8"})
            said += [line for line in text.splitlines() if re.match(r"(troff|groff|man|<standard input>)\b.*(warning|error)", line)]
        return said
    return None


def main():
    if len(sys.argv) != 3:
        tap.die(__doc__)
    source, version = sys.argv[1:]
    report, pages = tap.Report(), man.pages(source, version)
    wanted = [d.name for header in headers.headers(source) for d in header.public(("function",)) if d.comment]
    missing = sorted(set(wanted) - set(pages))
    report.check("each public function has its page", not missing and len(wanted) > 400, missing)
    wrong = [name for name, text in pages.items()
             if not all(part in text for part in (".SH NAME", f"#include <cutlet/", ".SH DESCRIPTION"))]
    report.check("each page has a name, a header and a description", not wrong, wrong)
    page = pages.get("ct_composition", "")
    report.check("a page has its failures, its cost and its examples",
                 all(f".SH {title}\n" in page for title in ("ENSURES", "ERRORS", "COST", "EXAMPLES", "SOURCE")), page)
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, text in pages.items():
            files.append(os.path.join(folder, name + ".3"))
            with open(files[-1], "w", encoding="utf-8") as file:
                file.write(text)
        said = warnings(files)
        if said is None:
            report.skip("man takes the pages without a warning", "neither mandoc nor man with groff is here")
            return report.finish()
        report.check("man takes the pages without a warning", not said, "\n".join(said[:20]))
        bad = os.path.join(folder, "bad.3")
        with open(bad, "w", encoding="utf-8") as file:
            file.write(page + ".SH\n.nosuch\n")
        report.check("a bad page would be found", warnings([bad]))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
