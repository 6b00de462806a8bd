/* The CPU grid: what is visible between the blocks of a cluster, by enumeration of the orders of a
 * chain of mbarriers and of the cluster's barrier; and blocks that end while others access them. */
#include "grid_expect.h"

#include "all_cases.h"
#include "cluster_kernels.cu"

static _Alignas(256) uint32_t dst[4 * 128];

static int launch(const ct_grid_kernel *kernel, cluster_args args, int32_t schedules)
{
    const ct_grid_buffer buffer = {"dst", dst, sizeof dst, 1, 0};
    const ct_grid_options options = {.buffers = &buffer, .buffer_count = 1, .schedules = schedules};
    const ct_dim3 two = {2, 1, 1}, block = {64, 1, 1};
    args.dst = dst;
    ct_grid_report_free(&report);
    return ct_grid_launch(kernel, two, block, 0, &args, sizeof args, &options, &report);
}

static void check_status(int status, int is_race, const cluster_args *a)
{
    if (status == (is_race ? CT_GRID_E_RACE : CT_GRID_OK)) return;
    fail_msg("arrivals %d %d %d, waits %d %d %d, global %d, comes %d %d, access %d, kept %d: %s",
             a->arrive[0], a->arrive[1], a->arrive[2], a->wait[0], a->wait[1], a->wait[2],
             a->on_global, a->comes[0], a->comes[1], a->access, a->kept, report.message);
}

/* Stores are visible by release and acquire; between blocks, both of cluster scope. */
static int is_visible(const cluster_args *a)
{
    for (int i = 0; i < 3; ++i) {
        if (a->arrive[i] == ORDER_RELAXED || a->wait[i] == ORDER_RELAXED) return 0;
    }
    return a->wait[1] == ORDER_CLUSTER;
}

TEST(test_scopes)
{
    for (int code = 0; code < 729 * 3; code += all_cases() ? 1 : 7) {
        cluster_args args = {.on_global = code / 729 > 0, .reads_first = code / 729 > 1};
        for (int i = 0, rest = code; i < 3; ++i, rest /= 9) {
            args.arrive[i] = rest % 3;
            args.wait[i] = rest / 3 % 3;
        }
        if (args.arrive[1] == ORDER_CTA) continue; /* a remote arrival has cluster scope */
        check_status(launch(&gk_scopes, args, 1), !args.reads_first && !is_visible(&args), &args);
    }
}

TEST(test_halves)
{
    for (int code = 0; code < 2 * COMES * COMES; ++code) {
        const cluster_args args = {.on_global = code / COMES / COMES,
                                   .comes = {code % COMES, code / COMES % COMES}};
        int is_race = 0;
        for (int i = 0; i < 2; ++i)
            is_race |= args.comes[i] == COMES_RELAXED || args.comes[i] == COMES_LATE;
        check_status(launch(&gk_halves, args, 1), is_race, &args);
        check_status(launch(&gk_halves, args, 4), is_race, &args);
    }
}

TEST(test_ends)
{
    for (int code = 0; code < PEER_ACCESSES * KEPTS; ++code) {
        const cluster_args args = {.access = code % PEER_ACCESSES, .kept = code / PEER_ACCESSES};
        const int is_race = args.kept == KEPT_NOT || args.kept == KEPT_ARRIVES;
        check_status(launch(&gk_block_ends, args, 1), is_race, &args);
        check_status(launch(&gk_block_ends, args, 4), is_race, &args);
    }
}

#define AT "at cluster_kernels.cu:N: "
#define THREAD(kernel, b, t) "kernel " kernel ", block (" b ",0,0), thread (" t ",0,0): "

TEST(test_messages)
{
    static const cluster_args scopes[] = {{.arrive = {0, 1, 0}},
                                          {.arrive = {2, 1, 0}, .wait = {0, 1, 0}}};
    static const char *const halves[] = {
        THREAD("gk_halves_wrong", "0", "32") "barrier.cluster.wait " AT
                                             "no ct_cluster_arrive precedes",
        THREAD(
            "gk_halves_wrong", "0",
            "0") "barrier.cluster.arrive " AT
                 "the thread has arrived at cluster_kernels.cu:N, and no ct_cluster_wait follows",
        THREAD(
            "gk_halves_wrong", "0",
            "0") "barrier.cluster " AT
                 "the thread has arrived at cluster_kernels.cu:N, and no ct_cluster_wait follows",
        THREAD("gk_halves_wrong", "0",
               "0") "divergence: waits for its cluster at cluster_kernels.cu:N, "
                    "but not so thread (0,0,0) of block (1,0,0), which has ended"};
    for (int i = 0; i < 2; ++i)
        expect(
            launch(&gk_scopes, scopes[i], 1), CT_GRID_E_RACE,
            THREAD(
                "gk_scopes", "0",
                "32") "128-bit load from a block's shared memory " AT
                      "race: byte 0 of tile was written by "
                      "thread (0,0,0) of block (1,0,0), and is not visible: the arrival since needs release, "
                      "and the wait acquire, both of cluster scope");
    expect(launch(&gk_block_ends, (cluster_args){.access = PEER_ARRIVE}, 1), CT_GRID_E_RACE,
           THREAD("gk_block_ends", "1",
                  "0") "mbarrier.arrive at cluster_kernels.cu:N: race: block (0,0,0), whose shared "
                       "memory this is, may have ended; it waits for no barrier after this");
    for (int early = 0; early < 2; ++early)
        assert_int_equal(launch(&gk_halves_wrong, (cluster_args){.ends_early = early}, 8),
                         CT_GRID_OK);
    for (int wrong = 1; wrong <= 4; ++wrong)
        expect(launch(&gk_halves_wrong, (cluster_args){.wrong = wrong}, 1), CT_GRID_E_DIVERGENCE,
               halves[wrong - 1]);
}

static int free_report(void **state)
{
    (void)state;
    ct_grid_report_free(&report);
    return 0;
}

GROUP("clusters", NULL, free_report)
