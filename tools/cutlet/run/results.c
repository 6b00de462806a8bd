/* What a kernel leaves in its arrays: written to files, and compared with what is expected. */
#include "run.h"

#include <math.h>
#include <string.h>

#include <cutlet/algebra/element_type.h>
#include <cutlet/device/element/element.h>
#include "base/refuse.h"

ct_status ct_run_write(ct_run *run, char message[CT_MESSAGE_BYTES])
{
    for (int i = 0; i < run->arg_count; ++i)
        if (run->args[i].out_file &&
            ct_npy_write(run->args[i].out_file, &run->args[i].array, message))
            return CT_E_FILE;
    return CT_OK;
}

static double element(const ct_npy *array, const ct_named_type *type, int64_t i)
{
    const unsigned char *const at = (const unsigned char *)array->data + i * array->elem_bytes;
    uint64_t bits = 0;
    memcpy(&bits, at, (size_t)(array->elem_bytes < 8 ? array->elem_bytes : 8));
    const int unused = 64 - 8 * array->elem_bytes;
    if (type->element == CT_TYPE_BFLOAT16) return (double)ct_float_of_bfloat16((uint32_t)bits);
    if (type->code[0] == 'f')
        return array->elem_bytes == 8   ? ct_double_of_bits(bits)
               : array->elem_bytes == 4 ? (double)ct_float_of_bits((uint32_t)bits)
                                        : (double)ct_float_of_half((uint32_t)bits);
    if (type->code[0] == 'i') return (double)((int64_t)(bits << unused) >> unused);
    return (double)bits;
}

void ct_run_put_index(const ct_npy *array, int64_t i, char *text, size_t size)
{
    int64_t rest = array->size;
    size_t n = 0;
    text[0] = '\0';
    for (int k = 0; k < array->rank && n < size; ++k) {
        rest /= array->shape[k];
        n += (size_t)snprintf(text + n, size - n, "%c%lld", k ? ',' : '[',
                              (long long)(i / rest % array->shape[k]));
    }
    if (n < size) snprintf(text + n, size - n, n ? "]" : "[]");
}

static void compare(ct_run_arg *a, const ct_npy *wanted, const ct_named_type *type,
                    double tolerance)
{
    for (int64_t i = 0; i < a->array.size; ++i) {
        const double x = element(&a->array, &a->type, i), y = element(wanted, type, i);
        const double away = x == y || (isnan(x) && isnan(y)) ? 0 : fabs(x - y);
        if (away > a->largest || isnan(away)) a->largest = away;
        if (away <= tolerance * fmax(1, fabs(y))) continue;
        if (a->differ++) continue;
        a->first = i;
        a->found = x;
        a->wanted = y;
    }
}
static ct_status compare_one(ct_run_arg *a, double tolerance, char message[CT_MESSAGE_BYTES])
{
    ct_npy wanted;
    ct_named_type type = a->type;
    char why[CT_MESSAGE_BYTES];
    if (ct_npy_read(a->expected, &wanted, why))
        return ct_refuse(message, CT_E_FILE, "--expect %s: %.600s", a->name, why);
    const int is_unknown =
        wanted.kind != 'V' && ct_named_type_read(wanted.descr, &type, why) != CT_OK;
    const int fits =
        !is_unknown && type.bits <= 64 && wanted.elem_bytes == type.bits / 8 &&
        !(wanted.big_endian && wanted.elem_bytes > 1) && wanted.rank == a->array.rank &&
        !wanted.fortran && !a->array.fortran &&
        memcmp(wanted.shape, a->array.shape, (size_t)wanted.rank * sizeof *wanted.shape) == 0;
    if (fits) compare(a, &wanted, &type, tolerance);
    ct_npy_free(&wanted);
    return fits ? CT_OK
                : ct_refuse(message, CT_E_ARGUMENT,
                            "--expect %s: %.300s has another shape, Fortran order, or elements "
                            "that are no numbers",
                            a->name, a->expected);
}
ct_status ct_run_compare(ct_run *run, char message[CT_MESSAGE_BYTES])
{
    ct_status bad = CT_OK;
    for (int i = 0; i < run->arg_count && !bad; ++i)
        if (run->args[i].expected) bad = compare_one(&run->args[i], run->tolerance, message);
    return bad;
}
