/* The CPU grid: what cutlet's headers access is told of the kernel's line that called them, in
 * messages and in records. */
#include "test.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <cutlet/host/grid.h>

#include "grid_lines.cu"
#include "refused.cu"

enum { ROWS = 16, COLUMNS = 64, BYTES = 4 * ROWS * COLUMNS };

/* Two buffers, and as much between them that belongs to neither. */
static _Alignas(256) unsigned char memory[3 * BYTES];
static unsigned char *const src = memory, *const dst = memory + 2 * BYTES;
static ct_grid_report report;

/* One block on src and dst, tensors of rows that lie side by side. */
static int launch(const ct_grid_kernel *kernel, line_args args)
{
    const ct_grid_buffer buffers[] = {{"src", src, BYTES, 0, 0}, {"dst", dst, BYTES, 1, 0}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
    const ct_dim3 one = {1, 1, 1}, block = {(uint32_t)kernel->max_threads, 1, 1};
    memset(noted_lines, 0, sizeof noted_lines);
    ct_grid_report_free(&report);
    return ct_grid_launch(kernel, one, block, 0, &args, sizeof args, &options, &report);
}

static line_args args_of(int wrong)
{
    line_args args = {.wrong = wrong};
    args.src = ct_make_global(src, 32, ct_layout2(ROWS, COLUMNS, COLUMNS, 1));
    args.dst = ct_make_global(dst, 32, ct_layout2(ROWS, COLUMNS, COLUMNS, 1));
    return args;
}

/* The same with the tensors moved by this many bytes, to where the buffers are not, or not aligned. */
static line_args moved(int wrong, int64_t src_bytes, int64_t dst_bytes)
{
    line_args args = args_of(wrong);
    args.src.at += src_bytes;
    args.dst.at += dst_bytes;
    return args;
}

static void pass(int status)
{
    if (status) fail_msg("%s", report.message);
}

/* Compares the message. In what is expected "#i" is the line that HERE(i) noted; the lines of
 * cutlet's headers read "N" in both, and must be there. */
static void expect(int status, int wanted, const char *message)
{
    char text[sizeof report.message], right[2 * sizeof report.message];
    const char *from = report.message;
    size_t n = 0;
    while (*from) {
        text[n++] = *from;
        if (*from++ != ':' || n < 3 || memcmp(text + n - 3, ".h:", 3) != 0) continue;
        if (strncmp(text + n - strlen("grid_lines.h:"), "grid_lines.h:", 13) == 0) continue;
        assert_true(isdigit((unsigned char)*from) && *from != '0');
        while (isdigit((unsigned char)*from)) ++from;
        text[n++] = 'N';
    }
    text[n] = 0;
    n = 0;
    for (const char *at = message; *at; ++at) {
        if (*at != '#') {
            right[n++] = *at;
            continue;
        }
        const int32_t line = noted_lines[*++at - '0'];
        assert_int_not_equal(line, 0);
        n += (size_t)snprintf(right + n, sizeof right - n, "%d", (int)line);
    }
    right[n] = 0;
    assert_string_equal(text, right);
    assert_int_equal(status, wanted);
}

#define THREAD(kernel, t) "kernel " kernel ", block (0,0,0), thread (" t ",0,0): "
#define IN(i, function, header) "at grid_lines.cu:#" #i " (in " function ", " header ":N)"

/* The kernels as they should be. */
TEST(test_right)
{
    pass(launch(&gl_copy, args_of(0)));
    assert_memory_equal(src, dst, BYTES);
    memset(dst, 0, BYTES);
    pass(launch(&gl_async, args_of(0)));
    assert_memory_equal(src, dst, BYTES);
    pass(launch(&gl_sums, args_of(0)));
    pass(launch(&gl_pipe, args_of(0)));
}

#define PAST_SRC ": bytes 4096 to 4111 of src, which has 4096 bytes"

/* The tensor says that it is larger than the buffer, or lies where it does not. */
TEST(test_wrong_tensors)
{
    expect(launch(&gl_copy, moved(0, 16, 0)), CT_GRID_E_BOUNDS,
           THREAD("gl_copy", "127") "128-bit load from global memory " IN(0, "ct_copy", "access.h")
               PAST_SRC);
    expect(launch(&gl_async, moved(0, 16, 0)), CT_GRID_E_BOUNDS,
           THREAD("gl_async", "127") "128-bit cp.async.cg from global memory " IN(
               0, "ct_copy", "copy.h") PAST_SRC);
    expect(launch(&gl_copy, moved(0, 4, 0)), CT_GRID_E_MISALIGNED,
           THREAD("gl_copy", "0") "128-bit load from global memory " IN(
               0, "ct_copy", "access.h") ": misaligned: offset 4 of src is not a multiple of "
                                         "16");
    expect(launch(&gl_async, moved(0, 4, 0)), CT_GRID_E_MISALIGNED,
           THREAD("gl_async", "0") "128-bit cp.async.cg from global memory " IN(
               0, "ct_copy", "copy.h") ": misaligned: offset 4 of src is not a multiple of 16");
    expect(launch(&gl_copy, moved(0, 0, 8)), CT_GRID_E_MISALIGNED,
           THREAD("gl_copy", "0") "128-bit store to global memory " IN(
               1, "ct_copy", "access.h") ": misaligned: offset 8 of dst is not a multiple of "
                                         "16");
    line_args args = moved(0, 0, -4 * COLUMNS);
    args.dst.extent[0] = ROWS - 1;
    expect(launch(&gl_copy, args), CT_GRID_E_BOUNDS,
           THREAD("gl_copy", "0") "128-bit store to global memory " IN(
               1, "ct_copy", "access.h") ": bytes -256 to -241 of dst, which has 4096 bytes");
}

/* The launch with another tensor as the source. */
static int with_source(ct_global g)
{
    line_args args = args_of(0);
    args.src = g;
    return launch(&gl_copy, args);
}

#define TILE(thread)                                                                               \
    THREAD("gl_copy", thread) "tile of a tensor " IN(2, "ct_view_tile", "tile.h") ": "

/* The partition cannot take tiles of the tensor: of other elements, of too few axes, a failed one. */
TEST(test_unfit_tensors)
{
    const ct_layout rows = ct_layout2(ROWS, COLUMNS, COLUMNS, 1);
    expect(with_source(ct_make_global(src, 16, rows)), CT_GRID_E_CONSTANT,
           TILE("0") "tensor: the tensor has elements of 16 bits, and the partition of 32 bits");
    expect(with_source(ct_make_global(src, 32, ct_layout1(ROWS * COLUMNS, 1))), CT_GRID_E_CONSTANT,
           TILE("0") "tensor: rank 2 is needed, and the operand has rank 1");
    expect(with_source(ct_make_global(
               src, 32,
               ct_make_layout2(ct_layout2(8, 2, COLUMNS, 8 * COLUMNS), ct_layout1(COLUMNS, 1)))),
           CT_GRID_E_CONSTANT,
           TILE("0") "tensor: axis 1 begins a mode of the tensor or of the tile, but not "
                     "of both; nest the tile as the tensor is");
    expect(with_source(ct_make_global(src + 2, 32, rows)), CT_GRID_E_CONSTANT,
           TILE("0") "tensor: an address is 2 past a multiple of 4, the bytes of an element");
}

/* The host's check says the same; and that a destination repeats elements, a source may. */
TEST(test_check_tensor)
{
    const ct_tiled_copy copy =
        ct_make_tiled_copy(ct_copy_atom_auto(32), ct_layout2(4, 8, 8, 1), ct_layout2(1, 4, 0, 1));
    const ct_partition P =
        ct_make_partition(copy, ct_tuple2(8, 32), ct_in_global(1), ct_in_global(1));
    const ct_global good = ct_make_global(src, 32, ct_layout2(ROWS, COLUMNS, COLUMNS, 1));
    const ct_global half = ct_make_global(src, 16, ct_layout2(ROWS, COLUMNS, COLUMNS, 1));
    const ct_global row = ct_make_global(src, 32, ct_layout2(ROWS, COLUMNS, 0, 1));
    assert_int_equal(P.err.status, CT_OK);
    assert_int_equal(ct_check_tensor(&P, &P.src, &good).status, CT_OK);
    assert_int_equal(ct_check_tensor(&P, &P.dst, &good).status, CT_OK);
    assert_int_equal(ct_check_tensor(&P, &P.src, &half).why, CT_WHY_ELEM_BITS);
    assert_int_equal(ct_check_tensor(&P, &P.src, &row).status, CT_OK);
    assert_int_equal(ct_check_tensor(&P, &P.dst, &row).why, CT_WHY_REPEATS);
}

/* What a kernel forgot: a barrier, a wait. */
TEST(test_wrong_order)
{
    expect(launch(&gl_copy, args_of(1)), CT_GRID_E_UNWRITTEN,
           THREAD("gl_copy", "0") "128-bit load from shared memory " IN(
               1, "ct_copy", "access.h") ": byte 128 of memory is not written: never, or by a "
                                         "thread that no barrier puts before this one");
    expect(
        launch(&gl_copy, args_of(2)), CT_GRID_E_UNWRITTEN,
        THREAD("gl_copy",
               "0") "128-bit load from shared memory at grid_lines.h:#2 (in ct_copy, "
                    "access.h:N): byte 128 of memory is not written: never, or by a thread that no "
                    "barrier puts before this one");
    expect(launch(&gl_copy, args_of(4)), CT_GRID_E_RACE,
           THREAD("gl_copy", "8") "128-bit load from shared memory " IN(
               1, "ct_copy", "access.h") ": race: byte 2048 of memory was written by thread "
                                         "(0,0,0) with no barrier since");
    expect(
        launch(&gl_async, args_of(1)), CT_GRID_E_IN_FLIGHT,
        THREAD("gl_async", "0") "128-bit load from shared memory " IN(
            1, "ct_copy",
            "access.h") ": byte 0 of memory: the cp.async of thread (0,0,0) " IN(0, "ct_copy",
                                                                                 "copy.h") " was not waited for");
    expect(
        launch(&gl_async, args_of(2)), CT_GRID_E_IN_FLIGHT,
        THREAD("gl_async", "0") "128-bit load from shared memory " IN(
            1, "ct_copy",
            "access.h") ": byte 0 of memory: the cp.async of thread (0,0,0) " IN(0, "ct_copy",
                                                                                 "copy.h") " was not waited for");
}

/* The argument of a call makes an access of its own, in a function of the author's. */
TEST(test_nested)
{
    pass(launch(&gl_copy, args_of(3)));
    expect(launch(&gl_copy, moved(3, BYTES, 0)), CT_GRID_E_BOUNDS,
           THREAD("gl_copy", "0") "32-bit load from global memory at grid_lines.h:#2: "
                                  "bytes 4096 to 4099 of src, which has 4096 bytes");
    expect(launch(&gl_copy, moved(3, 16, 0)), CT_GRID_E_BOUNDS,
           THREAD("gl_copy", "127") "128-bit load from global memory " IN(0, "ct_copy", "access.h")
               PAST_SRC);
}

/* Threads that wait for each other in one line of a header, but not in one of the kernel. */
TEST(test_meetings)
{
    expect(launch(&gl_sums, args_of(1)), CT_GRID_E_DIVERGENCE,
           THREAD("gl_sums", "0") "divergence: waits for __syncthreads " IN(
               0, "ct_block_sum", "reduce.h") ", but not so thread (32,0,0), which waits for "
                                              "__syncthreads " IN(1, "ct_block_sum", "reduce.h"));
    expect(
        launch(&gl_sums, args_of(2)), CT_GRID_E_DIVERGENCE,
        THREAD("gl_sums", "16") "warp shuffle " IN(
            1, "ct_warp_sum",
            "reduce.h") ": divergence: thread (0,0,0) of the same warp waits " IN(0, "ct_warp_sum",
                                                                                  "reduce.h") " instead");
    expect(
        launch(&gl_pipe, args_of(1)), CT_GRID_E_DEADLOCK,
        THREAD("gl_pipe", "0") "deadlock: waits " IN(
            0, "ct_pipe_wait",
            "pipe.h") " for parity 0 of the mbarrier at byte 0 of bars, which has completed 0 phases; the "
                      "next lacks 1 of 1 arrivals and 0 bytes");
}

/* Every kind of atom, by way of a header in the folder where cutlet's are installed. */
TEST(test_atoms)
{
    enum { ATOMS = 40 };
    static _Alignas(64) unsigned char nowhere[256];
    for (int i = 1; i <= ATOMS; ++i) {
        char place[100];
        line_args args = args_of(i);
        args.src.at = nowhere;
        assert_int_not_equal(launch(&gl_atom, args), CT_GRID_OK);
        snprintf(place, sizeof place,
                 " at grid_lines.cu:%d (in planted_atom, planted.h:", (int)noted_lines[0]);
        if (!strstr(report.message, place)) fail_msg("atom %d: %s", i, report.message);
    }
}

typedef struct seen_row {
    int line; /* number of HERE */
    const char *function;
    int bits, instructions, lanes;
} seen_row;

/* A row for each call, and the lanes of each: here 16, 16, 32 and 32. */
TEST(test_records)
{
    static const seen_row right[] = {{0, "ct_copy", 128, 2, 32},
                                     {2, "ct_copy", 128, 2, 64},
                                     {3, NULL, 32, 1, 32},
                                     {1, "ct_copy", 128, 2, 32}};
    pass(launch(&gl_records, args_of(0)));
    assert_int_equal(report.row_count, sizeof right / sizeof *right);
    for (int i = 0; i < report.row_count; ++i) {
        const ct_grid_row *r = &report.rows[i];
        assert_string_equal(r->file, "grid_lines.cu");
        assert_int_equal(r->line, noted_lines[right[i].line]);
        assert_int_equal(r->bits, right[i].bits);
        assert_int_equal(r->instructions, right[i].instructions);
        assert_int_equal(r->lanes, right[i].lanes);
        if (right[i].function) assert_string_equal(r->function, right[i].function);
        else assert_null(r->function);
    }
}

typedef struct refused_kernel {
    const ct_grid_kernel *kernel;
    const char *constant, *reason;
} refused_kernel;

/* A constant that carries an error stops the launch, as it stops a compiler (refused.py). */
TEST(test_refused)
{
    static const refused_kernel refused[] = {
        {&refused_1, "P",
         "partition_src: mode 0 of the tile has 120 elements, not a multiple of the 16 that the tiled "
         "copy covers"},
        {&refused_2, "P",
         "partition_src: the atom moves 8 values at once, and only 1 are contiguous in the "
         "source"},
        {&refused_3, "copy",
         "copy_atom: a universal copy moves 8, 16, 32, 64, 128 or 256 bits, not 24 (values of 16 bits)"},
        {&refused_4, "copy", "tiled_copy: the thread layout reaches thread 1 twice"},
        {&refused_5, "L",
         "composition: mode 0 of B has stride 4: steps of 4 in mode 0 of A coalesced (size 6) cross its "
         "end; they must divide 6, or be a multiple of it"},
        {&refused_6, "sw",
         "make_swizzle: Sw<3,4,2> is not a swizzle; Sw<bits,base,shift> needs bits and base of at "
         "least 0, |shift| >= bits, and bits + base + |shift| of at most 62"},
        {&refused_7, "t",
         "mode: there is no mode 5; the operand has rank 2, and modes count from 0"},
        {&refused_8, "tile", "layout: mode 1 has shape 0; a shape is at least 1"},
        {&refused_9, "mma",
         "tiled_mma: mode 1 (0 is m, 1 is n, 2 is k) of the permutation has 24 elements; atom and "
         "threads cover 16 at once, and a multiple is needed"},
        {&refused_10, "atom",
         "mma_atom: the name is not that of an MMA atom, such as SM80_16x8x16_F32F16F16F32_TN"},
        {&refused_11, "plan",
         "partition_src: mode 0 of the tile has 120 elements, not a multiple of the 16 that the tiled "
         "copy covers"},
        {&refused_12, "tile", "layout: mode 0 has shape 0; a shape is at least 1"},
        {&refused_30, "P",
         "partition_src: axis 1 of the tile ends after 60 elements, inside an access of 8; give the atom or "
         "the side narrower ones"},
        {&refused_31, "P",
         "partition_src: only loads, stores and cp.async of whole bytes, checked and aligned, are tested by "
         "their coordinates; this is atom 8 with elements of 4 bits"},
        {&refused_29, "mma",
         "product of tiles: mode 2 (0 is m, 1 is n, 2 is k) of the tile has 24 elements, not a multiple of the 16 that "
         "the tiled MMA covers"},
        {&refused_23, "rows_as",
         "register tensor: axis 1: 3 threads, 1 apart, have parts of each row, and a reduction needs powers of two"}};
    static _Alignas(8) int64_t out;
    const refused_args args = {&out};
    const ct_grid_buffer buffer = {"out", &out, sizeof out, 1, 0};
    const ct_grid_options options = {.buffers = &buffer, .buffer_count = 1};
    const ct_dim3 one = {1, 1, 1};
    ct_grid_report_free(&report);
    pass(ct_grid_launch(&refused_0, one, one, 0, &args, sizeof args, &options, &report));
    for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
        const refused_kernel *r = &refused[i];
        char message[sizeof report.message];
        snprintf(message, sizeof message, THREAD("%s", "0") "constant %s at refused.cu:#0: %s",
                 r->kernel->name, r->constant, r->reason);
        for (int again = 0; again < 2; ++again) { /* the constant is made once */
            ct_grid_report_free(&report);
            const int status =
                ct_grid_launch(r->kernel, one, one, 0, &args, sizeof args, &options, &report);
            expect(status, CT_GRID_E_CONSTANT, message);
        }
    }
}

