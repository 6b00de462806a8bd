/* cutlet run FILE: a kernel of PTX on the CPU grid. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

#include "../common/cli.h"
#include "../common/commands.h"
#include "base/clock.h"
#include "base/number.h"

/* clang-format off */
enum { KEY_KERNEL = 256, KEY_GRID, KEY_BLOCK, KEY_SHARED, KEY_ARG, KEY_TMA, KEY_EXPECT, KEY_TOLERANCE,
       KEY_SCHEDULES, KEY_NO_INIT_FENCE, KEY_ARCH, KEY_LIST, KEY_JSON };
/* clang-format on */

static const struct argp_option options[] = {
    {"kernel", KEY_KERNEL, "NAME", 0,
     "the kernel of this name, or the only one whose name contains it (default: the only one)", 0},
    {"grid", KEY_GRID, "X,Y,Z", 0, "blocks; Y and Z may be left out (default 1)", 0},
    {"block", KEY_BLOCK, "X,Y,Z", 0, "threads of a block (default 1)", 0},
    {"shared", KEY_SHARED, "BYTES", 0, "bytes of dynamic shared memory (default 0)", 0},
    {"arg", KEY_ARG, "NAME=VALUE", 0,
     "the next argument: n=256, n=i32:256, a=half[64,64]@a.npy, c=half[64,64]:out or "
     "c=half[64,64]:out@c.npy; once for each",
     0},
    {"tma", KEY_TMA, "NAME,box=..", 0,
     "pass the array as a tensor map: a,box=64x64,swizzle=128; swizzle is 0, 32, 64 or 128 bytes",
     0},
    {"expect", KEY_EXPECT, "FILE.npy", 0,
     "compare the result with this file; NAME=FILE.npy, if there are several results", 0},
    {"tolerance", KEY_TOLERANCE, "T", 0, "allow a difference of T * max(1, |expected|) (default 0)",
     0},
    {"schedules", KEY_SCHEDULES, "N", 0, "run N orders of threads (default 1)", 0},
    {"no-init-fence", KEY_NO_INIT_FENCE, NULL, 0,
     "allow copies to arrive at mbarriers without a fence after their init", 0},
    {"arch", KEY_ARCH, "ARCH", 0, "what nvcc compiles a .cu file for (default sm_90a)", 0},
    {"list", KEY_LIST, NULL, 0, "print the kernels and their parameters instead", 0},
    {"json", KEY_JSON, NULL, 0, "print JSON", 0},
    {0},
};

