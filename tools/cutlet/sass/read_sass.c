/* Machine code as cuobjdump and nvdisasm print it. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "read.h"

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t') ++p;
    return p;
}

/* What follows a word at the beginning of p; NULL where p begins otherwise. */
static const char *after(const char *p, const char *word)
{
    const size_t n = strlen(word);
    return strncmp(p, word, n) == 0 ? p + n : NULL;
}

/* Copies a name as sm_90a, where one stands at p. */
static void read_arch(char arch[CT_ARCH_BYTES], const char *p)
{
    size_t n = 0;
    p = skip_blanks(p);
    if (!after(p, "sm_")) return;
    while (n + 1 < CT_ARCH_BYTES && (isalnum((unsigned char)p[n]) || p[n] == '_')) ++n;
    memcpy(arch, p, n);
    arch[n] = '\0';
}

/* The architecture in `.headerflags @"EF_CUDA_SM80 ..."`, which older tools tell nowhere else. */
static void read_flags(char arch[CT_ARCH_BYTES], const char *p)
{
    p = strstr(p, "EF_CUDA_SM");
    if (!p || arch[0]) return;
    const int n = atoi(p + strlen("EF_CUDA_SM"));
    if (n > 0 && n < 100000) {
        char digits[8];
        int i = 0;
        for (int rest = n; rest; rest /= 10) digits[i++] = (char)('0' + rest % 10);
        memcpy(arch, "sm_", 3);
        for (int k = 0; k < i; ++k) arch[3 + k] = digits[i - 1 - k];
        arch[3 + i] = '\0';
    }
}

static void begin_kernel(ct_sass_reader *r, const char *name, size_t n)
{
    r->inside = n > 0 && ct_code_add(r->code, name, n, r->arch) >= 0;
}

/* An address in a comment, and after it the instruction: `@!P0 LDG.E.128 R4, [R2.64] ;`. In other
 * comments stands the encoding. */
static void read_instruction(ct_sass_reader *r, const char *p)
{
    char place[CT_ARCH_BYTES];
    const char *const address = p + 2;
    size_t n = 0;
    while (isxdigit((unsigned char)address[n])) ++n;
    if (n == 0 || n >= sizeof place || address[n] != '*' || address[n + 1] != '/') return;
    memcpy(place, address, n);
    place[n] = '\0';
    const char *const whole = skip_blanks(address + n + 2);
    p = *whole == '{' ? skip_blanks(whole + 1) : whole; /* two that begin together */
    if (*p == '@') p = skip_blanks(p + strcspn(p, " \t"));
    size_t bytes = strcspn(whole, ";\n\r");
    while (bytes > 0 && whole[bytes - 1] == ' ') --bytes;
    ct_code_count(r->code, r->code->count - 1, ct_sass_access_of(p), place, whole, bytes);
}

/* ---- where a kernel ends --------------------------------------------------------------------- */

/* A section of nvdisasm begins, or the banner over it, `//------- .text.NAME -------`: the one
 * before it ends here at the latest. */
static void begin_section(ct_sass_reader *r, int is_code)
{
    r->inside = 0;
    r->open = is_code;
    r->end[0] = '\0';
}

/* `.size NAME,(LABEL - NAME)`: the label after the last instruction. The first one of a section is
 * the kernel's and tells where the section ends; more are of functions in it, which matter where
 * they lie after that end. */
static void read_size(ct_sass_reader *r, const char *p)
{
    p = strstr(p, ",(");
    if (!p || r->end[0]) return;
    p += 2;
    const size_t n = strcspn(p, " \t\r\n)");
    if (n >= sizeof r->end || p[n] != ' ') return;
    memcpy(r->end, p, n);
    r->end[n] = '\0';
    r->open |= r->inside;
}

static int is_end(const ct_sass_reader *r, const char *line)
{
    const char *const rest = r->end[0] ? after(line, r->end) : NULL;
    return rest && *rest == ':';
}

/* ---- lines ----------------------------------------------------------------------------------- */

ct_sass_reader ct_sass_begin(ct_code *code) { return (ct_sass_reader){.code = code}; }

int ct_sass_is_cut(const ct_sass_reader *reader) { return reader->open; }

void ct_sass_line(ct_sass_reader *reader, const char *line)
{
    const char *const p = skip_blanks(line), *rest;
    if (p[0] == '/' && p[1] == '*') {
        if (reader->inside) read_instruction(reader, p);
    } else if ((rest = after(p, "Function : "))) {
        begin_kernel(reader, rest, strcspn(rest, " \t\r\n"));
        reader->open = 1;
    } else if (after(p, "...")) {
        reader->inside = reader->open = 0;
    } else if (is_end(reader, line)) {
        reader->open = 0;
        reader->end[0] = '\0';
    } else if ((rest = after(line, ".text."))) {
        const size_t n = strcspn(rest, " \t\r\n:");
        if (rest[n] != ':') return;
        begin_kernel(reader, rest, n);
        reader->open = 1;
    } else if ((rest = after(p, "code for ")) || (rest = after(p, ".target"))) {
        reader->inside = 0;
        read_arch(reader->arch, rest);
    } else if ((rest = after(p, ".headerflags"))) {
        read_flags(reader->arch, rest);
    } else if ((rest = after(p, ".section")) && (*rest == ' ' || *rest == '\t')) {
        begin_section(reader, after(skip_blanks(rest), ".text.") != NULL);
    } else if (after(line, "//-----")) {
        begin_section(reader, strstr(line, " .text.") != NULL);
    } else if ((rest = after(p, ".size"))) {
        read_size(reader, rest);
    }
}

/* The number after `REG:`. */
static int usage_of(const char *p, const char *word)
{
    p = strstr(p, word);
    return p ? atoi(p + strlen(word)) : CT_NOT_KNOWN;
}

void ct_usage_line(ct_sass_reader *reader, const char *line)
{
    const char *const p = skip_blanks(line), *rest;
    if ((rest = after(p, "arch = "))) {
        read_arch(reader->arch, rest);
    } else if ((rest = after(p, "Function "))) {
        begin_kernel(reader, rest, strcspn(rest, " \t\r\n:"));
    } else if (after(p, "REG:") && reader->inside) {
        ct_kernel_code *const k = &reader->code->kernel[reader->code->count - 1];
        k->registers = usage_of(p, "REG:");
        k->stack_bytes = usage_of(p, "STACK:");
    }
}
