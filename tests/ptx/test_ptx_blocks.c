/* PTX on the CPU grid: blocks that wait for each other, and the order that releases, acquires and fences of a
 * scope give to their accesses. */
#include "ptx_text.h"

static const uint32_t *words(void) { return (const uint32_t *)(const void *)dst; }

/* The number of the block in %b, of the blocks in %n; each kernel is of 32 threads or more. */
#define BLOCK ".reg .u32 %b, %n, %i; mov.u32 %b, %ctaid.x; mov.u32 %n, %nctaid.x;\n"
#define FIRST "setp.ne.u32 %p1, %t, 0;\n"
#define SPIN(name, load)                                                                           \
    name ": " load " %r3, [%d2]; setp.lt.u32 %p2, %r3, %r4; @%p2 bra " name ";\n"

/* A barrier of all blocks by a count in word 0: number `round`, from 1 on. */
#define ARRIVE(fence, add) "bar.sync 0; @%p1 bra W; " fence " " add " [%d2], 1;\n"
#define WAIT(load, fence) "mov.u32 %r4, %n;\n" SPIN("S", load) fence " W: bar.sync 0;\n"

/* Each block writes its words, and behind the barrier reads those of the next one: word 64 + .., results from
 * word 64 + threads of all blocks on. */
#define OWN                                                                                        \
    "mov.u32 %r8, %ntid.x; mad.lo.u32 %i, %b, %r8, %t; mad.wide.u32 %d3, %i, 4, %d2;\n"            \
    "add.u32 %r10, %i, 1000;"
#define WRITE "st.global.u32 [%d3+256], %r10;\n"
#define READ                                                                                       \
    "add.u32 %r5, %b, 1; rem.u32 %r5, %r5, %n; mad.lo.u32 %r5, %r5, %r8, %t;\n"                    \
    "mad.wide.u32 %d4, %r5, 4, %d2; ld.global.u32 %r6, [%d4+256];\n"                               \
    "mul.lo.u32 %r7, %n, %r8; mad.wide.u32 %d5, %r7, 4, %d3; st.global.u32 [%d5+256], %r6;\n"
#define EXCHANGE(arrive, wait) KERNEL(BLOCK FIRST OWN WRITE arrive wait READ)

#define RED "red.relaxed.gpu.global.add.u32"
#define LOAD "ld.relaxed.gpu.global.u32"
#define RELEASED ARRIVE("", "red.release.gpu.global.add.u32")
#define FENCED ARRIVE("fence.acq_rel.gpu;", RED)
#define ACQUIRED WAIT("ld.acquire.gpu.global.u32", "")
#define LEARNT WAIT(LOAD, "fence.acq_rel.gpu;")

