/* Errors as sentences: the operation, the problem with its numbers, and the valid values. */
#include <cutlet/algebra/normalize.h>
#include <cutlet/copy/copy_sides.h>
#include <cutlet/host/message.h>
#include "builder.h"

static const char *const operation_names[] = {
    [CT_OP_NONE] = "cutlet",
    [CT_OP_TUPLE] = "tuple",
    [CT_OP_MODE] = "mode",
    [CT_OP_UNFLATTEN] = "unflatten",
    [CT_OP_GROUP] = "group",
    [CT_OP_APPEND] = "append",
    [CT_OP_PREPEND] = "prepend",
    [CT_OP_REPLACE] = "replace",
    [CT_OP_SELECT] = "select",
    [CT_OP_TAKE] = "take",
    [CT_OP_SLICE] = "slice",
    [CT_OP_DICE] = "dice",
    [CT_OP_CEIL_DIV] = "ceil_div",
    [CT_OP_SHAPE_DIV] = "shape_div",
    [CT_OP_MAKE_LAYOUT] = "layout",
    [CT_OP_ORDERED] = "make_ordered_layout",
    [CT_OP_CRD2IDX] = "crd2idx",
    [CT_OP_IDX2CRD] = "idx2crd",
    [CT_OP_CRD2CRD] = "crd2crd",
    [CT_OP_COALESCE] = "coalesce",
    [CT_OP_FILTER] = "filter",
    [CT_OP_COMPOSITION] = "composition",
    [CT_OP_COMPLEMENT] = "complement",
    [CT_OP_RIGHT_INVERSE] = "right_inverse",
    [CT_OP_LEFT_INVERSE] = "left_inverse",
    [CT_OP_NULLSPACE] = "nullspace",
    [CT_OP_DIVIDE] = "logical_divide",
    [CT_OP_PRODUCT] = "logical_product",
    [CT_OP_BLOCKED_PRODUCT] = "blocked_product",
    [CT_OP_RAKED_PRODUCT] = "raked_product",
    [CT_OP_TILE_TO_SHAPE] = "tile_to_shape",
    [CT_OP_LOCAL_TILE] = "local_tile",
    [CT_OP_LOCAL_PARTITION] = "local_partition",
    [CT_OP_PARTITION] = "inner_partition",
    [CT_OP_MAX_COMMON] = "max_common_layout",
    [CT_OP_ALIGNMENT] = "max_alignment",
    [CT_OP_UPCAST] = "upcast",
    [CT_OP_DOWNCAST] = "downcast",
    [CT_OP_RECAST] = "recast",
    [CT_OP_DISTRIBUTE] = "domain_distribute",
    [CT_OP_SWIZZLE] = "make_swizzle",
    [CT_OP_COMPOSED] = "composed",
    [CT_OP_LAYOUT_ADD] = "layout_add",
    [CT_OP_REFINE] = "common_refinement",
    [CT_OP_COPY_ATOM] = "copy_atom",
    [CT_OP_TILED_COPY] = "tiled_copy",
    [CT_OP_COTILED_COPY] = "make_cotiled_copy",
    [CT_OP_PARTITION_COPY] = "partition_src",
    [CT_OP_RETILE] = "retile",
    [CT_OP_COPY_WIDTH] = "copy_width",
    [CT_OP_COSIZE] = "cosize",
    [CT_OP_TILER] = "tiler",
    [CT_OP_OFFSETS] = "offsets",
    [CT_OP_TENSOR] = "tensor",
    [CT_OP_NORMALIZE] = "normalize",
    [CT_OP_ELEMENTWISE] = "elementwise",
    [CT_OP_MMA_ATOM] = "mma_atom",
    [CT_OP_TILED_MMA] = "tiled_mma",
    [CT_OP_PARTITION_A] = "partition_a",
    [CT_OP_PARTITION_B] = "partition_b",
    [CT_OP_PARTITION_C] = "partition_c",
    [CT_OP_MMA_DESCRIPTOR] = "mma_descriptor",
    [CT_OP_PREFIX_PRODUCT] = "prefix_product",
    [CT_OP_SUFFIX_PRODUCT] = "suffix_product",
    [CT_OP_SORT] = "sort",
    [CT_OP_COSHAPE] = "coshape",
    [CT_OP_LINEAR] = "linear_layout",
    [CT_OP_OUTER_PARTITION] = "outer_partition",
    [CT_OP_FRAGMENT] = "register tensor",
    [CT_OP_GEMM] = "product of tiles",
    [CT_OP_HIER_COORD] = "hier_coord",
};

#define CT_REASON(why, text) [why] = text,
#define CT_REASON_OF(op, why, text)
#define CT_REASON_OF_SIDE(op, why, mode, text)
static const char *const sentences[] = {
#include <cutlet/algebra/reasons.h>
};

/* The sentences of single operations; mode -1: of any mode. */
typedef struct own_sentence {
    int32_t op, why, mode;
    const char *text;
} own_sentence;

#define CT_REASON(why, text)
#define CT_REASON_OF(op, why, text) {op, why, -1, text},
#define CT_REASON_OF_SIDE(op, why, mode, text) {op, why, mode, text},
static const own_sentence own_sentences[] = {
#include <cutlet/algebra/reasons.h>
};

#define COUNT(table) ((int)(sizeof(table) / sizeof(table)[0]))

