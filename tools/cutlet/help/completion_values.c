/* What may stand for the value of an option: read off how the table of options writes the value. */
#include "completion_values.h"

#include <string.h>

#include "../common/options.h"
#include <cutlet/host/access.h>
#include <cutlet/host/compare.h>
#include <cutlet/host/convert.h>
#include "io/types.h"

/* Adds a word to a list, and with it what lies between. */
static void add(char *words, size_t size, const char *word, int length)
{
    const size_t used = strlen(words);
    snprintf(words + used, size - used, "%s%.*s", used ? " " : "", length, word);
}

static void add_types(char *words, size_t size)
{
    const ct_named_type *type;
    for (int i = 0; (type = ct_named_type_listed(i)); ++i)
        add(words, size, type->name, (int)strlen(type->name));
}

static void add_archs(char *words, size_t size)
{
    int count = 0;
    const ct_access_rules *const all = ct_access_rules_all(&count);
    for (int i = 0; i < count; ++i) add(words, size, all[i].arch, (int)strlen(all[i].arch));
}

static void add_variants(char *words, size_t size)
{
    int count = 0;
    const ct_copy_variant *const all = ct_copy_variants(&count);
    for (int i = 0; i < count; ++i) add(words, size, all[i].name, (int)strlen(all[i].name));
    add(words, size, "all", 3);
}

static void add_systems(char *words, size_t size)
{
    const char *name;
    for (int i = 1; (name = ct_system_name(i, NULL)); ++i)
        add(words, size, name, (int)strlen(name));
}

/* Whether the value is a layout of a file, which has names too. */
static int is_file_layout(const struct argp_option *o)
{
    return strcmp(o->arg, "LAYOUT") == 0 &&
           (strcmp(o->name, "to") == 0 || strcmp(o->name, "from") == 0);
}

/* A value written as a|b is one of those words. */
static void add_words(const struct argp_option *o, char *words, size_t size)
{
    int n = 0;
    for (const char *word, *at = o->arg; (word = ct_option_word(&at, &n));)
        add(words, size, word, n);
}

int ct_completion_values(const struct argp_option *o, char *words, size_t size)
{
    words[0] = '\0';
    if (strchr(o->arg, '|')) add_words(o, words, size);
    else if (strcmp(o->arg, "TYPE") == 0) add_types(words, size);
    else if (strcmp(o->arg, "SYSTEM") == 0) add_systems(words, size);
    else if (strcmp(o->arg, "ARCH") == 0) add_archs(words, size);
    else if (strcmp(o->arg, "VARIANTS") == 0) add_variants(words, size);
    else if (is_file_layout(o)) snprintf(words, size, "c f tiled: swizzled:");
    else if (strcmp(o->arg, "ATOM") == 0) return CT_VALUE_ATOMS;
    else if (strcmp(o->arg, "FILE") == 0 || strcmp(o->arg, "DIR") == 0 || strchr(o->arg, '.'))
        return CT_VALUE_FILES;
    return words[0] ? CT_VALUE_WORDS : CT_VALUE_OTHER;
}

void ct_completion_names(const struct argp_option *o, const char *between, char *text, size_t size)
{
    if (o->key > ' ' && o->key < 127) snprintf(text, size, "-%c%s--%s", o->key, between, o->name);
    else snprintf(text, size, "--%s", o->name);
}
