"""Reads the public headers: what they declare, and the doc comment of each declaration.

A doc comment is the `/** ... */` directly before a declaration; the first one of a file is the
file's. It is text, then fields (`Ensures:`, `Fails:`, `Cost:`, `Example:`, `Source:`, ...), each on
a line of its own and continued by indented lines. A field of the file's comment holds for each
declaration that has none of its name. `@internal` as the first word says that only the library's own
headers use the declaration; in a file's comment it says so of the whole file.

A function without a comment is described by its row in the code of the file's comment, a call and
two spaces before what it does:

 *     ct_uniform(value)            a value equal in all lanes

or, where it follows without an empty line, by the comment of the declaration before it.
"""

import os
import re

# The groups of headers, in the order of the reference: (folder, title).
GROUPS = [("algebra", "Layout algebra"), ("copy", "Copies as values"), ("mma", "Matrix instructions as values"),
          ("host", "libcutlet"), ("device/kernel", "Kernels and their constants"),
          ("device/copy", "The copy"), ("device/tensor", "Tensors in a kernel"),
          ("device/arch", "Instructions"), ("device/element", "Elements"),
          ("device/register", "Vectors and sums"), ("device/pipeline", "Pipelines"),
          ("device/mma", "Products"), ("device/staged", "Copies through shared memory"),
          ("device/unaligned", "Copies of rows at any address"),
          ("device/elementwise", "Element-wise kernels"), ("", "Everything")]

FIELDS = ("Requires", "Ensures", "Returns", "Fails", "Cost", "Example", "In C", "In a kernel", "Used by", "Source")
INHERITED = ("Fails", "Cost", "In C", "In a kernel", "Used by", "Source")
FIELD = re.compile(r"^ ?(%s): *(.*)$" % "|".join(FIELDS))
# What stands before a function and is no part of its type.
MARKERS = re.compile(r"\btemplate *<[^<>]*>\s*|\b(CT_FN|CT_DEVICE|CT_GRID_FN|static|inline|extern|__extension__)\b *"
                     r"|__attribute__ *\(\((?:[^()]|\([^()]*\))*\)\) *")


class Comment:
    """The text of a doc comment and its fields, as (name, text) in order."""

    def __init__(self, raw):
        lines = [re.sub(r"^ *\*? ?", "", line, count=1) if i else line.lstrip("* ")
                 for i, line in enumerate(raw.splitlines())]
        self.internal = lines and lines[0].strip() == "" and len(lines) > 1 and lines[1].startswith("@internal") \
            or bool(lines) and lines[0].startswith("@internal")
        text, self.fields = [], []
        for line in lines:
            found = FIELD.match(line)
            if found:
                self.fields.append([found.group(1), [found.group(2)]])
            elif self.fields and (line.startswith("  ") or not line.strip()):
                self.fields[-1][1].append(line)
            elif self.fields:
                self.fields.append(["", [line]])
            else:
                text.append(line)
        self.text = "\n".join(text).replace("@internal", "").strip("\n ")
        self.fields = [(name, _unindented(body)) for name, body in self.fields]

    def field(self, name):
        """The texts of the fields of a name."""
        return [text for field, text in self.fields if field == name]

    def with_fields_of(self, file):
        """This comment with the fields of the file's that it lacks."""
        merged = Comment("")
        have = {name for name, _ in self.fields}
        merged.text, merged.internal = self.text, self.internal
        merged.fields = self.fields + [(name, text) for name, text in file.fields
                                       if name in INHERITED and name not in have]
        return merged


def _unindented(body):
    first, rest = body[0], "\n".join(body[1:]).rstrip()
    margin = min((len(line) - len(line.lstrip()) for line in rest.splitlines() if line.strip()), default=0)
    return "\n".join([first.strip()] + [line[margin:].rstrip() for line in rest.splitlines()]).strip()


class Declaration:
    """A function, macro or type: its kind, name, C text, line, and comment or None."""

    def __init__(self, kind, name, code, line, comment):
        self.kind, self.name, self.code, self.line, self.comment = kind, name, code, line, comment

    @property
    def internal(self):
        return bool(self.comment and self.comment.internal)


class Header:
    """A header: its path below include/cutlet, the comment of the file, and its declarations."""

    def __init__(self, path, name):
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.path, self.name = path, name
        self.group = os.path.dirname(name)
        first = re.match(r"\s*/\*\*(.*?)\*/", self.text, re.S)
        self.comment = Comment(first.group(1)) if first else None
        self.internal = bool(self.comment and self.comment.internal)
        self.declarations = list(_declarations(self.text, first.end() if first else 0))
        rows = _rows(self.comment.text) if self.comment else {}
        for d in self.declarations:
            if d.comment is None:
                d.comment = next((Comment(text) for name, text in sorted(rows.items(), key=lambda row: row[0] != d.name)
                                  if re.fullmatch(name, d.name)), None)  # the row of its own name first

    def public(self, kinds=("function", "macro", "type")):
        """What a user may call or name. A macro or a type without a doc comment is no part of the reference."""
        found = [d for d in self.declarations if not self.internal and not d.internal and d.kind in kinds and
                 "&" not in d.code.split("{")[0] and  # the C++ form of a macro of C
                 (d.kind == "function" or d.comment)]
        kept = {}
        for d in found:  # one of each name: a function before the macro that calls it
            if d.kind == "type" or d.name not in kept or d.kind == "function" and kept[d.name].kind == "macro":
                kept[d.name or d.line] = d
        functions = {d.name for d in self.declarations if d.kind == "function"}
        return [d for d in kept.values() if d.kind != "macro" or d.name not in functions]

    def whole(self, d):
        """The comment of a declaration, with the fields of the file's that it lacks; None without one."""
        return d.comment and (d.comment.with_fields_of(self.comment) if self.comment else d.comment)


