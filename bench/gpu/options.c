/* The arguments of cutlet-bench-gpu. */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: cutlet-bench-gpu [OPTION...]\n\n"
    "  --mib N        the size of each matrix (512)\n"
    "  --elem LIST    sizes of elements in bytes, as 2,4 (2,4)\n"
    "  --tile MxN     the tile of the tiled copies (what their kernels were made for)\n"
    "  --group LIST   only the jobs of these groups, as plain,copy\n"
    "  --only TEXT    only the jobs whose `group name' contains TEXT\n"
    "  --peer FILE    an image made from peers/cute_copy.cu: its kernels in turn with ours\n"
    "  --runs N       timed runs of each job (25)\n"
    "  --warmups N    runs before them (3)\n"
    "  --tsv FILE     also writes all figures as tab-separated values\n"
    "  --device N     the device (0)\n"
    "  --list         prints the jobs; needs no GPU\n"
    "  --help         this text\n\n"
    "GB/s counts bytes read and bytes written. Ends with status 0; 1 when a result was wrong; 2\n"
    "for bad arguments; 77 where there is no GPU.\n";

/* ---- arguments ------------------------------------------------------------------------------- */

_Noreturn static void wrong(const char *option, const char *value)
{
    fprintf(stderr, "cutlet-bench-gpu: --%s: %s?\n", option, value);
    exit(2);
}

/* A number from least to most; *end is what follows it. */
static int64_t number(const char *option, const char *text, int64_t least, int64_t most,
                      const char **end)
{
    char *stop;
    errno = 0;
    const long long value = strtoll(text, &stop, 10);
    if (stop == text || errno || value < least || value > most || (!end && *stop))
        wrong(option, text);
    if (end) *end = stop;
    return value;
}

static void read_elems(bench_setup *setup, const char *text)
{
    const char *at = text;
    setup->elem_count = 0;
    do {
        const int bytes = (int)number("elem", at, 1, 16, &at);
        if ((bytes & (bytes - 1)) || setup->elem_count == 5 || (*at && *at != ','))
            wrong("elem", text);
        setup->elem_bytes[setup->elem_count++] = bytes;
    } while (*at++);
}

static void read_tile(bench_setup *setup, const char *text)
{
    const char *at;
    setup->tile_m = number("tile", text, 1, 1 << 16, &at);
    if (*at != 'x') wrong("tile", text);
    setup->tile_n = number("tile", at + 1, 1, 1 << 16, NULL);
}

bench_options bench_read_options(int argc, char **argv)
{
    static const struct option names[] = {
        {"mib", 1, 0, 'm'},  {"elem", 1, 0, 'e'},   {"tile", 1, 0, 't'},  {"only", 1, 0, 'o'},
        {"group", 1, 0, 'g'}, {"peer", 1, 0, 'p'},
        {"runs", 1, 0, 'r'}, {"warmups", 1, 0, 'w'}, {"tsv", 1, 0, 'f'},  {"device", 1, 0, 'd'},
        {"list", 0, 0, 'l'}, {"help", 0, 0, 'h'},   {0, 0, 0, 0}};
    bench_options o;
    memset(&o, 0, sizeof o);
    o.mib = 512;
    o.runs = 25;
    o.warmups = 3;
    read_elems(&o.setup, "2,4");
    for (int c; (c = getopt_long(argc, argv, "", names, NULL)) != -1;) {
        switch (c) {
        case 'm': o.mib = number("mib", optarg, 1, 1 << 16, NULL); break;
        case 'e': read_elems(&o.setup, optarg); break;
        case 't': read_tile(&o.setup, optarg); break;
        case 'g': o.groups = optarg; break;
        case 'p': o.peer = optarg; break;
        case 'o': o.only = optarg; break;
        case 'r': o.runs = (int)number("runs", optarg, 1, 10000, NULL); break;
        case 'w': o.warmups = (int)number("warmups", optarg, 0, 10000, NULL); break;
        case 'f': o.tsv = optarg; break;
        case 'd': o.device = (int)number("device", optarg, 0, 1000, NULL); break;
        case 'l': o.list = 1; break;
        case 'h': fputs(usage, stdout); exit(0);
        default: exit(2);
        }
    }
    if (optind < argc) wrong("help", argv[optind]);
    o.setup.bytes = o.mib << 20;
    o.setup.peer = o.peer != NULL;
    return o;
}

/* Whether a name is one of those between the commas. */
static int is_among(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',')) {
        if (*at == ',') ++at;
        if (strncmp(at, name, length) == 0 && (!at[length] || at[length] == ',')) return 1;
    }
    return 0;
}

int bench_is_wanted(const bench_options *o, const bench_job *job)
{
    char text[BENCH_NAME + 32];
    snprintf(text, sizeof text, "%s %s", job->group, job->name);
    if (o->groups && !is_among(o->groups, job->group)) return 0;
    return !o->only || strstr(text, o->only);
}
