/* The text of PTX: its functions, their registers and instructions. */
#include "parse.h"

#include <stdlib.h>

/* `.reg .b32 %r<100>, %x;` */
static void read_registers(ct_ptx_parser *p)
{
    const ct_ptx_token word = ct_ptx_word(p);
    const int type = ct_ptx_type(word.text + 1, word.length - 1);
    if (!type) ct_ptx_refuse(p, word.line, "registers of '%.*s'", (int)word.length, word.text);
    do {
        const ct_ptx_token name = ct_ptx_word(p);
        const int is_range = ct_ptx_take(p, "<");
        const uint64_t count = is_range ? ct_ptx_number(p) : 1;
        const int32_t first = ct_ptx_new_registers(p, count);
        ct_ptx_name *const n =
            ct_ptx_declare(p, is_range ? NAME_MANY : NAME_ONE, name.text, name.length);
        if (is_range) ct_ptx_expect(p, ">");
        if (!n) return;
        n->reg = first;
        n->count = (int32_t)count;
        n->bits = ct_ptx_bits(type);
    } while (ct_ptx_take(p, ","));
    ct_ptx_expect(p, ";");
}

/* Behind byte *end of a structure. */
static void place_member(ct_ptx_variable *v, size_t *end)
{
    v->offset = (*end + v->align - 1) / v->align * v->align;
    *end = v->offset + v->bytes;
}

/* A variable in one of some spaces. Local ones, and parameters of calls, are in the function's own memory. */
static int read_variable(ct_ptx_parser *p, const char *spaces)
{
    enum { MOST = 512 * 1024 };
    const int space =
        ct_word_place("- .global .shared .local .param .const", p->token.text, p->token.length);
    if (!ct_ptx_is_in(p, spaces)) return 0;
    ct_ptx_next(p);
    ct_ptx_variable *const v = ct_ptx_variable_read(p, space);
    ct_ptx_expect(p, ";");
    if (!v || (space != SPACE_LOCAL && space != SPACE_PARAM)) return 1;
    place_member(v, &p->function->frame_bytes);
    if (v->data || p->function->frame_bytes > MOST)
        ct_ptx_refuse(p, v->site.line, "%s has initial values, or makes more than %d bytes",
                      v->name, MOST);
    return 1;
}

/* `name:`, or `name: .branchtargets A, B;` */
static void read_label(ct_ptx_parser *p)
{
    ct_ptx_token name = ct_ptx_word(p);
    ct_ptx_expect(p, ":");
    const int is_table = ct_ptx_take(p, ".branchtargets");
    ct_ptx_name *const label =
        ct_ptx_declare(p, is_table ? NAME_TABLE : NAME_LABEL, name.text, name.length);
    if (label) label->reg = p->code.count;
    if (!is_table) return;
    do {
        name = ct_ptx_word(p);
        ct_ptx_declare(p, NAME_ENTRY, name.text, name.length);
    } while (ct_ptx_take(p, ","));
    ct_ptx_expect(p, ";");
}