#define NO_PARTITION                                                                               \
    "tensor: the sides of the copy have different partitions, or none; name one: ct_copy(&P, src, dst)"

/* Copies that nvcc refuses stop the launch at their line, and right ones pass. */
TEST(test_refused_copies)
{
    static const struct {
        const ct_grid_kernel *kernel;
        const char *reason;
    } refused[] = {
        {&refused_13,
         "tensor: the tile's coordinate -128 along axis 1 is negative; a tile of a tensor begins at "
         "coordinate 0 or later"},
        {&refused_14,
         "tensor: side 1 of the copy (0 is the source, 1 the destination) is a view of memory 0, and "
         "the partition has memory 2 there (0 is global, 1 shared, 2 registers, 3 a tensor map)"},
        {&refused_15,
         "tensor: the tiled copy has 128 threads, the block 96 along x; for other threads, ct_view_src "
         "and ct_view_dst take a thread's number"},
        {&refused_34, NO_PARTITION},
        {&refused_35, NO_PARTITION},
        {&refused_36, NO_PARTITION},
        {&refused_37, NULL},
        {&accepted, NULL}};
    const ct_grid_buffer buffer = {"src", src, BYTES, 1, 0};
    const ct_grid_options options = {.buffers = &buffer, .buffer_count = 1};
    const tile_args args = {(int64_t *)(void *)src,
                            ct_make_global(src, 16, ct_layout2(32, 64, 64, 1))};
    const ct_dim3 one = {1, 1, 1};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
        const ct_dim3 block = {(uint32_t)refused[i].kernel->max_threads, 1, 1};
        char begin[128];
        ct_grid_report_free(&report);
        const int status =
            ct_grid_launch(refused[i].kernel, one, block, 0, &args, sizeof args, &options, &report);
        snprintf(begin, sizeof begin,
                 "kernel %s, block (0,0,0), thread (0,0,0): copy at refused.cu:%d (in ct_copy",
                 refused[i].kernel->name, noted_lines[0]);
        if (!refused[i].reason) {
            pass(status);
            continue;
        }
        assert_int_equal(status, CT_GRID_E_CONSTANT);
        assert_memory_equal(report.message, begin, strlen(begin));
        assert_string_equal(strstr(report.message, "tensor: "), refused[i].reason);
    }
}

