/**
 * `cutlet access`: what an access of a warp, a file of such accesses, or layouts cost.
 */
#ifndef CUTLET_TOOLS_ACCESS_ACCESS_H
#define CUTLET_TOOLS_ACCESS_ACCESS_H

#include <stdint.h>
#include <stdio.h>

#include <cutlet/host/access.h>
#include <cutlet/host/traffic.h>

/** The kinds of accesses, as --kind takes them. */
#define CT_ACCESS_KIND_WORDS "ldg|stg|lds|sts|ldgsts|ldgsts.bypass|ldmatrix|stmatrix"

/** How a tile is read, as `cutlet suggest --read` takes it; columns is cols. */
#define CT_ACCESS_READ_WORDS "rows|columns|ldmatrix|ldmatrix.trans|cols"

/** What was asked for. Texts are NULL, numbers -1, where an option was not given. */
typedef struct ct_access_arguments {
    const char *expression, *lanes, *shared_lanes, *batch, *memory, *src, *dst, *shape;
    int32_t kind, src_kind, dst_kind, read; /* read: an index of the words */
    int32_t bits, elem_bits;
    int64_t base, dst_base; /* 0 where not given */
    int64_t max_conflicts;
    double min_efficiency;
    int list, json;
    const ct_access_rules *rules;
} ct_access_arguments;

/** What one row of the table shows. */
typedef struct ct_access_row {
    const char *side; /* "source", "destination", "" */
    int32_t kind, bits;
    ct_traffic sum;
    char verdict[256]; /* a sentence without its end */
} ct_access_row;

/** Rows, and where --list is given each instruction. */
typedef struct ct_access_report {
    ct_access_row row[2];
    int rows;
    ct_traffic_step *step; /* from malloc */
    int64_t steps, capacity;
    char reading[512]; /* what was understood: a line */
} ct_access_report;

/** The kind of a name as ldg, ldgsts.bypass, ldmatrix or ldsm; -1 for another name. */
int ct_access_kind_named(const char *name);

/** Reads the offsets of up to 32 lanes, `-` for one that is off; those that are not given are off.
 *  CT_E_ARGUMENT where the text is not a list of them. */
ct_status ct_access_read_lanes(const char *text, int64_t offset[32], char *message);

/** CT_E_ARGUMENT where these are not accesses of the kind. */
ct_status ct_access_check(const ct_access *access, int has_shared, char *message);

/** The three forms of the command. Each returns an exit status. */
int ct_access_run_lanes(const ct_access_arguments *a);
int ct_access_run_batch(const ct_access_arguments *a);
int ct_access_run_layout(const ct_access_arguments *a);

/** Prints a report as a table, or as JSON (-1: no memory). */
void ct_access_print(const ct_access_report *r, const ct_access_arguments *a, FILE *to);
int ct_access_print_json(const ct_access_report *r, const ct_access_arguments *a, FILE *to);

/** A line on stderr for each row that costs more than the arguments allow. Returns how many. */
int ct_access_gate(const ct_access_row *row, int rows, const ct_access_arguments *a);

#endif
