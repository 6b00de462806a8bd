#!/usr/bin/env python3
"""The figures of README.md and docs/, each from a named cell of bench/data or from a file that is counted.

    figures.py SOURCE            prints each text with its figures
    figures.py --check SOURCE    fails where a document has another figure or another text, or a figure of no text
    figures.py --update SOURCE   writes the figures into the documents

SOURCE is the folder of the project. The texts are in the files *.txt beside this one:

    == DOCUMENT               what follows, to the next such line, stands in DOCUMENT, however lines are broken
    == DOCUMENT (SOURCE)      the same; its figures {=FIGURE} are those of SOURCE, outside bench/data
    {EXPRESSION:FORMAT}       a figure, or a word: a Python expression over the data sets of cells.py, and
                              how it is written
    for r in EXPRESSION: ROW  a row for each r

What looks like a measurement in a document has to be a figure of a text: a number with a unit of a rate, a time or a part,
a decimal fraction, a cell of a table that is a number, a number that is no size. Listings are held to what runs by
tests/docs/doc_listings.py; a whole number that a listing near it has is one of its run.
"""

import glob
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import cells

MARK = re.compile(r"\{(=?)((?:[^{}\"]|\"[^\"]*\")+)\}")
UNITS = (r"(?:GB/s|TB/s|TFLOP/s|GB|MB|ns|us|ms|seconds|s|%|per cent|times|x|cycles|instructions|conflicts|sectors|"
         r"wavefronts|registers)(?![\w/])")
NUMBER = r"(?<![\w.,:/@^(_<-])-?\d+(?:,\d{3})*(?:\.\d+)?(?![\w@:^]|\.\d|,\d)"
MEASURED = [
    re.compile(rf"({NUMBER})(?:\s+(?:to|and|or)\s+({NUMBER}))?\s*{UNITS}"),
    re.compile(r"(?<![\w.])(\d+\.\d+)(?![\w.]|\.\d)"),
]
WHOLE = re.compile(rf"({NUMBER})")
# The number behind such a word is a name: a version, an address of a section or of a paper.
NAMED = re.compile(r"(?:nvcc|CUDA|NCCL|PyTorch|Triton|NumPy|CUTLASS|nvidia-cutlass|tensor-layouts|cuobjdump|nvdisasm|CUB|driver|"
                   r"gcc|clang|Python|arXiv|forums|and|format|PTX ISA|sm_|version|A|EPYC|C\+\+|AMD)[\s:>]*$")
# What is counted behind it makes a number a size, a width or a place, which the author chose.
CHOSEN = re.compile(r"\s*(?:x \d|(?:\S+ )?(?:bytes?|bits?|B|KiB|MiB|GiB|cubed|threads|elements?|floats|halves|rows|columns|"
                    r"keys|lanes|banks|words|leaves|columns|stages|blocks|warps|values|of 16|rounds|runs)\b)")


FIGURE = r"([-+]?\d[\d,]*(?:\.\d+)?)"


class Text:
    """A text of a document with figures in it."""

    def __init__(self, document, source, lines, sets):
        self.document, self.source, self.parts = document, source, []
        text = "\n".join(self.lines_of(lines, sets))
        at = 0
        for mark in MARK.finditer(text):
            self.parts += [text[at:mark.start()], self.figure(mark, sets)]
            at = mark.end()
        self.parts.append(text[at:])

    @staticmethod
    def lines_of(lines, sets):
        """The lines, those with `for` once for each row."""
        for line in lines:
            loop = re.match(r"for r in (.*?): (\|.*)$", line)
            if not loop:
                yield line
                continue
            for number, _ in enumerate(list(eval(loop.group(1), sets))):
                row = f"list({loop.group(1)})[{number}]"
                yield MARK.sub(lambda m, row=row: m.group(0) if m.group(1) else
                               "{" + re.sub(r"\br\b(?=\.|:|$)", row, m.group(2)) + "}", loop.group(2))

    def figure(self, mark, sets):
        """(what is written, whether it is a figure of ours)."""
        if mark.group(1):
            if not self.source:
                raise ValueError(f"{self.document}: {mark.group(0)} has no source")
            return mark.group(2), False
        expression, _, form = mark.group(2).rpartition(":")
        if not expression or "[" in form or "'" in form or '"' in form or "(" in form:
            expression, form = mark.group(2), ""
        try:
            value = eval(expression, sets)
        except Exception as bad:
            raise ValueError(f"{self.document}: {{{expression}}}: {bad!r}") from bad
        return ("" if value is None else format(value, form)), True

    def written(self):
        """The text with its figures."""
        return "".join(part if isinstance(part, str) else part[0] for part in self.parts)

    def words(self):
        """The words of the text, each as what it matches and the figures in it."""
        word, figures, found = "", [], []
        for part in self.parts:
            if isinstance(part, tuple) and is_number(part[0]):
                word, figures = word + FIGURE, figures + [part[0]]
                continue
            for piece in re.split(r"(\s+)", part if isinstance(part, str) else part[0]):
                if piece.strip() and isinstance(part, tuple): # a word from a cell
                    word, figures = word + "(" + re.escape(piece) + ")", figures + [piece]
                elif piece.strip():
                    word += re.escape(piece)
                elif piece and word:
                    found, word, figures = found + [(re.compile(word), figures)], "", []
        if word:
            found.append((re.compile(word), figures))
        found = [one for one in found if one[0].pattern != ">"]
        # a text may begin behind a bracket and end before a comma
        found[0] = (re.compile(r"[^\w\s]*?" + found[0][0].pattern), found[0][1])
        found[-1] = (re.compile(found[-1][0].pattern + r"[^\w\s]*"), found[-1][1])
        return found

    def find(self, words):
        """(first, last, is, should be) of its figures in the words of a document; None where the text is not."""
        wanted = self.words()
        for start in range(len(words) - len(wanted) + 1):
            found = []
            for (pattern, figures), (at, word) in zip(wanted, words[start:start + len(wanted)]):
                match = pattern.fullmatch(word)
                if not match:
                    break
                found += [(at + match.start(i), at + match.end(i), match.group(i), value)
                          for i, value in enumerate(figures, 1)]
            else:
                return found
        return None


