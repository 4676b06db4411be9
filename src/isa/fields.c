/* SPDX-License-Identifier: MIT */
#include "isa/isa.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

bool isa_add_field(struct isa_field_list *list, const char *name, unsigned low, unsigned high,
                   const char *const *values, unsigned named)
{
    uint32_t part = list->value >> low & (UINT32_MAX >> (31 - (high - low)));
    bool flag = low == high && !named;
    const char *text = part < named ? values[part] : NULL;
    if (!part && !text && (flag || named))
        return false;
    if (list->count++ >= list->size)
        return false;
    struct gpucode_field_value *field = &list->fields[list->count - 1];
    *field = (struct gpucode_field_value){.name = name,
                                          .low = low,
                                          .high = high,
                                          .type = flag    ? GPUCODE_FIELD_BOOLEAN
                                                  : named ? GPUCODE_FIELD_ENUM
                                                          : GPUCODE_FIELD_HEX,
                                          .named = text,
                                          .value = part};
    if (text || flag)
        snprintf(field->text, sizeof field->text, "%s", text ? text : "set");
    else
        snprintf(field->text, sizeof field->text, "0x%" PRIx32, part);
    return true;
}

struct fields_text {
    char *text;
    size_t size, length;
};

static void append(struct fields_text *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append(struct fields_text *out, const char *format, ...)
{
    bool room = out->length < out->size;
    va_list arguments;
    va_start(arguments, format);
    int written =
        vsnprintf(room ? out->text + out->length : NULL, room ? out->size - out->length : 0, format, arguments);
    va_end(arguments);
    out->length += written < 0 ? 0 : (size_t)written;
}

size_t isa_fields_text(const struct gpucode_target *target, unsigned space, uint32_t number, uint64_t value, char *text,
                       size_t size)
{
    struct gpucode_field_value fields[GPUCODE_FIELD_VALUES_MAX];
    struct fields_text out = {text, size, 0};
    uint64_t rest = value;
    if (!target || !target->isa->text.fields || (!text && size) ||
        !target->isa->text.fields(target, space, number, UINT32_MAX, NULL, 0))
        return 0;
    size_t count = target->isa->text.fields(target, space, number, value, fields, GPUCODE_FIELD_VALUES_MAX);
    if (!count && !value)
        return 0;
    append(&out, "{ ");
    for (size_t i = 0; i < count && i < GPUCODE_FIELD_VALUES_MAX; i++) {
        const struct gpucode_field_value *field = &fields[i];
        bool flag = field->type == GPUCODE_FIELD_BOOLEAN;
        append(&out, "%s%s%s%s", i ? " | " : "", field->name, flag ? "" : " = ", flag ? "" : field->text);
        rest &= ~(field->value << field->low);
    }
    if (rest)
        append(&out, "%s0x%" PRIx64, count ? " | " : "", rest);
    append(&out, " }");
    return out.length;
}
