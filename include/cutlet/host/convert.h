/**
 * Layouts of other systems: their text read, written, and compared, through cutlet's notation.
 *
 * A text maps coordinates to offsets in elements (memory), or, of Triton's blocked and linear
 * encodings, threads and values to elements of a tensor. The latter are thread-value layouts here:
 * ((lane,warp),register) -> index in the tensor, its first dimension fastest; several blocks are a
 * third mode. A layout of CuTe or of cutlet can be either.
 *
 * In C:     ct_convert_options options = {.to = CT_SYSTEM_CUTE};
 *           char text[CT_CONVERT_BYTES];
 *           ct_diag diag;
 *           assert(ct_convert_layout("(4,8):(8,1)", &options, text, &diag) == CT_OK);
 *           assert(strcmp(text, "Layout<Shape<_4,_8>,Stride<_8,_1>>") == 0);
 *           options.to = CT_SYSTEM_NUMPY; // whose strides are in bytes
 *           assert(ct_convert_layout("(4,8):(8,1)", &options, text, &diag) == CT_E_ARGUMENT);
 *           options.element_bits = 16;
 *           assert(ct_convert_layout("(4,8):(8,1)", &options, text, &diag) == CT_OK);
 *           assert(strcmp(text, "shape=(4, 8), strides=(16, 2), itemsize=2") == 0);
 */
#ifndef CUTLET_HOST_CONVERT_H
#define CUTLET_HOST_CONVERT_H

#include <cutlet/host/text.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The systems. The first of a family reads the texts of all of it. */
enum {
    CT_SYSTEM_ANY = 0,         /* to read: the one that the text looks like */
    CT_SYSTEM_CUTLET,          /* (4,8):(8,1)   Sw<3,4,3> o 0 o (8,64):(64,1)   640@(4,8) */
    CT_SYSTEM_CUTE,            /* C++: Layout<Shape<_4,_8>,Stride<_8,_1>> */
    CT_SYSTEM_CUTE_PRINT,      /* what C++ prints: (_4,_8):(_8,_1) */
    CT_SYSTEM_CUTE_DSL,        /* Python: cute.make_layout((4, 8), stride=(8, 1)) */
    CT_SYSTEM_CUTE_IR,         /* !cute.layout<"(4,8):(8,1)"> */
    CT_SYSTEM_TRITON,          /* to read: any of those below */
    CT_SYSTEM_TRITON_BLOCKED,  /* #ttg.blocked<{..}> */
    CT_SYSTEM_TRITON_LINEAR,   /* #ttg.linear<{..}>, #ttg.generic_linear<{..}> */
    CT_SYSTEM_TRITON_SWIZZLED, /* #ttg.swizzled_shared<{..}> */
    CT_SYSTEM_TRITON_NVMMA,    /* #ttg.nvmma_shared<{..}> */
    CT_SYSTEM_TRITON_SHARED,   /* #ttg.shared_linear<{..}> */
    CT_SYSTEM_MDSPAN,          /* C++: std::layout_right::mapping<..>, layout_left, layout_stride */
    CT_SYSTEM_MDSPAN_PADDED,   /* the same, but layout_left_padded or layout_right_padded */
    CT_SYSTEM_NUMPY,           /* shape=(4, 8), strides=(16, 2), itemsize=2: strides in bytes */
    CT_SYSTEM_COUNT
};

/** The most modes of a tensor of Triton, mdspan or NumPy. */
#define CT_CONVERT_RANK 8

/** Room for any text that ct_convert_layout writes, with its zero. */
#define CT_CONVERT_BYTES 8192

/** The options of a conversion; all zero except `to` is the default. */
typedef struct ct_convert_options {
    int32_t from, to;               /* CT_SYSTEM_... */
    int32_t rank;                   /* the modes in shape; 0: it is not given */
    int64_t shape[CT_CONVERT_RANK]; /* of the tensor: Triton's encodings do not have it */
    int32_t element_bits;           /* 0: not given. NumPy's strides and nvmma_shared need it */
} ct_convert_options;

/**
 * Writes the layout that `text` is in the system options->to. out has CT_CONVERT_BYTES.
 *
 * Ensures: What is written is the same function of its coordinates, or of threads and values.
 * Fails:   CT_E_TEXT: text cannot be read; diag has the place. CT_E_ARGUMENT: an option is missing
 *          or does not fit. CT_E_NO_LAYOUT: the system has no such layout. CT_E_CAPACITY: the text
 *          is longer than out. Statuses of the algebra. out is empty then. diag has the sentence,
 *          and may be NULL.
 * Cost:    O(size) at most, for mdspan and NumPy of a swizzled layout.
 * Source:  CUTLASS 4.8; Triton 3.9; ISO C++ [mdspan.layout], P2642; NumPy, numpy.ndarray.strides.
 */
ct_status ct_convert_layout(const char *text, const ct_convert_options *options, char *out,
                            ct_diag *diag);

/**
 * Whether two texts, each of any system, are the same function: the same number of coordinates and
 * the same offset for each index, as `~` compares (eval.h). options->to is not used.
 *
 * Ensures: CT_OK and *same; where they differ diag->message says how, mostly at which index.
 * Fails:   As ct_convert_layout reads. CT_E_ARGUMENT where one maps coordinates to offsets and the
 *          other threads to elements. CT_E_UNDECIDED for composed layouts of more than CT_MAX_LIST
 *          coordinates. *text_failed, when not NULL, is 0 or 1, the text at fault; -1: both, or
 *          none.
 * Cost:    O(size); O(leaves) for larger sizes than CT_MAX_LIST, O(bases) for two linear layouts.
 * In C:    ct_convert_options options = {0};
 *          int same;
 *          ct_diag diag;
 *          const char *row_major = "std::layout_right::mapping<std::extents<int,4,8>>";
 *          assert(ct_same_layout(row_major, "(4,8):(8,1)", &options, &same, NULL, &diag) == CT_OK);
 *          assert(same);
 *          assert(ct_same_layout(row_major, "(4,8)", &options, &same, NULL, &diag) == CT_OK);
 *          assert(!same);
 *          assert(strcmp(diag.message, "at index 1 the first has 8, the second 1") == 0);
 */
ct_status ct_same_layout(const char *a, const char *b, const ct_convert_options *options, int *same,
                         int *text_failed, ct_diag *diag);

/**
 * The name of a system, as `triton-blocked`; NULL for none and CT_SYSTEM_ANY. `what`, when not
 * NULL, gets one line about it.
 * Cost:    O(1).
 * In C:    const char *what;
 *          assert(strcmp(ct_system_name(CT_SYSTEM_CUTE, &what), "cute") == 0);
 *          assert(strcmp(what, "CuTe C++: Layout<Shape<_4,_8>,Stride<_8,_1>>") == 0);
 *          assert(ct_system_name(CT_SYSTEM_ANY, NULL) == NULL);
 */
const char *ct_system_name(int32_t system, const char **what);

#ifdef __cplusplus
}
#endif

#endif
