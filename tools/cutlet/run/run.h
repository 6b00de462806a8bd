/**
 * `cutlet run`: a kernel of PTX on the CPU grid: its arguments, its results, its mistakes, its costs.
 */
#ifndef CUTLET_TOOLS_RUN_RUN_H
#define CUTLET_TOOLS_RUN_RUN_H

#include <jansson.h>

#include <cutlet/host/npy.h>
#include <cutlet/host/ptx.h>
#include <cutlet/host/traffic.h>
#include "io/types.h"

enum { CT_RUN_MAX_ARGS = 64, CT_RUN_ARG_BYTES = 32768 };

/** An argument: an array, of which the kernel gets the address, its bytes or a tensor map; or a number. */
typedef struct ct_run_arg {
    char *name;                           /* from malloc; the texts below are in it */
    const char *number, *file, *out_file; /* NULL where there is none */
    const char *map;                      /* of --tma: what follows the name, or NULL */
    int is_out, by_value, has_type;
    ct_named_type type;
    ct_npy array;
    const char *expected;
    int64_t differ, first; /* elements of it that are not as expected, and the first of them */
    double largest, found, wanted;
} ct_run_arg;

/** What was asked for. */
typedef struct ct_run {
    const char *file, *kernel, *arch;
    const char *arg_texts[CT_RUN_MAX_ARGS], *map_texts[CT_RUN_MAX_ARGS],
        *expect_texts[CT_RUN_MAX_ARGS];
    int arg_count, map_count, expect_count, list, json, no_init_fence;
    ct_dim3 grid, block;
    int64_t shared_bytes, schedules;
    double tolerance, seconds; /* seconds: of the launch */
    ct_run_arg args[CT_RUN_MAX_ARGS];
    _Alignas(64) unsigned char argument[CT_RUN_ARG_BYTES]; /* as the kernel gets it */
} ct_run;

/** The cost of an instruction of the source on one buffer or shared array. */
typedef struct ct_run_line {
    ct_grid_request at; /* where; its offsets are not kept */
    ct_traffic sum;
    ct_traffic_step worst; /* the execution of the highest cost */
} ct_run_line;

/** All of them, in the order of first execution. */
typedef struct ct_run_costs {
    ct_run_line *lines; /* from malloc */
    int count, capacity, out_of_memory;
} ct_run_costs;

/** The text of PTX of a file: PTX, CUDA C by nvcc, or a program by the PTX inside. From malloc; NULL
 *  after a message. */
char *ct_run_read(const char *path, const char *arch, char message[CT_MESSAGE_BYTES]);

/** Reads the arguments and lays them out as the kernel's parameters. */
ct_status ct_run_bind(ct_run *run, const ct_grid_kernel *kernel, char message[CT_MESSAGE_BYTES]);

/** Writes the results to their files and compares those that have an --expect. */
ct_status ct_run_write(ct_run *run, char message[CT_MESSAGE_BYTES]);
ct_status ct_run_compare(ct_run *run, char message[CT_MESSAGE_BYTES]);

/** Element i of an array, counted with the last coordinate fastest: its coordinates, as `[3,4]`. */
void ct_run_put_index(const ct_npy *array, int64_t i, char *text, size_t size);

/** Adds an execution: on_request of ct_grid_options; user is a ct_run_costs. */
void ct_run_count(void *user, const ct_grid_request *request);

enum { CT_RUN_COSTLY = 3 };

/** The lines of the most transactions to be saved, then of the most. Their number. */
int ct_run_costly(const ct_run_costs *costs, const ct_run_line *most[CT_RUN_COSTLY]);

/** A sentence on a line, without its end. */
void ct_run_sentence(const ct_run_line *line, char *text, size_t size);

/** Prints the table of costs, then a sentence on each of the three most costly lines. */
void ct_run_print_costs(ct_run_costs *costs, FILE *to);

/** Prints all as JSON, or a module's kernels. 0; or -1, when memory runs out. */
int ct_run_print_json(const ct_run *run, const ct_grid_report *report, const char *at,
                      ct_run_costs *costs);
int ct_run_list(const ct_run *run, const ct_ptx *module);

#endif
