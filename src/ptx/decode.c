/* What an instruction does: the row of its opcode, the effects of its modifiers, its operands. */
#include "handlers.h"

enum { EFFECT_ROUND, EFFECT_COUNT, EFFECT_SPACE, EFFECT_FLAG };

/* clang-format off */
static const struct { const char *word; int effect, value; } effects[] = {
    {"ftz", EFFECT_FLAG, FLAG_FTZ}, {"sat", EFFECT_FLAG, FLAG_SAT}, {"satfinite", EFFECT_FLAG, FLAG_SAT},
    {"NaN", EFFECT_FLAG, FLAG_NAN}, {"relu", EFFECT_FLAG, FLAG_RELU}, {"parity", EFFECT_FLAG, FLAG_NUMBER},
    {"expect_tx", EFFECT_FLAG, FLAG_NUMBER}, {"noinc", EFFECT_FLAG, FLAG_NUMBER}, {"L2::cache_hint", EFFECT_FLAG, FLAG_HINT},
    {"multicast::cluster", EFFECT_FLAG, FLAG_MULTICAST}, {"acquire", EFFECT_FLAG, FLAG_STRONG | FLAG_ACQUIRE},
    {"release", EFFECT_FLAG, FLAG_STRONG | FLAG_RELEASE}, {"acq_rel", EFFECT_FLAG, FLAG_ACQUIRE | FLAG_RELEASE},
    {"relaxed", EFFECT_FLAG, FLAG_STRONG}, {"volatile", EFFECT_FLAG, FLAG_STRONG}, {"mmio", EFFECT_FLAG, FLAG_STRONG},
    {"cta", EFFECT_FLAG, FLAG_CTA}, {"cluster", EFFECT_FLAG, FLAG_CLUSTER},
    {"rz", EFFECT_ROUND, ROUND_ZERO}, {"rm", EFFECT_ROUND, ROUND_DOWN}, {"rp", EFFECT_ROUND, ROUND_UP},
    {"rna", EFFECT_ROUND, ROUND_AWAY}, {"rni", EFFECT_ROUND, ROUND_INTEGER}, {"rzi", EFFECT_ROUND, ROUND_INTEGER | ROUND_ZERO},
    {"rmi", EFFECT_ROUND, ROUND_INTEGER | ROUND_DOWN}, {"rpi", EFFECT_ROUND, ROUND_INTEGER | ROUND_UP},
    {"v2", EFFECT_COUNT, 2}, {"v4", EFFECT_COUNT, 4}, {"v8", EFFECT_COUNT, 8}, {"x2", EFFECT_COUNT, 2}, {"x4", EFFECT_COUNT, 4},
    {"and", EFFECT_COUNT, 2}, {"or", EFFECT_COUNT, 3}, {"xor", EFFECT_COUNT, 4}, /* of setp: with a third predicate */
    {"global", EFFECT_SPACE, SPACE_GLOBAL}, {"shared", EFFECT_SPACE, SPACE_SHARED}, {"shared::cta", EFFECT_SPACE, SPACE_SHARED},
    {"shared::cluster", EFFECT_SPACE, SPACE_SHARED}, {"local", EFFECT_SPACE, SPACE_LOCAL}, {"const", EFFECT_SPACE, SPACE_CONST},
    {"param", EFFECT_SPACE, SPACE_PARAM}, {"param::entry", EFFECT_SPACE, SPACE_PARAM}, {"param::func", EFFECT_SPACE, SPACE_PARAM}};
/* clang-format on */

static void apply(ct_ptx_ins *in, const char *word)
{
    for (size_t i = 0; i < sizeof effects / sizeof *effects; ++i) {
        if (strcmp(effects[i].word, word) != 0) continue;
        const unsigned char value = (unsigned char)effects[i].value;
        if (effects[i].effect == EFFECT_FLAG) in->flags |= (uint16_t)effects[i].value;
        else if (effects[i].effect == EFFECT_ROUND) in->rounding = value;
        else if (effects[i].effect == EFFECT_COUNT) in->count = value;
        else if (!in->space) in->space = value;
    }
}

/* Splits the opcode at its dots; the words end with NULL. */
static void split(ct_ptx_parser *p, const ct_ptx_more *more, char **words)
{
    int n = 0;
    for (char *at = (char *)ct_ptx_copy(p, more->text, strlen(more->text)); at && !p->failed;) {
        if (n == MAX_WORDS - 1)
            ct_ptx_refuse(p, more->line, "the instruction %s is not known", more->text);
        else words[n++] = at;
        at = strchr(at, '.');
        if (at) *at++ = 0;
    }
    words[n] = NULL;
}

/* The place of a word in a list of words between blanks, or -1. */
static int place_in(const char *list, const char *word)
{
    for (int i = 0; *list; ++i) {
        const size_t length = strcspn(list, " ");
        if (strlen(word) == length && memcmp(list, word, length) == 0) return i;
        list += length + (list[length] == ' ');
    }
    return -1;
}

/* The number of words of a row's name if the opcode begins with them, or 0. */
static int begins_with(char *const *words, const char *name)
{
    int n = 0;
    for (; *name; ++n) {
        const size_t length = strcspn(name, ".");
        if (!words[n] || strlen(words[n]) != length || memcmp(words[n], name, length) != 0)
            return 0;
        name += length + (name[length] == '.');
    }
    return n;
}

