#!/usr/bin/env python3
"""Builds the site: the Markdown pages of the tree, the API reference, Python's classes and the command's options, by Sphinx with MyST.

    build_site.py SOURCE BUILD

The site is BUILD/site, with the playground where that is built. The pages are staged in BUILD/docs/pages, as the tree has them; Sphinx comes from
PyPI into BUILD/docs/venv once, by requirements.txt. Any warning is an error. The exit status is 77 where
Sphinx cannot be had.

A picture that the tree does not have is drawn by the command of its page: `$ cutlet draw .. -o NAME.svg`, or a
caption's `bench/plot.py FILE`. The page's caption *NAME.svg: WORDS.* becomes the picture.
"""

import filecmp
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys

import pages as other_pages
import reference

HERE = os.path.dirname(os.path.abspath(__file__))
# The site's contents: (caption, the pages, as patterns). A page stands where it matches first.
SECTIONS = [
    ("Start", ["docs/quickstart.md", "docs/tour.md", "docs/playground.md", "docs/python.md", "docs/cpp.md"]),
    ("How to", ["docs/howto/README.md", "docs/howto/*.md"]),
    ("Tutorial", ["docs/tutorial/README.md", "docs/tutorial/*.md"]),
    ("Reference", ["reference/index", "command/index", "python/index", "docs/headers.md", "docs/where.md", "docs/copies.md", "docs/tensors.md", "docs/glossary.md",
                   "examples/README.md"]),
    ("Coming from CuTe", ["docs/porting*.md", "docs/notations.md", "docs/json.md", "docs/cute*.md", "docs/differences.md", "docs/sources.md",
                          "docs/verdicts.md"]),
    ("Limits and questions", ["docs/limits.md", "docs/faq.md"]),
    ("More", ["docs/**/*.md"]),
    ("The project", ["CHANGELOG.md", "CONTRIBUTING.md"]),
]
DRAWN = re.compile(r"^\$ cutlet (draw .*) -o (\w+\.svg)$", re.M)
CAPTION = re.compile(r"^\*(\w+\.svg): (.*?)(?: \(`bench/plot\.py (\S+)`\))?\.\*$", re.M)
LANGUAGES = {".c": "c", ".h": "c", ".cu": "c", ".py": "python", ".sh": "sh", ".build": "meson", ".json": "json"}


def pages_of(source):
    """The Markdown pages of the tree that the site has, as paths in it."""
    found = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "examples/README.md"]
    found += sorted(glob.glob("docs/**/*.md", root_dir=source, recursive=True))
    return [path for path in found if os.path.exists(os.path.join(source, path))]


