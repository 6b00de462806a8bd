/* cutlet help [TOPIC] */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "../common/cli.h"
#include "../common/commands.h"
#include "../common/options.h"
#include "io/types.h"
#include "text/nearest.h"

static const char notation[] =
    "Values, as they are read and printed:\n"
    "\n"
    "  5   (2,(3,4))   _               integers, tuples, and `_`, which means a whole mode\n"
    "  ((2,4),8):((1,16),2)            a layout: shape and stride; 8 and _8 are the same\n"
    "  (4,8)                           where a layout is expected: compact, the first mode "
    "fastest\n"
    "  3@0   1@1@0                     3 steps along mode 0; a step along mode 1 of mode 0\n"
    "  1@0+2@1                         a step along mode 0 and two along mode 1 at once\n"
    "  <4:1,8:2>   <4,_>               a tiler: a tile for each mode, `_` leaves one alone\n"
    "  640@(64,2):(2,1024)             a slice of a tensor: offset@layout\n"
    "  Sw<3,4,3>                       a swizzle: bits, base, shift\n"
    "  Sw<3,4,3> o 0 o (8,64):(64,1)   a swizzled layout: swizzle, offset, layout\n"
    "\n"
    "Expressions:\n"
    "\n"
    "  size((4,8):(8,1))               operations are called by name, and nest\n"
    "  (4,8):(8,1)(2,3)                a layout at a coordinate: the offset; (19) is the index 19\n"
    "  (4,8):(8,1)(2,_)                a slice: offset@layout\n"
    "  A == B   A ~ B   A == error     the same layout; the same function; an operation that "
    "fails\n";

static void list_commands(void)
{
    fputs("Usage: cutlet COMMAND [ARGUMENT...]\n"
          "Evaluates, draws, verifies and measures layouts, tiled copies and tiled MMAs.\n\n",
          stdout);
    for (const ct_command *c = ct_commands; c->name; ++c) {
        char usage[64];
        snprintf(usage, sizeof usage, "%s %s", c->name, c->arguments);
        printf("  %-28s  %s\n", usage, c->help);
    }
    fputs("\n"
          "  cutlet eval 'composition((6,2):(8,2), (4,3):(3,1))'\n"
          "  cutlet explain 'coalesce((2,(1,6)):(1,(6,2)))'\n"
          "  cutlet draw '(8,8):(8,1)'\n"
          "\n"
          "`cutlet COMMAND --help` explains a command, `cutlet help notation` how layouts are "
          "written,\n"
          "`cutlet help operations` what can be called, `cutlet help NAME` one operation,\n"
          "`cutlet help atoms` the instructions of copies and of matrix multiplications,\n"
          "`cutlet help types` the types of elements, `cutlet help WORD` what speaks of a word.\n"
          "`cutlet -V` prints the version.\n",
          stdout);
}

static void print_operation(const ct_operation_info *info)
{
    char call[160];
    snprintf(call, sizeof call, "%s(%s)", info->name, info->takes);
    printf("  %-46s %s\n", call, info->help);
}

static void list_operations(void)
{
    ct_operation_info info;
    const char *group = "";
    for (int i = 0; ct_operation_listed(i, &info); ++i) {
        if (strcmp(group, info.group) != 0) printf("%s%s\n", i ? "\n" : "", info.group);
        group = info.group;
        print_operation(&info);
    }
    fputs("\nA bare shape means its compact layout, a tuple of integers a tiler.\n", stdout);
}

/* An atom of a line of its own, for grep. */
static int print_atom(void *context, const char *name, const char *what)
{
    (void)context;
    return printf("%-10s %s\n", what, name) < 0;
}

/* A type of a line of its own: name, bits, code of NumPy, other names. */
static void list_types(void)
{
    char code[10];
    const ct_named_type *type;
    for (int i = 0; (type = ct_named_type_listed(i)); ++i) {
        ct_named_type_describe(type, code);
        printf("%-11s%s%3d bits  %-5s%s%s\n", type->name, " ", (int)type->bits, code,
               type->aliases[0] ? " also " : "", type->aliases);
    }
    fputs("\nA code of NumPy does as well: f2, <f2, u4; V1 to V16 are that many bytes.\n", stdout);
}

/* ---- by meaning ------------------------------------------------------------------------------ */

/* Whether a word of a text begins with this one, in either case: `conflict` is in `conflicts`. */
static int speaks_of(const char *text, const char *word)
{
    const size_t n = strlen(word);
    int inside = 0; /* of a word */
    for (const char *at = text; at && *at; ++at) {
        if (!inside && strncasecmp(at, word, n) == 0) return 1;
        inside = isalpha((unsigned char)*at) != 0;
    }
    return 0;
}

