/* SPDX-License-Identifier: MIT */
/* Differences as one JSON object. */
#include "cli/differences.h"

static void put_start(const struct differences *differences, struct json *json,
                      const struct gpucode_compared_section *section, const struct gpucode_compared_function *function,
                      unsigned side)
{
    const char *key = side == GPUCODE_OLD ? "old_words" : "new_words";
    uint32_t start = differences_start(differences, section, function, side);
    if (start == GPUCODE_NONE)
        json_null(json, key);
    else
        json_number(json, key, start);
}

static void put_functions(const struct differences *differences, struct json *json,
                          const struct gpucode_compared_section *section)
{
    char name[GPUCODE_NAME_MAX];
    for (uint32_t i = 0; i < section->function_count; i++) {
        const struct gpucode_compared_function *function = &section->functions[i];
        unsigned side = function->change == GPUCODE_CHANGE_GONE ? GPUCODE_OLD : GPUCODE_NEW;
        gpucode_analysis_name(differences->understood[side]->analysis, section->section[side], function->function[side],
                              name, sizeof name);
        json_object(json, NULL);
        json_string(json, "section", differences_section(differences, section));
        json_string(json, "name", name);
        put_start(differences, json, section, function, GPUCODE_OLD);
        put_start(differences, json, section, function, GPUCODE_NEW);
        json_string(json, "status", gpucode_change_name(function->change));
        json_end(json);
    }
}

static void put_packets(const struct differences *differences, struct json *json,
                        const struct gpucode_compared_section *section)
{
    char name[GPUCODE_NAME_MAX];
    for (unsigned i = 0; section->has_packets && i < GPUCODE_COMPARED_PACKETS; i++) {
        gpucode_analysis_packet_name(differences->understood[GPUCODE_NEW]->analysis, i, name, sizeof name);
        json_object(json, NULL);
        json_string(json, "section", differences_section(differences, section));
        json_string(json, "name", name);
        json_string(json, "status", gpucode_change_name(section->packets[i]));
        json_end(json);
    }
}

struct telling {
    const struct differences *differences;
    struct json *json;
    const char *section, *function;
};

static void put_register(void *user, const struct difference_register *what)
{
    const struct telling *telling = user;
    char name[DIFFERENCE_NAME_MAX];
    difference_register_name(telling->differences, what, name);
    json_object(telling->json, NULL);
    json_string(telling->json, "section", telling->section);
    json_string(telling->json, "function", telling->function);
    json_string(telling->json, "register", name);
    json_string(telling->json, "access", what->writes ? "write" : "read");
    json_string(telling->json, "status", gpucode_change_name(what->added ? GPUCODE_CHANGE_NEW : GPUCODE_CHANGE_GONE));
    json_end(telling->json);
}

static void put_registers(const struct differences *differences, struct json *json)
{
    const struct gpucode_compared_section *section;
    struct difference_uses *uses = difference_uses_begin(differences);
    char name[GPUCODE_NAME_MAX];
    json_array(json, "registers");
    for (unsigned s = 0; uses && (section = gpucode_comparison_section(differences->comparison, s)); s++)
        for (uint32_t i = 0; i < section->function_count; i++) {
            const struct gpucode_compared_function *function = &section->functions[i];
            if (function->change != GPUCODE_CHANGE_CHANGED)
                continue;
            gpucode_analysis_name(differences->understood[GPUCODE_NEW]->analysis, section->section[GPUCODE_NEW],
                                  function->function[GPUCODE_NEW], name, sizeof name);
            struct telling telling = {differences, json, differences_section(differences, section), name};
            difference_registers(differences, uses, section, function, put_register, &telling);
        }
    json_end(json);
    difference_uses_end(uses);
}

void differences_json(const struct differences *differences)
{
    struct json json = {.out = stdout, .indent = true};
    const struct gpucode_comparison *comparison = differences->comparison;
    const struct gpucode_compared_section *section;
    const struct gpucode_edit *edit;
    json_object(&json, NULL);
    json_array(&json, "functions");
    for (unsigned i = 0; (section = gpucode_comparison_section(comparison, i)); i++)
        put_functions(differences, &json, section);
    json_end(&json);
    json_array(&json, "packets");
    for (unsigned i = 0; (section = gpucode_comparison_section(comparison, i)); i++)
        put_packets(differences, &json, section);
    json_end(&json);
    put_registers(differences, &json);
    json_array(&json, "edits");
    for (unsigned i = 0; (edit = gpucode_comparison_edit(comparison, i)); i++) {
        json_object(&json, NULL);
        json_string(&json, "text", edit->text);
        json_string(&json, "kind", edit->kind);
        json_number(&json, "count", edit->count);
        json_end(&json);
    }
    json_end(&json);
    json_end(&json);
}