#define OTHER_VALUES(a, b)                                                                         \
    "register tensor: the register tensor has " a " values of a thread, not the " b                \
    " that are needed, or has them in another order"

/* So do wrong uses of register tensors. */
TEST(test_refused_registers)
{
    static const struct {
        const ct_grid_kernel *kernel;
        const char *begin, *reason;
    } refused[] = {
        {&refused_16, "copy", OTHER_VALUES("16", "8")},
        {&refused_17, "copy",
         "tensor: the tensor has elements of 32 bits, and the partition of 16 bits"},
        {&refused_18, "copy", OTHER_VALUES("8", "8")},
        {&refused_19, "value of a register tensor",
         "register tensor: elements of type 17 (CT_TYPE_...) have no value of this kind; ct_val is of floats and of up to "
         "16 bits, ct_val_s32 of integers, ct_val_f64 of doubles"},
        {&refused_20, "row of a register tensor", OTHER_VALUES("2", "8")},
        {&refused_21, "reduction",
         "register tensor: several warps have parts of each row; give ct_reduce shared memory, 64 floats (ct_reduce_elems)"},
        {&refused_22, "retiled register tensor",
         "register tensor: element 0 of the register tensor is another thread's in the other one"},
        {&refused_25, "product", OTHER_VALUES("16", "8")},
        {&refused_26, "product",
         "product of tiles: operand 0 (0 is A, 1 B, 2 C) is a register tensor of type 2, and the instruction has type 1 "
         "(CT_TYPE_...)"},
        {&refused_27, "product", OTHER_VALUES("8", "8")},
        {&refused_28, "recast register tensor",
         "register tensor: the register tensor has elements of 16 bits, and elements of 32 bits are needed"}};
    const ct_grid_buffer buffer = {"src", src, BYTES, 1, 0};
    const ct_grid_options options = {.buffers = &buffer, .buffer_count = 1};
    const tile_args args = {(int64_t *)(void *)src,
                            ct_make_global(src, 16, ct_layout2(32, 64, 64, 1))};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
        char begin[160];
        ct_grid_report_free(&report);
        const int status =
            ct_grid_launch(refused[i].kernel, (ct_dim3){1, 1, 1}, (ct_dim3){128, 1, 1}, 0, &args,
                           sizeof args, &options, &report);
        snprintf(begin, sizeof begin,
                 "kernel %s, block (0,0,0), thread (0,0,0): %s at refused.cu:%d (in ct_",
                 refused[i].kernel->name, refused[i].begin, noted_lines[0]);
        assert_int_equal(status, CT_GRID_E_CONSTANT);
        if (strncmp(report.message, begin, strlen(begin)) != 0)
            fail_msg("%s: %s", begin, report.message);
        const char *const reason = strstr(report.message, "): ");
        const char *const why = reason ? strstr(reason + 3, "): ") : NULL;
        assert_string_equal(why ? why + 3 : report.message, refused[i].reason);
    }
}

static int setup(void **state)
{
    (void)state;
    for (int i = 0; i < BYTES; ++i) src[i] = (unsigned char)((uint32_t)i * 2654435761u >> 13);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    ct_grid_report_free(&report);
    return 0;
}

GROUP("lines that the grid names", setup, teardown)
