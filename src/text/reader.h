/**
 * Reading the notation: a cursor over the text, and the grammar of values.
 *
 *     expr    = unit { "(" coordinate ")" }
 *     unit    = operand [ ":" operand ]            a layout: shape and stride
 *             | operand "@" unit                   a tensor
 *             | operand "o" operand "o" unit       a composed layout
 *     operand = term { "+" term }                  a sum of basis elements, else one term
 *     term    = integer | basis | "_" | "(" [ expr { "," expr } ] ")"
 *             | "<" expr { "," expr } ">" | "Sw<" integer "," integer "," integer ">"
 *             | name | name "(" [ expr { "," expr } ] ")"
 *
 * Callbacks define the meaning of a name, and of a value followed by a coordinate; plain notation
 * has no callbacks.
 */
#ifndef CUTLET_SRC_TEXT_READER_H
#define CUTLET_SRC_TEXT_READER_H

#include <stddef.h>

#include <cutlet/host/text.h>

/** The most arguments of a call. */
#define CT_MAX_ARGUMENTS 8

/** The most values that `with ?=` gives. */
#define CT_MAX_UNKNOWN 16

typedef struct ct_reader ct_reader;

/** A call name(arg, ...) at [at, at + length) of the text, to be answered in *out. CT_OK, or the
 *  status of ct_reader_fail. arg_at holds the places of the arguments and, after the last, of the
 *  end. */
typedef struct ct_call {
    const char *name; /* not terminated */
    size_t name_length;
    size_t at, length;
    int count;
    ct_value *arg;
    const size_t *arg_at;
} ct_call;

struct ct_reader {
    const char *text;
    size_t length, at;
    int depth;
    ct_status failed; /* CT_E_TEXT, or CT_E_MEMORY where there was none left */
    ct_diag *diag;
    ct_status (*call)(ct_reader *r, const ct_call *call, ct_value *out);
    ct_status (*apply)(ct_reader *r, const ct_call *call,
                       ct_value *out); /* arg[0] at coordinate arg[1] */
    void *context;
    /* The values of `?`, in their order; a single one is that of all. */
    int64_t unknown[CT_MAX_UNKNOWN];
    int unknowns, taken;
    int64_t assumed; /* without any, the number that the first stands for; 0: none */
};

/** Reports an error at [at, at + length); the first error stays. Returns r->failed. */
ct_status ct_reader_fail(ct_reader *r, size_t at, size_t length, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/** Says that memory ran out at a place of the text. Returns r->failed. */
ct_status ct_reader_no_memory(ct_reader *r, size_t at);

/** Skips spaces and returns the next character, or 0 at the end. */
int ct_reader_peek(ct_reader *r);

/** Takes the next character when it is c. */
int ct_reader_take(ct_reader *r, char c);

/** Complains that `wanted` was expected at the place of the cursor. Returns r->failed. */
ct_status ct_reader_expected(ct_reader *r, const char *wanted);

/** Reads an integer, `_4` too. */
ct_status ct_read_integer(ct_reader *r, int64_t *out);

/** Reads `?`, `?{div=8}` of the IR: the value that `with ?=` gives it, or the next number that is assumed. */
ct_status ct_read_unknown(ct_reader *r, int64_t *out);

/** The number that the i-th `?` stands for in the sequence of a first one: sequences have steps of their own, so that no
 *  sum is a number of two of them. */
static inline int64_t ct_assumed_number(int64_t first, int i) { return first + i * (first % 100); }

/** Takes `with ?=8,16` from the end of the text, if it is there: the values of `?`. */
ct_status ct_read_with(ct_reader *r);

/** Reads one expression into *out, to be released with ct_value_free. A failed operation is a
 *  value, CT_KIND_ERROR, and the reading goes on. */
ct_status ct_read_expr(ct_reader *r, ct_value *out);

/** Reads the full text as one expression. */
ct_status ct_read_whole(ct_reader *r, ct_value *out);

/** The layout of a bare shape: compact, column-major. */
ct_layout ct_layout_of_shape(ct_tuple shape);

/** Converts *v to a tiler: itself, a single layout, or s:1 for each integer s of a tuple, which may
 * fail in tiles.err. Returns 0 for another value. */
int ct_value_to_tiler(ct_value *v);

/** The value of a tensor: a layout where it has neither a swizzle nor an offset. */
void ct_value_of_tensor(ct_value *v, ct_tensor t);

/** The value that says that the operation at [at, at + length) failed. */
void ct_value_fail(ct_value *v, ct_error e, size_t at, size_t length);

#endif
