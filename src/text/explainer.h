/**
 * What explanations are written with, and the explanations by topic.
 */
#ifndef CUTLET_SRC_TEXT_EXPLAINER_H
#define CUTLET_SRC_TEXT_EXPLAINER_H

#include <stdio.h>

#include <cutlet/host/eval.h>

/** Texts that ct_shown has room for at a time. */
#define CT_SHOWN 6

typedef struct ct_explainer {
    FILE *stream;
    int indent; /* levels */
    int count;  /* steps so far */
    int next;   /* text to be used next */
    char shown[CT_SHOWN][CT_TEXT_BYTES];
} ct_explainer;

/** Writes one line, indented. */
void ct_say(ct_explainer *x, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Room for a text, which stays for the next CT_SHOWN - 1 calls. */
char *ct_shown_next(ct_explainer *x);

/** A layout or tuple as such a text. */
const char *ct_shown(ct_explainer *x, ct_layout L);
const char *ct_shown_tuple(ct_explainer *x, ct_tuple t);
const char *ct_shown_leaf(ct_explainer *x, ct_layout L, int leaf);

/** The steps of one operation. Each writes its rule, its numbers, and no result. */
void ct_explain_coalesce(ct_explainer *x, ct_layout L);
void ct_explain_composition(ct_explainer *x, ct_layout A, ct_layout B);
void ct_explain_by_mode(ct_explainer *x, ct_layout A, ct_tiler T,
                        void (*each)(ct_explainer *, ct_layout, ct_layout));
void ct_explain_complement(ct_explainer *x, ct_layout L, int64_t n, ct_layout result);
void ct_explain_divide(ct_explainer *x, ct_layout A, ct_layout B);
void ct_explain_product(ct_explainer *x, ct_layout A, ct_layout B);
void ct_explain_zip(ct_explainer *x, ct_layout A, ct_layout B, int tile_first);
void ct_explain_right_inverse(ct_explainer *x, ct_layout L);
void ct_explain_left_inverse(ct_explainer *x, ct_layout L);
void ct_explain_nullspace(ct_explainer *x, ct_layout L);
void ct_explain_common(ct_explainer *x, ct_layout a, ct_layout b);
void ct_explain_alignment(ct_explainer *x, ct_layout L);
void ct_explain_upcast(ct_explainer *x, ct_layout L, int64_t n);
void ct_explain_downcast(ct_explainer *x, ct_layout L, int64_t n);
void ct_explain_at(ct_explainer *x, ct_layout L, ct_tuple coord);
void ct_explain_swizzle(ct_explainer *x, ct_swizzle s, int64_t offset);
void ct_explain_the_layout(ct_explainer *x, ct_layout L);
void ct_explain_the_swizzle(ct_explainer *x, ct_swizzle s);
void ct_explain_tiled_copy(ct_explainer *x, ct_copy_atom atom, ct_layout thr, ct_layout val);
void ct_explain_partition_copy(ct_explainer *x, ct_tiled_copy t, ct_layout L, int64_t thread,
                               int dst);
void ct_explain_mma_atom(ct_explainer *x, ct_mma_atom a);
void ct_explain_tiled_mma(ct_explainer *x, ct_mma_atom atom, ct_layout atoms,
                          const ct_tiled_mma *made);
void ct_explain_partition_mma(ct_explainer *x, ct_tiled_mma t, ct_layout L, int64_t thread,
                              int operand);
void ct_explain_local_partition(ct_explainer *x, ct_layout L, ct_layout thr, int64_t index);
void ct_explain_tile(ct_explainer *x, ct_layout L, ct_tiler T, ct_tuple coord, int inner);

#endif
