/* Sparse products by PTX on the CPU grid: every mma.sp of mma.sync, and every wgmma.mma_async.sp of a few widths,
 * with each selector; and metadata that is wrong. */
#include <stdarg.h>

#include "ptx_text.h"

#include "all_cases.h"
#include "mma_sparse_cases.h"
#include "mma_sparse_names.h"
#include "wgmma_sparse_cases.h"

/* A text that grows. */
static struct {
    char text[1 << 16];
    size_t length;
} ptx;

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(ptx.text + ptx.length, sizeof ptx.text - ptx.length, format, args);
    va_end(args);
    ptx.length += (size_t)n;
    assert_true(ptx.length < sizeof ptx.text);
}

/* {%a0, %a1, ..} */
static void put_vector(char name, int count)
{
    for (int i = 0; i < count; ++i) put("%s%%%c%d", i ? ", " : "{", name, i);
    put("}");
}

/* Loads or stores a thread's words, of `each` words of memory; %d8 is its number in the grid. */
static void put_words_of(const char *verb, char name, const char *pointer, int count, int each)
{
    put("mad.lo.u64 %%d9, %%d8, %d, %s;\n", 4 * each, pointer);
    for (int i = 0; i < count; ++i)
        if (verb[0] == 'l') put("ld.global.u32 %%%c%d, [%%d9+%d];\n", name, i, 4 * i);
        else put("st.global.u32 [%%d9+%d], %%%c%d;\n", 4 * i, name, i);
}

static void launch(const char *name, int blocks, int threads, size_t shared, const void *args,
                   size_t args_bytes, const ct_grid_buffer *buffers, int count)
{
    char message[CT_MESSAGE_BYTES];
    const ct_grid_options options = {.buffers = buffers, .buffer_count = count, .no_records = 1};
    ct_ptx *const module = ct_ptx_load(ptx.text, message);
    if (!module) fail_msg("%s: %s", name, message);
    if (ct_grid_launch(ct_ptx_kernel(module, "k"), (ct_dim3){(uint32_t)blocks, 1, 1},
                       (ct_dim3){(uint32_t)threads, 1, 1}, shared, args, args_bytes, &options,
                       &report))
        fail_msg("%s: %s", name, report.message);
    ct_grid_report_free(&report);
    ct_ptx_free(module);
}

/* ---- mma.sync ---------------------------------------------------------------------------------- */

#define ROW(name, words, cs, selectors, types) {#name, words, cs, selectors, types},
static const struct sync_row {
    const char *name;
    int words, cs, selectors;
    const char *types;
} sync_rows[] = {MMA_SPARSE_NAMES(ROW)};
#undef ROW

static void put_sync(const struct sync_row *row, int selector, const char *form)
{
    ptx.length = 0;
    put(HEAD
        ".visible .entry k(.param .align 8 .b8 args[48]) {\n"
        ".reg .b32 %%a<4>, %%b<4>, %%c<4>, %%e<1>, %%f<4>, %%r<4>; .reg .b64 %%d<10>;\n"
        "ld.param.v2.u64 {%%d1, %%d2}, [args]; ld.param.v2.u64 {%%d3, %%d4}, [args+16]; ld.param.u64 %%d5, [args+32];\n"
        "mov.u32 %%r1, %%ctaid.x; mov.u32 %%r2, %%tid.x; mad.lo.u32 %%r1, %%r1, 32, %%r2; cvt.u64.u32 %%d8, %%r1;\n");
    put_words_of("ld", 'a', "%d1", row->words, MMA_WORDS);
    put_words_of("ld", 'b', "%d2", row->words, MMA_WORDS);
    put_words_of("ld", 'c', "%d3", row->cs, MMA_WORDS);
    put_words_of("ld", 'e', "%d4", 1, 1);
    put("mma.sp%s.sync.aligned.%s ", form, row->types);
    put_vector('f', row->cs);
    put(", ");
    put_vector('a', row->words);
    put(", ");
    put_vector('b', row->words);
    put(", ");
    put_vector('c', row->cs);
    put(", %%e0, %d;\n", selector);
    put_words_of("st", 'f', "%d5", row->cs, MMA_WORDS);
    put("}\n");
}