static const struct {
    const char *name, *text;
    int status;
    const char *message; /* a part of it */
} exchanges[] = {
    {"release, acquire", EXCHANGE(RELEASED, ACQUIRED), CT_GRID_OK, ""},
    {"fence, fence", EXCHANGE(FENCED, LEARNT), CT_GRID_OK, ""},
    {"membar, volatile, membar",
     EXCHANGE(ARRIVE("membar.gl;", "red.global.add.u32"),
              WAIT("ld.volatile.global.u32", "membar.gl;")),
     CT_GRID_OK, ""},
    {"system",
     EXCHANGE(ARRIVE("", "red.release.sys.global.add.u32"), WAIT("ld.acquire.sys.global.u32", "")),
     CT_GRID_OK, ""},
    {"no release", EXCHANGE(ARRIVE("", RED), ACQUIRED), CT_GRID_E_RACE,
     "was written by thread (0,0,0) of block (0,0,0), and no release and acquire of the GPU's scope put that before"},
    {"no acquire", EXCHANGE(RELEASED, WAIT(LOAD, "")), CT_GRID_E_RACE, "no release and acquire"},
    {"release of the block", EXCHANGE(ARRIVE("", "red.release.cta.global.add.u32"), ACQUIRED),
     CT_GRID_E_RACE, "no release and acquire"},
    {"acquire of the block", EXCHANGE(RELEASED, WAIT("ld.acquire.cta.global.u32", "")),
     CT_GRID_E_RACE, "no release and acquire"},
    {"fence of the block", EXCHANGE(ARRIVE("fence.acq_rel.cta;", RED), ACQUIRED), CT_GRID_E_RACE,
     "no release and acquire"},
    {"second fence of the block", EXCHANGE(FENCED, WAIT(LOAD, "membar.cta;")), CT_GRID_E_RACE,
     "no release and acquire"},
    {"fence behind the arrival", EXCHANGE(ARRIVE("", RED) "fence.acq_rel.gpu;", ACQUIRED),
     CT_GRID_E_RACE, "no release and acquire"},
    {"no barrier before",
     EXCHANGE("@%p1 bra W; red.release.gpu.global.add.u32 [%d2], 1;\n", ACQUIRED), CT_GRID_E_RACE,
     "was written by thread (1,0,0) of block (0,0,0)"},
    {"no barrier behind",
     EXCHANGE(RELEASED, "mov.u32 %r4, %n;\n" SPIN("S", "ld.acquire.gpu.global.u32") " W: \n"),
     CT_GRID_E_RACE, "no release and acquire"},
    {"waits for one more", EXCHANGE(RELEASED, "add.u32 %n, %n, 1;" ACQUIRED), CT_GRID_E_DEADLOCK,
     "the thread has executed 100000 instructions, which is the limit"},
};

TEST(test_exchange)
{
    enum { BLOCKS = 5, THREADS = 64, ALL = BLOCKS * THREADS };
    for (size_t i = 0; i < sizeof exchanges / sizeof *exchanges; ++i) {
        memset(dst, 0, BUFFER_BYTES);
        const int status = run_text(exchanges[i].text, BLOCKS, THREADS);
        if (status != exchanges[i].status || !strstr(report.message, exchanges[i].message))
            fail_msg("%s: %d: %s", exchanges[i].name, status, report.message);
        for (uint32_t k = 0; status == CT_GRID_OK && k < ALL; ++k)
            assert_int_equal(words()[64 + ALL + k], 1000 + (k + THREADS) % ALL);
    }
}

/* Clusters of two that wait for each other: a thread adds to its word that of its peer's shared memory, and
 * behind the barrier of all blocks reads that of the next block. */
#define MEET "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;\n"
#define PEER                                                                                         \
    ".shared .align 4 .b8 s[256]; mov.u32 %r11, s; shl.b32 %r12, %t, 2; add.u32 %r11, %r11, %r12;\n" \
    "st.shared.u32 [%r11], %r10;\n"
#define ADD_PEER(other)                                                                            \
    "mov.u32 %r13, %cluster_ctarank; xor.b32 %r13, %r13, 1;\n"                                     \
    "mapa.shared::cluster.u32 %r14, %r11, %r13;" other                                             \
    " ld.shared::cluster.u32 %r15, [%r14]; add.u32 %r10, %r10, %r15;\n"
#define CLUSTERS(meet, other, arrive, end)                                                         \
    BEFORE_OF(".reqnctapercluster 2, 1, 1")                                                        \
    BLOCK FIRST OWN PEER meet ADD_PEER(other)                                                      \
    WRITE arrive ACQUIRED READ end "}\n"
