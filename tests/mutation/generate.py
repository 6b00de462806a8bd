"""Mutants of the headers: what they are, and headers that hold all of them at once.

A mutant changes one place of one function: a relational operator (< and <=, > and >=, == and != changed
for one another), + and -, && and ||, an integer constant by one up or down, a condition negated, a
statement that is an expression left out. Headers that hold mutants choose by a number, which the
variable CUTLET_MUTANT gives when a program starts: `return a < b;` becomes

    return (ct_mutant == 7 ? (a <= b) : (a < b));

so that one build serves for all of them. A program with such headers writes which places it has reached,
a byte for each number of a mutant, to the file that the variable CUTLET_REACHED names.
"""

import hashlib
import re

TOKEN = re.compile(r"""
    (?P<skip>\s+|//[^\n]*|/\*.*?\*/)|(?P<directive>\#(?:[^\n\\]|\\.|\\\n)*)|
    (?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<number>0[xX][0-9a-fA-F]+[uUlL]*|\d+[uUlL]*)|
    (?P<word>[A-Za-z_]\w*)|
    (?P<op><<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)""", re.X | re.S)

INSTEAD = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+",
           "&&": "||", "||": "&&", "+=": "-=", "-=": "+="}
TYPES = re.compile(r"const|int|unsigned|char|u?int\d+_t|(?:ct_\w+)$")

# What stands in base.h when the headers hold mutants.
CHOOSE = """
#include <stdio.h>
#include <stdlib.h>
__attribute__((weak)) int ct_mutant = -1;
__attribute__((weak)) unsigned char ct_reached[%d];
__attribute__((weak, constructor)) void ct_mutant_choose(void)
{
    const char *const number = getenv("CUTLET_MUTANT");
    if (number) ct_mutant = atoi(number);
}
__attribute__((weak, destructor)) void ct_mutant_write(void)
{
    const char *const path = getenv("CUTLET_REACHED");
    FILE *const out = path ? fopen(path, "wb") : NULL;
    if (!out) return;
    fwrite(ct_reached, 1, sizeof ct_reached, out);
    fclose(out);
}
"""


class Token:
    def __init__(self, kind, text, start):
        self.kind, self.text, self.start, self.end = kind, text, start, start + len(text)


class Region:
    """An expression, or a statement that is one, with the mutants of it."""

    def __init__(self, kind, tokens):
        self.kind, self.tokens = kind, tokens
        self.start, self.end = tokens[0].start, tokens[-1].end


class Mutant:
    """`after` stands where the text of the region was."""

    def __init__(self, header, function, region, what, after, line):
        self.header, self.function, self.region, self.what = header, function, region, what
        self.after, self.line, self.number = after, line, -1
        self.before = ""

    def key(self):
        """Says which it is, wherever its line moves."""
        words = " ".join(self.before.split())
        return f"{self.header} {self.function}: {self.what} in `{words}`"


def tokens_of(text):
    """The tokens of C, comments and preprocessor lines left out, and what stands after an #else."""
    out, off = [], 0
    for match in TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "directive":
            if off and match.group().startswith("#if"):
                off += 1
            elif match.group().startswith("#else"):
                off = max(off, 1)
            elif off and match.group().startswith("#endif"):
                off -= 1
        elif kind != "skip" and not off:
            out.append(Token(kind, match.group(), match.start()))
    return out


def match_at(tokens, at):
    """The place of the bracket that closes the one at `at`."""
    depth = 0
    for k in range(at, len(tokens)):
        depth += tokens[k].text in "([{"
        depth -= tokens[k].text in ")]}"
        if depth == 0:
            return k
    raise ValueError("brackets")


def functions_of(tokens):
    """(name, first token of the body, its last) of each function that CT_FN marks."""
    at = 0
    while at < len(tokens):
        if tokens[at].text != "CT_FN":
            at += 1
            continue
        open_ = at
        while tokens[open_].text != "(":
            open_ += 1
        brace = match_at(tokens, open_) + 1
        if tokens[brace].text != "{":
            at = brace
            continue
        end = match_at(tokens, brace)
        yield tokens[open_ - 1].text, brace, end
        at = end