static error_t set_extents(struct argp_state *state, const char *option, const char *arg,
                           ct_dim3 *to)
{
    int64_t n[3] = {1, 1, 1};
    const char *at = arg;
    for (int i = 0; i < 3; ++i) {
        if (ct_number_begin(at, 1, INT32_MAX, &n[i], &at)) break;
        *to = (ct_dim3){(uint32_t)n[0], (uint32_t)n[1], (uint32_t)n[2]};
        if (!*at) return 0;
        if (*at++ != ',') break;
    }
    return ct_cli_wrong(state, "%s takes up to three numbers, as 4,1, not `%.40s`", option, arg);
}
static error_t set_number(struct argp_state *state, const char *option, const char *arg,
                          int64_t most, int64_t *to)
{
    if (ct_number_read(arg, 0, most, to) == 0) return 0;
    return ct_cli_wrong(state, "%s takes a number up to %lld, not `%.40s`", option, (long long)most,
                        arg);
}
static error_t add(struct argp_state *state, const char *arg, const char **list, int *count)
{
    if (*count == CT_RUN_MAX_ARGS)
        return ct_cli_wrong(state, "a kernel takes up to %d arguments here", CT_RUN_MAX_ARGS);
    list[(*count)++] = arg;
    return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    ct_run *const r = state->input;
    char *end;
    switch (key) {
        case KEY_KERNEL: r->kernel = arg; return 0;
        case KEY_GRID: return set_extents(state, "--grid", arg, &r->grid);
        case KEY_BLOCK: return set_extents(state, "--block", arg, &r->block);
        case KEY_SHARED: return set_number(state, "--shared", arg, INT32_MAX, &r->shared_bytes);
        case KEY_ARG: return add(state, arg, r->arg_texts, &r->arg_count);
        case KEY_TMA: return add(state, arg, r->map_texts, &r->map_count);
        case KEY_EXPECT: return add(state, arg, r->expect_texts, &r->expect_count);
        case KEY_TOLERANCE:
            r->tolerance = strtod(arg, &end);
            if (end != arg && !*end && r->tolerance >= 0) return 0;
            return ct_cli_wrong(state, "--tolerance takes 0 or more, not `%.40s`", arg);
        case KEY_SCHEDULES: return set_number(state, "--schedules", arg, 1 << 20, &r->schedules);
        case KEY_NO_INIT_FENCE: r->no_init_fence = 1; return 0;
        case KEY_ARCH: r->arch = arg; return 0;
        case KEY_LIST: r->list = 1; return 0;
        case KEY_JSON: r->json = 1; return 0;
        case ARGP_KEY_ARG:
            if (r->file) return ct_cli_wrong(state, "one file at a time");
            r->file = arg;
            return 0;
        case ARGP_KEY_END: return r->file ? 0 : ct_cli_wrong(state, "a file of PTX is missing");
        default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp ct_run_argp = {
    options,
    parse,
    "FILE",
    "Runs a kernel of PTX on the CPU grid: results, the first mistake, and what its accesses cost.\v"
    "FILE is PTX, a .cu file, which needs nvcc, or a program or library that holds PTX, which needs "
    "cuobjdump. A cubin holds machine code alone and is refused.\n"
    "\n"
    "  echo '__global__ void twice(float *to, const float *from, int n)' > twice.cu\n"
    "  echo '{ int i = threadIdx.x; if (i < n) to[i] = 2 * from[i]; }' >> twice.cu\n"
    "  nvcc -ptx -lineinfo twice.cu\n"
    "  cutlet run twice.ptx --list\n"
    "  cutlet run twice.ptx --block 64 --arg 'to=float[50]:out@to.npy' \\\n"
    "      --arg 'from=float[50]' --arg n=50\n"
    "\n"
    "Arguments go to the parameters in order; a structure takes several, each at its own alignment. "
    "The names are for messages, and for --tma and --expect. An array has its type, shape and file; "
    "a=@a.npy takes all three from the file. Without a file it begins as zeros. The kernel may write "
    "an array marked :out, and :out@FILE saves it. :value passes the bytes of the file. A number takes the "
    "type of its parameter, or its own: x=half:0.5, p=u64:0.\n"
    "\n"
    "The run ends at the first mistake: the message names the thread, the line of the source and the "
    "bytes, and a second line the element. Lines are source lines for Triton and nvcc -lineinfo, "
    "otherwise PTX lines. Lanes of a warp may store equal values to one address.\n"
    "\n"
    "The columns are those of `cutlet access`, for each line. Below the table, one sentence "
    "describes each of the three lines that could save the most sectors or wavefronts. The last line has the "
    "instructions that all threads executed. --schedules runs other orders too, which "
    "repeat: they find mistakes that depend on the order, but not all of them.\n"
    "\n"
    "The exit status is 0; 1 when the kernel makes a mistake or a result is not as expected; 2 when "
    "a file or an argument cannot be read.",
    NULL,
    NULL,
    NULL};

/* The kernel of the name, or the only one whose name contains it, as C++ names do. */
static const ct_grid_kernel *find_kernel(ct_run *run, const ct_ptx *module)
{
    const char *const name = run->kernel ? run->kernel : "";
    const ct_grid_kernel *found = run->kernel ? ct_ptx_kernel(module, name) : NULL, *kernel;
    int count = found != NULL;
    for (int i = 0; !found && (kernel = ct_ptx_kernel_at(module, i)); ++i)
        count += strstr(kernel->name, name) != NULL;
    for (int i = 0; count == 1 && !found && (kernel = ct_ptx_kernel_at(module, i)); ++i)
        if (strstr(kernel->name, name)) found = kernel;
    if (found) run->kernel = found->name;
    else if (!ct_ptx_kernel_at(module, 0))
        ct_cli_complain("run", "%.300s: there is no kernel in it", run->file);
    else
        ct_cli_complain("run",
                        "%.300s: %d kernels have `%.100s` in their names; --kernel names one, "
                        "and --list shows all",
                        run->file, count, name);
    return found;
}

static void launch(ct_run *run, const ct_grid_kernel *kernel, ct_run_costs *costs,
                   ct_grid_report *report)
{
    ct_grid_buffer buffers[CT_RUN_MAX_ARGS];
    ct_grid_options o = {.buffers = buffers,
                         .on_request = ct_run_count,
                         .user = costs,
                         .equal_stores = 1,
                         .no_init_fence = run->no_init_fence};
    o.schedules = (int32_t)run->schedules;
    for (int i = 0; i < run->arg_count; ++i) {
        const ct_run_arg *const a = &run->args[i];
        if (a->number || a->by_value) continue;
        buffers[o.buffer_count++] =
            (ct_grid_buffer){a->name, a->array.data, (size_t)a->array.data_bytes, a->is_out, 0};
    }
    run->seconds = -ct_now();
    ct_grid_launch(kernel, run->grid, run->block, (size_t)run->shared_bytes, run->argument,
                   kernel->args_bytes, &o, report);
    run->seconds += ct_now();
}

/* The element of the mistake, as `a[3,4]`; "" where it is in none. */
static void put_place(const ct_run *run, const ct_grid_report *report, char *text, size_t size)
{
    int left = report->at_buffer;
    text[0] = '\0';
    for (int i = 0; report->status && left && i < run->arg_count; ++i) {
        const ct_run_arg *const a = &run->args[i];
        if (a->number || a->by_value || --left) continue;
        const int n = snprintf(text, size, "%s", a->name);
        int64_t at = report->at_byte / a->array.elem_bytes;
        if (report->at_byte < 0 || at >= a->array.size || a->array.fortran || n >= (int)size)
            text[0] = '\0';
        else ct_run_put_index(&a->array, at, text + n, size - (size_t)n);
    }
}

static int tell_results(const ct_run *run)
{
    int wrong = 0;
    char at[256];
    for (int i = 0; i < run->arg_count; ++i) {
        const ct_run_arg *const a = &run->args[i];
        if (!a->expected) continue;
        ct_run_put_index(&a->array, a->first, at, sizeof at);
        if (a->differ)
            ct_cli_complain(
                "run",
                "%s: %lld of %lld elements are not as expected; the first is %s%s: %.9g, "
                "not %.9g; the largest difference is %.3g",
                a->name, (long long)a->differ, (long long)a->array.size, a->name, at, a->found,
                a->wanted, a->largest);
        else if (!run->json)
            printf("%s: all %lld elements are as expected; the largest difference is %.3g\n\n",
                   a->name, (long long)a->array.size, a->largest);
        wrong |= a->differ != 0;
    }
    return wrong;
}

/* What came of the launch. An exit status. */
static int tell(ct_run *run, const ct_grid_report *report, ct_run_costs *costs)
{
    char message[CT_MESSAGE_BYTES], at[256];
    put_place(run, report, at, sizeof at);
    if (report->status) ct_cli_complain("run", "%s", report->message);
    if (at[0]) ct_cli_complain("run", "the access is at %s", at);
    if (report->status == CT_GRID_E_LAUNCH) return CT_EXIT_BAD;
    if (!report->status && (ct_run_write(run, message) || ct_run_compare(run, message))) {
        ct_cli_complain("run", "%s", message);
        return CT_EXIT_BAD;
    }
    const int wrong = report->status ? 1 : tell_results(run);
    if (run->json && ct_run_print_json(run, report, at[0] ? at : NULL, costs)) {
        ct_cli_complain("run", "out of memory");
        return CT_EXIT_BAD;
    }
    if (!run->json && !report->status && report->message[0]) printf("%s\n\n", report->message);
    if (!run->json && costs->count) ct_run_print_costs(costs, stdout);
    if (!run->json && !report->status)
        printf("%s%lld instructions in %.2f s\n", costs->count ? "\n" : "",
               (long long)report->instructions, run->seconds);
    return wrong ? CT_EXIT_FAILED : CT_EXIT_OK;
}

static int run_module(ct_run *run, const ct_ptx *module)
{
    char message[CT_MESSAGE_BYTES];
    ct_run_costs costs = {0};
    ct_grid_report report;
    if (run->list) return ct_run_list(run, module) ? CT_EXIT_BAD : CT_EXIT_OK;
    const ct_grid_kernel *const kernel = find_kernel(run, module);
    if (!kernel) return CT_EXIT_BAD;
    if (ct_run_bind(run, kernel, message)) {
        ct_cli_complain("run", "%s", message);
        return CT_EXIT_BAD;
    }
    launch(run, kernel, &costs, &report);
    const int status = tell(run, &report, &costs);
    ct_grid_report_free(&report);
    free(costs.lines);
    return status;
}

int ct_cmd_run(int argc, char **argv)
{
    char message[CT_MESSAGE_BYTES];
    ct_run *const run = calloc(1, sizeof *run);
    if (!run) return CT_EXIT_BAD;
    run->grid = run->block = (ct_dim3){1, 1, 1};
    run->arch = "sm_90a";
    const int parsed = ct_cli_parse(&ct_run_argp, argc, argv, run);
    char *const text = parsed ? NULL : ct_run_read(run->file, run->arch, message);
    ct_ptx *const module = text ? ct_ptx_load(text, message) : NULL;
    if (text && !module) ct_cli_complain("run", "%.300s: %s", run->file, message);
    else if (!parsed && !text) ct_cli_complain("run", "%s", message);
    int status = module ? run_module(run, module) : parsed > 0 ? CT_EXIT_OK : CT_EXIT_BAD;
    free(text);
    for (int i = 0; i < run->arg_count; ++i) {
        ct_npy_free(&run->args[i].array);
        free(run->args[i].name);
    }
    ct_ptx_free(module);
    free(run);
    return ct_cli_finish("run", status);
}
