/* SPDX-License-Identifier: MIT */
/* The launch request as a JSON schema, for the manifests of editors' extensions. */
#include "dap/server.h"
#include "kit/launch.h"

enum field_type { TYPE_TEXT, TYPE_FLAG, TYPE_TEXTS, TYPE_TEXT_BY_NAME };

struct general_field {
    const char *name;
    enum field_type type;
    const char *doc, *preset; /* preset: JSON, or null */
};

/* In front of the fields of the sets, and after them. */
static const struct general_field first_fields[] = {
    {"program", TYPE_TEXT, "Source or binary file.", "\"${file}\""},
    {"target", TYPE_TEXT, "What the code is, as `gpucode targets` lists it, where the file does not say.", NULL},
    {"stopOnEntry", TYPE_FLAG, "Stop before the first instruction.", "true"},
    {"symbols", TYPE_TEXTS, "Maps and symbol files.", NULL},
    {"policies", TYPE_TEXT_BY_NAME, "Choices of the machine's behaviour, NAME: VALUE.", NULL},
    {0},
};
static const struct general_field last_fields[] = {
    {"commands", TYPE_TEXTS, "Debugger commands before anything runs, e.g. `packet CP_NOP 1, 2`.", NULL},
    {"raw", TYPE_FLAG, "No container: all of the file is code.", NULL},
    {0},
};

static void add_field(json_t *properties, const char *name, enum field_type type, const char *doc, const char *preset)
{
    static const char *const types[] = {"string", "boolean", "array", "object"};
    json_t *field = json_pack("{s:s}", "type", types[type]);
    if (type == TYPE_TEXTS)
        json_object_set_new(field, "items", json_pack("{s:s}", "type", "string"));
    if (type == TYPE_TEXT_BY_NAME)
        json_object_set_new(field, "additionalProperties", json_pack("{s:s}", "type", "string"));
    json_object_set_new(field, "description", json_string(doc));
    if (preset)
        json_object_set_new(field, "default", json_loads(preset, JSON_DECODE_ANY, NULL));
    json_object_set_new(properties, name, field);
}

static void add_fields(json_t *properties, const struct general_field *field)
{
    for (; field->name; field++)
        add_field(properties, field->name, field->type, field->doc, field->preset);
}

bool dap_print_schema(FILE *out, dap_kits *kits)
{
    json_t *properties = json_object();
    const struct kit *kit;
    add_fields(properties, first_fields);
    for (unsigned i = 0; (kit = kits(i)); i++)
        for (const struct launch_field *field = kit->launch ? kit->launch->fields : NULL; field && field->name; field++)
            add_field(properties, field->name, field->list ? TYPE_TEXTS : TYPE_TEXT, field->doc, NULL);
    add_fields(properties, last_fields);
    json_t *schema = json_pack("{s:[s], s:o}", "required", "program", "properties", properties);
    bool good = schema && json_dumpf(schema, out, JSON_INDENT(2)) == 0 && putc('\n', out) != EOF;
    json_decref(schema);
    return good;
}
