/* The results of `cutlet-bench vector` as a table. */
#include <inttypes.h>
#include <string.h>

#include "../harness/report.h"
#include "run.h"
#include "values.h"

double vector_rate(const vector_report *r, int32_t at)
{
    const vector_result *const result = &r->result[at];
    return bench_rate(vector_moved_bytes(&vector_cases[at], result->elements),
                      result->is.seconds.median);
}

double vector_memcpy_rate(const vector_report *r, int32_t at)
{
    const vector_result *const result = &r->result[at];
    return bench_rate(2 * result->elements * vector_elem_bytes(&vector_cases[at]),
                      result->memcpy_seconds);
}

double vector_speedup(const vector_report *r, int32_t at)
{
    const int32_t base = at - vector_cases[at].over;
    return base == at ? 0 : bench_over(vector_rate(r, at), vector_rate(r, base));
}

double vector_claimed_speedup(int32_t at)
{
    const int32_t base = at - vector_cases[at].over;
    if (base == at) return 0;
    return bench_over(vector_cases[at].claimed_gb_s, vector_cases[base].claimed_gb_s);
}

int vector_any(const vector_report *r)
{
    for (int32_t i = 0; i < vector_case_count; ++i)
        if (r->result[i].is.status != BENCH_NOT_RUN) return 1;
    return 0;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* A number in this many columns, or `-`. */
static void put_number(FILE *stream, int columns, int digits, double x)
{
    if (x > 0) fprintf(stream, " %*.*f", columns, digits, x);
    else fprintf(stream, " %*s", columns, "-");
}

static void put_rates(const vector_report *r, int32_t i, FILE *stream)
{
    const double rate = vector_rate(r, i);
    put_number(stream, 7, 0, vector_cases[i].claimed_gb_s);
    put_number(stream, 7, 2, vector_claimed_speedup(i));
    if (r->result[i].is.status == BENCH_IS_WRONG) fprintf(stream, " %7s", "wrong");
    else put_number(stream, 7, rate < 10 ? 2 : 0, rate);
    put_number(stream, 7, 2, vector_speedup(r, i));
    put_number(stream, 7, 3, bench_over(1e9 * rate, r->is.device.peak));
    put_number(stream, 7, 3, bench_over(rate, vector_memcpy_rate(r, i)));
    fputc('\n', stream);
}

static void put_counts(const vector_report *r, int32_t i, FILE *stream)
{
    const vector_result *const result = &r->result[i];
    const double least = (double)vector_moved_bytes(&vector_cases[i], result->elements) / 32;
    if (result->is.status != BENCH_IS_RIGHT) fprintf(stream, " %12s\n", "wrong");
    else
        fprintf(stream, " %12" PRId64 " %9" PRId64 " %9" PRId64 " %7.2f\n", result->is.instructions,
                result->is.requests, result->is.sectors,
                bench_over((double)result->is.sectors, least));
}

static void put_group(const vector_report *r, const vector_group *g, FILE *stream)
{
    int64_t elements = 0;
    for (int32_t i = 0; i < vector_case_count; ++i) {
        const vector_case *const c = &vector_cases[i];
        const vector_result *const result = &r->result[i];
        char bytes[BENCH_SIZE_TEXT], size[64] = "";
        if (strcmp(c->group, g->name) != 0 || result->is.status == BENCH_NOT_RUN) continue;
        bench_size_text(bytes, result->elements * vector_elem_bytes(c));
        if (elements == 0 && g->row)
            fprintf(stream, "\n%s, %" PRId64 " rows of %d\n", g->title, result->elements / g->row,
                    g->row);
        else if (elements == 0) fprintf(stream, "\n%s\n", g->title);
        elements = result->elements;
        snprintf(size, sizeof size, "%s", bytes);
        fprintf(stream, "  %-30s %-18s %8s", c->kernel, c->about, size);
        if (r->is.on_gpu) put_rates(r, i, stream);
        else put_counts(r, i, stream);
    }
}

/* ---- what is said below ---------------------------------------------------------------------- */

/* What the claimed times would mean: that they fit the claimed rates, or not. */
static void put_claims(const vector_report *r, FILE *stream)
{
    for (int32_t i = 0; i < vector_case_count; ++i) {
        const vector_case *const c = &vector_cases[i];
        if (r->result[i].is.status == BENCH_NOT_RUN || c->claimed_us <= 0) continue;
        const int64_t elements = vector_group_of(c)->elements;
        const double moved = (double)vector_moved_bytes(c, elements);
        char text[400];
        snprintf(text, sizeof text,
                 "%s: beside %.0f GB/s, %.0f us were claimed for %" PRId64
                 "M elements: those %.0f MB in that time are %.0f GB/s: one of the two is wrong.",
                 c->kernel, c->claimed_gb_s, c->claimed_us, elements >> 20, 1e-6 * moved,
                 1e-3 * moved / c->claimed_us);
        bench_print_wrapped(stream, text);
    }
}

/* The same of the claimed share of the peak, which is of another A100 than the text speaks of. */
static void put_share(const vector_report *r, FILE *stream)
{
    /* GB/s of the PCIe card and of the SXM one. Source: NVIDIA, A100 80 GB data sheet. */
    enum { SHARE_OF = 1935, PEAK = 2039 };
    char text[300];
    for (int32_t i = 0; i < vector_case_count; ++i) {
        const vector_case *const c = &vector_cases[i];
        if (c->what != VECTOR_COPY || c->access != 16 || r->result[i].is.status == BENCH_NOT_RUN)
            continue;
        snprintf(text, sizeof text,
                 "%s: the %.0f GB/s were claimed to be %.1f %% of the peak, which is of %d GB/s; "
                 "of the %d GB/s of the A100 that was named they are %.1f %%.",
                 c->kernel, c->claimed_gb_s, 100 * c->claimed_gb_s / SHARE_OF, SHARE_OF, PEAK,
                 100 * c->claimed_gb_s / PEAK);
        bench_print_wrapped(stream, text);
    }
}

static int ran(const vector_report *r, const char *group)
{
    for (int32_t i = 0; i < vector_case_count; ++i)
        if (strcmp(vector_cases[i].group, group) == 0 && r->result[i].is.status != BENCH_NOT_RUN)
            return 1;
    return 0;
}

static void put_gpu_notes(const vector_report *r, FILE *stream)
{
    char text[1024];
    int32_t sets = 1;
    for (int32_t i = 0; i < vector_case_count; ++i)
        if (r->result[i].sets > sets) sets = r->result[i].sets;
    snprintf(text, sizeof text,
             "GB/s: bytes that have to be read and written (layer norm: each element once), by the "
             "median of %d runs; x: how many times as fast as the first of the part of the same "
             "type. claimed, cl. x: both as they were claimed for an A100. /peak: of the memory's "
             "clock and bus%s. /memcpy: of the rate of the driver's device-to-device memcpy of the "
             "same array%s, timed in turn.",
             r->is.runs, r->is.device.peak > 0 ? "" : ", which the driver does not tell",
             r->shift > 0 ? " from an aligned address" : "");
    bench_print_wrapped(stream, text);
    if (sets > 1)
        bench_print_wrapped(
            stream, "Small arrays come in several sets that are used in turn, four times as large "
                    "as L2 together (at most 64 sets), so that memory is measured.");
    bench_print_wrapped(stream, "Before it was timed each kernel was compared with a reference in "
                                "double on the host: over an odd number of elements at odd "
                                "addresses, and over every element of the arrays that are timed. "
                                "Copies, ReLU and the sums (of multiples of 1/16, which floats add "
                                "exactly) have to be exact.");
    vector_tolerance(&vector_cases[5], text, sizeof text);
    char norm[64], half[64], all[320];
    for (int32_t i = 0; i < vector_case_count; ++i)
        if (vector_cases[i].what == VECTOR_NORM)
            vector_tolerance(&vector_cases[i], vector_cases[i].type == VECTOR_HALF ? half : norm,
                             64);
    snprintf(all, sizeof all, "GELU %.60s, layer norm %s, of halves %s.", text, norm, half);
    bench_print_wrapped(stream, all);
    put_share(r, stream);
    put_claims(r, stream);
    if (ran(r, "read"))
        bench_print_wrapped(stream,
                            "read_float: each block reads one piece of 64 KiB, all of its loads "
                            "in flight at once, and writes its sum: how fast memory is read at "
                            "all, with which to compare the sums.");
    if (ran(r, "layer-norm"))
        bench_print_wrapped(
            stream, "Layer norm of 512 rows reads and writes 17 MB, which the 40 MB L2 of an A100 "
                    "holds: what was claimed need not be a rate of memory.");
    if (r->cub[0]) {
        snprintf(text, sizeof text, "cub_sum: that of CUB %s.", r->cub);
        bench_print_wrapped(stream, text);
    }
    if (r->is.left_out[0]) bench_print_wrapped(stream, r->is.left_out);
}

void vector_print(const vector_report *r, FILE *stream)
{
    char text[512], shift[128] = "";
    bench_device_words(&r->is.device, text, sizeof text);
    if (r->shift > 0)
        snprintf(shift, sizeof shift,
                 ", sources of copies, ReLU and GELU %d bytes past an aligned address", r->shift);
    if (r->is.on_gpu) {
        char head[768];
        snprintf(head, sizeof head, "Kernels by width of access, on %s%s", text, shift);
        bench_print_wrapped(stream, head);
        fputc('\n', stream);
        fprintf(stream, "  %-30s %-18s %8s %7s %7s %7s %7s %7s %7s\n", "kernel", "access", "array",
                "claimed", "cl. x", "GB/s", "x", "/peak", "/memcpy");
    } else {
        snprintf(text, sizeof text,
                 "Kernels by width of access on the CPU grid: what they ask of memory, not how "
                 "fast they are%s.",
                 shift);
        bench_print_wrapped(stream, text);
        fputc('\n', stream);
        fprintf(stream, "  %-30s %-18s %8s %12s %9s %9s %7s\n", "kernel", "access", "array",
                "instructions", "requests", "sectors", "/least");
    }
    for (int32_t g = 0; g < vector_group_count; ++g) put_group(r, &vector_groups[g], stream);
    fputc('\n', stream);
    if (r->is.on_gpu) put_gpu_notes(r, stream);
    else
        bench_print_wrapped(
            stream,
            "instructions: loads and stores of a warp of 32 threads; requests: what they ask of "
            "the memory system; sectors: of 32 bytes, read and written; /least: over the fewest "
            "that hold the array and its result. Each kernel was compared with a reference in "
            "double, also over an odd number of elements at odd addresses.");
    if (r->is.reason[0]) fprintf(stream, "%s\n", r->is.reason);
}