static void sync_launch(const char *name, int warps, const mma_sparse_args *args)
{
    const size_t bytes = (size_t)warps * 32 * MMA_WORDS * 4;
    const ct_grid_buffer buffers[] = {
        {"a", (void *)(uintptr_t)args->a, bytes, 0, 0},
        {"b", (void *)(uintptr_t)args->b, bytes, 0, 0},
        {"c", (void *)(uintptr_t)args->c, bytes, 0, 0},
        {"d", args->d, bytes, 1, 0},
        {"e", (void *)(uintptr_t)args->e, (size_t)warps * 32 * 4, 0, 0}};
    launch(name, warps, 32, 0, args, sizeof *args, buffers, 5);
}

TEST(test_sync)
{
    for (size_t i = 0; i < sizeof sync_rows / sizeof *sync_rows; ++i)
        for (int selector = 0; selector < sync_rows[i].selectors; ++selector) {
            put_sync(&sync_rows[i], selector, selector % 2 ? "" : "::ordered_metadata");
            mma_sparse_check(sync_rows[i].name, selector, all_cases() ? 7 : 211, sync_launch);
        }
}

/* ---- wgmma ------------------------------------------------------------------------------------- */

/* The instruction of a name as PTX writes it, and the words of D. */
#define ROW(kind, name, words, selectors, types, after, A_MAJOR, B_MAJOR)                          \
    {#kind, words, types, after},
static const struct group_row {
    const char *kind;
    int words;
    const char *types, *after;
} group_rows[] = {WGMMA_SP_NAMES(ROW)};
#undef ROW
static const struct group_row *group_row;

static void put_group(const struct group_row *row, int selector)
{
    const int is_rs = row->kind[0] == 'R';
    ptx.length = 0;
    put(HEAD
        ".extern .shared .align 1024 .b8 memory[];\n"
        ".visible .entry k(.param .align 8 .b8 args[72]) {\n"
        ".reg .b32 %%a<4>, %%f<128>, %%e<1>, %%r<8>; .reg .b64 %%d<24>, %%m<2>; .reg .pred %%p<4>;\n"
        "ld.param.u64 %%d1, [args]; ld.param.u64 %%d2, [args+8]; ld.param.u64 %%d3, [args+16]; ld.param.u64 %%d4, [args+24];\n"
        "ld.param.u64 %%d5, [args+32]; ld.param.u64 %%d6, [args+40]; ld.param.u64 %%d7, [args+48]; ld.param.u64 %%d10, [args+56];\n"
        "mov.u32 %%r1, %%ctaid.x; mov.u32 %%r2, %%tid.x; mad.lo.u32 %%r3, %%r1, 128, %%r2; cvt.u64.u32 %%d8, %%r3;\n");
    /* shared memory: A, and B behind it */
    for (int operand = 0; operand < 2; ++operand) {
        const int bytes = operand ? WGMMA_B_BYTES : WGMMA_A_BYTES;
        put("mad.wide.u32 %%d11, %%r1, %d, %%d%d; mul.lo.u32 %%r4, %%r2, 16; mov.u32 %%r6, memory;\n",
            bytes, operand + 1);
        put("L%d: cvt.u64.u32 %%d12, %%r4; add.u64 %%d12, %%d12, %%d11; ld.global.v2.u64 {%%d13, %%d14}, [%%d12];\n",
            operand);
        put("add.u32 %%r7, %%r6, %%r4; st.shared.v2.u64 [%%r7+%d], {%%d13, %%d14};\n",
            operand ? WGMMA_A_BYTES : 0);
        put("add.u32 %%r4, %%r4, 2048; setp.lt.u32 %%p1, %%r4, %d; @%%p1 bra L%d;\n", bytes,
            operand);
    }
    put("fence.proxy.async.shared::cta; bar.sync 0;\n");
    put("mad.wide.u32 %%d11, %%r1, 16, %%d3; ld.global.v2.u64 {%%m0, %%m1}, [%%d11];\n"
        "shr.u32 %%r6, %%r6, 4; cvt.u64.u32 %%d12, %%r6; add.u64 %%m0, %%m0, %%d12; add.u64 %%m1, %%m1, %%d12;\n");
    put_words_of("ld", 'a', "%d4", WGMMA_A_WORDS, WGMMA_A_WORDS);
    put_words_of("ld", 'f', "%d5", row->words, WGMMA_D_WORDS);
    put_words_of("ld", 'e', "%d10", 1, 1);
    put("mad.wide.u32 %%d11, %%r1, 4, %%d7; ld.global.u32 %%r5, [%%d11]; setp.ne.u32 %%p2, %%r5, 0;\n");
    put("wgmma.fence.sync.aligned;\nwgmma.mma_async.sp.sync.aligned.%s ", row->types);
    put_vector('f', row->words);
    put(", ");
    if (is_rs) put_vector('a', 4);
    else put("%%m0");
    put(", %%m1, %%e0, %d, %%p2%s;\n", selector, row->after);
    put("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n");
    put_words_of("st", 'f', "%d6", row->words, WGMMA_D_WORDS);
    put("}\n");
}

static void group_launch(const char *name, int selector, int count)
{
    const ct_grid_buffer buffers[] = {
        {"a", host.a, sizeof host.a, 0, 0},
        {"b", host.b, sizeof host.b, 0, 0},
        {"descriptors", host.descriptors, sizeof host.descriptors, 0, 0},
        {"a_words", host.a_words, sizeof host.a_words, 0, 0},
        {"c", host.c, sizeof host.c, 0, 0},
        {"d", host.d, sizeof host.d, 1, 0},
        {"scale_d", host.scale_d, sizeof host.scale_d, 0, 0},
        {"e", sparse_words, sizeof sparse_words, 0, 0}};
    const void *const args[9] = {host.a, host.b, host.descriptors, host.a_words,
                                 host.c, host.d, host.scale_d,     sparse_words};
    put_group(group_row, selector);
    launch(name, count, THREADS, WGMMA_A_BYTES + WGMMA_B_BYTES, args, sizeof args, buffers, 8);
}

TEST(test_group)
{
    for (int i = 0; i < WGMMA_SPARSE_EVERY; i += all_cases() ? 1 : 9)
        for (int selector = 0; selector < wgmma_sparse_every[i].selectors; ++selector) {
            group_row = &group_rows[i];
            check_sparse(&wgmma_sparse_every[i], selector, group_launch);
        }
}

/* ---- metadata ---------------------------------------------------------------------------------- */

#define PRODUCT(form, types, a, b, metadata)                                                       \
    KERNEL("mov.b32 %r4, 0; mma.sp" form ".sync.aligned." types ".f32 {%r1, %r5, %r6, %r7}, " a    \
           ", " b ", {%r4, %r4, %r4, %r4}, " metadata ";\n")
#define FOUR "{%r4, %r4, %r4, %r4}"
#define HALVES(form, metadata) PRODUCT(form, "m16n8k32.row.col.f32.f16.f16", FOUR, FOUR, metadata)
#define NUMBERS(row, chunk, low, high)                                                             \
    "the metadata of row " row " of A has the numbers " low " and " high " for chunk " chunk

TEST(test_metadata)
{
    static const struct {
        const char *text;
        int status;
        const char *message;
    } rows[] = {
        {HALVES("", "0x44444444, 0"), CT_GRID_OK, ""},
        {HALVES("", "0x11111111, 1"), CT_GRID_OK, ""}, /* 1 and 0 */
        {HALVES("::ordered_metadata", "0x44444441, 0"), CT_GRID_E_ATOM,
         NUMBERS("0", "0", "1", "0")},
        {HALVES("", "0x44a44444, 0"), CT_GRID_E_ATOM, NUMBERS("8", "1", "2", "2")},
        {HALVES("", "0x44444444, 2"), CT_GRID_E_ATOM, "selector 2 of the metadata; it is 0 to 1"},
        {PRODUCT("", "m16n8k16.row.col.f32.tf32.tf32", FOUR, FOUR, "0xe4e4e4e4, 0"), CT_GRID_OK,
         ""},
        {PRODUCT("", "m16n8k16.row.col.f32.tf32.tf32", FOUR, FOUR, "0xe4e484e4, 0"), CT_GRID_E_ATOM,
         NUMBERS("0", "3", "0", "2")},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const int status = run_text(rows[i].text, 1, 32);
        if (status != rows[i].status || !strstr(report.message, rows[i].message))
            fail_msg("row %zu: %d: %s", i, status, report.message);
    }
}

GROUP("ptx sparse", setup, teardown)
