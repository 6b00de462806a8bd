#!/usr/bin/env python3
"""Writes a harness in C for every function of the algebra: any arguments, then the call.

    harnesses.py INCLUDE FUNCTIONS

INCLUDE is the folder of the headers, FUNCTIONS the table functions.txt. The harness of ct_f is
harness_ct_f; HARNESSES(X) makes X(ct_f) of each of them. proof.py and sweep.c use them.
"""

import os
import re
import sys

HEADERS = """base profile tuple basis_sum tuple_parts tuple_ops tuple_order shape_ops shape_product layout build
by_mode tiler make layout_ops coord coalesce composition_trial composition size sort coshape complement
complement_shape inverse_trial inverse divide product combine distribute swizzle cast vector tensor
tensor_ops tensor_composition tensor_inverse tensor_product linear_layout partition""".split()
# Those of which no proof has been tried.
SWEPT = """normalize access_leaves
copy_memory copy_atom tiled_copy thread_values copy_check shared_tiles side_leaves side_accesses tile_partition
copy_partition copy_choice copy_width retile tma_modes tma mma_op mma_name mma_exists mma_layouts
mma_sparse mma_atom mma_swizzle mma_runs mma_descriptor mma_descriptor_bits mma_descriptor_nearest
mma_instruction mma_tensor_memory tiled_mma mma_partition""".split()

VALUES = {
    "int64_t": "nondet_number()", "int": "(int)nondet_number()", "const int": "(int)nondet_number()",
    "int32_t": "(int32_t)nondet_number()", "uint32_t": "nondet_basis()",
    "ct_profile": "ct_any_profile()", "ct_tuple": "ct_any_tuple()", "ct_layout": "ct_any_layout()",
    "ct_tensor": "ct_any_tensor()", "ct_tiler": "ct_any_tiler()", "ct_swizzle": "ct_any_swizzle()",
    "ct_linear_layout": "ct_any_linear_layout()", "ct_copy_atom": "ct_any_atom()",
    "ct_tiled_copy": "ct_any_tiled_copy()", "ct_memory": "ct_any_memory()",
    "ct_mma_op": "ct_any_mma_atom().op", "ct_mma_atom": "ct_any_mma_atom()",
    "ct_tiled_mma": "ct_any_tiled_mma()", "ct_tma_desc": "ct_any_tma()",
    "const char *": "nondet_name()", "uint64_t": "nondet_address()",
}
# Values of steps, which only functions of the table's `own` take: a part of a layout, an empty layout
# to fill, and numbers to change.
STEP_VALUES = {"ct_part": "ct_any_part", "ct_terms": "ct_any_terms()", "ct_layout *": "ct_any_empty()",
               "int *": "(int)nondet_number()"}
# What a type's values are: of results this is shown, and of arguments of a promise.
RESULTS = {"ct_tuple": "ct_is_tuple", "ct_layout": "ct_is_layout", "ct_tensor": "ct_is_tensor",
           "ct_tiler": "ct_is_tiler", "ct_swizzle": "ct_is_swizzle",
           "ct_linear_layout": "ct_is_linear"}
