/**
 * What is asked of the kernels in device_laws.cu, wherever they run: the program that includes this
 * defines the five functions below for the CPU grid or for a GPU.
 */
#ifndef CUTLET_TESTS_DEVICE_CHECKS_H
#define CUTLET_TESTS_DEVICE_CHECKS_H

#include "test.h"

#include "device_args.h"
#include "read.h"
#include "rows_read.h"

static inline void *device_take(size_t bytes);
static inline void device_give(void *memory);
static inline void device_put(void *dst, const void *src, size_t bytes);
static inline void device_get(void *dst, const void *src, size_t bytes);

/** Runs a kernel of device_laws.cu: x times y blocks; out is what it writes. */
static void device_run(const char *kernel, uint32_t x, uint32_t y, const void *args,
                       size_t args_bytes, void *out, size_t out_bytes);

static uint32_t blocks_for(int32_t threads)
{
    return (uint32_t)(threads + DEVICE_THREADS - 1) / DEVICE_THREADS;
}

/* Memory of the device that holds nothing but poison. */
static void *poisoned(size_t bytes)
{
    void *const host = malloc(bytes), *const device = device_take(bytes);
    assert_non_null(host);
    memset(host, DEVICE_POISON, bytes);
    device_put(device, host, bytes);
    free(host);
    return device;
}

/* ---- laws ------------------------------------------------------------------------------------ */

#define LAW_CASE_TEXT(name, call) #name,
static const char *const law_names[] = {LAW_CASES(LAW_CASE_TEXT)};

static void show_operands(const law_operands *o)
{
    print_error("    any %s\n    up %s\n    tile %s\n    small_a %s\n    small_b %s\n",
                show(o->any), show(o->up), show(o->tile), show(o->small_a), show(o->small_b));
    print_error("    other %s\n    identity %s\n    basis %s\n    coord %s\n    profile %s\n",
                show(o->other), show(o->identity), show(o->basis), show_tuple(o->coord),
                show_tuple(o->profile));
    print_error("    shape %s order %s\n    tiler %s\n    tv %s\n    n %lld factor %lld elem %lld "
                "most %lld\n",
                show_tuple(o->shape), show_tuple(o->order), show(o->tiler.tiles), show(o->copy.tv),
                (long long)o->n, (long long)o->factor, (long long)o->elem, (long long)o->most);
}

/* The outcomes of the first `laws` laws; the caller frees them. */
static law_outcome *run_laws(uint64_t seed, int32_t laws, int32_t cases, int32_t fault)
{
    const size_t bytes = (size_t)laws * (size_t)cases * sizeof(law_outcome);
    law_outcome *const out = malloc(bytes), *const device = poisoned(bytes);
    assert_non_null(out);
    const law_args args = {seed, device, cases, fault};
    device_run("ct_test_laws", blocks_for(cases), (uint32_t)laws, &args, sizeof args, device,
               bytes);
    device_get(out, device, bytes);
    device_give(device);
    return out;
}

/* Of the operands of the cases, this many give results and not refusals. */
static void check_operands(uint64_t seed)
{
    enum { CASES_LOOKED_AT = 400 };
    int composed = 0, divided = 0, multiplied = 0, copied = 0;
    for (int32_t number = 0; number < CASES_LOOKED_AT; ++number) {
        law_operands o;
        memset(&o, 0, sizeof o);
        law_operands_of(seed, (uint64_t)number, &o);
        composed += ct_composition(o.up, o.tile).err.status == CT_OK;
        divided += ct_logical_divide(o.up, o.tile).err.status == CT_OK;
        multiplied += ct_logical_product(o.small_a, o.small_b).err.status == CT_OK;
        copied += o.copy.atom.err.status == CT_OK;
    }
    assert_in_range(composed, CASES_LOOKED_AT / 4, CASES_LOOKED_AT - CASES_LOOKED_AT / 20);
    assert_in_range(divided, CASES_LOOKED_AT / 10, CASES_LOOKED_AT - CASES_LOOKED_AT / 20);
    assert_in_range(multiplied, CASES_LOOKED_AT / 10, CASES_LOOKED_AT - CASES_LOOKED_AT / 20);
    assert_in_range(copied, CASES_LOOKED_AT / 10, CASES_LOOKED_AT - CASES_LOOKED_AT / 20);
}

/* Every law holds for every case, and the operands were those that the host draws. */
static void check_laws(uint64_t seed, int32_t cases)
{
    int64_t bad = 0;
    law_outcome *const out = run_laws(seed, LAW_CASE_COUNT, cases, 0);
    for (int32_t number = 0; number < cases; ++number) {
        law_operands o;
        memset(&o, 0, sizeof o);
        law_operands_of(seed, (uint64_t)number, &o);
        for (int32_t law = 0; law < LAW_CASE_COUNT; ++law) {
            const law_outcome *const r = &out[(int64_t)law * cases + number];
            if (r->verdict == DEVICE_HOLDS && r->print == law_operands_print(&o)) continue;
            if (++bad > 10) continue;
            const char *const here = law_of_case(law, &o);
            print_error("law %s, seed %llu, case %d: %s\n", law_names[law],
                        (unsigned long long)seed, number,
                        r->verdict == DEVICE_BROKEN  ? "broken"
                        : r->verdict == DEVICE_HOLDS ? "drew other operands"
                                                     : "did not run");
            print_error("    on the host: %s\n", here ? here : "it holds");
            show_operands(&o);
        }
    }
    free(out);
    if (bad) fail_msg("%lld outcomes of %d are wrong", (long long)bad, cases * LAW_CASE_COUNT);
    check_operands(seed);
}

