/* The reader of PTX. After a failure the text counts as ended, so that every loop of the reader ends. */
#ifndef CUTLET_SRC_PTX_PARSE_H
#define CUTLET_SRC_PTX_PARSE_H

#include "base/words.h"
#include "ptx.h"

enum { TOKEN_END, TOKEN_WORD, TOKEN_NUMBER, TOKEN_STRING, TOKEN_SIGN };

typedef struct ct_ptx_token {
    int32_t kind, line;
    const char *text;
    size_t length;
    uint64_t value; /* of a number: its bits; 1.5 has those of a float */
} ct_ptx_token;

/* ONE: a register or a variable. MANY: `count` registers, name0, name1, .. CONSTANT: the 8 bytes of its value.
 * LABEL: reg is the number of its instruction. TABLE: of labels, which follow it as ENTRY. */
enum { NAME_ONE, NAME_MANY, NAME_CONSTANT, NAME_LABEL, NAME_TABLE, NAME_ENTRY };

/* A name of the current scope or one around it. */
typedef struct ct_ptx_name {
    const char *text;
    size_t length;
    int32_t kind, reg, bits, count;
    const ct_ptx_variable *variable;
    int32_t older; /* the name before it in its bucket, or -1 */
} ct_ptx_name;

typedef struct ct_ptx_list {
    void *items;
    int32_t count, capacity;
} ct_ptx_list;

/* A place of the source: `.loc`. at_line 0: it is not inlined. */
typedef struct ct_ptx_loc {
    int32_t file, line, column, at_file, at_line, at_column;
} ct_ptx_loc;

enum { NAME_BUCKETS = 1 << 12, MAX_SCOPES = 64, BODY_DEPTH = 2 };

typedef struct ct_ptx_parser {
    ct_ptx *module;
    char *message;
    const char *at;
    int32_t failed, line, depth;
    ct_ptx_token token;
    int32_t buckets[NAME_BUCKETS], first_name[MAX_SCOPES], first_code[MAX_SCOPES];
    ct_ptx_list names, files;              /* of ct_ptx_name; const char *, by number */
    ct_ptx_function *function;             /* and its lists: */
    ct_ptx_list code, image, values, locs; /* of ct_ptx_ins, uint64_t, ct_ptx_value, ct_ptx_loc */
} ct_ptx_parser;

/* lexer.c */
void ct_ptx_refuse(ct_ptx_parser *p, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void ct_ptx_refuse_token(ct_ptx_parser *p, const char *what); /* `'token' what` */
void ct_ptx_next(ct_ptx_parser *p);
int ct_ptx_is(const ct_ptx_parser *p, const char *text);    /* the token is this word or sign */
int ct_ptx_is_in(const ct_ptx_parser *p, const char *list); /* it is a word of the list */
int ct_ptx_take(ct_ptx_parser *p, const char *text);        /* and if so it is read */
void ct_ptx_expect(ct_ptx_parser *p, const char *text);
ct_ptx_token ct_ptx_word(ct_ptx_parser *p); /* reads a word */
uint64_t ct_ptx_number(ct_ptx_parser *p);   /* reads one, with a sign or not */
void *ct_ptx_append(ct_ptx_parser *p, ct_ptx_list *list, size_t bytes); /* zeroed; NULL: failed */
void *ct_ptx_memory(ct_ptx_parser *p, size_t bytes); /* the module's; NULL: failed */
const char *ct_ptx_copy(ct_ptx_parser *p, const char *text, size_t length); /* "": failed */

/* names.c */
void ct_ptx_scope_begin(ct_ptx_parser *p);
void ct_ptx_scope_end(ct_ptx_parser *p);
ct_ptx_name *ct_ptx_declare(ct_ptx_parser *p, int kind, const char *text, size_t length);
int32_t ct_ptx_new_registers(ct_ptx_parser *p, uint64_t count);
ct_ptx_operand ct_ptx_operand_read(ct_ptx_parser *p);

/* variable.c: `.global .align 8 .b8 name[16] = {..}` from its space on. lines.c */
ct_ptx_variable *ct_ptx_variable_read(ct_ptx_parser *p, int space);
void ct_ptx_read_names(ct_ptx_parser *p);
void ct_ptx_read_loc(ct_ptx_parser *p);
void ct_ptx_set_site(ct_ptx_parser *p, ct_ptx_more *more);
void ct_ptx_decode(ct_ptx_parser *p, ct_ptx_ins *in); /* decode.c */

#endif