/* call (result), function, (arguments): the function goes last. */
static int order_call(ct_ptx_parser *p, ct_ptx_operand *o, int count)
{
    const ct_ptx_operand none = {.kind = OPERAND_LIST};
    const int at = count > 0 && o[0].kind == OPERAND_LIST; /* the function */
    const ct_ptx_operand all[] = {at ? o[0] : none, at + 1 < count ? o[at + 1] : none, o[at]};
    if (count > at + 2 || all[2].kind != OPERAND_LABEL || all[1].kind != OPERAND_LIST)
        ct_ptx_refuse(p, p->token.line, "a call through an address is not supported");
    memcpy(o, all, sizeof all);
    return 3;
}
static int read_operands(ct_ptx_parser *p, ct_ptx_operand *o)
{
    int count = 0;
    if (ct_ptx_is(p, ";")) return 0;
    do {
        if (count == MAX_OPERANDS)
            ct_ptx_refuse(p, p->token.line, "more than %d operands", MAX_OPERANDS);
        else o[count++] = ct_ptx_operand_read(p);
    } while (ct_ptx_take(p, ","));
    return count;
}
/* Keeps an instruction whose guard, opcode and operands are read. */
static void keep_instruction(ct_ptx_parser *p, ct_ptx_ins in, int line, const char *text,
                             const ct_ptx_operand *operands, int count)
{
    const size_t bytes = (size_t)count * sizeof *operands;
    ct_ptx_more *const more = in.more = ct_ptx_memory(p, sizeof *more);
    ct_ptx_operand *const own = ct_ptx_memory(p, bytes);
    if (p->failed) return;
    if (bytes > 0) memcpy(own, operands, bytes);
    *more = (ct_ptx_more){.line = line, .count = count, .operands = own, .text = text};
    ct_ptx_decode(p, &in);
    ct_ptx_set_site(p, more);
    ct_ptx_ins *const kept = ct_ptx_append(p, &p->code, sizeof *kept);
    if (kept) *kept = in;
}
static void read_instruction(ct_ptx_parser *p)
{
    const int line = p->token.line;
    ct_ptx_operand operands[MAX_OPERANDS] = {0};
    ct_ptx_ins in = {.guard = -1};
    if (ct_ptx_take(p, "@")) {
        in.guard_not = (unsigned char)ct_ptx_take(p, "!");
        const ct_ptx_operand guard = ct_ptx_operand_read(p);
        in.guard = guard.reg;
        if (guard.kind != OPERAND_REGISTER || guard.bits != 1)
            ct_ptx_refuse(p, p->token.line, "a guard is a predicate");
    }
    const ct_ptx_token name = ct_ptx_word(p);
    const char *const text = ct_ptx_copy(p, name.text, name.length);
    int count = read_operands(p, operands);
    if (!p->failed && strncmp(text, "call", 4) == 0) count = order_call(p, operands, count);
    ct_ptx_expect(p, ";");
    keep_instruction(p, in, line, text, operands, count);
}
static void read_statement(ct_ptx_parser *p)
{
    if (ct_ptx_take(p, ";") || read_variable(p, ".local .param .shared")) return;
    if (ct_ptx_take(p, ".loc")) ct_ptx_read_loc(p);
    else if (ct_ptx_take(p, ".reg")) read_registers(p);
    else if (ct_ptx_take(p, ".pragma")) ct_ptx_next(p);
    else if (p->token.kind == TOKEN_WORD && p->at[strspn(p->at, " \t\r\n")] == ':') read_label(p);
    else read_instruction(p);
}
static void read_block(ct_ptx_parser *p)
{
    const int outer = p->depth;
    ct_ptx_expect(p, "{");
    ct_ptx_scope_begin(p);
    while (!p->failed && p->depth > outer) {
        if (ct_ptx_take(p, "{")) ct_ptx_scope_begin(p);
        else if (ct_ptx_is(p, "}")) {
            ct_ptx_scope_end(p);
            if (p->depth > outer) ct_ptx_next(p);
        } else if (p->token.kind == TOKEN_END) ct_ptx_expect(p, "}");
        else read_statement(p);
    }
}

/* (.param .b32 x, ..), behind byte *end of the function's parameters, as the members of a structure. */
static ct_ptx_variable **read_params(ct_ptx_parser *p, int32_t *count, size_t *end)
{
    enum { MOST = 256, MOST_BYTES = 32 * 1024 };
    ct_ptx_variable **const list = ct_ptx_memory(p, MOST * sizeof *list);
    size_t most = 1;
    if (!ct_ptx_take(p, "(") || ct_ptx_take(p, ")")) return list;
    do {
        ct_ptx_expect(p, ".param");
        ct_ptx_variable *const v = ct_ptx_variable_read(p, SPACE_PARAM);
        if (!v) return list;
        place_member(v, end);
        if (v->align > most) most = v->align;
        if (*count == MOST || *end > MOST_BYTES || v->is_dynamic)
            ct_ptx_refuse(p, p->token.line, "parameters of more than %d bytes, or too many",
                          MOST_BYTES);
        else list[(*count)++] = v;
    } while (ct_ptx_take(p, ","));
    ct_ptx_expect(p, ")");
    *end = (*end + most - 1) / most * most;
    return list;
}