/* A wrong coalesce is found, in the cases in which the host finds it. */
static void check_law_fault(uint64_t seed, int32_t cases)
{
    int32_t found = 0;
    law_outcome *const out = run_laws(seed, LAW_CASE_coalesce + 1, cases, 1);
    law_fault = 1;
    for (int32_t number = 0; number < cases; ++number) {
        law_operands o;
        memset(&o, 0, sizeof o);
        law_operands_of(seed, (uint64_t)number, &o);
        const uint64_t want = law_of_case(LAW_CASE_coalesce, &o) ? DEVICE_BROKEN : DEVICE_HOLDS;
        if (out[LAW_CASE_coalesce * cases + number].verdict != want) found = -cases;
        found += want == DEVICE_BROKEN;
    }
    law_fault = 0;
    free(out);
    assert_in_range(found, cases / 4, cases);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* How many rows do not hold. Says which, where text is that of the file; and puts their lines, as
 * many as there is room for, into lines. */
static int32_t run_rows(const row_table *t, const char *text, int32_t *lines, int32_t capacity)
{
    const size_t rows = (size_t)t->row_count * sizeof *t->rows;
    const size_t pool = (size_t)t->value_count * sizeof *t->pool;
    const size_t bytes = (size_t)t->row_count * sizeof(uint32_t);
    int32_t bad = 0;
    uint32_t *const out = malloc(bytes), *const device = poisoned(bytes);
    assert_non_null(out);
    const row_args args = {device_take(rows), device_take(pool), device, t->row_count};
    device_put((void *)args.rows, t->rows, rows);
    device_put((void *)args.pool, t->pool, pool);
    device_run("ct_test_rows", blocks_for(t->row_count), 1, &args, sizeof args, device, bytes);
    device_get(out, device, bytes);
    for (int32_t r = 0; r < t->row_count; ++r) {
        if (out[r] == DEVICE_HOLDS) continue;
        const int32_t line = t->rows[r].line;
        if (bad < capacity) lines[bad] = line;
        ++bad;
        if (!text || bad > 10) continue;
        const char *at = text;
        for (int32_t n = 1; n < line; ++n) at += strcspn(at, "\n") + 1;
        print_error("%s:%d: %.*s: %s\n", t->name, line, (int)strcspn(at, "\n"), at,
                    out[r] == DEVICE_BROKEN ? "another result" : "did not run");
    }
    device_give((void *)args.rows);
    device_give((void *)args.pool);
    device_give(device);
    free(out);
    return bad;
}

static char *text_of_file(const char *name)
{
    const char *const source = getenv("CUTLET_SOURCE");
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/%s", source && *source ? source : ".", name);
    FILE *const f = fopen(path, "rb");
    if (!f) fail_msg("%s cannot be opened (CUTLET_SOURCE is the folder of the sources)", path);
    fseek(f, 0, SEEK_END);
    const long bytes = ftell(f);
    char *const text = calloc(1, (size_t)bytes + 1);
    assert_non_null(text);
    rewind(f);
    assert_int_equal(fread(text, 1, (size_t)bytes, f), bytes);
    fclose(f);
    return text;
}

/* All rows of a file hold; at least this many of them are records, and at most this many are not. */
static void check_rows(const char *name, int32_t at_least, int32_t without)
{
    char *const text = text_of_file(name);
    row_table t = rows_of_text(name, text);
    print_message("%s: %d rows, %d others%s%s\n", name, t.row_count, t.without,
                  t.without ? ": " : "", t.missing);
    assert_true(t.row_count >= at_least && t.without <= without);
    const int32_t bad = run_rows(&t, text, NULL, 0);
    rows_free(&t);
    free(text);
    if (bad) fail_msg("%s: %d rows do not hold", name, bad);
}

/* Rows that say something wrong are found, those and no others. */
static void check_row_faults(void)
{
    static const char text[] = "coalesce((2,4):(1,2)) == 8:1\n"
                               "coalesce((2,4):(1,2)) == 8:2\n"
                               "composition((6,2):(8,2), (4,3):(3,1)) == ((2,2),3):((24,2),8)\n"
                               "composition((6,2):(8,2), (4,3):(3,1)) == error\n"
                               "complement((2,2):(2,6), 24) == error\n"
                               "complement((2,2):(2,6), 24) == 6:1 # an error, in fact\n"
                               "logical_divide((4,6):(1,4), 2:2) == (2,(2,6)):(2,(1,5))\n"
                               "size((4,8)) == 33\n"
                               "max_common_vector((4,4,8):(1,32,4096), (4,4,8):(1,32,4096)) == 2\n"
                               "local_partition((8,8):(1,8), (2,2):(1,2), 1) == 2@(4,4):(2,16)\n";
    static const int32_t wrong[] = {2, 4, 6, 7, 8, 9, 10};
    int32_t lines[16] = {0};
    row_table t = rows_of_text("planted", text);
    assert_int_equal(t.row_count, 10);
    const int32_t bad = run_rows(&t, NULL, lines, 16);
    rows_free(&t);
    assert_int_equal(bad, sizeof wrong / sizeof *wrong);
    assert_memory_equal(lines, wrong, sizeof wrong);
}

/* ---- as tests -------------------------------------------------------------------------------- */

TEST(conformance_rows) { check_rows("conformance/cute.check", 5000, 0); }

TEST(edge_rows) { check_rows("algebra/edges.check", 160, 20); }

TEST(source_rows) { check_rows("algebra/sources.check", 30, 3); }

TEST(row_faults_are_found) { check_row_faults(); }

#endif
