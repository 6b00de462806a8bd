/* cutlet gemm A.npy B.npy -o D.npy: the product of two matrices. */
#include "gemm.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/cli.h"
#include "../common/commands.h"
#include "../common/json.h"
#include "../common/options.h"
#include "../common/progress.h"
#include "base/refuse.h"
#include "io/types.h"

/* clang-format off */
enum { KEY_OUTPUT = 'o', KEY_TRANSPOSE_B = 256, KEY_ALPHA, KEY_BETA, KEY_C, KEY_BIAS, KEY_SCALE_ROWS, KEY_SCALE_COLS, KEY_ACTIVATION, KEY_ON, KEY_BY,
       KEY_EFFORT, KEY_TYPE, KEY_TF32, KEY_NO_VERIFY, KEY_JSON };
/* clang-format on */

static const struct argp_option options[] = {
    {"output", KEY_OUTPUT, "FILE", 0, "the file of the result (required)", 0},
    {"transpose-b", KEY_TRANSPOSE_B, NULL, 0, "B is stored transposed, as (n,k)", 0},
    {"alpha", KEY_ALPHA, "X", 0, "the factor of the product (default 1)", 0},
    {"beta", KEY_BETA, "X", 0, "the factor of --c (required with --c)", 0},
    {"c", KEY_C, "FILE", 0, "the matrix C", 0},
    {"bias", KEY_BIAS, "FILE", 0, "a vector of n elements, added to each row", 0},
    {"activation", KEY_ACTIVATION, "none|relu|gelu|silu", 0,
     "the last step; gelu is its tanh form (default none)", 0},
    {"scale-rows", KEY_SCALE_ROWS, "FILE", 0, "a vector of m factors of the product's rows", 0},
    {"scale-cols", KEY_SCALE_COLS, "FILE", 0, "a vector of n factors of its columns", 0},
    {"on", KEY_ON, "auto|gpu|grid|cpu", 0,
     "where to run; auto: a GPU, else the CPU grid for small products, else the CPU (default auto)",
     0},
    {"by", KEY_BY, "auto|wgmma|mma_sync", 0,
     "the matrix instruction; auto: wgmma for 16-bit types on sm_90, else mma_sync (default "
     "auto)",
     0},
    {"effort", KEY_EFFORT, "estimate|measure", 0,
     "how a form of the kernels by wgmma is chosen: by a model, or as the fastest of the model's five best on "
     "the GPU (default estimate)",
     0},
    {"type", KEY_TYPE, "TYPE", 0,
     "half, bfloat16, float, int8 or e4m3 (default: the type of the files; required for bfloat16, "
     "which NumPy stores as V2, and for e4m3, in files of uint8)",
     0},
    {"tf32", KEY_TF32, NULL, 0, "multiply float32 by matrix instructions, with 10-bit mantissas",
     0},
    {"no-verify", KEY_NO_VERIFY, NULL, 0, "do not compare the result with a product in double", 0},
    {"json", KEY_JSON, NULL, 0, "print JSON", 0},
    {0},
};

/* A finite number; 0, or EINVAL after a complaint. */
static error_t read_factor(struct argp_state *state, const char *option, const char *text,
                           float *out)
{
    char *end;
    *out = strtof(text, &end);
    if (end != text && !*end && isfinite(*out)) return 0;
    return ct_cli_wrong(state, "%s is a number that a float32 holds, not `%.40s`", option, text);
}

/* A type that is multiplied, by any of its names. */
static error_t read_type(struct argp_state *state, const char *text, const char **out)
{
    static const struct {
        const char *option, *own;
    } names[] = {{"half", "float16"},
                 {"bfloat16", "bfloat16"},
                 {"float", "float32"},
                 {"int8", "int8"},
                 {"e4m3", "e4m3"}};
    ct_named_type type;
    char why[CT_MESSAGE_BYTES];
    if (ct_named_type_read(text, &type, why) != 0) return ct_cli_wrong(state, "--type: %s", why);
    for (int i = 0; i < 5; ++i)
        if (strcmp(type.name, names[i].option) == 0) *out = names[i].own;
    if (*out) return 0;
    return ct_cli_wrong(state, "--type is half, bfloat16, float, int8 or e4m3, not `%.40s`", text);
}

