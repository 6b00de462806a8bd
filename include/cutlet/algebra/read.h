/**
 * Layouts from text, at compile time too: ct_read("((4,8),2):((2,16),1)").
 *
 * The notation is that of the command: `shape:stride`, nested as deep as the algebra goes; a shape
 * alone is compact column-major; spaces are free. The library (cutlet/host/text.h) reads basis
 * strides and swizzles too, and marks the place of an error.
 *
 * Cost:     O(length of the text), no allocation.
 */
#ifndef CUTLET_ALGEBRA_READ_H
#define CUTLET_ALGEBRA_READ_H

#include <cutlet/algebra/make.h>

/** A tuple and the position of the text after it. */
typedef struct ct_read_tuple_result {
    ct_tuple tuple;
    int32_t next;
} ct_read_tuple_result;

/** @internal The tuple that begins at text[i]; a failed one where the text there is no tuple. */
CT_FN ct_read_tuple_result ct_read_tuple(const char *text, int32_t i)
{
    ct_read_tuple_result r = CT_ZERO;
    int depth = 0, opens = 0, wants = 1, bad = 0, n = 0;
    while (!bad && (depth > 0 || wants)) {
        const char c = text[i];
        if (c == ' ') {
            ++i;
        } else if (wants && c == '(') {
            ++opens;
            ++depth;
            ++i;
        } else if (wants && (c == '-' || (c >= '0' && c <= '9'))) {
            const int minus = c == '-';
            int64_t v = 0;
            int ok = n < CT_MAX_LEAVES;
            i += minus;
            if (text[i] < '0' || text[i] > '9') ok = 0;
            for (; text[i] >= '0' && text[i] <= '9'; ++i)
                v = ct_add(ct_mul(v, 10, &ok), text[i] - '0', &ok);
            bad = !ok;
            if (bad) break;
            r.tuple.value[n] = minus ? -v : v;
            r.tuple.profile.open[n] = (uint8_t)opens;
            opens = 0;
            wants = 0;
            ++n;
        } else if (!wants && c == ',') {
            wants = 1;
            ++i;
        } else if (!wants && c == ')') {
            r.tuple.profile.close[n - 1] = (uint8_t)(r.tuple.profile.close[n - 1] + 1);
            --depth;
            ++i;
        } else {
            bad = 1;
        }
    }
    r.tuple.profile.leaves = (uint8_t)n;
    r.next = i;
    if (bad)
        r.tuple =
            ct_tuple_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_TUPLE, CT_WHY_COORD_PROFILE, i, 0, 0));
    return r;
}

/**
 * The layout that the text describes.
 * Fails:   CT_E_ARGUMENT where the text is not a layout of integers, with the place as the error's
 *          mode; as ct_make_layout.
 * In C:    assert(ct_size(ct_read("((2,4),8):((1,16),2)")) == 64);
 *          assert(ct_read("(4,8)x").err.status == CT_E_ARGUMENT);
 */
CT_FN ct_layout ct_read(const char *text)
{
    const ct_read_tuple_result shape = ct_read_tuple(text, 0);
    int32_t i = shape.next;
    while (shape.tuple.err.status == CT_OK && text[i] == ' ') ++i;
    if (shape.tuple.err.status) return ct_layout_fail(shape.tuple.err);
    if (text[i] == 0) return ct_make_col_major(shape.tuple);
    if (text[i] == ':') {
        const ct_read_tuple_result stride = ct_read_tuple(text, i + 1);
        i = stride.next;
        if (stride.tuple.err.status) return ct_layout_fail(stride.tuple.err);
        while (text[i] == ' ') ++i;
        if (text[i] == 0) return ct_make_layout(shape.tuple, stride.tuple);
    }
    return ct_layout_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_TUPLE, CT_WHY_COORD_PROFILE, i, 0, 0));
}

#endif
