#!/usr/bin/env python3
"""Writes a program of the examples in C of the doc comments: `In C:` are statements of a function,
`In a kernel:` those of a kernel, which the CPU grid runs by one block of 32 threads.

    doc_examples.py SOURCE PROGRAM.c
    doc_examples.py SOURCE KERNELS.cu       the kernels alone, for nvcc

Statements of a kernel have `in` and `out`, 1024 floats of global memory each: in[i] is i, out is 0. They
also have args.src and args.dst, in and out as matrices (32,32):(32,1), made by ct_make_global, and
args.in_map and args.out_map, tensor maps of the same with boxes of (4,32).
All have `assert`; examples that need a GPU or files are not such programs.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../../tools/docs")]
import headers

HEAD = """/* The examples of the doc comments, by tests/docs/doc_examples.py. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int doc_failed;
static void doc_assert(int holds, const char *file, int line, const char *what)
{
    if (!holds) printf("# %s:%d: %s\\n", file, line, what);
    doc_failed |= !holds;
}

"""
ARGS = """typedef struct doc_args {
    float *in, *out;
    ct_global src, dst;
    ct_tma_map in_map, out_map;
} doc_args;
"""
AFTER = """
#undef assert
#define assert(...) doc_assert((__VA_ARGS__) != 0, __FILE__, __LINE__, #__VA_ARGS__)

@ARGS@
static void doc_map(float *at, ct_tma_map *map)
{
    char message[CT_MESSAGE_BYTES];
    const ct_tma_desc desc = ct_make_tma_desc(ct_layout2(32, 32, 32, 1), ct_tuple2(4, 32), CT_ELEM_F32,
                                              CT_TMA_SWIZZLE_NONE, (uint64_t)(uintptr_t)at);
    if (ct_grid_tma_map(&desc, map, message)) {
        printf("# %s\\n", message);
        doc_failed = 1;
    }
}

__attribute__((unused)) static void doc_launch(const ct_grid_kernel *kernel)
{
    static _Alignas(128) float in[1024], out[1024];
    for (int i = 0; i < 1024; ++i) in[i] = (float)i, out[i] = 0;
    const ct_grid_buffer buffers[2] = {{.name = "in", .base = in, .bytes = sizeof in},
                                        {.name = "out", .base = out, .bytes = sizeof out, .writable = 1}};
    ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
    const ct_layout matrix = ct_layout2(32, 32, 32, 1);
    doc_args args = {in, out, ct_make_global(in, 32, matrix), ct_make_global(out, 32, matrix), {{0}}, {{0}}};
    doc_map(in, &args.in_map);
    doc_map(out, &args.out_map);
    ct_grid_report report;
    if (ct_grid_launch(kernel, (ct_dim3){1, 1, 1}, (ct_dim3){32, 1, 1}, 0, &args, sizeof args, &options, &report)) {
        printf("# %s\\n", report.message);
        doc_failed = 1;
    }
    ct_grid_report_free(&report);
}

"""


def listings(source):
    """(path, name, field, text) of each example in C."""
    for header in headers.headers(source):
        owners = [(header.name, header.comment)] + [(d.name, d.comment) for d in header.declarations]
        seen = []
        for name, comment in owners:
            if comment and not any(comment is other for other in seen):
                seen.append(comment)
                for field in ("In C", "In a kernel"):
                    for text in comment.field(field):
                        yield header, name, field, text


def kernel(i, header, line, text):
    """The kernel of an example."""
    return f"CT_KERNEL(doc_{i}, doc_args, args)\n{{\n    const float *const in = args.in;\n" \
        f"    float *const out = args.out;\n    (void)in, (void)out;\n#line {line} \"{header.path}\"\n{text}\n}}\n\n"


def line_of(header, text):
    return header.text[:header.text.find(text.splitlines()[0])].count("\n") + 1


def kernels_of(source):
    """The kernels as nvcc takes them."""
    out = "".join(f"#include <cutlet/{header.name}>\n" for header in headers.headers(source)
                  if header.group.startswith("device/") and header.name != "device/kernel/on_grid.h")
    out += "\n" + ARGS + "\n#undef assert\n#define assert(...) ((__VA_ARGS__) ? (void)0 : __trap())\n\n"
    return out + "".join(kernel(i, header, line_of(header, text), text)
                         for i, (header, _, field, text) in enumerate(listings(source)) if field == "In a kernel")


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    source, program = sys.argv[1:]
    if program.endswith(".cu"):
        with open(program, "w", encoding="utf-8") as file:
            file.write(kernels_of(source))
        return
    found, calls = list(listings(source)), []
    out = HEAD
    for name in sorted({header.name for header in headers.headers(source)}):
        if name != "host/testing.h":  # which needs cmocka
            out += f"#include <cutlet/{name}>\n"
    out += AFTER.replace("@ARGS@", ARGS)
    for i, (header, name, field, text) in enumerate(found):
        line = line_of(header, text)
        if field == "In C":
            out += f"static void doc_{i}(void)\n{{\n#line {line} \"{header.path}\"\n{text}\n}}\n\n"
            calls.append(f"    doc_{i}();")
        else:
            out += kernel(i, header, line, text)
            calls.append(f"    doc_launch(&doc_{i});")
        calls.append(f"    printf(\"%sok {i + 1} - {header.name}: {name}\\n\", doc_failed ? \"not \" : \"\");\n"
                     "    failed += doc_failed, doc_failed = 0;")
    out += "int main(void)\n{\n    int failed = 0;\n    puts(\"TAP version 13\");\n" + "\n".join(calls) + \
        f"\n    puts(\"1..{len(found)}\");\n    return failed != 0;\n}}\n"
    with open(program, "w", encoding="utf-8") as file:
        file.write(out)


if __name__ == "__main__":
    main()