class Statements:
    """The regions of one function."""

    def __init__(self, tokens):
        self.tokens, self.regions = tokens, []

    def add(self, kind, first, end):
        if first < end:
            self.regions.append(Region(kind, self.tokens[first:end]))

    def find(self, at, text):
        """The next token `text` outside of brackets."""
        depth = 0
        while depth > 0 or self.tokens[at].text != text:
            depth += self.tokens[at].text in "([{"
            depth -= self.tokens[at].text in ")]}"
            at += 1
        return at

    def declaration(self, at, end):
        """int a = 1, b = 2;"""
        while at < end:
            stop = at
            depth = 0
            while stop < end and (depth > 0 or self.tokens[stop].text != ","):
                depth += self.tokens[stop].text in "([{"
                depth -= self.tokens[stop].text in ")]}"
                stop += 1
            equals = at
            while equals < stop and self.tokens[equals].text != "=":
                equals += 1
            if equals + 1 < stop and self.tokens[equals + 1].text not in ("{", "CT_ZERO"):
                self.add("expression", equals + 1, stop)
            at = stop + 1

    def is_declaration(self, at):
        first, second = self.tokens[at], self.tokens[at + 1]
        if first.kind != "word" or not TYPES.match(first.text):
            return False
        is_type = first.text == "const" or first.text.startswith("ct_")
        return second.kind == "word" or (second.text == "*" and is_type)

    def statement(self, at):
        """Reads the statement at `at`; returns the place after it."""
        word = self.tokens[at].text
        if word == "{":
            end = match_at(self.tokens, at)
            at += 1
            while at < end:
                at = self.statement(at)
            return end + 1
        if word in ("if", "while", "switch"):
            close = match_at(self.tokens, at + 1)
            if word != "switch":
                self.add("condition", at + 2, close)
            at = self.statement(close + 1)
            if word == "if" and self.tokens[at].text == "else":
                at = self.statement(at + 1)
            return at
        if word == "for":
            close = match_at(self.tokens, at + 1)
            first = self.find(at + 2, ";")
            second = self.find(first + 1, ";")
            self.declaration(at + 2, first)
            self.add("condition", first + 1, second)
            return self.statement(close + 1)
        if word == "CT_FOR":
            close = match_at(self.tokens, at + 1)
            comma = self.find(at + 2, ",")
            self.add("expression", comma + 1, close)
            return self.statement(close + 1)
        if word in ("case", "default"):
            return self.find(at, ":") + 1
        end = self.find(at, ";")
        if word == "return":
            self.add("expression", at + 1, end)
        elif word == "static" or word in ("break", "continue", "else", ";"):
            pass
        elif self.is_declaration(at):
            self.declaration(at, end)
        else:
            self.add("statement", at, end)
        return end + 1


def is_binary(tokens, k):
    """Whether the + or - at k stands between two operands."""
    before = tokens[k - 1] if k > 0 else None
    return before is not None and (before.kind in ("word", "number") or before.text in (")", "]"))


def changes(region, text):
    """(what, text) of each mutant of a region."""
    base, whole = region.start, text[region.start:region.end]

    def put(token, instead):
        return whole[:token.start - base] + instead + whole[token.end - base:]

    if region.kind == "condition":
        yield "negated", f"!({whole})"
    if region.kind == "statement":
        yield "left out", None
    for k, token in enumerate(region.tokens):
        if token.kind == "number":
            value, suffix = re.fullmatch(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)", token.text).groups()
            is_cast = k > 0 and region.tokens[k - 1].text == ")" and value == "0"
            for step in () if is_cast else (1, -1):
                yield (f"{token.text} becomes {int(value, 0) + step}",
                       put(token, f"({int(value, 0) + step}{suffix})"))
        elif token.kind == "op" and token.text in INSTEAD:
            if token.text not in "+-" or is_binary(region.tokens, k):
                yield f"{token.text} becomes {INSTEAD[token.text]}", put(token, INSTEAD[token.text])


def mutants_of(header, text):
    """The mutants of a header, in order."""
    tokens, found = tokens_of(text), []
    for name, first, end in functions_of(tokens):
        body = Statements(tokens)
        body.statement(first)
        for region in body.regions:
            line = text.count("\n", 0, region.start) + 1
            for what, after in changes(region, text):
                mutant = Mutant(header, name, region, what, after, line)
                mutant.before = text[region.start:region.end]
                found.append(mutant)
    count = {}
    for mutant in found:  # the same change at several places of one expression
        count[mutant.key()] = count.get(mutant.key(), 0) + 1
        if count[mutant.key()] > 1:
            mutant.what += f" ({count[mutant.key()]})"
    return found


def chosen(mutants, seed, count):
    """A sample that stays the same for the mutants that stay: those of the smallest hashes."""
    return sorted(mutants, key=lambda m: hashlib.sha256(f"{seed} {m.key()}".encode()).digest())[:count]


def with_mutants(text, mutants):
    """The header with these mutants of it, by their numbers."""
    by_place = {}
    for mutant in mutants:
        by_place.setdefault((mutant.region.start, mutant.region.end), []).append(mutant)
    for (start, end), here in sorted(by_place.items(), reverse=True):
        void = "(void)" if here[0].region.kind == "statement" else ""
        choice = f"{void}({text[start:end]})"
        for mutant in here:
            after = f"{void}({mutant.after})" if mutant.after else "(void)0"
            choice = f"ct_mutant == {mutant.number} ? {after} : {choice}"
        text = text[:start] + f"(ct_reached[{here[0].number}] = 1, {choice})" + text[end:]
    return text
