/* What a ct_value is, carries and owns. */
#include <stdlib.h>
#include <string.h>

#include <cutlet/host/eval.h>
#include "reader.h"

const char *ct_kind_name(const ct_value *v)
{
    switch (v->kind) {
        case CT_KIND_ERROR: return "an error";
        case CT_KIND_BOOL: return "true or false";
        case CT_KIND_NAME: return "a name";
        case CT_KIND_TUPLE:
            if (!ct_is_integer(v->as.tuple)) return "a tuple";
            if (v->as.tuple.basis[0] == CT_ANY) return "`_`";
            return v->as.tuple.basis[0] == CT_INTEGER ? "an integer" : "a basis element";
        case CT_KIND_LIST: return "a list (more integers than a tuple holds)";
        case CT_KIND_LAYOUT: return "a layout";
        case CT_KIND_TILER: return "a tiler";
        case CT_KIND_TENSOR:
            return v->as.tensor.swizzle.bits > 0 ? "a composed layout" : "a tensor";
        case CT_KIND_SWIZZLE: return "a swizzle";
        case CT_KIND_COPY_ATOM: return "a copy atom";
        case CT_KIND_TILED_COPY: return "a tiled copy";
        case CT_KIND_MMA_ATOM: return "an MMA atom";
        case CT_KIND_TILED_MMA: return "a tiled MMA";
        default: return "nothing";
    }
}

static ct_error first_error(ct_error a, ct_error b) { return a.status ? a : b; }

ct_error ct_value_error(const ct_value *v)
{
    ct_error none;
    memset(&none, 0, sizeof none);
    switch (v->kind) {
        case CT_KIND_ERROR: return v->as.failure.err;
        case CT_KIND_TUPLE: return v->as.tuple.err;
        case CT_KIND_LAYOUT: return v->as.layout.err;
        case CT_KIND_TILER: return v->as.tiler.tiles.err;
        case CT_KIND_TENSOR: return v->as.tensor.layout.err;
        case CT_KIND_SWIZZLE: return v->as.swizzle.err;
        case CT_KIND_COPY_ATOM: return v->as.atom.err;
        case CT_KIND_TILED_COPY:
            return first_error(v->as.copy.atom.err,
                               first_error(v->as.copy.tv.err, v->as.copy.tiler.tiles.err));
        case CT_KIND_MMA_ATOM: return v->as.mma_atom.err;
        case CT_KIND_TILED_MMA: return v->as.mma.atom.err;
        default: return none;
    }
}

void ct_value_of_tensor(ct_value *v, ct_tensor t)
{
    const int plain = t.swizzle.bits == 0 && ct_offset_is_zero(&t.offset);
    v->kind = plain ? CT_KIND_LAYOUT : CT_KIND_TENSOR;
    if (plain) v->as.layout = t.layout;
    else v->as.tensor = t;
}

void ct_value_free(ct_value *v)
{
    if (v->kind == CT_KIND_LIST) free(v->as.list.item);
    v->kind = CT_KIND_NONE;
}
