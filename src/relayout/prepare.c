/* The shapes and types of the options, and the job that comes of them. */
#include <string.h>

#include <cutlet/host/text.h>
#include "io/types.h"
#include "job.h"
#include "text/extents.h"

#define WRONG_IN(option, ...) (*j->wrong = (option), ct_refuse(message, CT_E_ARGUMENT, __VA_ARGS__))

static int is_order(const char *name) { return strcmp(name, "c") == 0 || strcmp(name, "f") == 0; }

/* The shape of the array that a flat input holds: the one given, or the modes of the layout. */
static ct_status read_shape(const ct_relayout_options *o, const ct_relayout_job *j,
                            const char *layout, ct_npy *a, char *message)
{
    ct_diag diag;
    ct_tuple shape;
    ct_layout L;
    if (o->shape) {
        if (ct_extents_read(o->shape, &shape, &diag)) return WRONG_IN("shape", "%s", diag.message);
    } else {
        ct_tensor c;
        const int swizzled = strncmp(layout, "Sw<", 3) == 0;
        if (strchr(layout, ':') && strncmp(layout, "tiled:", 6) &&
            strncmp(layout, "swizzled:", 9) &&
            (swizzled ? !ct_parse_tensor(layout, &c, &diag) : !ct_parse_layout(layout, &L, &diag)))
            shape = ct_shape(swizzled ? c.layout : L);
        else
            return WRONG_IN("shape", "missing; %.60s does not say which shape the array has",
                            layout);
    }
    a->rank = ct_rank(shape);
    for (int k = 0; k < a->rank; ++k) a->shape[k] = ct_product(ct_get(shape, k));
    a->size = 1;
    int ok = 1;
    for (int k = 0; k < a->rank; ++k) {
        if (a->shape[k] < 1)
            return WRONG_IN("shape", "mode %d has the extent %lld", k, (long long)a->shape[k]);
        a->size = ct_mul(a->size, a->shape[k], &ok);
    }
    return ok ? CT_OK : WRONG_IN("shape", "its size does not fit in 64 bits");
}

/* An input in C or Fortran order has its own shape, which may only be repeated. */
static ct_status check_shape(const ct_relayout_options *o, const ct_relayout_job *j,
                             const ct_npy *in, char *message)
{
    ct_npy said;
    const ct_status bad = read_shape(o, j, "", &said, message);
    if (bad) return bad;
    if (said.rank != in->rank)
        return WRONG_IN("shape",
                        "it has %d modes, the input %d dimensions; only a flat input takes "
                        "its shape from here",
                        said.rank, in->rank);
    for (int k = 0; k < in->rank; ++k)
        if (said.shape[k] != in->shape[k])
            return WRONG_IN("shape",
                            "mode %d has the extent %lld, the input %lld; only a flat input "
                            "takes its shape from here",
                            k, (long long)said.shape[k], (long long)in->shape[k]);
    return 0;
}

/* The type of the output; raw without a conversion. */
static ct_status choose_types(const ct_relayout_options *o, ct_relayout_job *j, const ct_npy *in,
                              ct_npy *out, int *from, int *to, char *message)
{
    char why[CT_MESSAGE_BYTES];
    ct_named_type type;
    memcpy(out->descr, in->descr, sizeof out->descr);
    out->elem_bytes = in->elem_bytes;
    *from = *to = CT_TYPE_RAW;
    if (!o->type) return 0;
    if (ct_named_type_read(o->type, &type, why)) return WRONG_IN("type", "%s", why);
    if (type.element == CT_TYPE_RAW || type.code[0] == 'V')
        return WRONG_IN("type", "it is half, float, double or int8, not %s", type.name);
    *from = ct_named_type_of_file(in->kind, in->elem_bytes);
    j->swap = in->big_endian && in->elem_bytes > 1 ? in->elem_bytes : 0;
    *to = type.element;
    if (*from == CT_TYPE_RAW)
        return WRONG_IN("type", "elements of type %.40s are not converted", in->descr);
    if (o->verify && (*from != *to || j->swap))
        return WRONG_IN("verify", "it compares bit by bit, which a conversion does not allow");
    if (*from == *to) *from = *to = CT_TYPE_RAW; /* bit by bit */
    ct_named_type_describe(&type, out->descr);
    out->elem_bytes = type.bits / 8;
    return 0;
}

