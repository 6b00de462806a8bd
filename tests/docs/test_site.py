#!/usr/bin/env python3
"""Builds the site without a warning; each of its links leads to a page and to a place on it.

    test_site.py SOURCE BUILD
"""

import html.parser
import os
import sys
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../support"), os.path.join(HERE, "../../tools/docs")]
import headers
import pages as other_pages
import reference
import tap


class Page(html.parser.HTMLParser):
    """The places of a page, and what it links to."""

    def __init__(self, path):
        super().__init__()
        self.places, self.links = {""}, set()
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id":
                self.places.add(value)
            elif name in ("href", "src") and value and tag in ("a", "img", "script", "link"):
                self.links.add(value)


def broken(site, pages):
    """Links of the pages {path: Page} that lead nowhere on the site."""
    for path, page in pages.items():
        for link in page.links:
            url = urllib.parse.urlparse(link)
            if url.scheme or url.netloc:
                continue
            to = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(url.path))) if url.path else path
            if to in pages:
                if urllib.parse.unquote(url.fragment) not in pages[to].places:
                    yield f"{path}: {link}: no such place"
            elif not os.path.exists(os.path.join(site, to)):
                yield f"{path}: {link}: no such file"


def check_listings(report):
    """That listings of comments are code, line by line."""
    text = reference.fields(headers.Comment("*\n * A.\n * In C:  int a = 1;\n *         if (a)\n *             f(a);\n "), "")
    report.check("an example in C is a listing", ".. code-block:: c" in text and
                 "\n      int a = 1;\n      if (a)\n          f(a);\n" in text, text)


def main(report, source, build):
    check_listings(report)
    tool = os.path.join(source, "tools/docs/build_site.py")
    status, said = tap.run([sys.executable, tool, source, build], timeout=900)
    if status == 77:
        report.skip("the site is built without a warning", tap.tail(said, 1))
        return
    report.check("the site is built without a warning", status == 0, said)
    site = os.path.join(build, "site")
    pages = {}
    for folder, _, names in os.walk(site):
        for name in names:
            if name.endswith(".html"):
                path = os.path.relpath(os.path.join(folder, name), site)
                pages[path] = Page(os.path.join(site, path))
    report.check("the site has its pages", {"index.html", "docs/tour.html", "reference/index.html",
                                            "reference/algebra/composition.html"} <= set(pages), sorted(pages))
    with_python = os.path.exists(os.path.join(build, "python/pycutlet/__init__.py"))
    for path, place, there in (("command/access.html", "cutlet-access", True), ("command/explain-tma.html", "cutlet-explain-tma", True),
                               ("python/Layout.html", "complement", with_python), ("python/functions.html", "pycutlet-gemm", with_python)):
        report.check(f"{path} has its place", not there or path in pages and place in pages[path].places)
    path = os.path.join(os.path.dirname(os.path.dirname(HERE)), "python/pycutlet/__init__.pyi")
    found = other_pages.hints(path).get(("Layout", "composition"), [])
    report.check("a method has the signatures of its hints", len(found) > 1 and all(f.startswith("composition(") and " -> " in f for f in found), found)
    places = pages["reference/algebra/composition.html"].places if status == 0 else set()
    report.check("a function has its place", "c.ct_composition" in places, sorted(places))
    wrong = sorted(broken(site, pages))
    report.check("each link leads somewhere", not wrong, "\n".join(wrong[:50]))
    pages["index.html"].links |= {"none.html", "docs/tour.html#none"}
    report.check("a link to nothing would be found", len(set(broken(site, pages)) - set(wrong)) == 2)


tap.main(main)
