/* cutlet relayout: the layouts and types that the command line names. */
#include <stdlib.h>
#include <string.h>

#include "cutlet/host/text.h"
#include "relayout.h"

#define WRONG(...) ct_one_line(error, CT_NPY_ERROR_BYTES, __VA_ARGS__)

static int is_order(const char *name) { return strcmp(name, "c") == 0 || strcmp(name, "f") == 0; }

/* The row-major tiles of a matrix, one after another in row-major order. */
static int read_tiled(const char *text, const ct_npy *a, ct_composed *out, char *error)
{
    long long r = 0, c = 0;
    int end = 0;
    if (sscanf(text, "%lldx%lld%n", &r, &c, &end) != 2 || text[end] || r < 1 || c < 1)
        return WRONG("tiled:%.40s is no tile; it is as tiled:128x64", text);
    if (a->rank != 2) return WRONG("tiled:%lldx%lld is for matrices; the rank is %d", r, c, a->rank);
    const int64_t tile[2] = {r, c};
    for (int k = 0; k < 2; ++k)
        if (a->shape[k] % tile[k] != 0)
            return WRONG("mode %d: the extent %lld is no multiple of the tile's %lld", k,
                         (long long)a->shape[k], (long long)tile[k]);
    out->layout = ct_make_layout2(ct_layout2(r, a->shape[0] / r, c, r * a->shape[1]),
                                  ct_layout2(c, a->shape[1] / c, 1, r * c));
    return 0;
}

/* A swizzle of the array in C order. */
static int read_swizzled(const char *text, const ct_npy *a, ct_composed *out, char *error)
{
    int bits = 0, base = 0, shift = 0, end = 0;
    ct_npy rows = *a;
    if (sscanf(text, "%d,%d,%d%n", &bits, &base, &shift, &end) != 3 || text[end])
        return WRONG("swizzled:%.40s is no swizzle; it is as swizzled:3,3,3", text);
    rows.fortran = 0;
    *out = ct_make_composed(ct_make_swizzle(bits, base, shift), 0, ct_npy_layout(&rows));
    return 0;
}

/* The layout that a name stands for, of an array. */
static int read_layout(const char *name, const ct_npy *a, ct_composed *out, char *error)
{
    char why[CT_MESSAGE_BYTES];
    ct_diag diag;
    int bad = 0;
    memset(out, 0, sizeof *out);
    if (strncmp(name, "tiled:", 6) == 0) bad = read_tiled(name + 6, a, out, error);
    else if (strncmp(name, "swizzled:", 9) == 0) bad = read_swizzled(name + 9, a, out, error);
    else if (strncmp(name, "Sw<", 3) == 0) {
        if (ct_parse_composed(name, out, &diag)) bad = WRONG("%.60s: %s", name, diag.message);
    } else if (ct_parse_layout(name, &out->layout, &diag)) {
        bad = WRONG("%.60s: %s", name, diag.message);
    }
    if (bad) return -1;
    if (out->layout.err.status) {
        ct_error_message(out->layout.err, why, sizeof why);
        return WRONG("%.60s: %s", name, why);
    }
    if (a->size != ct_size(out->layout))
        return WRONG("%.60s has %lld elements, the array %lld", name, (long long)ct_size(out->layout),
                     (long long)a->size);
    return 0;
}

/* The shape of the array that a flat input holds: as --shape says, or the modes of the layout. */
static int read_shape(const ct_relayout_options *o, const char *layout, ct_npy *a, char *error)
{
    ct_diag diag;
    ct_tuple shape;
    ct_layout L;
    if (o->shape) {
        if (ct_parse_tuple(o->shape, &shape, &diag)) return WRONG("--shape: %s", diag.message);
    } else {
        ct_composed c;
        const int swizzled = strncmp(layout, "Sw<", 3) == 0;
        if (strchr(layout, ':') && strncmp(layout, "tiled:", 6) && strncmp(layout, "swizzled:", 9) &&
            (swizzled ? !ct_parse_composed(layout, &c, &diag) : !ct_parse_layout(layout, &L, &diag)))
            shape = ct_shape(swizzled ? c.layout : L);
        else return WRONG("--shape is needed: %.60s does not say which shape the array has", layout);
    }
    a->rank = ct_rank(shape);
    for (int k = 0; k < a->rank; ++k) a->shape[k] = ct_product(ct_get(shape, k));
    a->size = 1;
    int ok = 1;
    for (int k = 0; k < a->rank; ++k) {
        if (a->shape[k] < 1) return WRONG("--shape: mode %d has the extent %lld", k,
                                          (long long)a->shape[k]);
        a->size = ct_mul(a->size, a->shape[k], &ok);
    }
    return ok ? 0 : WRONG("--shape: its size does not fit in 64 bits");
}

static int type_of(const ct_npy *a)
{
    if (a->big_endian) return CT_TYPE_RAW;
    if (a->kind == 'f')
        return a->elem_bytes == 2   ? CT_TYPE_HALF
               : a->elem_bytes == 4 ? CT_TYPE_FLOAT
               : a->elem_bytes == 8 ? CT_TYPE_DOUBLE
                                    : CT_TYPE_RAW;
    return a->kind == 'i' && a->elem_bytes == 1 ? CT_TYPE_INT8 : CT_TYPE_RAW;
}