static error_t check_all(struct argp_state *state, const ct_gemm_options *o)
{
    if (!o->b) return ct_cli_wrong(state, "two matrices are needed: A.npy B.npy");
    if (!o->output) return ct_cli_wrong(state, "--output is missing: where is the result to go?");
    if (o->has_beta && !o->file[CT_GEMM_C])
        return ct_cli_wrong(state, "--beta is the factor of --c, which is missing");
    if (o->file[CT_GEMM_C] && !o->has_beta)
        return ct_cli_wrong(state, "--c is added --beta times, which is missing");
    return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    ct_gemm_options *const o = state->input;
    switch (key) {
        case KEY_OUTPUT: o->output = arg; return 0;
        case KEY_TRANSPOSE_B: o->transpose_b = 1; return 0;
        case KEY_C: o->file[CT_GEMM_C] = arg; return 0;
        case KEY_BIAS: o->file[CT_GEMM_BIAS] = arg; return 0;
        case KEY_SCALE_ROWS: o->file[CT_GEMM_SCALE_ROWS] = arg; return 0;
        case KEY_SCALE_COLS: o->file[CT_GEMM_SCALE_COLS] = arg; return 0;
        case KEY_ACTIVATION:
            o->activation = ct_cli_choice(state, key, arg);
            return o->activation < 0 ? EINVAL : 0;
        case KEY_TF32: o->tf32 = 1; return 0;
        case KEY_NO_VERIFY: o->no_verify = 1; return 0;
        case KEY_JSON: o->json = 1; return 0;
        case KEY_ALPHA: return read_factor(state, "--alpha", arg, &o->alpha);
        case KEY_BETA: o->has_beta = 1; return read_factor(state, "--beta", arg, &o->beta);
        case KEY_ON: o->on = ct_cli_choice(state, key, arg); return o->on < 0 ? EINVAL : 0;
        case KEY_BY: o->by = ct_cli_choice(state, key, arg); return o->by < 0 ? EINVAL : 0;
        case KEY_EFFORT:
            o->effort = ct_cli_choice(state, key, arg);
            return o->effort < 0 ? EINVAL : 0;
        case KEY_TYPE: o->type = NULL; return read_type(state, arg, &o->type);
        case ARGP_KEY_ARG:
            if (o->b) return ct_cli_wrong(state, "two matrices, not more; the result is -o FILE");
            *(o->a ? &o->b : &o->a) = arg;
            return 0;
        case ARGP_KEY_END: return check_all(state, o);
        default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp ct_gemm_argp = CT_ARGP(
    options, parse, "A.npy B.npy -o D.npy",
    "Multiplies two matrices: D = activation(scale_rows[i] scale_cols[j] alpha (A B) + beta C + bias[j]).\v"
    "  cutlet compare --rows 64 --cols 32 --type int8 --output A.npy     # matrices to try\n"
    "  cutlet compare --rows 32 --cols 48 --type int8 --output B.npy\n"
    "  cutlet compare --rows 64 --cols 48 --type int32 --output C.npy\n"
    "  cutlet gemm A.npy B.npy -o D.npy\n"
    "  cutlet gemm A.npy B.npy -o D.npy --on grid\n"
    "  cutlet gemm A.npy B.npy -o D.npy --alpha 2 --c C.npy --beta 3\n"
    "\n"
    "A is (m,k), B is (k,n), or with --transpose-b (n,k); the result is (m,n), in C order. The "
    "files are NumPy's, in C or Fortran order. A float16, bfloat16 or float32 product has the "
    "type of its operands and accumulates in float32; one of e4m3 is bfloat16. An int8 product is int32, exact modulo "
    "2^32; its alpha and beta are integers.\n"
    "\n"
    "The order: A B; alpha and the scales; beta C, the residual; the bias; the activation; one "
    "rounding to the type of the result. Vectors are files of float32. An int8 product has a bias "
    "of int32 and relu; its scales, gelu and silu are refused.\n"
    "\n"
    "The result is compared with a product in double: every element, or for large products "
    "random elements of each 128 x 128 tile. If a difference exceeds the rounding error, the "
    "exit status is 1 and no file is written. The time printed is that of the product; on a GPU "
    "it is the median of five runs.");

static ct_status write_result(const ct_gemm_options *o, const ct_gemm_job *j, char *error)
{
    ct_npy out;
    memset(&out, 0, sizeof out);
    strcpy(out.descr, j->type->result_descr);
    out.rank = 2;
    out.shape[0] = j->m;
    out.shape[1] = j->n;
    out.data = j->on.d;
    return ct_npy_write(o->output, &out, error);
}

/* What was computed, by what, and how right it is. */
static void tell(const ct_gemm_job *j, const ct_gemm_result *run, const ct_gemm_check *check)
{
    const double work = 2 * (double)j->m * (double)j->n * (double)j->k;
    printf("%s (%lld,%lld) x (%lld,%lld) %s, %.3g ms", j->type->name, (long long)j->m,
           (long long)j->k, (long long)j->k, (long long)j->n, run->where, 1e3 * run->seconds);
    if (j->where == CT_GEMM_GPU && run->seconds > 0)
        printf(", %.3g TFLOP/s", 1e-12 * work / run->seconds);
    if (check->checked == j->m * j->n)
        printf("; all elements checked, largest difference %.3g", check->largest);
    else if (check->checked)
        printf("; %lld of %lld elements checked, at random, largest difference %.3g",
               (long long)check->checked, (long long)(j->m * j->n), check->largest);
    else printf("; not checked");
    printf("%s%s\n", j->no_gpu[0] ? "; " : "", j->no_gpu);
}

/* The same as JSON. */
static ct_status tell_json(const ct_gemm_job *j, const ct_gemm_result *run,
                           const ct_gemm_check *check, char *error)
{
    json_t *root =
        json_pack("{s:s, s:I, s:I, s:I, s:s, s:f, s:I, s:I, s:f, s:s?}", "type", j->type->name, "m",
                  (json_int_t)j->m, "n", (json_int_t)j->n, "k", (json_int_t)j->k, "where",
                  run->where, "seconds", run->seconds, "elements", (json_int_t)(j->m * j->n),
                  "checked", (json_int_t)check->checked, "largest_difference", check->largest,
                  "no_gpu", j->no_gpu[0] ? j->no_gpu : NULL);
    const int bad = ct_json_write(stdout, root, JSON_INDENT(2));
    json_decref(root);
    return bad ? ct_refuse(error, CT_E_MEMORY, "out of memory") : CT_OK;
}

static int complain_wrong(const ct_gemm_result *run, const ct_gemm_check *c)
{
    ct_cli_complain("gemm",
                    "%s: element (%lld,%lld) is %.10g, expected %.10g; %lld of %lld "
                    "elements are wrong",
                    run->where, (long long)c->at[0], (long long)c->at[1], c->found, c->right,
                    (long long)c->wrong, (long long)c->checked);
    return CT_EXIT_FAILED;
}

static int run(const ct_gemm_options *o, ct_gemm_job *j, char *error)
{
    ct_gemm_result done = {"", 0};
    ct_gemm_check check = {0};
    if (ct_gemm_prepare(o, j, error)) return CT_EXIT_BAD;
    ct_cli_progress_begin("gemm", j->where == CT_GEMM_GRID  ? "multiplying on the CPU grid"
                                  : j->where == CT_GEMM_GPU ? "multiplying on the GPU"
                                                            : "multiplying on the CPU");
    const ct_status bad = ct_gemm_compute(j, &done, error);
    ct_cli_progress_end();
    if (bad) return CT_EXIT_BAD;
    if (!o->no_verify) ct_gemm_compare(j->plan, &j->on, &check);
    if (check.wrong) return complain_wrong(&done, &check);
    if (write_result(o, j, error)) return CT_EXIT_BAD;
    if (o->json) return tell_json(j, &done, &check, error) ? CT_EXIT_BAD : CT_EXIT_OK;
    tell(j, &done, &check);
    return CT_EXIT_OK;
}

int ct_cmd_gemm(int argc, char **argv)
{
    ct_gemm_options o = {.alpha = 1};
    ct_gemm_job job = {0};
    char error[CT_MESSAGE_BYTES] = "";
    const int parsed = ct_cli_parse(&ct_gemm_argp, argc, argv, &o);
    if (parsed != 0) return ct_cli_finish("gemm", parsed < 0 ? CT_EXIT_BAD : CT_EXIT_OK);
    const int status = run(&o, &job, error);
    ct_gemm_release(&job);
    if (status == CT_EXIT_BAD) ct_cli_complain("gemm", "%s", error);
    return ct_cli_finish("gemm", status);
}