ARGUMENTS = {**RESULTS, "ct_profile": "ct_is_profile", "ct_part": "ct_is_part",
             "ct_terms": "ct_is_terms"}


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

    def takes_values(self, own=()):
        return all(self.value_of(type_, self.name in own) for type_, _ in self.parameters)

    @staticmethod
    def value_of(type_, step=False):
        plain = re.sub(r"^const (\w+) \*$", r"\1", type_)
        return (VALUES.get(type_) or (VALUES.get(plain) if plain.startswith("ct_") else None) or
                (STEP_VALUES.get(type_) if step else None))

    def fill(self):
        """The layout that the function fills, where it returns nothing."""
        names = [name for type_, name in self.parameters if type_ == "ct_layout *"]
        return names[0] if names and self.kind == "void" else None

    def harness(self, requires, checked, assumed):
        """The harness as C, of which `requires` is assumed; a result is a value where `checked`, and
        is as `assumed` says."""
        lines, arguments = [], []
        for type_, name in self.parameters:
            value = self.value_of(type_, True)
            if type_ == "const char *":
                type_ = "const_char_pointer"
            plain = re.sub(r"^const | \*$", "", type_).replace("const_char_pointer", "const char *")
            local = f"{name}_value" if type_.endswith("*") else name
            if type_ == "ct_part":
                lines.append(f"    const ct_layout {name}_of = ct_any_of();")
                value += f"(&{name}_of)"
            lines.append(f"    {plain} {local} = {value};")
            if type_.endswith("*"):
                lines.append(f"    {type_}const {name} = &{local};")
            arguments.append(name)
        if requires:
            lines.append(f"    CT_ASSUME({requires});")
        call = f"{self.name}({', '.join(arguments)});"
        if checked and self.kind in RESULTS:
            lines += [f"    const {self.kind} result = {call}",
                      f"    CT_RESULT({RESULTS[self.kind]}(&result));"]
        elif assumed and self.kind != "void":
            lines.append(f"    const {self.kind} result = {call}")
        else:
            lines.append(f"    {call}" if self.kind == "void" else f"    (void){call}")
        if checked and self.fill():
            lines.append(f"    CT_RESULT(ct_is_layout({self.fill()}));")
        if assumed:
            lines.append(f"    CT_RESULT({assumed});")
        return f"CT_HARNESS void harness_{self.name}(void)\n{{\n" + "\n".join(lines) + "\n}\n"

    def promise(self, requires, assumed):
        """What stands in the place of the function in proofs of its callers: it asks for what the
        harness assumes, and gives any result that the harness shows."""
        asks, lines = [], []
        for type_, name in self.parameters:
            plain = re.sub(r"^const | \*$", "", type_)
            if type_ == "ct_layout *":
                asks.append(f"{name}->err.status == CT_OK && {name}->profile.leaves == 0")
            elif plain in ARGUMENTS:
                at = name if type_.endswith("*") else "&" + name
                asks.append(f"{ARGUMENTS[plain]}({at})")
        asks += [requires] if requires else []
        for ask in asks:
            lines.append(f'    __CPROVER_assert({ask}, "{self.name} gets what it asks for");')
        if self.fill():
            lines.append(f"    *{self.fill()} = ct_any_layout();")
        elif self.kind in RESULTS:
            lines.append(f"    const {self.kind} result = {VALUES[self.kind]};")
        elif self.kind != "void":
            lines.append(f"    const {self.kind} result = nondet_{self.kind}();")
        for type_, name in self.parameters:
            if type_ == "int *":
                lines.append(f"    *{name} = (int)nondet_number();")
        if assumed:
            lines.append(f"    __CPROVER_assume({assumed});")
        if self.kind != "void":
            lines.append("    return result;")
        parameters = ", ".join(f"{t}{'' if t.endswith('*') else ' '}{n}" for t, n in self.parameters)
        before = "" if self.kind == "void" else f"{self.kind} nondet_{self.kind}(void);\n"
        return (f"{before}{self.kind} assumed_{self.name}({parameters or 'void'})\n{{\n" +
                "\n".join(lines) + "\n}\n")


def read_functions(include):
    """The functions of the headers in order."""
    functions = []
    for header in HEADERS + SWEPT:
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
             "unchecked": {}, "unwind": {}, "products": {}, "own": {}, "promise": {}, "whole": {},
             "keep": {}, "slow": {}, "esbmc": {}, "untried": {}, "open": {}}
    with open(path) as source:
        for line in source:
            found = re.match(r"(\w+)((?: \w+)+)(?:: (.*))?$", line)
            if found and not line.startswith("#"):
                table[found.group(1)].update(dict.fromkeys(found.group(2).split(), found.group(3) or ""))
    return table


def own_functions(functions, table):
    """The functions that get a harness, and those that are steps of others."""
    own = [f for f in functions
           if f.takes_values(table["own"]) and f.name not in {**table["step"], **table["open"]}]
    return own, [f for f in functions if f not in own]


def write(functions, table):
    """The C text of all harnesses."""
    own, _ = own_functions(functions, table)
    text = "".join(f.harness(table["requires"].get(f.name), f.name not in table["unchecked"],
                             table["promise"].get(f.name)) + "\n" for f in own)
    text += "#ifdef CT_PROOF\n"
    text += "".join(f.promise(table["requires"].get(f.name), table["promise"][f.name]) + "\n"
                    for f in own if f.name in table["promise"])
    text += "#endif\n"
    names = " ".join(f"\\\n    X({f.name})" for f in own)
    return f"{text}#define HARNESSES(X) {names}\n"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.stdout.write(write(read_functions(sys.argv[1]), read_table(sys.argv[2])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