/* The type of the output; raw where nothing is converted. */
static int choose_types(const ct_relayout_options *o, const ct_npy *in, ct_npy *out, int *from,
                        int *to, char *error)
{
    static const struct {
        const char *name, *descr;
        int type, bytes;
    } types[] = {{"half", "<f2", CT_TYPE_HALF, 2}, {"float", "<f4", CT_TYPE_FLOAT, 4},
                 {"double", "<f8", CT_TYPE_DOUBLE, 8}, {"int8", "|i1", CT_TYPE_INT8, 1}};
    memcpy(out->descr, in->descr, sizeof out->descr);
    out->elem_bytes = in->elem_bytes;
    *from = *to = CT_TYPE_RAW;
    if (!o->type) return 0;
    for (size_t k = 0; k < sizeof types / sizeof *types; ++k) {
        if (strcmp(o->type, types[k].name) != 0) continue;
        *from = type_of(in);
        *to = types[k].type;
        if (*from == CT_TYPE_RAW)
            return WRONG("--type: elements of type %.40s are not converted", in->descr);
        if (*from == *to) *from = *to = CT_TYPE_RAW; /* bit by bit */
        else if (o->verify) return WRONG("--verify compares bit by bit, which --type does not allow");
        strcpy(out->descr, types[k].descr);
        out->elem_bytes = types[k].bytes;
        return 0;
    }
    return WRONG("--type is half, float, double or int8, not %.40s", o->type);
}

/* The header of the other file, and both sides. */
static int complete(const ct_relayout_options *o, ct_relayout_job *j, const char *layout, char *error)
{
    int from, to;
    char why[CT_PLAN_MESSAGE_BYTES];
    int64_t size = 0;
    ct_plan_span span;
    ct_npy *const in = j->forward ? &j->array : &j->flat, *const out = j->forward ? &j->flat : &j->array;
    if (read_layout(layout, &j->array, &j->layout, error)) return -1;
    j->compact = ct_npy_layout(&j->array);
    if (choose_types(o, in, out, &from, &to, error)) return -1;
    j->array_side = ct_plan_side_of(j->compact, j->forward ? from : to);
    j->flat_side = ct_plan_side_of(j->layout.layout, j->forward ? to : from);
    j->flat_side.memory = j->layout;
    j->array_side.elem_bytes = j->array.elem_bytes;
    j->flat_side.elem_bytes = j->flat.elem_bytes;
    if (ct_plan_check_side(&j->flat_side, "layout", &size, why) ||
        ct_plan_check_side(&j->array_side, "array", &size, why) ||
        ct_plan_span_of(&j->flat_side, "layout", &span, why))
        return WRONG("%s", why);
    if (span.low < 0)
        return WRONG("%.60s reaches offset %lld; in a file offsets begin at 0", layout,
                     (long long)(span.low / j->flat_side.elem_bytes));
    const int64_t elems = span.high / j->flat_side.elem_bytes;
    if (!j->forward && j->flat.size != elems)
        return WRONG("%.100s has %lld elements, the layout reaches over %lld", o->input,
                     (long long)j->flat.size, (long long)elems);
    j->flat.rank = 1;
    j->flat.fortran = 0;
    j->flat.shape[0] = j->flat.size = elems;
    return 0;
}

int ct_relayout_prepare(const ct_relayout_options *o, ct_relayout_job *j, char *error)
{
    const char *from = o->inverse ? o->to : o->from, *to = o->inverse ? o->from : o->to;
    FILE *stream;
    ct_npy in;
    memset(j, 0, sizeof *j);
    j->input = o->input;
    j->output = o->output;
    j->verify = o->verify;
    j->backend = o->backend;
    j->effort = o->effort;
    j->memory = o->memory;
    if (ct_npy_open(o->input, &stream, &in, error)) return -1;
    fclose(stream);
    j->forward = !from || is_order(from);
    if (j->forward) {
        j->array = in;
        if (from) j->array.fortran = from[0] == 'f';
        if (to && is_order(to)) { /* the memory is an array of the same shape */
            ct_npy other = in;
            char text[CT_TEXT_BYTES];
            other.fortran = to[0] == 'f';
            ct_format_layout(text, sizeof text, ct_npy_layout(&other));
            if (complete(o, j, text, error)) return -1;
            memcpy(j->flat.shape, in.shape, sizeof in.shape);
            j->flat.rank = in.rank;
            j->flat.fortran = other.fortran;
            return 0;
        }
        return to ? complete(o, j, to, error) : WRONG("--to is missing");
    }
    if (to && !is_order(to)) return WRONG("one of the layouts is c or f, the order of an array");
    j->flat = in;
    j->array.fortran = to && to[0] == 'f';
    return read_shape(o, from, &j->array, error) ? -1 : complete(o, j, from, error);
}