/* Whether the help of a command, its options or its words do. */
static int command_speaks_of(const ct_command *c, const char *word)
{
    const struct argp *const a = c->argp;
    if (speaks_of(c->name, word) || speaks_of(c->help, word)) return 1;
    if (a && speaks_of(a->doc, word)) return 1;
    for (const struct argp_option *o = a ? a->options : NULL; o && !ct_option_ends(o); ++o)
        if (speaks_of(o->name, word) || speaks_of(o->doc, word)) return 1;
    return 0;
}

/* Lists what speaks of a word; 0 where nothing does. */
static int find_by_meaning(const char *word)
{
    ct_operation_info info;
    const char *last = "";
    int found = 0;
    if (strlen(word) < 3) return 0;
    for (const ct_command *c = ct_commands; c->name; ++c)
        if (command_speaks_of(c, word)) {
            if (found++ == 0) printf("`%s` is spoken of in\n\n", word);
            printf("  cutlet help %-12s %s\n", c->name, c->help);
        }
    for (const ct_command *c = ct_subcommands; c->name; ++c)
        if (command_speaks_of(c, word)) {
            if (found++ == 0) printf("`%s` is spoken of in\n\n", word);
            printf("  cutlet help %s\n", c->name);
        }
    if (speaks_of(notation, word)) {
        if (found++ == 0) printf("`%s` is spoken of in\n\n", word);
        puts("  cutlet help notation     how layouts are written");
    }
    const int pages = found;
    for (int i = 0; ct_operation_listed(i, &info); ++i) {
        if (!speaks_of(info.name, word) && !speaks_of(info.help, word)) continue;
        if (strcmp(last, info.name) == 0) continue;
        if (found++ == pages) printf("%soperations\n", pages ? "\n" : "");
        print_operation(&info);
        last = info.name;
    }
    return found;
}

/* Says that there is no such topic. */
static int no_topic(const char *topic)
{
    char ask[CT_NEAREST_BYTES];
    ct_nearest near = {.word = topic};
    ct_operation_info info;
    int n = 0;
    if (find_by_meaning(topic)) return ct_cli_finish("help", CT_EXIT_OK);
    for (const ct_command *c = ct_commands; c->name; ++c) {
        ct_nearest_try(&near, c->name);
        for (const char *word, *at = c->words; (word = ct_option_word(&at, &n));)
            if (c->takes & CT_TAKES_TOPIC) ct_nearest_try_part(&near, word, n);
    }
    for (int i = 0; ct_operation_listed(i, &info); ++i) ct_nearest_try(&near, info.name);
    ct_cli_complain("help", "there is no command, topic or operation `%.60s`%s", topic,
                    ct_nearest_ask(&near, ask));
    return CT_EXIT_BAD;
}

/* The forms of one operation; 0 when no operation has that name. */
static int explain_operation(const char *name)
{
    ct_operation_info info;
    const char *function, *header;
    int found = 0;
    for (int i = 0; ct_operation_listed(i, &info); ++i) {
        if (strcmp(info.name, name) != 0) continue;
        print_operation(&info);
        if (ct_operation_source(i, &function, &header))
            printf("      in C: %s, <%s>\n", function, header);
        found = 1;
    }
    return found;
}

int ct_cmd_help(int argc, char **argv)
{
    const char *topic = argc > 1 ? argv[1] : "";
    char *help[] = {(char *)topic, "--help", NULL};
    const ct_command *c = ct_command_named(topic);
    char two[64];
    snprintf(two, sizeof two, "%.30s %.30s", topic, argc > 2 ? argv[2] : "");
    for (const ct_command *s = ct_subcommands; argc == 3 && s->name; ++s)
        if (strcmp(s->name, two) == 0) return s->run(2, (char *[]){argv[2], "--help", NULL});
    if (argc > 2) {
        ct_cli_complain("help", "one topic at a time");
        return CT_EXIT_BAD;
    }
    if (argc < 2 || strcmp(topic, "help") == 0 || strcmp(topic, "--help") == 0) list_commands();
    else if (strcmp(topic, "notation") == 0) fputs(notation, stdout);
    else if (strcmp(topic, "operations") == 0) list_operations();
    else if (strcmp(topic, "atoms") == 0) ct_atoms_listed(print_atom, NULL);
    else if (strcmp(topic, "types") == 0) list_types();
    else if (c) return c->run(2, help);
    else if (!explain_operation(topic)) return no_topic(topic);
    return ct_cli_finish("help", CT_EXIT_OK);
}
