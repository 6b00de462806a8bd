#include "base/refuse.h"
#include "source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "disassemble.h"
#include "names.h"
#include "read.h"

/* What a file turned out to be. */
enum { IS_BAD = -1, IS_TEXT, IS_BINARY };

/** What was read of a text. */
typedef struct text_code {
    ct_code sass, ptx;
    int sass_is_cut, ptx_is_cut;
    size_t bytes;
} text_code;

/* Reads the lines as machine code and as PTX at once; stops at a line with a byte 0. */
static int read_both(FILE *stream, text_code *text)
{
    ct_sass_reader machine = ct_sass_begin(&text->sass);
    ct_ptx_reader virtual = ct_ptx_begin(&text->ptx);
    char *line = NULL;
    size_t capacity = 0;
    ssize_t n;
    int is = IS_TEXT;
    errno = 0;
    while (is == IS_TEXT && (n = getline(&line, &capacity, stream)) >= 0) {
        text->bytes += (size_t)n;
        if (memchr(line, '\0', (size_t)n)) is = IS_BINARY;
        ct_sass_line(&machine, line);
        ct_ptx_line(&virtual, line);
    }
    if (is == IS_TEXT && !feof(stream)) is = IS_BAD;
    text->sass_is_cut = ct_sass_is_cut(&machine);
    text->ptx_is_cut = ct_ptx_is_cut(&virtual);
    free(line);
    ct_ptx_end(&virtual);
    return is;
}

/* Takes what a text is: machine code if there is any, else PTX. */
static ct_status choose(const char *path, text_code *text, ct_source *source,
                        char message[CT_MESSAGE_BYTES])
{
    const char *wrong = NULL;
    source->is_ptx = text->sass.count == 0;
    source->code = source->is_ptx ? text->ptx : text->sass;
    ct_code_free(source->is_ptx ? &text->sass : &text->ptx);
    if (text->bytes == 0) wrong = "the file is empty";
    else if (source->code.out_of_memory) wrong = "out of memory";
    else if (source->code.count == 0)
        wrong = "a text without kernels, neither PTX nor what cuobjdump -sass prints";
    else if (source->is_ptx ? text->ptx_is_cut : text->sass_is_cut)
        wrong = "the text ends in the middle of a kernel";
    if (!wrong) return CT_OK;
    return ct_refuse(message, source->code.out_of_memory ? CT_E_MEMORY : CT_E_FILE, "%.300s: %s",
                     path, wrong);
}

static ct_status load_file(const char *path, ct_source *source, char message[CT_MESSAGE_BYTES])
{
    struct stat info;
    FILE *const stream = fopen(path, "r");
    if (stream && fstat(fileno(stream), &info) == 0 && S_ISDIR(info.st_mode)) errno = EISDIR;
    else if (stream) errno = 0;
    if (errno) {
        ct_refuse(message, CT_E_FILE, "%.300s: %s", path, strerror(errno));
        if (stream) fclose(stream);
        return CT_E_FILE;
    }
    text_code text = {.sass = source->code, .ptx = source->code};
    const int is = read_both(stream, &text);
    const int error = errno;
    fclose(stream);
    if (is == IS_TEXT) return choose(path, &text, source, message);
    ct_code_free(&text.sass);
    ct_code_free(&text.ptx);
    if (is == IS_BINARY) return ct_disassemble_file(path, source, message);
    return ct_refuse(message, CT_E_FILE, "%.300s: %s", path, strerror(error));
}

/* Keeps what the query asks for. */
static ct_status select_kernels(const ct_source_query *query, ct_source *source,
                                char message[CT_MESSAGE_BYTES])
{
    char names[CT_NAMES_BYTES];
    ct_code *const code = &source->code;
    if (code->out_of_memory)
        return ct_refuse(message, CT_E_MEMORY, "%.300s: out of memory", query->name);
    if (code->count == 0)
        return ct_refuse(message, CT_E_FILE, "%.300s: there are no kernels in it", query->name);
    ct_names_archs(code, names);
    ct_code_select_arch(code, query->arch);
    if (code->count == 0)
        return ct_refuse(message, CT_E_FILE, "%.300s: there is no code for %.20s; there is %s",
                         query->name, query->arch, names);
    if (query->kernel) ct_names_near(code, query->kernel, names);
    ct_code_select_name(code, query->kernel);
    if (code->count == 0)
        return ct_refuse(message, CT_E_FILE,
                         "%.300s: there is no kernel `%.200s`; similar names are %s", query->name,
                         query->kernel, names);
    ct_code_sort(code);
    return 0;
}

/* Whether the name can only be that of a file. */
static int is_file(const char *name)
{
    struct stat info;
    return stat(name, &info) == 0 || errno != ENOENT || strpbrk(name, "/.");
}

ct_status ct_source_load(const ct_source_query *query, ct_source *source,
                         char message[CT_MESSAGE_BYTES])
{
    memset(source, 0, sizeof *source);
    source->code.keeps_lines = query->keeps_lines;
    ct_status bad = is_file(query->name) ? load_file(query->name, source, message)
                                         : ct_disassemble_inside(query, source, message);
    if (!bad) bad = select_kernels(query, source, message);
    if (bad) ct_source_free(source);
    return bad;
}

void ct_source_free(ct_source *source) { ct_code_free(&source->code); }
