/* SPDX-License-Identifier: MIT */
#include "dap/fields.h"

#include <stdlib.h>
#include <string.h>

struct fields {
    const struct kit *kit; /* of the program's set, or null */
    struct launch launch;
    max_align_t state[];
};

const struct kit *dap_kit(const struct dap *dap)
{
    const char *name = gpucode_target_isa(gpucode_image_info(dap->image)->target);
    const struct kit *kit;
    for (unsigned i = 0; dap->kits && (kit = dap->kits(i)); i++)
        if (strcmp(kit->name, name) == 0)
            return kit;
    return NULL;
}

static bool read_whole(void *user, const char *path, char **bytes, size_t *size)
{
    *bytes = console_file(path, size);
    if (*bytes)
        return true;
    dap_write(user, "cannot read ", 12);
    dap_write(user, path, strlen(path));
    return false;
}

enum gpucode_status fields_refuse(struct dap *dap, const char *name, const char *text, const char *expected)
{
    char message[512];
    int length = snprintf(message, sizeof message, "%s %.200s: expected %s", name, text, expected);
    dap_write(dap, message, (size_t)length);
    return GPUCODE_ERROR_INPUT;
}

/* One text of a field; `value` may be anything that JSON has. */
static enum gpucode_status take_text(struct fields *fields, struct dap *dap, const struct launch_field *field,
                                     bool is_own, const json_t *value)
{
    const char *text = json_string_value(value), *expected = "a text";
    enum gpucode_status status = GPUCODE_ERROR_ARGUMENT;
    if (text && !*text && !field->list) /* editors send empty texts for fields that are not set */
        return GPUCODE_OK;
    if (text && is_own)
        status = field->take(&fields->launch, text, &expected);
    else if (text)
        expected = field->foreign;
    return status == GPUCODE_ERROR_ARGUMENT ? fields_refuse(dap, field->name, text ? text : "", expected) : status;
}

static enum gpucode_status take_field(struct fields *fields, struct dap *dap, const struct launch_field *field,
                                      bool is_own, const json_t *arguments)
{
    const json_t *value = json_object_get(arguments, field->name);
    enum gpucode_status status = GPUCODE_OK;
    if (!value)
        return GPUCODE_OK;
    if (!field->list || !json_is_array(value))
        return take_text(fields, dap, field, is_own, value);
    for (size_t i = 0; status == GPUCODE_OK && i < json_array_size(value); i++)
        status = take_text(fields, dap, field, is_own, json_array_get(value, i));
    return status;
}

/* Takes the fields of one phase; those of other sets than the program's are refused. */
static enum gpucode_status take_phase(struct fields *fields, struct dap *dap, enum launch_phase phase,
                                      const json_t *arguments)
{
    enum gpucode_status status = GPUCODE_OK;
    const struct kit *kit;
    for (unsigned i = 0; dap->kits && (kit = dap->kits(i)); i++) {
        const struct launch_field *field = kit->launch ? kit->launch->fields : NULL;
        for (; status == GPUCODE_OK && field && field->name; field++)
            if (field->phase == phase)
                status = take_field(fields, dap, field, kit == fields->kit, arguments);
    }
    return status;
}

enum gpucode_status fields_begin(struct dap *dap, const json_t *arguments, struct kit_settings *settings,
                                 struct fields **out)
{
    const struct kit *kit = dap_kit(dap);
    const struct kit_launch *own = kit ? kit->launch : NULL;
    struct fields *fields = calloc(1, sizeof *fields + (own ? own->state_size : 0));
    *out = fields;
    if (!fields)
        return GPUCODE_ERROR_MEMORY;
    fields->kit = kit;
    fields->launch = (struct launch){.program = dap->program,
                                     .read = read_whole,
                                     .user = dap,
                                     .on_diagnostic = dap_diagnostic_handler(dap),
                                     .state = fields->state};
    if (own && own->begin)
        own->begin(&fields->launch);
    enum gpucode_status status = take_phase(fields, dap, LAUNCH_SETTINGS, arguments);
    if (status == GPUCODE_OK && own && own->settings)
        own->settings(&fields->launch, settings);
    return status;
}

enum gpucode_status fields_give(struct fields *fields, struct dap *dap, const json_t *arguments)
{
    const struct kit_launch *own = fields->kit ? fields->kit->launch : NULL;
    const char *field = "", *expected = "";
    fields->launch.machine = dap->machine;
    enum gpucode_status status = take_phase(fields, dap, LAUNCH_PLACES, arguments);
    if (status == GPUCODE_OK && own && own->give)
        own->give(&fields->launch);
    if (status == GPUCODE_OK)
        status = take_phase(fields, dap, LAUNCH_INPUTS, arguments);
    if (status == GPUCODE_OK && own && own->finish)
        status = own->finish(&fields->launch, &field, &expected);
    if (status == GPUCODE_ERROR_ARGUMENT)
        status = fields_refuse(dap, field, text_of(arguments, field), expected);
    dap->first_processor = fields->launch.processor;
    return status;
}