/* .maxntid and its like, up to the body. */
static void read_bounds(ct_ptx_parser *p, ct_ptx_function *f)
{
    while (!p->failed && p->token.kind == TOKEN_WORD) {
        static const char known[] = ".reqnctapercluster .maxntid .reqntid .minnctapersm .maxnreg "
                                    ".maxclusterrank .explicitcluster .noreturn";
        const int bound = ct_word_place(known, p->token.text, p->token.length),
                  is_cluster = bound == 0, is_threads = bound == 1 || bound == 2;
        uint64_t n[3] = {0, 1, 1};
        if (bound < 0) ct_ptx_refuse_token(p, "of a function is not known");
        ct_ptx_next(p);
        for (int i = 0; i < 3 && p->token.kind == TOKEN_NUMBER; (void)ct_ptx_take(p, ","))
            n[i++] = ct_ptx_number(p);
        if (is_threads && n[0] * n[1] * n[2] < MAX_THREADS)
            f->kernel.max_threads = (int32_t)(n[0] * n[1] * n[2]);
        if (is_cluster && (n[0] > MAX_CLUSTER || n[1] * n[2] != 1))
            ct_ptx_refuse(p, p->token.line, "a cluster has up to %d blocks, along x", MAX_CLUSTER);
        if (is_cluster) f->kernel.cluster = (int32_t)n[0];
    }
}
static void *kept_list(ct_ptx_parser *p, const ct_ptx_list *list, size_t bytes)
{
    void *const kept = ct_ptx_memory(p, (size_t)list->count * bytes);
    return kept && list->count ? memcpy(kept, list->items, (size_t)list->count * bytes) : kept;
}

/* The function is read, but for a `ret` at its end: its lists become its own. */
static void keep_function(ct_ptx_parser *p, ct_ptx_function *f)
{
    keep_instruction(p, (ct_ptx_ins){.guard = -1}, p->token.line, "ret", NULL, 0);
    f->code_count = p->code.count;
    f->code = kept_list(p, &p->code, sizeof(ct_ptx_ins));
    f->registers = f->image_count = p->image.count;
    f->image = kept_list(p, &p->image, sizeof(uint64_t));
    f->value_count = p->values.count;
    f->values = kept_list(p, &p->values, sizeof(ct_ptx_value));
    if (p->failed) return;
    p->module->has_waits |= f->waits && !f->is_kernel;
    if (!p->module->has_wgmma) ct_ptx_number_registers(f); /* otherwise D is owned until a wait */
    if (p->module->last_function) p->module->last_function->next = f;
    else p->module->functions = f;
    p->module->last_function = f;
}
static void read_function(ct_ptx_parser *p, int is_kernel)
{
    size_t bytes = 0;
    ct_ptx_function *const f = p->function = ct_ptx_memory(p, sizeof *f);
    if (!f) return;
    p->code.count = p->image.count = p->values.count = p->locs.count = 0;
    ct_ptx_new_registers(p, 1);
    ct_ptx_scope_begin(p); /* of the parameters */
    f->module = p->module;
    f->is_kernel = is_kernel;
    (void)ct_ptx_take(p, ".noreturn");
    if (!is_kernel) f->results = read_params(p, &f->result_count, &bytes);
    const ct_ptx_token name = ct_ptx_word(p);
    const char *const text = ct_ptx_copy(p, name.text, name.length);
    f->params = read_params(p, &f->param_count, &bytes);
    f->kernel = (ct_grid_kernel){text, ct_ptx_body, is_kernel ? bytes : 0, MAX_THREADS, 0, 0};
    f->frame_bytes = is_kernel ? 0 : bytes;
    for (int32_t i = 0; i < f->param_count && !p->failed; ++i)
        f->params[i]->is_argument = is_kernel;
    read_bounds(p, f);
    if (!ct_ptx_is(p, ";")) {
        read_block(p);
        keep_function(p, f);
    }
    if (!p->failed) ct_ptx_scope_end(p);
    ct_ptx_next(p);
}
static void read_top(ct_ptx_parser *p)
{
    while (ct_ptx_is_in(p, ".visible .extern .weak .common")) ct_ptx_next(p);
    if (ct_ptx_is_in(p, ".version .target .address_size .file .pragma")) {
        p->at += strcspn(p->at, "\n");
        ct_ptx_next(p);
    } else if (ct_ptx_take(p, ".section")) {
        while (p->token.kind != TOKEN_END && !ct_ptx_is(p, "}")) ct_ptx_next(p);
        ct_ptx_expect(p, "}");
    } else if (ct_ptx_take(p, ".entry")) read_function(p, 1);
    else if (ct_ptx_take(p, ".func")) read_function(p, 0);
    else if (!read_variable(p, ".global .const .shared")) ct_ptx_refuse_token(p, "is not known");
}