def is_number(text):
    return re.fullmatch(r"[-+]?\d[\d,]*(\.\d+)?", text) is not None


def read_texts(sets, folder=HERE):
    """The texts of all files."""
    for path in sorted(glob.glob(os.path.join(folder, "*.txt"))):
        with open(path, encoding="utf-8") as file:
            parts = re.split(r"^== (\S+)(?: \((.*)\))?\n", file.read(), flags=re.MULTILINE)
        for i in range(1, len(parts), 3):
            yield Text(parts[i], parts[i + 1], parts[i + 2].strip("\n").split("\n"), sets)


def blanked(text):
    """The text without listings, code and addresses, each character of them a blank; and the listings."""
    listings = []

    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))

    def fence(match):
        listings.append((match.start(), set(re.findall(r"\d+(?:\.\d+)?", match.group(0)))))
        return blank(match)

    text = re.sub(r"^```.*?^```$", fence, text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^(?:    |\t)\S.*$", blank, text, flags=re.MULTILINE)
    text = re.sub(r"`[^`]*`", blank, text)
    text = re.sub(r"\]\([^)]*\)", blank, text)
    return re.sub(r"^#+ .*$", blank, text, flags=re.MULTILINE), listings


def measured(text):
    """(first, last, number) of what looks like a measurement."""
    plain, listings = blanked(text)
    found = {}
    for pattern in MEASURED:
        for match in pattern.finditer(plain):
            for i in range(1, 1 + pattern.groups):
                if match.group(i):
                    found[match.start(i)] = match.end(i)
    for match in WHOLE.finditer(plain):
        number = match.group(1).replace(",", "").lstrip("-")
        line = plain[plain.rfind("\n", 0, match.start()) + 1:plain.find("\n", match.end())]
        cell = re.search(r"\|\s*$", plain[:match.start()]) and re.match(r"\s*\|", plain[match.end():])
        is_size = "." not in number and (int(number) < 100 or int(number) % 8 == 0)
        if line.lstrip().startswith("|") and cell or not is_size:
            found.setdefault(match.start(), match.end())
    for first, last in sorted(found.items()):
        number = plain[first:last]
        if NAMED.search(plain[max(0, first - 30):first]) or CHOSEN.match(plain[last:last + 40]):
            continue
        whole = number.replace(",", "")
        if any(abs(at - first) < 6000 and whole in numbers for at, numbers in listings):
            continue
        yield first, last, number


def covered(text, texts):
    """The places of a document that texts cover; what is wrong with those; the document with its figures."""
    spans, wrong, changed = [], [], text
    words = [(m.start(), m.group(0)) for m in re.finditer(r"\S+", text) if m.group(0) != ">"]
    for one in texts:
        found = one.find(words)
        if found is None:
            wrong.append("does not say: " + one.written()[:400])
            continue
        spans += [(first, last, value) for first, last, _, value in found]
        wrong += [f"has {has!r} where {value!r} is so, in: {one.written()[:200]}"
                  for _, _, has, value in found if has != value]
    for first, last, value in sorted(spans, reverse=True):
        changed = changed[:first] + value + changed[last:]
    return spans, wrong, changed


def faults(name, text, texts):
    """What is wrong with a document; and the document with its figures."""
    spans, wrong, changed = covered(text, texts)
    for first, last, number in measured(text):
        if not any(a <= first and last <= b for a, b, _ in spans):
            line = text.count("\n", 0, first) + 1
            words = " ".join(text[max(0, first - 40):last + 40].split())
            wrong.append(f"line {line}: {number} is a figure of no text: .. {words} ..")
    return [f"{name}: {what}" for what in wrong], changed


def documents(source):
    """The names of the documents."""
    names = ["README.md"] + glob.glob("docs/**/*.md", root_dir=source, recursive=True)
    return sorted(names)


def main():
    mode = sys.argv[1] if sys.argv[1:2] in (["--check"], ["--update"]) else ""
    if len(sys.argv) != (3 if mode else 2) or sys.argv[-1].startswith("-"):
        sys.exit(__doc__)
    source, bad = sys.argv[-1], 0
    texts = list(read_texts(cells.sets(source)))
    if not mode:
        for text in texts:
            print(f"== {text.document}\n{text.written()}\n")
        return 0
    for name in documents(source):
        path = os.path.join(source, name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        wrong, changed = faults(name, text, [t for t in texts if t.document == name])
        if mode == "--update":
            with open(path, "w", encoding="utf-8") as file:
                file.write(changed)
            wrong = [w for w in wrong if " does not say: " in w]
        for line in wrong:
            print(line)
        bad += len(wrong)
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
