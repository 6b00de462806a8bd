/* The PTX of a file: the text itself, what nvcc makes of CUDA C, or what cuobjdump finds in a program. */
#include "run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../sass/tool.h"
#include "base/builder.h"
#include "base/refuse.h"

static void take_line(void *user, const char *line) { ct_put_text(user, line); }

static char *ended(ct_builder *b, char message[CT_MESSAGE_BYTES])
{
    ct_put_text(b, "");
    if (!b->failed && b->text) return b->text;
    ct_builder_free(b);
    (void)ct_refuse(message, CT_E_MEMORY, "out of memory");
    return NULL;
}

static char *read_file(const char *path, char message[CT_MESSAGE_BYTES])
{
    char piece[4096];
    ct_builder b = {0};
    FILE *const file = fopen(path, "rb");
    for (size_t n; file && (n = fread(piece, 1, sizeof piece, file)) > 0;)
        ct_put_bytes(&b, piece, n);
    const int bad = file ? ferror(file) : 1;
    if (bad) (void)ct_refuse(message, CT_E_FILE, "%.300s: %s", path, strerror(errno));
    if (file) fclose(file);
    if (!bad) return ended(&b, message);
    ct_builder_free(&b);
    return NULL;
}

/* Runs a program of the CUDA toolkit on the file; what it prints goes to b. */
static ct_status run_tool(const char *name, const char *const *options, const char *path,
                          ct_builder *b, char message[CT_MESSAGE_BYTES])
{
    char tool[CT_TOOL_PATH_BYTES], here[CT_TOOL_PATH_BYTES], why[CT_MESSAGE_BYTES];
    const char *argv[12] = {tool};
    int count = 1;
    if (!ct_tool_find(name, tool))
        return ct_refuse(message, CT_E_BACKEND, "%.300s: %s is needed, and it is not in %s", path,
                         name, CT_TOOL_PLACES);
    while (*options) argv[count++] = *options++;
    snprintf(here, sizeof here, "%s%s", path[0] == '-' ? "./" : "", path);
    argv[count] = here;
    if (ct_tool_run(argv, take_line, b, why) == CT_OK) return CT_OK;
    return ct_refuse(message, CT_E_FAILED, "%.300s: %s: %.600s", path, name, why);
}

/* nvcc reads its own output again, so it has to be a file. */
static char *compile(const char *path, const char *arch, char message[CT_MESSAGE_BYTES])
{
    char to[] = "/tmp/cutlet-XXXXXX";
    const char *const options[] = {"-ptx", "-lineinfo", "-std=c++17", "-arch",
                                   arch,   "-o",        to,           NULL};
    const int file = mkstemp(to);
    char *text = NULL;
    ct_builder said = {0};
    if (file < 0) {
        (void)ct_refuse(message, CT_E_FILE, "%s: %s", to, strerror(errno));
        return NULL;
    }
    close(file);
    if (run_tool("nvcc", options, path, &said, message) == CT_OK) text = read_file(to, message);
    ct_builder_free(&said);
    unlink(to);
    return text;
}

/* The last text of those that cuobjdump prints, each behind a heading: that of the newest architecture. */
static char *last_text(char *all, const char *path, char message[CT_MESSAGE_BYTES])
{
    char *last = NULL;
    for (char *at = all; at && (at = strstr(at, ".version")); at += *at != 0) last = at;
    if (last) {
        char *const end = strstr(last, "\nFatbin ");
        if (end) end[1] = '\0';
        memmove(all, last, strlen(last) + 1);
        return all;
    }
    if (all)
        (void)ct_refuse(
            message, CT_E_FILE,
            "%.300s: there is no PTX in it, only machine code, which the grid does not run", path);
    free(all);
    return NULL;
}

char *ct_run_read(const char *path, const char *arch, char message[CT_MESSAGE_BYTES])
{
    static const char *const options[] = {"-ptx", NULL};
    const size_t length = strlen(path);
    ct_builder all = {0};
    if (length > 3 && strcmp(path + length - 3, ".cu") == 0) return compile(path, arch, message);
    char *const text = read_file(path, message);
    if (!text || (strncmp(text,
                          "\x7f"
                          "ELF",
                          4) != 0 &&
                  strncmp(text, "\x50\xed\x55\xba", 4) != 0))
        return text;
    free(text);
    if (run_tool("cuobjdump", options, path, &all, message) == CT_OK)
        return last_text(ended(&all, message), path, message);
    ct_builder_free(&all);
    return NULL;
}