/* The variables of a call are as large as the parameters; results are written. */
static void check_arguments(ct_ptx_parser *p, const ct_ptx_more *more, const ct_ptx_operand *given,
                            ct_ptx_variable *const *wanted, int32_t count, int are_written)
{
    const char *const name = more->operands[2].name;
    if (given->count != count)
        ct_ptx_refuse(p, more->line, "%s: %d parameters or results, not %d", name, given->count,
                      count);
    for (int32_t i = 0; i < count && !p->failed; ++i) {
        const ct_ptx_variable *const v = given->list[i].variable;
        if (!v || v->space != SPACE_PARAM)
            ct_ptx_refuse(p, more->line, "%s: a call takes variables in .param", name);
        else if (v->bytes != wanted[i]->bytes || (are_written && v->is_argument))
            ct_ptx_refuse(p, more->line, "%s: %s has %zu bytes, not %zu, or is only read", name,
                          v->name, v->bytes, wanted[i]->bytes);
    }
}

static const ct_ptx_function *find_function(const ct_ptx *module, const char *name, int is_kernel)
{
    const ct_ptx_function *f = module->functions;
    while (f && (f->is_kernel != is_kernel || strcmp(f->kernel.name, name) != 0)) f = f->next;
    return f;
}

/* A call names a function of the text, or one of two that the interpreter does itself. */
static void find_callees(ct_ptx_parser *p)
{
    for (ct_ptx_function *f = p->module->functions; f; f = f->next) {
        for (int32_t i = 0; i < f->code_count && !p->failed; ++i) {
            ct_ptx_more *const more = f->code[i].more;
            const ct_ptx_operand *const o = more->operands;
            if (more->count != 3 || o[2].kind != OPERAND_LABEL ||
                ct_is_one_of(o[2].name, "vprintf __assertfail"))
                continue;
            const ct_ptx_function *const to = find_function(p->module, o[2].name, 0);
            if (!to) ct_ptx_refuse(p, more->line, "the text has no function %s", o[2].name);
            if (!to) return;
            check_arguments(p, more, &o[0], to->results, to->result_count, 1);
            check_arguments(p, more, &o[1], to->params, to->param_count, 0);
            more->callee = to;
            f->has_calls = 1;
        }
        if (f->waits || (f->has_calls && p->module->has_waits)) f->kernel.together = 1;
        else if (!f->updates && !f->has_calls) f->kernel.together = -1;
    }
}
ct_ptx *ct_ptx_load(const char *text, char message[CT_MESSAGE_BYTES])
{
    ct_ptx *module = calloc(1, sizeof *module);
    ct_ptx_parser *const p = calloc(1, sizeof *p);
    if (p && module) {
        *p = (ct_ptx_parser){.module = module, .message = message, .at = text, .line = 1};
        memset(p->buckets, 0xff, sizeof p->buckets);
        ct_ptx_read_names(p);
        ct_ptx_next(p);
        while (!p->failed && p->token.kind != TOKEN_END) read_top(p);
        find_callees(p);
        ct_ptx_list *const lists[] = {&p->names, &p->files,  &p->code,
                                      &p->image, &p->values, &p->locs};
        for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i) free(lists[i]->items);
    } else snprintf(message, CT_MESSAGE_BYTES, "not enough memory");
    if (!p || p->failed) {
        ct_ptx_free(module);
        module = NULL;
    }
    free(p);
    return module;
}
void ct_ptx_free(ct_ptx *module)
{
    if (module) ct_arena_free(module->arena);
    free(module);
}
const ct_grid_kernel *ct_ptx_kernel_at(const ct_ptx *module, int32_t i)
{
    for (const ct_ptx_function *f = module->functions; f; f = f->next)
        if (f->is_kernel && i-- == 0) return &f->kernel;
    return NULL;
}
const ct_grid_kernel *ct_ptx_kernel(const ct_ptx *module, const char *name)
{
    const ct_ptx_function *const f = find_function(module, name, 1);
    return f ? &f->kernel : NULL;
}
ct_ptx_param ct_ptx_param_at(const ct_grid_kernel *kernel, int32_t i)
{
    const ct_ptx_function *const f = (const ct_ptx_function *)(const void *)kernel;
    if (i < 0 || i >= f->param_count) return (ct_ptx_param){0};
    const ct_ptx_variable *const v = f->params[i];
    return (ct_ptx_param){v->name, ct_ptx_type_names[v->type], (int32_t)v->offset,
                          (int32_t)v->bytes, v->is_array};
}
void ct_ptx_limit(ct_ptx *module, int64_t instructions) { module->limit = instructions; }
