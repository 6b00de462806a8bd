/* Errors as sentences: the operation, what is wrong with which numbers, and what would be right. */
#include "cutlet/normalize.h"
#include "sink.h"

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
    [CT_OP_TRANSFORM] = "transform",
    [CT_OP_TENSOR] = "tensor",
    [CT_OP_NORMALIZE] = "normalize",
};

/* The sentence of each reason. %m mode, %o other, %a %b %c the numbers, %x b - 1. */
static const char *const sentences[] = {
    [CT_WHY_LEAVES] =
        "%a leaves are needed, and the capacity is %b (CT_MAX_LEAVES, a build option)",
    [CT_WHY_OVERFLOW] = "mode %m: the size or an offset does not fit in 64 bits",
    [CT_WHY_SHAPE] = "mode %m has shape %a; a shape is at least 1",
    [CT_WHY_PROFILE] = "the operands nest differently at leaf %m; both need the same parentheses",
    [CT_WHY_RANK] = "rank %a is needed, and the operand has rank %b",
    [CT_WHY_RANK_MORE] = "the tiler has %a modes, and the layout only %b; leave the last ones out",
    [CT_WHY_MODE] = "there is no mode %m; the operand has rank %a, and modes count from 0",
    [CT_WHY_RANGE] = "modes %a up to, not with, %b are no range within the %c modes of the operand",
    [CT_WHY_NOT_INTEGER] = "leaf %m is `_` or a basis element where an integer is needed",
    [CT_WHY_NOT_POSITIVE] = "%a is given where at least 1 is needed",
    [CT_WHY_COUNT] = "%a leaves are given, and the profile has %b",
    [CT_WHY_COORD] = "coordinate %a of mode %m lies outside its size %b; it runs from 0 to %x",
    [CT_WHY_INDEX] = "index %a lies outside the size %b; it runs from 0 to %x",
    [CT_WHY_COORD_PROFILE] =
        "the coordinate does not fit the shape at leaf %m; a mode takes an index, "
        "or a coordinate that nests as it does",
    [CT_WHY_DIVIDE] = "mode %m: of %a and %b, neither divides the other",
    [CT_WHY_SIZES] = "the sizes %a and %b differ, and must be equal",
    [CT_WHY_SIZE_DIVIDES] = "the size %a is not a multiple of %b",
    [CT_WHY_STRIDE_CROSSES] =
        "mode %m of B has stride %a, which crosses the boundary of A's mode %o "
        "(size %b); a stride that divides %b, or a multiple of %b, does not",
    [CT_WHY_SHAPE_CROSSES] =
        "mode %m of B has shape %a, not a multiple of the %b steps that fit in A's "
        "mode %o, so that it ends in the middle of A's next mode",
    [CT_WHY_CARRY] =
        "the modes of B together reach %a in A's mode %o (size %b); there they carry into "
        "the next mode, and no layout does that (last raised by mode %m of B)",
    [CT_WHY_NEGATIVE] = "mode %m of B reaches the negative index %a, outside the domain of A",
    [CT_WHY_BASIS] = "mode %m of B has the basis stride of a mode that A lacks",
    [CT_WHY_BASIS_MIXED] =
        "integer and basis strides, or basis strides of different levels, meet in "
        "one operand (leaf %m)",
    [CT_WHY_PROOF] = "size %a: whether the result is exact takes more than %b comparisons "
                     "(CT_MAX_PROOF, a build option)",
    [CT_WHY_GAP] =
        "stride %a is not a multiple of %b, the extent below it; the gap between them has no "
        "layout",
    [CT_WHY_OVERLAP] = "stride %a is less than %b, the extent below it; the modes interleave or "
                       "overlap",
    [CT_WHY_NEGATIVE_STRIDE] =
        "mode %m has the negative stride %a; strides of at least 0 are needed",
    [CT_WHY_NO_UNIT] = "no mode has stride 1, along which the parts of an element could lie",
    [CT_WHY_UPCAST_STRIDE] =
        "mode %m has stride %a, and the factor is %b; one must divide the other",
    [CT_WHY_UPCAST_INSIDE] =
        "the modes within a new element of %b old ones together reach %a of them; "
        "they would run into the next",
    [CT_WHY_UPCAST_SHAPE] =
        "mode %m has shape %a, not a multiple of the %b elements that make a new one",
    [CT_WHY_ALIGNMENT] = "mode %m reaches offset %a, which is not a multiple of %b",
    [CT_WHY_SWIZZLE] =
        "Sw<%a,%b,%c> is no swizzle; Sw<bits,base,shift> needs bits and base of at least 0, "
        "|shift| >= bits, and bits + base + |shift| of at most 62",
    [CT_WHY_TILE_DIVIDES] = "mode %m: the block size %a does not divide the target size %b",
    [CT_WHY_ATOM] = "there is no such atom of %a (bits, or matrices) with values of %b bits",
    [CT_WHY_ATOM_BITS] = "an access of %a bits is no whole number of values of %b bits",
    [CT_WHY_THREADS] = "there are %a threads, and the atom needs a multiple of %b",
    [CT_WHY_VALUES] = "each thread has %a values, and the atom needs a multiple of %b",
    [CT_WHY_COVER_TWICE] = "the thread and value layouts reach element %a of the tile twice",
    [CT_WHY_COVER_MISSING] = "the thread and value layouts leave element %a of the tile out",
    [CT_WHY_CONTIGUOUS] = "the atom moves %a values at once, and only %b lie side by side",
    [CT_WHY_THREAD] = "there is no thread %a; the copy has %b threads, 0 to %x",
    [CT_WHY_DEPTH] = "nested %a deep; coordinates of at most %b levels are possible",
    [CT_WHY_ADDRESS] = "an address is %a past a multiple of %b, the bytes of an element",
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
    default: return "unknown error";
    }
}