/* Whether a row has the first type among the words. */
static int fits(const ct_ptx_opcode *row, char *const *words)
{
    int type = PTX_NONE;
    for (; *words && !type; ++words) type = ct_ptx_type(*words, strlen(*words));
    return !row->by_type || row->by_type[type];
}
static const ct_ptx_opcode *find_row(ct_ptx_parser *p, const ct_ptx_more *more, char *const *words,
                                     int *length)
{
    int count;
    const ct_ptx_opcode *const rows = ct_ptx_opcodes(&count), *found = NULL;
    *length = 0;
    for (int i = 0; i < count; ++i) {
        const int n = begins_with(words, rows[i].name);
        if (n == 0 || n < *length || (n == *length && fits(found, words + n))) continue;
        found = &rows[i];
        *length = n;
    }
    if (!found) ct_ptx_refuse(p, more->line, "the instruction %s is not known", more->text);
    else if (!fits(found, words + *length))
        ct_ptx_refuse(p, more->line, "%s: the type is not supported", more->text);
    return found;
}
static void read_words(ct_ptx_parser *p, ct_ptx_ins *in, const ct_ptx_opcode *row,
                       char *const *words)
{
    int types = 0, mode = place_in(row->modes, "-");
    in->count = 1;
    for (; *words; ++words) {
        const int type = ct_ptx_type(*words, strlen(*words)), place = place_in(row->modes, *words);
        ct_mma_op op;
        if (type && types < row->types) {
            if (types++ == 0) in->type = (unsigned char)type;
            in->from = (unsigned char)type;
        } else if (place >= 0) {
            if (place > mode) mode = place;
        } else if (place_in(row->modifiers, *words) < 0 &&
                   !(place_in(row->modifiers, "MNK") >= 0 && ct_ptx_mma_shape(*words, &op)))
            ct_ptx_refuse(p, in->more->line, "%s: .%s is not supported", in->more->text, *words);
        else apply(in, *words);
    }
    in->mode = (unsigned char)mode;
    if ((row->by_type && !types) || (*row->modes && mode < 0))
        ct_ptx_refuse(p, in->more->line, "%s: a type or an operation is missing", in->more->text);
}
static int width_of(const ct_ptx_ins *in, char letter)
{
    if (strchr("wo", letter)) return 32;
    if (strchr("xO", letter)) return 64;
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
        case 't': return o->kind == OPERAND_MEMORY;
        case 'v':
        case 'u': return is_vector(o, 0, in->count, is_written);
        case 'V':
        case 'U': return is_vector(o, in->type == PTX_PRED, 0, is_written);
        case 'l': return o->kind == OPERAND_LABEL;
        case 'c': return 1;
        case 'y': return o->kind == OPERAND_REGISTER;
        case 'z': return o->kind == OPERAND_MEMORY || is_register(o, 0, 0);
        default: break;
    }
    if (!is_register(o, bits, is_written)) return 0;
    return o->is_constant || o->kind == OPERAND_SINK || bits <= 8 ||
           (letter == 'f' ? o->bits >= bits : o->bits == bits);
}
static void check_operands(ct_ptx_parser *p, ct_ptx_ins *in, const char *letter)
{
    const ct_ptx_more *const more = in->more;
    int i = 0, is_optional = 0, has_address = 0;
    for (; *letter; ++letter) {
        ct_ptx_operand *const o = &more->operands[i];
        if (*letter == '?') is_optional = 1;
        if (*letter == '?') continue;
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

/* Whether blocks may wait for each other by it: a fence or a strong access of the GPU's scope. */
static int is_of_gpu(const ct_ptx_ins *in, const ct_ptx_opcode *row)
{
    const int is_atom = row->by_type == ct_ptx_atom_by,
              is_update = is_atom || row->by_type == ct_ptx_red_by;
    const int is_exchange = is_atom && (in->mode == CT_UPDATE_EXCH || in->mode == CT_UPDATE_CAS);
    if (in->flags & (FLAG_CTA | FLAG_CLUSTER)) return 0;
    if (in->run == ct_ptx_fence) return 1;
    if (in->space > SPACE_GLOBAL ||
        !(is_update || row->by_type == ct_ptx_ld_by || row->by_type == ct_ptx_st_by))
        return 0;
    return is_exchange ||
           (in->flags & (is_update ? FLAG_ACQUIRE | FLAG_RELEASE : FLAG_STRONG)) != 0;
}
void ct_ptx_decode(ct_ptx_parser *p, ct_ptx_ins *in)
{
    char *words[MAX_WORDS];
    int length = 0;
    split(p, in->more, words);
    const ct_ptx_opcode *const row = p->failed ? NULL : find_row(p, in->more, words, &length);
    if (p->failed) return;
    read_words(p, in, row, words + length);
    check_operands(p, in, row->operands);
    in->run = row->by_type ? row->by_type[in->type] : row->run;
    in->takes_off =
        in->run == ct_ptx_cp_async || row->by_type == ct_ptx_ld_by || row->by_type == ct_ptx_st_by;
    if (!p->failed && row->decode) row->decode(p, in, words);
    p->module->has_wgmma |= in->run == ct_ptx_wgmma || in->run == ct_ptx_wgmma_wait;
    p->function->waits |= is_of_gpu(in, row);
    p->function->updates |= (row->by_type == ct_ptx_atom_by || row->by_type == ct_ptx_red_by)
                                ? in->space != SPACE_SHARED
                                : strncmp(row->name, "cp.reduce", 9) == 0;
}
