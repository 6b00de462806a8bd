/**
 * Linear layouts of Triton, and the tensors that they are.
 */
#ifndef CUTLET_SRC_TEXT_TRITON_BASES_H
#define CUTLET_SRC_TEXT_TRITON_BASES_H

#include <cutlet/algebra/linear_layout.h>
#include <cutlet/host/convert.h>

/** The inputs of Triton's linear layouts. In shared memory the first is the offset. */
enum { CT_IN_REGISTER, CT_IN_LANE, CT_IN_WARP, CT_IN_BLOCK, CT_IN_COUNT };
#define CT_IN_OFFSET CT_IN_REGISTER

/** A linear layout of Triton: each bit of an input moves to an index of the tensor, the first
 *  dimension fastest. */
typedef struct ct_bases {
    int rank;
    int log[CT_CONVERT_RANK]; /* dimension d has 2^log[d] elements */
    int bits[CT_IN_COUNT];
    int64_t image[CT_IN_COUNT][CT_LINEAR_BITS];
} ct_bases;

/** What a text maps: it does not say (CuTe); coordinates to offsets; threads to elements. */
enum { CT_MAPS_ANY, CT_MAPS_MEMORY, CT_MAPS_THREADS };

/** The layout of a text: a tensor of cutlet, or bases. */
typedef struct ct_exchange {
    int maps;
    int has_bases;
    ct_tensor tensor; /* where has_bases is 0 */
    ct_bases bases;
    int32_t element_bits; /* 0: not known */
} ct_exchange;

/** Fails with one line, which stands for no place of the text. */
ct_status ct_conversion_fail(ct_diag *diag, ct_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Fails with the sentence of an error. */
ct_status ct_conversion_error(ct_diag *diag, ct_error e);

/** The bits of all dimensions. */
int ct_bases_reach(const ct_bases *f);

/** The first bit of dimension d in an index. */
int ct_bases_first(const ct_bases *f, int d);

/** How many bits the images of the inputs from `first` to `last` reach, as a space of F2. */
int ct_bases_rank(const ct_bases *f, int first, int last);

/** Whether each basis moves one bit, or none, and no two the same: #ttg.linear takes only those. */
int ct_bases_permute(const ct_bases *f);

/** What keeps bases from #ttg.linear and from #ttg.generic_linear, whose bases of registers, lanes and blocks are
 *  along one dimension each. */
ct_status ct_linear_check(const ct_bases *f, ct_diag *diag);

int ct_bases_equal(const ct_bases *a, const ct_bases *b);

/** The tensor of an exchange, made of its bases where it has those. */
ct_status ct_exchange_tensor(const ct_exchange *x, ct_tensor *out, ct_diag *diag);

/** The bases of an exchange as threads or as shared memory, made of its tensor where it has none.
 *  The shape of a thread-value layout's tensor is that of the options. */
ct_status ct_exchange_bases(const ct_exchange *x, int maps, const ct_convert_options *o,
                            ct_bases *out, ct_diag *diag);

#endif
