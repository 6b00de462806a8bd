/* What there is to call and to choose from. */
#include <cutlet/cutlet.h>
#include <cutlet/host/convert.h>
#include <string.h>
#include "io/types.h"
#include "play.h"

static void put_operations(ct_play_answer *a)
{
    ct_operation_info info;
    ct_play_open(a, "operations", '[');
    for (int i = 0; ct_operation_listed(i, &info); ++i) {
        ct_play_open(a, NULL, '{');
        ct_play_text(a, "name", info.name);
        ct_play_text(a, "takes", info.takes);
        ct_play_text(a, "group", info.group);
        ct_play_text(a, "help", info.help);
        ct_play_close(a, '}');
    }
    ct_play_close(a, ']');
}

static int put_atom(void *context, const char *name, const char *what)
{
    ct_play_answer *const a = context;
    ct_play_open(a, NULL, '[');
    ct_play_text(a, NULL, name);
    ct_play_text(a, NULL, what);
    ct_play_close(a, ']');
    return 0;
}

void ct_play_operations(const ct_play_request *r, ct_play_answer *a)
{
    (void)r;
    put_operations(a);
    ct_play_open(a, "atoms", '[');
    ct_atoms_listed(put_atom, a);
    ct_play_close(a, ']');
}

void ct_play_choices(const ct_play_request *r, ct_play_answer *a)
{
    int archs;
    const ct_access_rules *const rules = ct_access_rules_all(&archs);
    const ct_named_type *type;
    const char *system;
    (void)r;
    ct_play_text(a, "version", CT_VERSION_STRING);
    ct_play_open(a, "types", '[');
    for (int i = 0; (type = ct_named_type_listed(i)); ++i) ct_play_text(a, NULL, type->name);
    ct_play_close(a, ']');
    ct_play_open(a, "archs", '[');
    for (int i = 0; i < archs; ++i) ct_play_text(a, NULL, rules[i].arch);
    ct_play_close(a, ']');
    ct_play_open(a, "systems", '['); /* that are written */
    for (int i = 1; (system = ct_system_name(i, NULL)); ++i)
        if (strcmp(system, "triton") != 0) ct_play_text(a, NULL, system);
    ct_play_close(a, ']');
}