def _rows(text):
    """The rows of a file's comment that describe calls: a pattern of the name -> what it does."""
    rows, names = {}, []
    for line in text.splitlines():
        found = re.match(r"    ((?:ct_\w+\([^()]*\) +)*ct_\w+\([^()]*\))(?:  +(\S.*))?$", line)
        if found:
            names = [_pattern(name) for name in re.findall(r"(ct_\w+)\(", found.group(1))]
            rows.update({name: found.group(2) or "" for name in names})
        elif names and line.startswith("      "):
            rows.update({name: (rows[name] + " " + line.strip()).strip() for name in names})
        else:
            names = []
    return rows


def _pattern(name):
    return name.replace("_Nd", r"_[1-5]d").replace("_HINT", r"_[a-z0-9_]+")


TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
                   r"|^[ \t]*#(?:\\\n|/\*.*?\*/|[^\n])*|[{};]", re.M | re.S)


def _declarations(text, start):
    """Walks a file at the level outside of braces."""
    begin, depth, comment, last = start, 0, None, None
    for token in TOKEN.finditer(text, start):
        word = token.group()
        if depth:
            depth += {"{": 1, "}": -1}.get(word, 0)
            if depth == 0 and _is_function(text[begin:body]):
                last = _function(text, begin, body, comment, last), token.end()
                yield last[0]
                begin, comment = token.end(), None
            continue
        plain = text[begin:token.start()].strip()
        if word.startswith("/*"):
            if not plain:
                comment = (token.end(), Comment(word[3:-2])) if word.startswith("/**") else None
                begin = token.end()
        elif word.lstrip().startswith("#"):
            if not plain or re.match(r"[A-Z_]+\(|[A-Z_]+$", plain):
                macro = re.match(r"\s*#\s*define\s+(\w+)(\([^)]*\))?", word)
                if macro:
                    direct = comment and not text[comment[0]:token.start()].strip("\n \t")
                    line = text.count("\n", 0, token.start()) + 1
                    yield Declaration("macro", macro.group(1), macro.group(1) + (macro.group(2) or ""), line,
                                      comment[1] if direct else None)
                comment, begin = None, token.end()
        elif word == "{":
            if re.fullmatch(r'extern\s+""|extern\s+"C"', plain):
                begin = token.end()
            else:
                depth, body = 1, token.start()
        elif word == "}":
            begin = token.end()
        elif word == ";":
            code = text[begin:token.start()].strip()
            if _is_function(code):
                last = _function(text, begin, token.start(), comment, last), token.end()
                yield last[0]
            elif code:
                name = _type_name(MARKERS.sub("", code))
                kind = "type" if re.match(r"(typedef|struct|enum|union)\b", code) else "variable"
                yield Declaration(kind, name, code + ";",
                                  _line(text, begin), comment[1] if comment else None)
            begin, comment = token.end(), None


def _type_name(code):
    """The name that a type's declaration gives; "" for an enum without one."""
    function = re.match(r"typedef\s[^{(]*\(\*(\w+)\)\s*\(|typedef\s[^{(]*\b(\w+)\s*\(", code)
    found = function or (re.search(r"(\w+)\s*(?:\[[^]]*\]\s*)*$", code) if code.startswith("typedef")
                         else re.match(r"(?:struct|enum|union)\s+(\w+)", code))
    return (found.group(1) or found.group(2)) if found is function and found else found.group(1) if found else ""


def _line(text, begin, blank=None):
    """The line of a place, or of what comes after the blanks there."""
    if blank is None:
        blank = re.compile(r"\s*").match(text, begin).end() - begin
    return text.count("\n", 0, begin + blank) + 1


def _is_function(code):
    plain = MARKERS.sub("", code.strip())
    if re.match(r"struct\s+\w+\s+[A-Z_]+\(", plain):  # a template whose body is a macro
        return False
    return bool(re.match(r"[A-Za-z_][\w\s*]*?\b\w+\s*\(", plain)) and \
        not re.match(r"(typedef|struct\s+\w+\s*{|enum|union)\b", plain) and "=" not in plain.split("(")[0] \
        and not plain.startswith("_Static_assert")


def _function(text, begin, end, comment, last):
    code = " ".join(MARKERS.sub("", text[begin:end]).split())
    name = re.search(r"(\w+)\s*\(", code).group(1)
    line, said = _line(text, begin), comment[1] if comment else None
    if not said and last and last[1] == begin and line - _line(text, begin, 0) == 1:
        said = last[0].comment  # it follows without an empty line
    return Declaration("function", name, code, line, said)


def headers(source):
    """Every public header of a source tree, in the order of the reference."""
    found = []
    for group, _ in GROUPS:
        folder = os.path.join(source, group if group.startswith("device/") else os.path.join("include/cutlet", group))
        for file in sorted(os.listdir(folder)):
            if file.endswith(".h"):
                found.append(Header(os.path.join(folder, file), os.path.join(group, file)))
    return found
