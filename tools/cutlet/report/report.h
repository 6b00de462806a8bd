/**
 * The parts of `cutlet report`: what is counted of a tiled copy or a tiled MMA, and how it is
 * worded.
 */
#ifndef CUTLET_TOOLS_REPORT_REPORT_H
#define CUTLET_TOOLS_REPORT_REPORT_H

#include <stdio.h>

#include <cutlet/copy/copy_width.h>
#include <cutlet/host/draw_access.h>
#include <cutlet/host/traffic.h>

/** The source of the copy, or its destination. */
typedef struct ct_report_side {
    const char *text; /* the layout as it was written; NULL: registers, or not given */
    int global;       /* in global memory; otherwise shared */
    ct_traffic_side in;
    ct_traffic sum;        /* over the whole tensor */
    int joint;             /* the sum is that of a cp.async, both sides counted together */
    ct_traffic_step first; /* the first instruction of warp 0 */
    ct_traffic_step shown; /* the one with the most bank conflicts, the first where none has any */
    int steps;             /* 0: no instruction of the first tile was told */
} ct_report_side;

typedef struct ct_report {
    const char *expression; /* of the tiled copy */
    ct_tiled_copy copy;
    ct_tuple shape; /* of the tensor */
    const ct_access_rules *rules;
    ct_report_side side[2]; /* source, destination */
} ct_report;

/** Room for a sentence. */
#define CT_REPORT_WORDS 512

/** `source` or `destination`. */
const char *ct_report_role(int side);

/** Counts both sides. 0, or -1 and one line. */
int ct_report_count(ct_report *r, char message[CT_MESSAGE_BYTES]);

/** A verdict in a word or two and a sentence with its numbers; 1 where there is nothing to mend: no
 *  byte moved in vain, no conflict, accesses of 128 bits. */
int ct_report_memory(const ct_report *r, int side, char *verdict, char *words, size_t size);
int ct_report_width(const ct_report *r, char *verdict, char *words, size_t size);

/** What would make the accesses wider: a list for each side in the page, the first of each as a
 * line. */
void ct_report_put_advice(FILE *f, const ct_report *r);
void ct_report_print_advice(FILE *f, const ct_report *r);

/** The bits of the widest access that the layouts allow; 0 where the atom's is no wider. */
int ct_report_allowed_bits(const ct_report *r);

/** The page. 0, or -1 and one line in error. */
int ct_report_page(FILE *f, const ct_report *r, char error[CT_MESSAGE_BYTES]);

/** What the pages share: code, a fact of a list of them, a card, and a figure of the picture, which
 *  is freed; title: NULL, or another than its own. A figure wider than the window scrolls. 0, or -1
 * and one line. */
void ct_report_code(FILE *f, const char *text);
void ct_report_fact(FILE *f, const char *name, const char *text);
void ct_report_card(FILE *f, const char *of, const char *verdict, const char *words, int good);
int ct_report_figure(FILE *f, ct_picture *picture, const char *title, const char *name,
                     char *error);

/** The heading and the sentences of how it was counted; the paragraph stays open. */
void ct_report_rules(FILE *f, const ct_access_rules *rules);

/** The section of a side: its layout, totals and first instruction. what: its name. */
int ct_report_put_side(FILE *f, const ct_report *r, int side, const char *what, char *error);

#endif
