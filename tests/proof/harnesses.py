#!/usr/bin/env python3
"""Writes a harness in C for every function of the algebra: any arguments, then the call.

    harnesses.py INCLUDE FUNCTIONS

INCLUDE is the folder of the headers, FUNCTIONS the table functions.txt. The harness of ct_f is
harness_ct_f; HARNESSES(X) makes X(ct_f) of each of them. proof.py and sweep.c use them.
"""

import os
import re
import sys

HEADERS = """base profile tuple tuple_parts tuple_ops tuple_order shape_ops shape_product layout build
by_mode tiler make layout_ops coord coalesce composition_trial composition size sort coshape complement
complement_shape inverse divide product combine distribute swizzle cast vector tensor tensor_ops
tensor_composition tensor_inverse tensor_product linear_layout partition""".split()

VALUES = {
    "int64_t": "nondet_number()", "int": "(int)nondet_number()", "const int": "(int)nondet_number()",
    "int32_t": "(int32_t)nondet_number()", "uint32_t": "nondet_basis()",
    "ct_profile": "ct_any_profile()", "ct_tuple": "ct_any_tuple()", "ct_layout": "ct_any_layout()",
    "ct_tensor": "ct_any_tensor()", "ct_tiler": "ct_any_tiler()", "ct_swizzle": "ct_any_swizzle()",
    "ct_linear_layout": "ct_any_linear_layout()",
}
# Results that other operations take: they must be such values.
RESULTS = {"ct_tuple": "CT_IS_TUPLE", "ct_layout": "CT_IS_LAYOUT"}


class Function:
    """One function: its name, type, parameters as (type, name), and body."""

    def __init__(self, header, kind, name, parameters, body):
        self.header, self.kind, self.name, self.body = header, kind, name, body
        self.parameters = []
        for words in parameters.split(","):
            type_, _, parameter = " ".join(words.split()).rpartition(" ")
            if parameter.startswith("*"):
                type_, parameter = type_ + " *", parameter[1:]
            if type_ or parameter not in ("void", ""):
                self.parameters.append((type_, parameter))

    def takes_values(self):
        return all(self.value_of(type_) for type_, _ in self.parameters)

    @staticmethod
    def value_of(type_):
        plain = re.sub(r"^const (\w+) \*$", r"\1", type_)
        return VALUES.get(type_) or (VALUES.get(plain) if plain.startswith("ct_") else None)

    def harness(self, requires, checked):
        """The harness as C, of which `requires` is assumed; a result is a value where `checked`."""
        lines, arguments = [], []
        for type_, name in self.parameters:
            pointer = type_.startswith("const ") and type_.endswith("*")
            plain = type_[6:-2] if pointer else type_.replace("const ", "")
            local = f"{name}_value" if pointer else name
            lines.append(f"    {plain} {local} = {self.value_of(type_)};")
            if pointer:
                lines.append(f"    const {plain} *const {name} = &{local};")
            arguments.append(name)
        if requires:
            lines.append(f"    CT_ASSUME({requires});")
        call = f"{self.name}({', '.join(arguments)});"
        if checked and self.kind in RESULTS:
            lines.append(f"    const {self.kind} result = {call}")
            lines.append(f"    CT_RESULT({RESULTS[self.kind]}(&result));")
        else:
            lines.append(f"    (void){call}")
        return f"CT_HARNESS void harness_{self.name}(void)\n{{\n" + "\n".join(lines) + "\n}\n"


def read_functions(include):
    """The functions of the headers in order."""
    functions = []
    for header in HEADERS:
        with open(os.path.join(include, find_header(include, header))) as source:
            text = re.sub(r"/\*.*?\*/", "", source.read(), flags=re.S)
        for found in re.finditer(r"^CT_FN ([^;{(]*?)\s*(\w+)\(([^)]*)\)"
                                 r"(?: \{([^\n]*)\}|\n\{\n(.*?)^\})", text, re.M | re.S):
            kind, name, parameters, line, body = found.groups()
            functions.append(Function(header, kind, name, parameters, line or body or ""))
    return functions


def find_header(include, header):
    """Where a header of the algebra lies below the folder."""
    for folder, _, names in os.walk(include):
        if header + ".h" in names and "device" not in folder and "host" not in folder:
            return os.path.relpath(os.path.join(folder, header + ".h"), include)
    raise SystemExit(f"harnesses.py: no {header}.h below {include}")


def read_table(path):
    """The table: word -> name -> what follows."""
    table = {"step": {}, "requires": {}, "capacity": {}, "unproved": {},
             "unchecked": {}, "unwind": {}, "products": {}}
    with open(path) as source:
        for line in source:
            found = re.match(r"(\w+) (\w+):? ?(.*)$", line)
            if found and not line.startswith("#"):
                table[found.group(1)][found.group(2)] = found.group(3)
    return table


def subjects(functions, table):
    """The functions that get a harness, and those that are steps of others."""
    own = [f for f in functions if f.takes_values() and f.name not in table["step"]]
    return own, [f for f in functions if f not in own]


def write(functions, table):
    """The C text of all harnesses."""
    own, _ = subjects(functions, table)
    text = "".join(f.harness(table["requires"].get(f.name), f.name not in table["unchecked"]) + "\n"
                   for f in own)
    names = " ".join(f"\\\n    X({f.name})" for f in own)
    return f"{text}#define HARNESSES(X) {names}\n"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.stdout.write(write(read_functions(sys.argv[1]), read_table(sys.argv[2])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
