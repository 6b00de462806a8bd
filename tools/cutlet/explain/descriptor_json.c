/* A matrix descriptor as JSON. */
#include <jansson.h>

#include "../common/json.h"
#include <cutlet/host/text.h>
#include "descriptor.h"

/* Text of a layout, swizzled or not. */
static json_t *tensor_json(ct_tensor t)
{
    char text[CT_TEXT_BYTES];
    if (t.layout.err.status) return json_null();
    if (t.swizzle.bits || !ct_offset_is_zero(&t.offset)) ct_format_tensor(text, sizeof text, t);
    else ct_format_layout(text, sizeof text, t.layout);
    return json_string(text);
}

static json_t *fields_json(const ct_descriptor_job *job)
{
    json_t *fields = json_array();
    for (int i = 0; i < job->fields; ++i) {
        const ct_descriptor_field *f = &job->field[i];
        json_array_append_new(fields, json_pack("{s:s, s:i, s:i, s:I, s:s}", "name", f->name,
                                                "low_bit", f->low, "bits", f->bits, "value",
                                                (json_int_t)f->value, "means", f->means));
    }
    return fields;
}

static json_t *steps_json(ct_layout steps)
{
    char text[CT_TEXT_BYTES];
    ct_format_layout(text, sizeof text, steps);
    return json_pack("{s:s, s:o, s:o}", "text", text, "shape", ct_json_tuple(ct_shape(steps)),
                     "stride", ct_json_tuple(ct_stride(steps)));
}

int ct_descriptor_json(const ct_descriptor_job *job, FILE *stream)
{
    const ct_mma_descriptor *d = &job->descriptor;
    char number[32], message[CT_MESSAGE_BYTES];
    json_t *root = json_pack("{s:s, s:s, s:o}", "atom", job->name, "operand",
                             job->operand == CT_MMA_A ? "a" : "b", "tile", tensor_json(job->tile));
    if (d->err.status) {
        ct_error_message(d->err, message, sizeof message);
        json_object_set_new(root, "error", json_string(message));
        json_object_set_new(
            root, "nearest",
            tensor_json(ct_mma_descriptor_nearest(job->tile, job->operand, job->atom)));
    } else {
        snprintf(number, sizeof number, "0x%016llx",
                 (unsigned long long)ct_mma_descriptor_pack(*d));
        json_object_set_new(root, "major", json_string(d->major == CT_MMA_K_MAJOR ? "k" : "mn"));
        json_object_set_new(root, "elem_bits", json_integer(d->elem_bits));
        json_object_set_new(root, "part", json_pack("[i, i]", (int)d->mn, (int)d->k));
        json_object_set_new(root, "start_bytes", json_integer(d->start_bytes));
        json_object_set_new(root, "leading_bytes", json_integer(d->leading_bytes));
        json_object_set_new(root, "leading_is_read", json_boolean(ct_mma_reads_leading(d)));
        json_object_set_new(root, "stride_bytes", json_integer(d->stride_bytes));
        json_object_set_new(root, "stride_is_read", json_boolean(ct_mma_reads_stride(d)));
        json_object_set_new(root, "fields", fields_json(job));
        json_object_set_new(root, "number", json_string(number));
        json_object_set_new(root, "steps", steps_json(d->steps));
    }
    const int bad = ct_json_write(stream, root, JSON_INDENT(2));
    json_decref(root);
    return bad;
}
