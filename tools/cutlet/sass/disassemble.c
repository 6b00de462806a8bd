#include "base/refuse.h"
#include "disassemble.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/trusted.h"
#include "read.h"

static ct_status fail(char message[CT_MESSAGE_BYTES], const char *what, const char *why)
{
    return ct_refuse(message, CT_E_FILE, "%.300s: %s", what, why);
}

ct_status ct_disassemblers_find(ct_disassemblers *found, char message[CT_MESSAGE_BYTES])
{
    const char *const named = ct_trusted_variable("CUTLET_CUOBJDUMP");
    found->cuobjdump[0] = found->nvdisasm[0] = '\0';
    if (!named) {
        if (!ct_tool_find("cuobjdump", found->cuobjdump)) found->cuobjdump[0] = '\0';
        if (!ct_tool_find("nvdisasm", found->nvdisasm)) found->nvdisasm[0] = '\0';
        return 0;
    }
    if (!*named) return 0;
    if (!strchr(named, '/')) {
        if (ct_tool_find(named, found->cuobjdump)) return 0;
    } else if (access(named, X_OK) == 0 && strlen(named) < CT_TOOL_PATH_BYTES) {
        strcpy(found->cuobjdump, named);
        return 0;
    }
    return fail(message, "CUTLET_CUOBJDUMP", "it names no program");
}

/* ---- lines of the programs ------------------------------------------------------------------ */

static void take_sass(void *user, const char *line) { ct_sass_line(user, line); }

static void take_usage(void *user, const char *line) { ct_usage_line(user, line); }

static void take_ptx(void *user, const char *line) { ct_ptx_line(user, line); }

ct_status ct_cuobjdump_sass(const char *cuobjdump, const char *path, const char *kernel,
                            ct_code *code, char why[CT_MESSAGE_BYTES])
{
    ct_sass_reader reader = ct_sass_begin(code);
    const char *const all[] = {cuobjdump, "-sass", path, NULL};
    const char *const some[] = {cuobjdump, "-sass", "-fun", kernel, path, NULL};
    return ct_tool_run(kernel ? some : all, take_sass, &reader, why);
}

ct_status ct_cuobjdump_usage(const char *cuobjdump, const char *path, ct_code *usage,
                             char why[CT_MESSAGE_BYTES])
{
    ct_sass_reader reader = ct_sass_begin(usage);
    const char *const argv[] = {cuobjdump, "-res-usage", path, NULL};
    return ct_tool_run(argv, take_usage, &reader, why);
}

static ct_status read_ptx(const char *cuobjdump, const char *path, ct_code *code,
                          char why[CT_MESSAGE_BYTES])
{
    ct_ptx_reader reader = ct_ptx_begin(code);
    const char *const argv[] = {cuobjdump, "-ptx", path, NULL};
    const ct_status bad = ct_tool_run(argv, take_ptx, &reader, why);
    ct_ptx_end(&reader);
    return bad;
}

/* ---- files ---------------------------------------------------------------------------------- */

static ct_status by_cuobjdump(const char *cuobjdump, const char *path, ct_source *source,
                              char why[CT_MESSAGE_BYTES])
{
    snprintf(source->by, sizeof source->by, "cuobjdump");
    const ct_status bad = ct_cuobjdump_sass(cuobjdump, path, NULL, &source->code, why);
    if (bad) return bad;
    if (source->code.count > 0) {
        ct_code usage = {0};
        /* The table is without registers and stack where this is not told. */
        if (ct_cuobjdump_usage(cuobjdump, path, &usage, why) == 0)
            ct_code_set_usage(&source->code, &usage);
        ct_code_free(&usage);
        return 0;
    }
    source->is_ptx = 1;
    return read_ptx(cuobjdump, path, &source->code, why);
}

static ct_status by_nvdisasm(const char *nvdisasm, const char *path, ct_source *source,
                             char why[CT_MESSAGE_BYTES])
{
    ct_sass_reader reader = ct_sass_begin(&source->code);
    const char *const argv[] = {nvdisasm, "-c", path, NULL};
    snprintf(source->by, sizeof source->by, "nvdisasm");
    return ct_tool_run(argv, take_sass, &reader, why);
}

ct_status ct_disassemble_file(const char *path, ct_source *source, char message[CT_MESSAGE_BYTES])
{
    char why[CT_MESSAGE_BYTES], here[CT_TOOL_PATH_BYTES];
    ct_disassemblers tools;
    if (*path == '-') { /* not an option */
        snprintf(here, sizeof here, "./%s", path);
        path = here;
    }
    ct_status bad = ct_disassemblers_find(&tools, message);
    if (bad) return bad;
    if (!tools.cuobjdump[0] && !tools.nvdisasm[0])
        return fail(message, path,
                    "it is not text, and neither cuobjdump nor nvdisasm is found in " CT_TOOL_PLACES
                    "; " CT_TOOL_WAY_OUT);
    bad = tools.cuobjdump[0] ? by_cuobjdump(tools.cuobjdump, path, source, why)
                             : by_nvdisasm(tools.nvdisasm, path, source, why);
    if (bad && tools.cuobjdump[0]) return fail(message, path, why);
    if (bad)
        return ct_refuse(message, CT_E_FILE,
                         "%.300s: %.400s; without cuobjdump only a cubin can be read, or text: "
                         "`nvcc -ptx`",
                         path, why);
    return 0;
}