/* The header of the other file, and where the elements go. */
static ct_status complete(const ct_relayout_options *o, ct_relayout_job *j, const char *layout,
                          char *message)
{
    int from, to;
    int64_t elems;
    ct_npy *const in = j->forward ? &j->array : &j->flat, *const out =
                                                              j->forward ? &j->flat : &j->array;
    ct_status bad = choose_types(o, j, in, out, &from, &to, message);
    if (!bad) bad = ct_relayout_parts(layout, j, &elems, message);
    if (bad) return bad;
    j->array_type = j->forward ? from : to;
    j->flat_type = j->forward ? to : from;
    if (!j->forward && j->flat.size != elems)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "%.100s has %lld elements, the layout reaches over %lld", o->input,
                         (long long)j->flat.size, (long long)elems);
    j->flat.rank = 1;
    j->flat.fortran = 0;
    j->flat.shape[0] = j->flat.size = elems;
    return 0;
}

/* From an array to memory, which is an array of the same shape if `to` is an order. */
static ct_status from_array(const ct_relayout_options *o, ct_relayout_job *j, const char *to,
                            char *message)
{
    ct_npy other = j->array;
    char text[CT_TEXT_BYTES];
    if (!is_order(to)) return complete(o, j, to, message);
    other.fortran = to[0] == 'f';
    ct_format_layout(text, sizeof text, ct_npy_layout(&other));
    const ct_status bad = complete(o, j, text, message);
    if (bad) return bad;
    memcpy(j->flat.shape, other.shape, sizeof other.shape);
    j->flat.rank = other.rank;
    j->flat.fortran = other.fortran;
    return 0;
}

/* An array without elements has no layout, but an order. */
static ct_status from_nothing(const ct_relayout_options *o, ct_relayout_job *j, const char *to,
                              char *message)
{
    int from, to_type;
    if (!is_order(to) || !j->forward)
        return WRONG_IN(j->forward == !o->inverse ? "to" : "from",
                        "%.150s has no elements, only shape and order; c and f are possible",
                        o->input);
    j->flat = j->array;
    j->flat.fortran = to[0] == 'f';
    return choose_types(o, j, &j->array, &j->flat, &from, &to_type, message);
}

ct_status ct_relayout_prepare(const ct_relayout_options *o, ct_relayout_job *j, const char **wrong,
                              char *message)
{
    const char *const from = o->inverse ? o->to : o->from;
    const char *const to = !o->inverse ? o->to : o->from ? o->from : "c";
    ct_npy in;
    memset(j, 0, sizeof *j);
    *wrong = NULL;
    j->wrong = wrong;
    j->input = o->input;
    j->output = o->output;
    j->verify = o->verify;
    j->backend = o->backend;
    j->effort = o->effort;
    j->memory = o->memory;
    if (o->memory < CT_RELAYOUT_LEAST_BYTES)
        return WRONG_IN("memory", "%d bytes are needed, %lld may be used", CT_RELAYOUT_LEAST_BYTES,
                        (long long)o->memory);
    ct_status bad = ct_npy_open(o->input, &j->in, &in, message);
    if (bad) return bad;
    j->forward = !from || is_order(from);
    if (j->forward) {
        if (o->shape) bad = check_shape(o, j, &in, message);
        if (bad) return bad;
        j->array = in;
        if (from) j->array.fortran = from[0] == 'f';
        if (in.size == 0) return from_nothing(o, j, to, message);
        return from_array(o, j, to, message);
    }
    if (!is_order(to))
        return ct_refuse(message, CT_E_ARGUMENT,
                         "one of the two layouts must be c or f, the order of an "
                         "array");
    if (in.size == 0) return from_nothing(o, j, to, message);
    j->flat = in;
    j->array.fortran = to[0] == 'f';
    bad = read_shape(o, j, from, &j->array, message);
    return bad ? bad : complete(o, j, from, message);
}

void ct_relayout_release(ct_relayout_job *j)
{
    if (j->in) fclose(j->in);
    j->in = NULL;
}
