/* cutlet sass FILE|KERNEL: the widths of the accesses to memory in generated code. */
#include "sass.h"

#include <string.h>

#include "../common/cli.h"
#include "../common/commands.h"

enum { KEY_ARCH = 256, KEY_EXPECT, KEY_KERNEL, KEY_JSON, KEY_LIST };

typedef struct arguments {
    ct_source_query query;
    ct_expectations expectations;
    int json;
} arguments;

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "ARCH", 0, "only the code for this architecture (default all)", 0},
    {"kernel", KEY_KERNEL, "NAME", 0,
     "only the kernel of this name or, if there is none, those whose names contain it", 0},
    {"expect", KEY_EXPECT, "LIST", 0,
     "accesses that every kernel must have, or with ! must not have: LDG.128,STG.64+,!LDL", 0},
    {"list", KEY_LIST, NULL, 0, "also print the instructions", 0},
    {"json", KEY_JSON, NULL, 0, "print JSON", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    arguments *a = state->input;
    char message[CT_MESSAGE_BYTES];
    switch (key) {
        case KEY_ARCH:
            if (strncmp(arg, "sm_", 3) != 0 || strlen(arg) >= CT_ARCH_BYTES)
                return ct_cli_wrong(state,
                                    "--arch takes an architecture such as sm_90, not "
                                    "`%.40s`",
                                    arg);
            a->query.arch = arg;
            return 0;
        case KEY_KERNEL: a->query.kernel = arg; return 0;
        case KEY_JSON: a->json = 1; return 0;
        case KEY_LIST: a->query.keeps_lines = 1; return 0;
        case KEY_EXPECT:
            if (ct_expect_read(&a->expectations, arg, message))
                return ct_cli_wrong(state, "--expect: %s", message);
            return 0;
        case ARGP_KEY_ARG:
            if (a->query.name) return ct_cli_wrong(state, "one file or kernel at a time");
            a->query.name = arg;
            return 0;
        case ARGP_KEY_END:
            return a->query.name && *a->query.name
                       ? 0
                       : ct_cli_wrong(state,
                                      "a file of GPU code, or the name of a kernel, is missing");
        default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp ct_sass_argp = CT_ARGP(
    options, parse, "FILE|KERNEL",
    "Counts the memory accesses in the generated code of GPU kernels, by width.\v"
    "FILE is a cubin, a fat binary, a program or library with device code, the output of "
    "`cuobjdump -sass` or `nvdisasm`, or PTX. If there is no such file, KERNEL names the kernels "
    "built into the command whose names equal or contain it.\n"
    "\n"
    "  echo '__global__ void copy(float4 *to, float4 *from) { *to = *from; }' > copy.cu\n"
    "  nvcc -ptx copy.cu\n"
    "  cutlet sass copy.ptx\n"
    "  cutlet sass copy.ptx --expect 'LDG.128,!LDG.64-,!LDL,!STL'\n"
    "  cutlet sass ct_copy_rows8_async_row_2 --arch sm_90 --list\n"
    "\n"
    "128:4 means 4 instructions of 128 bits per thread. The count is static: an instruction "
    "in a loop counts once, a predicated one like any other. The names are those of SASS:\n"
    "\n"
    "  LDG STG          global memory            LDL STL  local memory: stack, spills\n"
    "  LDS STS          shared memory            LD ST    generic addresses\n"
    "  LDGSTS           cp.async                 STAS     st.async\n"
    "  LDSM STSM        ldmatrix, stmatrix, by matrices: x1, x2, x4\n"
    "  UBLKCP UBLKRED   bulk copies and reductions\n"
    "  UTMALDG UTMASTG UTMAREDG   tensor copies, by dimensions: 1D to 5D\n"
    "  ATOMG RED ATOMS ATOM       atomics: global, global without a result, shared, generic\n"
    "\n"
    "PTX is counted by the same names, ld.global as LDG. The SASS compiled from it may differ.\n"
    "\n"
    "--expect checks every kernel listed. NAME requires at least one such instruction, "
    "NAME.WIDTH one of that width, NAME.WIDTH+ one at least as wide, NAME.WIDTH- one at most as "
    "wide; ! requires that there is none. Each failure prints a line with the actual "
    "instructions, and the exit status is 1. It is 2 when a file cannot be read.\n"
    "\n"
    "PTX and the output of cuobjdump or nvdisasm can be read without the CUDA toolkit. All else, "
    "including KERNEL, needs cuobjdump "
    "(CUTLET_CUOBJDUMP, PATH, $CUDA_HOME/bin, $CUDA_PATH/bin, /usr/local/cuda/bin), with "
    "nvdisasm beside it; a cubin needs only nvdisasm. If they are missing, the exit status is 2.");

/* One line for each expectation that a kernel does not meet. Returns how many. */
static int complain_of_all(const arguments *a, const ct_code *code)
{
    int failed = 0;
    char why[CT_MESSAGE_BYTES];
    for (int i = 0; i < code->count; ++i) {
        const ct_kernel_code *const k = &code->kernel[i];
        for (int j = 0; j < a->expectations.count; ++j) {
            const ct_expectation *const e = &a->expectations.item[j];
            if (ct_expect_holds(e, k)) continue;
            ct_expect_explain(e, k, why);
            ct_cli_complain("sass", "%.200s%s%s%s: %s", k->name, k->arch[0] ? " (" : "", k->arch,
                            k->arch[0] ? ")" : "", why);
            ++failed;
        }
    }
    return failed;
}

static int run(const arguments *a)
{
    char message[CT_MESSAGE_BYTES];
    ct_source source;
    if (ct_source_load(&a->query, &source, message)) {
        ct_cli_complain("sass", "%s", message);
        return CT_EXIT_BAD;
    }
    const ct_sass_report report = {a->query.name, &source, &a->expectations, a->query.keeps_lines};
    int status = CT_EXIT_OK;
    if (!a->json) ct_sass_print(&report, stdout);
    else if (ct_sass_json(&report, stdout)) {
        ct_cli_complain("sass", "out of memory");
        status = CT_EXIT_BAD;
    }
    fflush(stdout);
    if (status == CT_EXIT_OK && complain_of_all(a, &source.code) > 0) status = CT_EXIT_FAILED;
    ct_source_free(&source);
    return status;
}

int ct_cmd_sass(int argc, char **argv)
{
    arguments a = {0};
    const int parsed = ct_cli_parse(&ct_sass_argp, argc, argv, &a);
    const int status = parsed < 0 ? CT_EXIT_BAD : parsed > 0 ? CT_EXIT_OK : run(&a);
    ct_expect_free(&a.expectations);
    return ct_cli_finish("sass", status);
}