TEST(test_clusters)
{
    enum { BLOCKS = 6, THREADS = 64, ALL = BLOCKS * THREADS };
    static const struct {
        const char *text;
        int status;
        const char *message;
    } rows[] = {
        {CLUSTERS(MEET, "", RELEASED, MEET), CT_GRID_OK, ""},
        {CLUSTERS(MEET, "", RELEASED, ""), CT_GRID_OK, ""}, /* it ends behind the barrier of all */
        /* the blocks of the first cluster meet once more, while the others wait for it */
        {CLUSTERS(MEET, "", "setp.ge.u32 %p3, %b, 2; @%p3 bra X;" MEET "X:" RELEASED, MEET),
         CT_GRID_OK, ""},
        {CLUSTERS("", "", RELEASED, MEET), CT_GRID_E_UNWRITTEN, "no barrier puts before this one"},
        {CLUSTERS(MEET, "", ARRIVE("", RED), MEET), CT_GRID_E_RACE, "no release and acquire"},
        {CLUSTERS(MEET, "add.u32 %r14, %r14, 33554432;", RELEASED, MEET), CT_GRID_E_LAUNCH,
         "the block is of another cluster"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        memset(dst, 0, BUFFER_BYTES);
        const int status = run_text(rows[i].text, BLOCKS, THREADS);
        if (status != rows[i].status || !strstr(report.message, rows[i].message))
            fail_msg("%zu: %d: %s", i, status, report.message);
        for (uint32_t k = 0; status == CT_GRID_OK && k < ALL; ++k) {
            const uint32_t next = (k + THREADS) % ALL, pair = next / (2 * THREADS) * 2 * THREADS;
            assert_int_equal(words()[64 + ALL + k],
                             2000 + next + pair + (next - pair + THREADS) % (2 * THREADS));
        }
    }
}

/* The status of kernel k of the text in so many schedules. */
static int run_schedules(const char *text, uint32_t blocks, uint32_t threads, int32_t schedules)
{
    char message[CT_MESSAGE_BYTES] = "";
    const uint64_t args[] = {(uintptr_t)src, (uintptr_t)dst};
    const ct_grid_buffer buffers[] = {{"src", src, BUFFER_BYTES, 0, 0},
                                      {"dst", dst, BUFFER_BYTES, 1, 0}};
    const ct_grid_options options = {
        .buffers = buffers, .buffer_count = 2, .schedules = schedules, .spin_accesses = 20000};
    ct_ptx *const module = ct_ptx_load(text, message);
    if (!module) fail_msg("%s", message);
    const int status =
        ct_grid_launch(ct_ptx_kernel(module, "k"), (ct_dim3){blocks, 1, 1},
                       (ct_dim3){threads, 1, 1}, 0, args, sizeof args, &options, &report);
    free(report.rows); /* their names end with the module */
    report.rows = NULL;
    ct_ptx_free(module);
    return status;
}

/* Every block writes a word; the last one that counts itself adds all up, in word 1, and resets the count. */
#define LAST(fence, second)                                                                        \
    KERNEL(BLOCK FIRST "@%p1 ret; mad.wide.u32 %d3, %b, 4, %d2; add.u32 %r1, %b, 1;\n"             \
                       "st.global.u32 [%d3+1024], %r1; " fence                                     \
                       " atom.global.add.u32 %r2, [%d2], 1;\n"                                     \
                       "sub.u32 %r3, %n, 1; setp.ne.u32 %p2, %r2, %r3; @%p2 ret; " second          \
                       " mov.u32 %r4, 0; mov.u32 %r5, 0;\n"                                        \
                       "L: mad.wide.u32 %d3, %r5, 4, %d2; ld.global.u32 %r6, [%d3+1024];\n"        \
                       "add.u32 %r4, %r4, %r6; add.u32 %r5, %r5, 1; setp.lt.u32 %p3, %r5, %n;\n"   \
                       "@%p3 bra L; st.global.u32 [%d2+4], %r4; st.global.u32 [%d2], 0;\n")
/* Block b adds b + 1 to what block b - 1 leaves, and sets its own flag: word 256 + b; the sum is word 1. */
#define CHAIN(acquire, release)                                                                    \
    KERNEL(BLOCK FIRST                                                                             \
           "@%p1 ret; mad.wide.u32 %d3, %b, 4, %d2; setp.eq.u32 %p2, %b, 0; @%p2 bra G;\n"         \
           "S: ld." acquire ".global.u32 %r3, [%d3+1020]; setp.eq.u32 %p3, %r3, 0; @%p3 bra S;\n"  \
           "G: ld.global.u32 %r1, [%d2+4]; add.u32 %r1, %r1, %b; add.u32 %r1, %r1, 1;\n"           \
           "st.global.u32 [%d2+4], %r1; st." release ".global.u32 [%d3+1024], 1;\n")
/* Thread 0 of each block adds 1 to word 1 under a lock, word 0; all have 5 turns. */
#define LOCK(take, leave)                                                                          \
    KERNEL(BLOCK FIRST                                                                             \
           "@%p1 ret; mov.u32 %r5, 0;\n"                                                           \
           "S: atom." take                                                                         \
           ".global.cas.b32 %r3, [%d2], 0, 1; setp.ne.u32 %p2, %r3, 0; @%p2 bra S;\n"              \
           "ld.global.u32 %r1, [%d2+4]; add.u32 %r1, %r1, 1; st.global.u32 [%d2+4], %r1;\n" leave  \
           " add.u32 %r5, %r5, 1; setp.lt.u32 %p3, %r5, 5; @%p3 bra S;\n")
/* All threads add 1 to word 1; behind a barrier of all blocks each reads the sum. */
#define SUM(arrive)                                                                                \
    KERNEL(BLOCK FIRST "red.global.add.u32 [%d2+4], 1;\n" arrive ACQUIRED                          \
                       "ld.global.u32 %r6, [%d2+4]; setp.eq.u32 %p4, %r6, 128; @%p4 ret; trap;\n")
/* Warp 1 waits in shared memory for what warp 0 writes there. */
#define WARPS(acquire, release)                                                                    \
    KERNEL(FIRST                                                                                   \
           ".shared .u32 f; .shared .u32 v[32]; mov.u32 %r9, v; mad.lo.u32 %r9, %t, 4, %r9;\n"     \
           "@!%p1 st.shared.u32 [f], 0; bar.sync 0; setp.ge.u32 %p2, %t, 32; @%p2 bra S;\n"        \
           "st.shared.u32 [%r9], %t; bar.warp.sync -1; @%p1 ret;\n"                                \
           "st." release ".shared.u32 [f], 1; ret;\n"                                              \
           "S: ld." acquire ".shared.u32 %r3, [f]; setp.eq.u32 %p3, %r3, 0; @%p3 bra S;\n"         \
           "ld.shared.u32 %r1, [%r9-128];\n"                                                       \
           "setp.ne.u32 %p4, %t, 37; @%p4 ret; st.global.u32 [%d2+4], %r1;\n")

TEST(test_waits)
{
    static const struct {
        const char *name, *text;
        uint32_t blocks, threads;
        int status;
        uint32_t sum;
    } rows[] = {
        {"last of 100", LAST("membar.gl;", "membar.gl;"), 100, 32, CT_GRID_OK, 5050},
        {"last of 10", LAST("fence.acq_rel.gpu;", "fence.acq_rel.gpu;"), 10, 32, CT_GRID_OK, 55},
        {"no fence of the others", LAST("", "membar.gl;"), 100, 32, CT_GRID_E_RACE, 0},
        {"no fence of the last", LAST("membar.gl;", ""), 100, 32, CT_GRID_E_RACE, 0},
        {"last of 33, alone", LAST("membar.gl;", "membar.gl;"), 33, 32, CT_GRID_OK, 561},
        {"no fence of the last of 33", LAST("membar.gl;", ""), 33, 32, CT_GRID_E_RACE, 0},
        {"no fence of the last of 10", LAST("membar.gl;", ""), 10, 32, CT_GRID_E_RACE, 0},
        {"chain", CHAIN("acquire.gpu", "release.gpu"), 30, 32, CT_GRID_OK, 465},
        {"chain, relaxed load", CHAIN("relaxed.gpu", "release.gpu"), 30, 32, CT_GRID_E_RACE, 0},
        {"chain, relaxed store", CHAIN("acquire.gpu", "relaxed.gpu"), 30, 32, CT_GRID_E_RACE, 0},
        {"lock", LOCK("acquire.gpu", "st.release.gpu.global.u32 [%d2], 0;"), 9, 32, CT_GRID_OK, 45},
        {"lock by fences", LOCK("relaxed.gpu", "membar.gl; atom.global.exch.b32 %r3, [%d2], 0;"), 9,
         32, CT_GRID_E_RACE, 0}, /* no fence behind the exchange */
        {"lock, relaxed", LOCK("acquire.gpu", "st.relaxed.gpu.global.u32 [%d2], 0;"), 9, 32,
         CT_GRID_E_RACE, 0},
        {"sum", SUM(RELEASED), 4, 32, CT_GRID_OK, 128},
        {"sum, not released", SUM(ARRIVE("", RED)), 4, 32, CT_GRID_E_RACE, 0},
        {"warps", WARPS("acquire.cta", "release.cta"), 1, 64, CT_GRID_OK, 5},
        {"warps, no acquire", WARPS("relaxed.cta", "release.cta"), 1, 64, CT_GRID_E_RACE, 0},
        {"warps, no release", WARPS("acquire.cta", "relaxed.cta"), 1, 64, CT_GRID_E_RACE, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        for (int schedules = 1; schedules <= 8; schedules += 7) {
            memset(dst, 0, BUFFER_BYTES);
            const int status =
                run_schedules(rows[i].text, rows[i].blocks, rows[i].threads, schedules);
            if (status != rows[i].status || (!status && words()[1] != rows[i].sum))
                fail_msg("%s: %d, %u: %s", rows[i].name, status, (unsigned)words()[1],
                         report.message);
        }
}

/* A wait for a block that never comes. */
TEST(test_never)
{
    memset(dst, 0, BUFFER_BYTES);
    assert_int_equal(run_schedules(EXCHANGE(RELEASED, "add.u32 %n, %n, 1;" ACQUIRED), 2, 64, 1),
                     CT_GRID_E_DEADLOCK);
    assert_string_equal(
        report.message,
        "kernel k, block (1,0,0), thread (0,0,0): strong load at ptx:13: deadlock: no thread accessed a new address "
        "in 20000 accesses, and byte 0 of dst stays the same; the grid runs one warp until it waits, and 2 blocks "
        "together; if the loop ends, raise spin_accesses");
}

/* Kernels of 16 blocks of 256 threads, which may run at once: thread %t of all has %d3 in dst and %d4 in src. */
#define PARALLEL(body)                                                                             \
    KERNEL("mov.u32 %r1, %ctaid.x; mad.lo.u32 %t, %r1, 256, %t; mad.wide.u32 %d3, %t, 4, %d2;\n"   \
           "mad.wide.u32 %d4, %t, 4, %d1; shr.u32 %r2, %r1, 3; setp.ne.u32 %p1, %r2, 0;\n" body)
static const char *const parallel[] = {
    PARALLEL("ld.global.u32 %r3, [%d4]; add.u32 %r3, %r3, %t; st.global.u32 [%d3], %r3;"),
    /* an instruction of which no lane is active in the first blocks, or in the last ones */
    PARALLEL(
        "@%p1 ld.global.u32 %r3, [%d4]; @!%p1 ld.global.u32 %r4, [%d4]; @%p1 st.global.u32 [%d3], %r3;"),
    /* one that the first blocks make in one buffer, the others in another, and then some not at all */
    PARALLEL(
        "selp.b64 %d5, %d3, %d4, %p1; setp.ne.u32 %p2, %r1, 8; setp.gt.u32 %p3, %r1, 2;\n"
        "and.pred %p2, %p2, %p3; @%p2 ld.global.u32 %r3, [%d5]; @!%p3 ld.global.u32 %r3, [%d4+4];"),
    /* mistakes: a byte that two blocks write, or one writes and one reads; a misaligned store in block 9,
     * and an earlier one out of bounds in block 3 */
    PARALLEL("and.b32 %r4, %r1, 7; setp.eq.u32 %p2, %r4, 5; @%p2 st.global.u32 [%d2], %t;"),
    PARALLEL(
        "setp.eq.u32 %p2, %r1, 15; @%p2 ld.global.u32 %r3, [%d2+8]; setp.eq.u32 %p3, %t, 2; @%p3 st.global.u32 [%d3], %t;"),
    PARALLEL(
        "ld.global.u32 %r3, [%d3]; add.u32 %r3, %r3, 5; st.global.u32 [%d3], %r3; setp.eq.u32 %p2, %r1, 9; @%p2 st.global.u32 [%d3+2], %t; setp.eq.u32 %p3, %r1, 3; @%p3 st.global.u32 [%d3+-4096], %t;"),
    /* a variable in global memory, which one block writes */
    ".global .align 4 .u32 v;\n" PARALLEL(
        "ld.global.u32 %r4, [v]; add.u32 %r4, %r4, 1; setp.eq.u32 %p2, %t, 3000;\n"
        "@%p2 st.global.u32 [v], %r4; ld.global.u32 %r4, [v]; st.global.u32 [%d3], %r4;"),
    /* one after another: atomic operations, whose order is in what they return */
    PARALLEL(
        "atom.global.add.u32 %r3, [%d2], 1; cvt.u64.u32 %d5, %r3; st.global.u32 [%d3+4], %r3;")};

enum { ALL_WORDS = 16 * 256 };
static void run_parallel(const char *threads, const char *text, uint32_t *words,
                         ct_grid_report *found)
{
    char message[CT_MESSAGE_BYTES] = "";
    ct_grid_buffer buffers[] = {{"src", words, 4 * ALL_WORDS, 0, 0},
                                {"dst", words + 2 * ALL_WORDS, 4 * ALL_WORDS + 8, 1, 0}};
    const uint64_t args[] = {(uintptr_t)buffers[0].base, (uintptr_t)buffers[1].base};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
    ct_ptx *const module = ct_ptx_load(text, message);
    if (!module) fail_msg("%s", message);
    for (uint32_t i = 0; i < 4 * ALL_WORDS; ++i) words[i] = i;
    assert_int_equal(setenv("CUTLET_THREADS", threads, 1), 0);
    (void)ct_grid_launch(ct_ptx_kernel(module, "k"), (ct_dim3){16, 1, 1}, (ct_dim3){256, 1, 1}, 0,
                         args, sizeof args, &options, found);
    unsetenv("CUTLET_THREADS");
    for (int32_t i = 0; i < found->row_count; ++i) /* its names end with the module */
        found->rows[i].name = found->rows[i].buffer ? "dst" : "src", found->rows[i].file = "ptx";
    ct_ptx_free(module);
}

/* Blocks that run at once leave what they leave one after another, counts, and say the same. */
TEST(test_parallel)
{
    static uint32_t words[2][4 * ALL_WORDS];
    for (size_t i = 0; i < sizeof parallel / sizeof *parallel; ++i) {
        ct_grid_report one, several;
        run_parallel("1", parallel[i], words[0], &one);
        for (int threads = 2; threads < 9; threads += 3) {
            const char number[] = {(char)('0' + threads), 0};
            run_parallel(number, parallel[i], words[1], &several);
            assert_string_equal(one.message, several.message);
            assert_int_equal(one.status, several.status);
            assert_int_equal(one.row_count, several.row_count);
            if (one.row_count)
                assert_memory_equal(one.rows, several.rows,
                                    (size_t)one.row_count * sizeof *one.rows);
            assert_memory_equal(&one.global, &several.global, sizeof one.global);
            for (uint32_t k = 0; k < 2 * ALL_WORDS; ++k)
                assert_int_equal(words[0][2 * ALL_WORDS + k], words[1][2 * ALL_WORDS + k]);
            ct_grid_report_free(&several);
        }
        ct_grid_report_free(&one);
    }
}

GROUP("ptx blocks", setup, teardown)