class Stage:
    """The folder that Sphinx reads: pages as the tree has them, and a page for each file they link to."""

    def __init__(self, source, build, folder):
        self.source, self.cutlet, self.folder = source, os.path.join(build, "cutlet"), folder
        self.pages = pages_of(source)
        self.linked, self.python, self.package = set(), [], os.path.join(build, "python")

    def write(self, path, text):
        path = os.path.join(self.folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def target(self, page, link):
        """What a link of a page is on the site."""
        path, hash_, anchor = link.partition("#")
        if not path or re.match(r"[a-z]+:", link):
            return link
        here = os.path.dirname(page)
        there = os.path.normpath(os.path.join(here, path))
        full = os.path.join(self.source, there)
        if os.path.isdir(full):
            there = os.path.join(there, "README.md")
        if there == "README.md":
            there = "index.md"
        elif there in self.pages or re.search(r"\.(svg|png)$", there):
            pass
        elif os.path.isfile(os.path.join(self.source, there)):
            self.linked.add(there)
            there, hash_, anchor = f"files/{there}.rst", "", ""
        else:
            raise SystemExit(f"{page}: {link}: no such page or file")
        return os.path.relpath(there, here or ".") + hash_ + anchor

    def draw(self, page, text):
        """Draws the pictures of a page beside it; the page with them in the place of their captions."""
        commands = {name: [self.cutlet, *shlex.split(words)] for words, name in DRAWN.findall(text)}

        def picture(match):
            name, words, plotted = match.groups()
            to = os.path.join(self.folder, os.path.dirname(page), name)
            os.makedirs(os.path.dirname(to), exist_ok=True)
            if plotted:
                command = [sys.executable, "bench/plot.py", plotted, "--svg", to]
            elif name in commands:
                command = [*commands[name], "-o", to]
            else:
                raise SystemExit(f"{page}: {name}: no command draws it")
            done = subprocess.run(command, cwd=self.source, capture_output=True, text=True, check=False)
            if done.returncode or not os.path.exists(to):
                raise SystemExit(f"{page}: {name}: {done.stdout}{done.stderr}")
            return f"![{words}]({name})"

        return CAPTION.sub(picture, text)

    def page(self, page):
        """A page with its pictures, and its links turned into those of the site."""
        with open(os.path.join(self.source, page), encoding="utf-8") as file:
            text = self.draw(page, file.read())
        pieces = re.split(r"(^```.*?^```$|`[^`\n]+`)", text, flags=re.M | re.S)
        for i in range(0, len(pieces), 2):
            pieces[i] = re.sub(r"\]\(([^)\s]+)\)", lambda link: f"]({self.target(page, link.group(1))})", pieces[i])
        # Documents name the file of a listing after its language, which is no word of Markdown.
        return re.sub(r"^```(\w+) .*$", r"```\1", "".join(pieces), flags=re.M)

    def contents(self):
        """The hidden tables of contents of the first page."""
        out, left = "", [p for p in self.pages if p != "README.md"] + ["reference/index", "command/index"] + self.python
        for caption, patterns in SECTIONS:
            names = []
            for pattern in patterns:
                regex = re.escape(pattern).replace(r"\*\*/", "(.*/)?").replace(r"\*", "[^/]*")
                names += [p for p in left if re.fullmatch(regex, p)]
                left = [p for p in left if p not in names]
            if names:
                out += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n"
                out += "".join(re.sub(r"\.md$", "", name) + "\n" for name in names) + "```\n"
        return out

    def all(self):
        other_pages.write_command(self.cutlet, os.path.join(self.folder, "command"))
        if other_pages.write_python(self.package, self.source, os.path.join(self.folder, "python")):
            self.python = ["python/index"]
        for page in self.pages:
            text = self.page(page)
            self.write("index.md" if page == "README.md" else page,
                       text + self.contents() if page == "README.md" else text)
        for path in sorted(self.linked):
            language = LANGUAGES.get(os.path.splitext(path)[1], "text")
            with open(os.path.join(self.source, path), encoding="utf-8") as file:
                text = reference.code(language, file.read())
            self.write(f"files/{path}.rst", f":orphan:\n\n{path}\n{'=' * len(path)}\n\n{text}")
        for picture in glob.glob("docs/**/*.svg", root_dir=self.source, recursive=True):
            to = os.path.join(self.folder, picture)
            os.makedirs(os.path.dirname(to), exist_ok=True)
            shutil.copy(os.path.join(self.source, picture), to)
        names = reference.write(self.source, os.path.join(self.folder, "reference"))
        self.write("names.txt", "\n".join(sorted(names)))


def python_with_sphinx(build):
    """A virtual environment of the build with the packages of requirements.txt; None without a network."""
    venv, log = os.path.join(build, "docs", "venv"), os.path.join(build, "docs", "venv.log")
    python, wanted = os.path.join(venv, "bin", "python"), os.path.join(HERE, "requirements.txt")
    has = os.path.join(venv, "requirements.txt")
    if os.path.exists(has) and filecmp.cmp(has, wanted, shallow=False):
        return python
    print(f"build_site.py: installing Sphinx from PyPI into {venv} (once)", file=sys.stderr, flush=True)
    with open(log, "w", encoding="utf-8") as said:
        for command in ([sys.executable, "-m", "venv", "--clear", venv],
                        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                         "--retries", "1", "-r", wanted]):
            if subprocess.run(command, stdout=said, stderr=said, check=False).returncode:
                return None
    shutil.copy(wanted, has)
    return python


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    source, build = map(os.path.abspath, sys.argv[1:])
    pages, site = os.path.join(build, "docs", "pages"), os.path.join(build, "site")
    os.makedirs(os.path.join(build, "docs"), exist_ok=True)
    python = python_with_sphinx(build)
    if not python:
        print("build_site.py: no Sphinx: python3-venv is missing, or there is no network; see docs/venv.log of the "
              "build", file=sys.stderr)
        return 77
    for old in (pages, site):
        shutil.rmtree(old, ignore_errors=True)
    Stage(source, build, pages).all()
    command = [python, "-m", "sphinx", "-b", "html", "-c", HERE, "-d", os.path.join(build, "docs", "doctrees"),
               "-q", "-W", "--keep-going", "-j", str(os.cpu_count() or 1), pages, site]
    status, playground = subprocess.run(command, check=False).returncode, os.path.join(build, "playground", "index.html")
    if status == 0 and os.path.exists(playground):
        shutil.copyfile(playground, os.path.join(site, "playground.html"))
    return status


if __name__ == "__main__":
    sys.exit(main())
