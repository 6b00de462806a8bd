/* What an instruction does: the row of its opcode, the effects of its modifiers, its operands.
 *
 * Source: NVIDIA, PTX ISA 9.0, chapter 9. */
#include "handlers.h"

#include <stdio.h>

static void apply(ct_ptx_ins *in, const char *word, size_t length)
{
    static const struct {
        const char *words;
        int flags;
    } effects[] = {{"ftz", FLAG_FTZ},
                   {"sat satfinite", FLAG_SAT},
                   {"NaN", FLAG_NAN},
                   {"relu", FLAG_RELU},
                   {"parity expect_tx noinc", FLAG_NUMBER},
                   {"L2::cache_hint", FLAG_HINT},
                   {"multicast::cluster", FLAG_MULTICAST},
                   {"acquire", FLAG_STRONG | FLAG_ACQUIRE},
                   {"release", FLAG_STRONG | FLAG_RELEASE},
                   {"acq_rel", FLAG_ACQUIRE | FLAG_RELEASE},
                   {"relaxed volatile mmio", FLAG_STRONG},
                   {"cta", FLAG_CTA},
                   {"cluster", FLAG_CLUSTER}};
    const int rounding = ct_word_place("rn rz rm rp rni rzi rmi rpi rna", word, length),
              space = ct_word_place("- global shared local param const", word, strcspn(word, ":.")),
              combined = ct_word_place("and or xor", word, length); /* with a third predicate */
    for (size_t i = 0; i < sizeof effects / sizeof *effects; ++i)
        if (ct_word_place(effects[i].words, word, length) >= 0)
            in->flags |= (uint16_t)effects[i].flags;
    if (rounding > 0) in->rounding = (unsigned char)rounding;
    if (space > 0 && !in->space) in->space = (unsigned char)space;
    if (combined >= 0) in->count = (unsigned char)(2 + combined);
    else if (length == 2 && strchr("vx", *word)) in->count = (unsigned char)(word[1] - '0');
}

/* The next word of an opcode, behind its dot, and its length, which is 0 at the end. */
static int next_word(const char **word, size_t *length)
{
    if (**word != '.') return 0;
    *length = strcspn(++*word, ".");
    return 1;
}

/* Whether a row has the first type among the words. */
static int fits(const ct_ptx_opcode *row, const char *word)
{
    int type = PTX_NONE;
    for (size_t n; !type && next_word(&word, &n); word += n) type = ct_ptx_type(word, n);
    return row->by_type[PTX_NONE] || (type < PTX_B1 && row->by_type[type]);
}

/* The row of the longest name with which the opcode begins, and its length. */
static const ct_ptx_opcode *find_row(ct_ptx_parser *p, const ct_ptx_ins *in, size_t *length)
{
    static const ct_ptx_opcode *const lists[] = {
        ct_ptx_integer_rows, ct_ptx_float_rows, ct_ptx_access_rows, ct_ptx_async_rows,
        ct_ptx_matrix_rows,  ct_ptx_warp_rows,  ct_ptx_control_rows};
    const char *const text = in->more->text;
    const ct_ptx_opcode *found = NULL;
    *length = 0;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i)
        for (const ct_ptx_opcode *row = lists[i]; row->name; ++row) {
            const size_t n = strlen(row->name);
            if (n < *length || strncmp(text, row->name, n) != 0 || (text[n] && text[n] != '.') ||
                (n == *length && fits(found, text + n)))
                continue;
            found = row;
            *length = n;
        }
    if (!found) ct_ptx_refuse(p, in->more->line, "the instruction %s is not known", text);
    else if (!fits(found, text + *length)) ct_ptx_refuse_ins(p, in, "the type is not supported");
    return found;
}
static int is_shape(const char *word, ct_mma_op *op)
{
    int length = 0;
    return sscanf(word, "m%dn%dk%d%n", &op->m, &op->n, &op->k, &length) == 3 &&
           (!word[length] || word[length] == '.');
}
static void read_words(ct_ptx_parser *p, ct_ptx_ins *in, const ct_ptx_opcode *row, const char *word)
{
    int types = 0, mode = ct_word_place(row->modes, "-", 1);
    in->count = 1;
    for (size_t n; next_word(&word, &n); word += n) {
        const int type = ct_ptx_type(word, n), place = ct_word_place(row->modes, word, n);
        if (type && types < row->types) {
            in->more->types[types++] = type;
            in->from = (unsigned char)type;
        } else if (place >= 0) {
            if (place > mode) mode = place;
        } else if (ct_word_place(row->modifiers, word, n) >= 0) apply(in, word, n);
        else if (ct_word_place(row->modifiers, "MNK", 3) < 0 || !is_shape(word, &in->more->mma))
            ct_ptx_refuse(p, in->more->line, "%s: .%.*s is not supported", in->more->text, (int)n,
                          word);
    }
    in->type = (unsigned char)in->more->types[0];
    in->mode = (unsigned char)mode;
    if ((!row->by_type[PTX_NONE] && !types) || (*row->modes && mode < 0))
        ct_ptx_refuse_ins(p, in, "a type or an operation is missing");
}
static int width_of(const ct_ptx_ins *in, char letter)
{
    if (strchr("wo", letter)) return 32;
    if (strchr("xOh", letter)) return 64;
    if (strchr("EF", letter)) return 2 * ct_ptx_bits(in->type);
    if (letter == 'f') return ct_ptx_bits(in->from);
    if (strchr("pPq", letter)) return 1;
    return strchr("dsR", letter) ? ct_ptx_bits(in->type) : 0;
}