/* Sentences about a tiled copy: mode 0 is the source, or the threads; 1 the destination, or the
   values. */
static const char *copy_sentence(ct_error e)
{
    switch (e.why) {
    case CT_WHY_COVER_TWICE:
        return e.mode == 0 ? "the thread layout reaches thread %a twice"
                           : "the value layout reaches value %a twice";
    case CT_WHY_COVER_MISSING:
        return e.mode == 0 ? "the thread layout leaves thread %a out"
                           : "the value layout leaves value %a out";
    case CT_WHY_CONTIGUOUS:
        return e.mode == 0
                   ? "the atom moves %a values at once, and only %b lie side by side in the source"
                   : "the atom moves %a values at once, and only %b lie side by side in the "
                     "destination";
    case CT_WHY_ALIGNMENT:
        return e.mode == 0
                   ? "the source has stride %a, not a multiple of the %b values that the atom "
                     "moves "
                     "at once"
                   : "the destination has stride %a, not a multiple of the %b values that the atom "
                     "moves at once";
    default: return NULL;
    }
}

/* Sentences about a transform: mode 0 is the source, 1 the destination. */
static const char *transform_sentence(ct_error e)
{
    switch (e.why) {
    case CT_WHY_LEAVES: return "%a blocks are needed, and a launch has at most %b";
    case CT_WHY_ADDRESS:
        return e.mode == 0
                   ? "the source's address is %a past a multiple of %b, the bytes of an element"
                   : "the destination's address is %a past a multiple of %b, the bytes of an "
                     "element";
    case CT_WHY_OVERLAP:
        return "elements of the destination meet or interleave: a step of %a elements, and what "
               "lies below it takes %b";
    case CT_WHY_ATOM:
        return "there is no access of %a bits to elements of %b; powers of two of 8 to 256, and of "
               "8 to 64";
    default: return NULL;
    }
}

/* Sentences about several layouts: mode is the side. */
static const char *normalize_sentence(ct_error e)
{
    switch (e.why) {
    case CT_WHY_LEAVES:
        return e.n[1] == CT_SIDES ? "there are %a sides, and 1 to %b are possible"
                                  : "%a modes are needed, and at most %b are possible";
    case CT_WHY_SIZES: return "side %m has %a elements, and side 0 has %b";
    case CT_WHY_DIVIDE:
        return "the shapes of sides %m and %o have no common refinement: of %a and %b elements, "
               "neither divides the other";
    case CT_WHY_OVERFLOW: return "side %m: an offset in bytes does not fit in 64 bits";
    case CT_WHY_NOT_INTEGER: return "side %m has `_` or a basis stride where integers are needed";
    case CT_WHY_NOT_POSITIVE: return "side %m has elements of %a bytes; they have at least 1";
    default: return NULL;
    }
}

/* The sentence, in the words of the operation where it has its own. */
static const char *sentence_of(ct_error e)
{
    const char *own = NULL;
    if (e.op == CT_OP_TILED_COPY) own = copy_sentence(e);
    else if (e.op == CT_OP_MAKE_LAYOUT && e.why == CT_WHY_PROFILE)
        own = "shape and stride nest differently at leaf %m; both need the same parentheses";
    else if (e.op == CT_OP_COMPOSED && e.why == CT_WHY_NEGATIVE)
        own = "offset %a is negative; a swizzle takes offsets of at least 0";
    else if (e.op == CT_OP_TRANSFORM) own = transform_sentence(e);
    else if (e.op == CT_OP_NORMALIZE) own = normalize_sentence(e);
    if (own) return own;
    if (e.why == CT_WHY_SHAPE && e.n[0] < 0)
        own = "mode %m has the negative shape %a; a shape is at least 1";
    if (e.why == CT_WHY_LEAVES && e.n[1] != CT_MAX_LEAVES)
        own = "%a are needed, and at most %b are possible";
    if (own) return own;
    return e.why > 0 && e.why < COUNT(sentences) ? sentences[e.why] : NULL;
}

int ct_error_message(ct_error e, char *buf, size_t size)
{
    ct_sink s = {buf, size, 0};
    if (e.status == CT_OK) return ct_sink_end(&s);
    ct_sink_text(&s, ct_op_name(e.op));
    ct_sink_text(&s, ": ");
    const char *p = sentence_of(e);
    if (!p) {
        ct_sink_printf(&s, "%s (reason %d: %lld, %lld, %lld)", ct_status_name(e.status), (int)e.why,
                       (long long)e.n[0], (long long)e.n[1], (long long)e.n[2]);
        return ct_sink_end(&s);
    }
    for (; *p; ++p) {
        if (*p != '%') {
            ct_sink_char(&s, *p);
            continue;
        }
        switch (*++p) {
        case 'm': ct_sink_int(&s, e.mode); break;
        case 'o': ct_sink_int(&s, e.other); break;
        case 'a': ct_sink_int(&s, e.n[0]); break;
        case 'b': ct_sink_int(&s, e.n[1]); break;
        case 'c': ct_sink_int(&s, e.n[2]); break;
        case 'x': ct_sink_int(&s, (int64_t)((uint64_t)e.n[1] - 1)); break; /* of any error */
        default: break;
        }
    }
    return ct_sink_end(&s);
}
