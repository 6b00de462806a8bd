/* cutlet check FILE... */
#include <cutlet/host/check.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/style.h"
#include "base/whole_file.h"
#include "common/cli.h"
#include "common/commands.h"
#include "common/json.h"

typedef struct arguments {
    char **file;
    int count, quiet, which, tap, json;
    const char *junit;
} arguments;

enum { KEY_TAP = 256, KEY_JUNIT, KEY_JSON };
enum { TEXT = 512 }; /* bytes of a line that are shown */

static const struct argp_option options[] = {
    {"quiet", 'q', NULL, 0, "print only the last line", 0},
    {"tap", KEY_TAP, NULL, 0, "print the Test Anything Protocol, a line for each assertion", 0},
    {"junit", KEY_JUNIT, "FILE.xml", 0, "also write the results as JUnit's XML", 0},
    {"json", KEY_JSON, NULL, 0, "print JSON", 0},
    {"examples", 'e', NULL, 0, "check the lines that follow `Example:` in source files", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
        case 'q': a->quiet = 1; return 0;
        case KEY_TAP: a->tap = 1; return 0;
        case KEY_JUNIT: a->junit = arg; return 0;
        case KEY_JSON: a->json = 1; return 0;
        case 'e': a->which = CT_CHECK_EXAMPLES; return 0;
        case ARGP_KEY_ARG: a->file[a->count++] = arg; return 0;
        case ARGP_KEY_END:
            if (a->tap && a->json) return ct_cli_wrong(state, "either --tap or --json");
            return a->count > 0
                       ? 0
                       : ct_cli_wrong(state,
                                      "a file of assertions is missing; - is standard input");
        default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp ct_check_argp = CT_ARGP(
    options, parse, "FILE...",
    "Checks files of assertions about layouts; - is standard input.\v"
    "An assertion is a line of one of these forms; # begins a comment:\n"
    "\n"
    "  composition((6,2):(8,2), (4,3):(3,1)) == ((2,2),3):((24,2),8)\n"
    "  coalesce((2,(1,6)):(1,(6,2))) ~ (2,6):(1,2)\n"
    "  complement((2,2):(2,6), 24) == error\n"
    "  conflicts(Sw<3,3,3> o 0 o (64,64):(64,1), 16, ldmatrix) == 0\n"
    "  copy_width((16,8):(1,16), (16,8):(1,16), 2, 16, 0, 0) >= 16\n"
    "\n"
    "== compares shape, stride and nesting. ~ compares functions: equal sizes, and equal offsets "
    "for every index. <= and >= compare integers. == error expects the operation to fail.\n"
    "\n"
    "  echo 'size(4:1) == 4' | cutlet check -\n"
    "  echo 'coalesce((2,4):(1,2)) == 8:1' > my_layouts.check\n"
    "  cutlet check my_layouts.check\n"
    "\n"
    "Each failing line is printed with the actual and the expected result. The last line counts "
    "the lines that passed and failed. The exit status is 0; 1 when a line failed; 2 when a file "
    "or a line cannot be "
    "read.");

/* ---- what is done with a line ---------------------------------------------------------------- */

typedef struct run {
    const arguments *a;
    ct_check_counts counts;
    json_t *failures;
    ct_whole_file xml;
    int has_xml, bad;
} run;

/* A line without its comment and its spaces. */
static int text_of(const ct_check_result *c, const char **line)
{
    const char *const end = memchr(c->line, '#', c->length);
    size_t n = end ? (size_t)(end - c->line) : c->length;
    *line = c->line;
    while (n > 0 && (unsigned char)**line <= ' ') ++*line, --n;
    while (n > 0 && (unsigned char)(*line)[n - 1] <= ' ') --n;
    return (int)ct_min((int64_t)n, TEXT - 1);
}

static int has_failed(const ct_check_result *c) { return c->verdict->outcome != CT_CHECK_PASSED; }

/* Why a line failed, on one line; empty where it passed. */
static void reason_of(const ct_check_result *c, char *text, size_t size)
{
    const ct_verdict *v = c->verdict;
    if (v->outcome == CT_CHECK_BAD) snprintf(text, size, "%s", v->diag.message);
    else
        snprintf(text, size, "got %.300s, expected %.300s%s%s", v->got ? v->got : "",
                 v->expected ? v->expected : "", v->note[0] ? "; " : "", v->note);
}

static void print_tap(const run *r, const ct_check_result *c)
{
    const char *line;
    const int n = text_of(c, &line);
    printf("%s %lld - %s:%lld: %.*s\n", has_failed(c) ? "not ok" : "ok",
           (long long)(r->counts.passed + r->counts.failed), c->name, (long long)c->number, n,
           line);
    if (!has_failed(c)) return;
    char why[1024];
    reason_of(c, why, sizeof why);
    printf("# %s\n", why);
}

/* Text in an attribute of XML; what XML cannot hold becomes `?`. */
static void put_xml(ct_whole_file *f, const char *text, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        const unsigned char b = (unsigned char)text[i];
        const char *const s = b == '<'   ? "&lt;"
                              : b == '>' ? "&gt;"
                              : b == '&' ? "&amp;"
                              : b == '"' ? "&quot;"
                                         : NULL;
        if (s) ct_whole_write(f, s, strlen(s));
        else ct_whole_write(f, b < ' ' || b == 0x7f ? "?" : text + i, 1);
    }
}

static void put_case(run *r, const ct_check_result *c)
{
    char head[64], why[1024];
    const char *line;
    const int n = text_of(c, &line);
    ct_whole_file *const f = &r->xml;
    ct_whole_write(f, "  <testcase classname=\"", 23);
    put_xml(f, c->name, strlen(c->name));
    const int length = snprintf(head, sizeof head, "\" name=\"%lld: ", (long long)c->number);
    ct_whole_write(f, head, (size_t)length);
    put_xml(f, line, (size_t)n);
    if (!has_failed(c)) {
        ct_whole_write(f, "\"/>\n", 4);
        return;
    }
    reason_of(c, why, sizeof why);
    ct_whole_write(f, "\"><failure message=\"", 20);
    put_xml(f, why, strlen(why));
    ct_whole_write(f, "\"/></testcase>\n", 15);
}

static json_t *json_of(const ct_check_result *c)
{
    char text[TEXT];
    const char *line;
    const int n = text_of(c, &line);
    const ct_verdict *v = c->verdict;
    snprintf(text, sizeof text, "%.*s", n, line);
    json_t *o = json_pack("{s:s, s:I, s:s}", "file", c->name, "line", (json_int_t)c->number,
                          "assertion", text);
    if (!o) return NULL;
    if (v->outcome == CT_CHECK_BAD) json_object_set_new(o, "error", json_string(v->diag.message));
    else {
        json_object_set_new(o, "got", json_string(v->got ? v->got : ""));
        json_object_set_new(o, "expected", json_string(v->expected ? v->expected : ""));
    }
    return o;
}

static void on_line(void *user, const ct_check_result *c)
{
    run *const r = user;
    ct_check_count(&r->counts, c->verdict->outcome);
    if (r->has_xml) put_case(r, c);
    if (r->a->tap) print_tap(r, c);
    else if (r->failures && has_failed(c)) json_array_append_new(r->failures, json_of(c));
    else if (!r->failures && !r->a->quiet) ct_check_report(c, stdout);
}

/* ---- the command ----------------------------------------------------------------------------- */

static void check_files(run *r)
{
    for (int i = 0; i < r->a->count; ++i) {
        char message[CT_MESSAGE_BYTES];
        if (ct_check_each(r->a->file[i], r->a->which, on_line, r, message) == 0) continue;
        fflush(stdout);
        ct_cli_complain("check", "%s", message);
        r->bad = 1;
    }
}

/* Ends the output that was asked for. */
static void print_end(run *r)
{
    const long long passed = (long long)r->counts.passed, failed = (long long)r->counts.failed;
    if (r->a->tap) printf("1..%lld\n", passed + failed);
    else if (r->failures) {
        json_t *root = json_pack("{s:I, s:I, s:o}", "passed", (json_int_t)passed, "failed",
                                 (json_int_t)failed, "failures", r->failures);
        if (ct_json_write(stdout, root, JSON_INDENT(2))) {
            ct_cli_complain("check", "out of memory");
            r->bad = 1;
        }
        json_decref(root);
    } else {
        ct_put_style(stdout, failed ? CT_STYLE_BAD : CT_STYLE_GOOD);
        printf("%lld passed, %lld failed", passed, failed);
        ct_put_style(stdout, CT_STYLE_NONE);
        putchar('\n');
    }
}

static int open_xml(run *r, char *message)
{
    static const char begin[] =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"cutlet check\">\n";
    if (!r->a->junit) return 0;
    if (ct_whole_open(&r->xml, r->a->junit, message)) return -1;
    ct_whole_write(&r->xml, begin, sizeof begin - 1);
    r->has_xml = 1;
    return 0;
}

static int check(const arguments *a)
{
    run r = {.a = a};
    char message[CT_MESSAGE_BYTES];
    if (open_xml(&r, message)) {
        ct_cli_complain("check", "%s", message);
        return CT_EXIT_BAD;
    }
    if (a->json) r.failures = json_array();
    if (a->tap) puts("TAP version 13");
    check_files(&r);
    print_end(&r);
    if (r.has_xml) ct_whole_write(&r.xml, "</testsuite>\n", 13);
    if (r.has_xml && ct_whole_commit(&r.xml, message)) {
        ct_cli_complain("check", "%s", message);
        r.bad = 1;
    }
    return r.bad || r.counts.bad ? CT_EXIT_BAD : r.counts.failed ? CT_EXIT_FAILED : CT_EXIT_OK;
}

int ct_cmd_check(int argc, char **argv)
{
    arguments a = {.file = calloc((size_t)argc + 1, sizeof(char *)), .which = CT_CHECK_LINES};
    if (!a.file) {
        ct_cli_complain("check", "out of memory");
        return CT_EXIT_BAD;
    }
    const int parsed = ct_cli_parse(&ct_check_argp, argc, argv, &a);
    const int status = parsed < 0 ? CT_EXIT_BAD : parsed > 0 ? CT_EXIT_OK : check(&a);
    free(a.file);
    return ct_cli_finish("check", status);
}