/* bits 0: any register that is no predicate */
static int is_register(const ct_ptx_operand *o, int bits, int is_written)
{
    if (o->kind == OPERAND_SINK) return is_written;
    if (o->kind != OPERAND_REGISTER) return 0;
    return o->is_constant ? !is_written : (bits == 1) == (o->bits == 1);
}
static int is_vector(const ct_ptx_operand *o, int bits, int count, int is_written)
{
    const ct_ptx_operand *const list = ct_ptx_items(o);
    if (count && ct_ptx_elements(o) != count) return 0;
    for (int i = 0; i < ct_ptx_elements(o); ++i)
        if (!is_register(&list[i], bits, is_written) || list[i].is_not || list[i].second) return 0;
    return ct_ptx_elements(o) > 0;
}
static int fits_letter(const ct_ptx_ins *in, const ct_ptx_operand *o, char letter)
{
    const int bits = width_of(in, letter), is_written = strchr("dDoOEpPRvV", letter) != NULL;
    if (o->is_not && letter != 'q' && letter != 'y') return 0;
    if (o->second && (!strchr("PR", letter) || !is_register(o->second, 1, 1))) return 0;
    switch (letter) {
        case 'a': return o->kind == OPERAND_MEMORY && !o->list;
        case 't':
            return o->kind == OPERAND_MEMORY &&
                   o->count == strstr(in->more->text, "tensor.")[7] - '0';
        case 'v':
        case 'u': return is_vector(o, 0, in->count, is_written);
        case 'V':
        case 'U': return is_vector(o, in->type == PTX_PRED, 0, is_written);
        case 'l': return o->kind == OPERAND_LABEL;
        case 'c': return 1;
        case 'y': return o->kind == OPERAND_REGISTER;
        default: break;
    }
    if (!is_register(o, bits, is_written)) return 0;
    return o->is_constant || o->kind == OPERAND_SINK || bits <= 8 ||
           (letter == 'f' ? o->bits >= bits : o->bits == bits);
}
static int is_missing(const ct_ptx_ins *in, const char *letter, int i)
{
    return (*letter == 'm' && !(in->flags & FLAG_MULTICAST)) ||
           (*letter == 'h' && !(in->flags & FLAG_HINT)) ||
           (*letter == 'b' && in->more->count < i + (int)strlen(letter));
}
static void check_operands(ct_ptx_parser *p, ct_ptx_ins *in, const char *letter)
{
    const ct_ptx_more *const more = in->more;
    int i = 0, is_optional = 0, has_address = 0;
    for (; *letter; ++letter) {
        ct_ptx_operand *const o = &more->operands[i];
        if (*letter == '?') is_optional = 1;
        if (*letter == '?' || is_missing(in, letter, i)) continue;
        if (i == more->count) break;
        if (!fits_letter(in, o, *letter))
            ct_ptx_refuse(p, more->line, "%s: operand %d is not what it takes", more->text, i + 1);
        if (i < 5) in->r[i] = o->reg;
        o->is_written = strchr("dDoOEpPRvV", *letter) != NULL;
        if (o->is_not) in->nots |= (unsigned char)(1u << i);
        if (o->kind == OPERAND_MEMORY && !has_address++) in->offset = o->offset;
        ++i;
    }
    if (i < more->count || (*letter && !is_optional))
        ct_ptx_refuse(p, more->line, "%s: %d operands are not what it takes", more->text,
                      more->count);
}

void ct_ptx_decode(ct_ptx_parser *p, ct_ptx_ins *in)
{
    size_t length;
    const ct_ptx_opcode *const row = find_row(p, in, &length);
    if (p->failed) return;
    read_words(p, in, row, in->more->text + length);
    check_operands(p, in, row->operands);
    in->run = row->by_type[PTX_NONE] ? row->by_type[PTX_NONE] : row->by_type[in->type];
    if (!p->failed && row->decode) row->decode(p, in);
    p->module->has_wgmma |= strncmp(in->more->text, "wgmma", 5) == 0;
    p->function->updates |= strncmp(in->more->text, "cp.reduce", 9) == 0;
}
