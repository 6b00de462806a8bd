/* The arguments of cutlet-bench-gpu. */
#include "table.h"
#include "base/number.h"

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

/* A number from least to most. */
static int64_t number(const char *option, const char *text, int64_t least, int64_t most)
{
    int64_t value;
    if (ct_number_read(text, least, most, &value)) wrong(option, text);
    return value;
}

static void read_elems(bench_setup *setup, const char *text)
{
    static const char *const sizes[] = {"1", "2", "4", "8", "16"};
    setup->elem_count = 0;
    for (const char *at = text; at; at = strchr(at, ',')) {
        at += *at == ',';
        int e = 0;
        const size_t length = strcspn(at, ",");
        while (e < 5 && (strlen(sizes[e]) != length || strncmp(at, sizes[e], length))) ++e;
        if (e == 5 || setup->elem_count == 5) wrong("elem", text);
        setup->elem_bytes[setup->elem_count++] = 1 << e;
    }
}

static void read_tile(bench_setup *setup, const char *text)
{
    char rows[16] = "";
    const size_t length = strcspn(text, "x");
    if (!text[length] || length >= sizeof rows) wrong("tile", text);
    memcpy(rows, text, length);
    setup->tile_m = number("tile", rows, 1, 1 << 16);
    setup->tile_n = number("tile", text + length + 1, 1, 1 << 16);
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
        case 'm': o.mib = number("mib", optarg, 1, 1 << 16); break;
        case 'e': read_elems(&o.setup, optarg); break;
        case 't': read_tile(&o.setup, optarg); break;
        case 'g': o.groups = optarg; break;
        case 'p': o.peer = optarg; break;
        case 'o': o.only = optarg; break;
        case 'r': o.runs = (int)number("runs", optarg, 1, 10000); break;
        case 'w': o.warmups = (int)number("warmups", optarg, 0, 10000); break;
        case 'f': o.tsv = optarg; break;
        case 'd': o.device = (int)number("device", optarg, 0, 1000); break;
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

int bench_is_wanted(const bench_options *o, const bench_job *job)
{
    char text[BENCH_NAME + 32];
    snprintf(text, sizeof text, "%s %s", job->group, job->name);
    return bench_is_among(o->groups, job->group) && (!o->only || strstr(text, o->only));
}
