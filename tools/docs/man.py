#!/usr/bin/env python3
"""Writes the man pages of section 3 from the doc comments: one for each header, which has its functions,
macros and types.

    man.py SOURCE FOLDER VERSION [HEADER LEFT OUT..]
"""

import os
import re
import shutil
import sys
import textwrap

from headers import headers

TITLES = {"Requires": "REQUIRES", "Ensures": "ENSURES", "Returns": "RETURN VALUE", "Fails": "ERRORS", "Cost": "COST",
          "Source": "SOURCE"}


def roff(text):
    """Text as roff has it: no character or beginning of a line that it takes for a command."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "")
    return re.sub(r"^(?=[.])", r"\\&", text, flags=re.M)


def code(lines):
    return ".PP\n.nf\n.RS 4\n" + "\n".join(roff(line) for line in lines) + "\n.RE\n.fi\n"


def blocks(text):
    """Paragraphs, and code, which is indented by four."""
    out = []
    for block in re.split(r"\n[ ]*\n", text.strip("\n")):
        prose, listing = [], []
        for line in block.splitlines() + [""]:
            if line.startswith("    "):
                listing.append(line[4:])
                continue
            if listing:
                out += [paragraph(prose), code(listing)]
                prose, listing = [], []
            if re.match(r" *- ", line) and prose:
                out.append(paragraph(prose))
                prose = []
            prose.append(line.strip())
        out.append(paragraph(prose))
    return "".join(out)


def paragraph(lines):
    text = " ".join(lines).strip()
    return ".PP\n" + "\n".join(roff(line) for line in textwrap.wrap(text, 100, break_on_hyphens=False)) + "\n" if text else ""


def summary(comment):
    """The first sentence, on a line."""
    text = " ".join(re.sub(r"\n    .*", "", comment.text.split("\n\n")[0]).split()) if comment else ""
    text = re.split(r"(?<=[.:;]) (?=[A-Z])|: ", text)[0].rstrip(".:; ")
    return roff(text if len(text) <= 150 else text[:text.rindex(" ", 0, 150)] + " ...") or "see the header"


def sections(comment):
    """The fields as sections."""
    out = "".join(blocks(body) for name, body in comment.fields if name == "")
    for name, title in TITLES.items():
        texts = [re.sub(r"\s*\[law_\w+\]", "", text) for text in comment.field(name)]
        if texts:
            out += f".SH {title}\n" + "".join(blocks(text) for text in texts)
    examples = comment.field("Example") + comment.field("In C") + comment.field("In a kernel")
    used = comment.field("Used by")
    if examples or used:
        out += ".SH EXAMPLES\n"
        if comment.field("Example"):
            out += code([re.sub(r"\s*\n\s*", " ", line) for line in comment.field("Example")])
        for listing in comment.field("In C") + comment.field("In a kernel"):
            out += code(listing.splitlines())
        out += "".join(f".PP\nIt is used by {roff(name)}.\n" for name in used)
    return out


def head(name, version, line, include):
    return f'.TH {name} 3 "" "cutlet {version}" "cutlet"\n.SH NAME\n{roff(name)} \\- {line}\n.SH SYNOPSIS\n' \
        f".nf\n.B #include <{roff(include)}>\n"


def entry(header, d):
    """A function or macro within the page of its header."""
    comment = header.whole(d)
    wrapped = textwrap.wrap(d.code, 78, subsequent_indent="    ", break_on_hyphens=False)
    own = re.sub(r"^\.SH (\w.*)\n(\.PP\n)?", lambda title: f".PP\n.I {title.group(1).capitalize()}:\n.br\n",
                 sections(d.comment), flags=re.M)
    return f".SS {d.name}\n.nf\n" + "".join(f".B \"{roff(line)}\"\n" for line in wrapped) + ".fi\n" + \
        blocks(comment.text) + own


def header_page(header, name, version):
    out = head(name, version, summary(header.comment), "cutlet/" + header.name) + ".fi\n.SH DESCRIPTION\n"
    out += blocks(header.comment.text)
    for kinds, title in ((("type",), "TYPES"), (("macro", "function"), "FUNCTIONS AND MACROS")):
        found = [d for d in header.public(kinds) if d.comment]
        out += f".SH {title}\n" if found else ""
        for d in found:
            out += blocks(d.comment.text) + code(d.code.splitlines()) if d.kind == "type" else entry(header, d)
    return out + sections(header.comment) + ".SH SEE ALSO\n.BR cutlet (1)\n"


def pages(source, version, without=()):
    """The pages of all headers but some, name -> text."""
    made = {}
    for header in headers(source):
        if header.internal or header.name in without or not header.public():
            continue
        own = "cutlet_" + re.sub(r"\W", "_", header.name)
        made[own] = header_page(header, own, version)
    return {name: re.sub(r"(\.SH .*\n)\.PP\n", r"\1", text) for name, text in made.items()}


def main():
    if len(sys.argv) < 4:
        raise SystemExit(__doc__)
    source, folder, version, *without = sys.argv[1:]
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name, text in pages(source, version, without).items():
        with open(os.path.join(folder, name + ".3"), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
