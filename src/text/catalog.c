/* The table of operations as others see it: listed, described, searched. */
#include <stdio.h>
#include <string.h>

#include "atoms.h"
#include "evaluate.h"
#include "mma_names.h"
#include "operations.h"

/* ct_letter_name without its article. */
static const char *letter_noun(char letter)
{
    const char *name = ct_letter_name(letter);
    const char *space = strchr(name, ' ');
    return space ? space + 1 : name;
}

void ct_describe_takes(const char *takes, char *buf, size_t size)
{
    size_t n = 0;
    buf[0] = '\0';
    for (int i = 0; takes[i]; ++i) {
        const int more = takes[i] == '+' ? snprintf(buf + n, size - n, ", ..")
                                         : snprintf(buf + n, size - n, "%s%s", i ? ", " : "",
                                                    letter_noun(takes[i]));
        if (more < 0 || n + (size_t)more >= size) return;
        n += (size_t)more;
    }
}

int ct_operation_listed(int i, ct_operation_info *info)
{
    for (const ct_operation_group *g = ct_operation_groups; g->title; ++g) {
        for (const ct_operation *o = g->entry; o->name; ++o) {
            if (i-- != 0) continue;
            info->name = o->name;
            ct_describe_takes(o->takes, info->takes, sizeof info->takes);
            info->help = o->help;
            info->group = g->title;
            return 1;
        }
    }
    return 0;
}

/* The header that declares a function, or the type before a dot. */
static const char *header_of(const char *name)
{
    const size_t n = strcspn(name, ".");
    for (const ct_function_header *f = ct_function_headers; f->name; ++f) {
        if (strncmp(f->name, name, n) == 0 && f->name[n] == '\0') return f->header;
    }
    return "cutlet/cutlet.h";
}

int ct_operation_source(int i, const char **function, const char **header)
{
    for (const ct_operation_group *g = ct_operation_groups; g->title; ++g) {
        for (const ct_operation *o = g->entry; o->name; ++o) {
            if (i-- != 0) continue;
            *function = o->source;
            *header = header_of(o->source);
            return 1;
        }
    }
    return 0;
}

const char *ct_nearest_operation(const char *name, size_t length)
{
    const char *best = NULL;
    int least = length < 6 ? 2 : 4; /* further away is not a typing error */
    for (const ct_operation_group *g = ct_operation_groups; g->title; ++g) {
        for (const ct_operation *o = g->entry; o->name; ++o) {
            const int d = ct_word_distance(name, length, o->name);
            if (d < least) {
                least = d;
                best = o->name;
            }
        }
    }
    return best;
}

typedef struct visitor {
    int (*visit)(void *context, const char *name, const char *what);
    void *context;
} visitor;

static int visit_mma(void *context, ct_mma_op op)
{
    const visitor *const v = context;
    char name[CT_MMA_NAME_BYTES];
    ct_mma_op_name(name, op);
    return v->visit(v->context, name, "mma_atom");
}

int ct_atoms_listed(int (*visit)(void *context, const char *name, const char *what), void *context)
{
    visitor v = {visit, context};
    for (int i = 0; ct_atom_listed(i); ++i) {
        const int stop = visit(context, ct_atom_listed(i), "copy_atom");
        if (stop) return stop;
    }
    return ct_mma_each(visit_mma, &v);
}