const char *ct_op_name(int32_t op)
{
    return op > 0 && op < COUNT(operation_names) && operation_names[op] ? operation_names[op]
                                                                        : "cutlet";
}

const char *ct_status_name(int32_t status)
{
    switch (status) {
        case CT_OK: return "no error";
        case CT_E_ARGUMENT: return "unsuitable operand";
        case CT_E_NO_LAYOUT: return "no layout exists";
        case CT_E_DOMAIN: return "outside the domain";
        case CT_E_CAPACITY: return "beyond the capacity";
        case CT_E_OVERFLOW: return "overflow";
        case CT_E_UNDECIDED: return "undecided";
        case CT_E_MEMORY: return "no memory";
        case CT_E_POINTER: return "unsuitable pointer";
        case CT_E_BACKEND: return "no such backend";
        case CT_E_FAILED: return "stopped on the way";
        case CT_E_WRONG: return "wrong result";
        case CT_E_FILE: return "unusable file";
        case CT_E_TEXT: return "unreadable";
        default: return "unknown error";
    }
}

/* Sentences about element-wise kernels: mode is the input, -1 the destination. */
static const char *elementwise_sentence(ct_error e)
{
    const int out = e.mode < 0;
    switch (e.why) {
        case CT_WHY_LEAVES:
            return e.n[1] == INT32_MAX ? "%a blocks are needed, and a launch has at most %b"
                                       : "%a modes are needed, and at most %b are possible";
        case CT_WHY_RANGE: return "there are %a inputs, and 0 to %b are possible";
        case CT_WHY_RANK_MORE:
            return "%a modes are left of the layouts, and at most %b are possible";
        case CT_WHY_SIZES: return "input %m has %a elements, and the destination has %b";
        case CT_WHY_DIVIDE:
            return out ? "the shapes of the destination and input %o have no common refinement: of %a "
                         "and %b elements, neither divides the other"
                   : e.other < 0
                       ? "the shapes of input %m and the destination have no common refinement: of %a "
                         "and %b elements, neither divides the other"
                       : "the shapes of inputs %m and %o have no common refinement: of %a and %b "
                         "elements, neither divides the other";
        case CT_WHY_OVERFLOW:
            return out ? "the destination has an offset in bytes that does not fit in 64 bits"
                       : "input %m has an offset in bytes that does not fit in 64 bits";
        case CT_WHY_NOT_INTEGER:
            return out ? "the destination has `_` or a basis stride where integers are needed"
                       : "input %m has `_` or a basis stride where integers are needed";
        case CT_WHY_ADDRESS:
            return out ? "the destination's address is %a past a multiple of %b, the bytes of an "
                         "element"
                       : "the address of input %m is %a past a multiple of %b, the bytes of an element";
        case CT_WHY_OVERLAP:
            return "elements of the destination meet or interleave: a step of %a elements, and what "
                   "lies below it takes %b";
        case CT_WHY_ATOM:
            return "there is no access of %a bits to elements of %b; powers of two of 8 to 256, and of "
                   "8 to 64";
        default: return NULL;
    }
}

/* The sentence; some operations have one of their own. */
static const char *sentence_of(ct_error e)
{
    if (e.op == CT_OP_NORMALIZE && e.why == CT_WHY_LEAVES && e.n[1] == CT_SIDES)
        return "there are %a sides, and 1 to %b are possible";
    if (e.op == CT_OP_ELEMENTWISE && elementwise_sentence(e)) return elementwise_sentence(e);
    for (int i = 0; i < COUNT(own_sentences); ++i) {
        const own_sentence *const own = &own_sentences[i];
        if (own->op == e.op && own->why == e.why && (own->mode < 0 || own->mode == e.mode))
            return own->text;
    }
    if (e.why == CT_WHY_SHAPE && e.n[0] < 0)
        return "mode %m has the negative shape %a; a shape is at least 1";
    if (e.why == CT_WHY_LEAVES && e.n[1] != CT_MAX_LEAVES)
        return "%a are needed, and at most %b are possible";
    return e.why > 0 && e.why < COUNT(sentences) ? sentences[e.why] : NULL;
}

int ct_error_message(ct_error e, char *buf, size_t size)
{
    ct_builder s = ct_builder_fixed(buf, size);
    if (e.status == CT_OK) return ct_builder_end(&s);
    ct_put_text(&s, ct_op_name(e.op));
    ct_put_text(&s, ": ");
    const char *p = sentence_of(e);
    if (!p) {
        ct_put(&s, "%s (reason %d: %lld, %lld, %lld)", ct_status_name(e.status), (int)e.why,
               (long long)e.n[0], (long long)e.n[1], (long long)e.n[2]);
        return ct_builder_end(&s);
    }
    for (; *p; ++p) {
        if (*p != '%') {
            ct_put_char(&s, *p);
            continue;
        }
        switch (*++p) {
            case 'm': ct_put_int(&s, e.mode); break;
            case 'o': ct_put_int(&s, e.other); break;
            case 'a': ct_put_int(&s, e.n[0]); break;
            case 'b': ct_put_int(&s, e.n[1]); break;
            case 'c': ct_put_int(&s, e.n[2]); break;
            case 'x': ct_put_int(&s, (int64_t)((uint64_t)e.n[1] - 1)); break; /* of any error */
            default: break;
        }
    }
    return ct_builder_end(&s);
}
