/* SPDX-License-Identifier: MIT */
/* gpucode xref: who reads, writes, calls or jumps to something. */
#include "cli/xref.h"
#include "front/code.h"
#include "front/session.h"

#include <inttypes.h>
#include <string.h>

struct xref {
    const struct understood *understood;
    struct xref_what what;
    unsigned found;
};

/* The name of what is referred to, as one would ask for it. */
static void name_of(const struct xref *xref, const struct gpucode_reference *reference, char name[GPUCODE_NAME_MAX + 1])
{
    if (reference->space == GPUCODE_SPACE_CODE)
        understood_place(xref->understood, reference->section, reference->number, name);
    else
        gpucode_analysis_reference_name(xref->understood->analysis, reference, name, GPUCODE_NAME_MAX + 1);
}

static const char *space_of(const struct xref *xref, const struct gpucode_reference *reference)
{
    return reference->space == GPUCODE_SPACE_CODE ? "code"
           : reference->space == GPUCODE_SPACE_MEMORY
               ? "memory"
               : gpucode_space_name(xref->understood->input->target, reference->space);
}

static void put_hex(struct json *json, const char *key, uint32_t value)
{
    char text[16];
    snprintf(text, sizeof text, "0x%" PRIx32, value);
    json_string(json, key, text);
}

/* The packets that lead to a place; false: it is a table's word, whose packet is its own. */
static bool packets_of(const struct xref *xref, const struct gpucode_reference *reference, uint64_t packets[2])
{
    packets[0] = packets[1] = 0;
    if (reference->in_table)
        packets[reference->packet / 64] = UINT64_C(1) << reference->packet % 64;
    else
        gpucode_analysis_reached_by(xref->understood->analysis, reference->section, reference->unit, packets);
    return !reference->in_table;
}

static void put_json(const struct xref *xref, const struct gpucode_reference *reference)
{
    const struct understood *understood = xref->understood;
    struct json json = {.out = stdout};
    uint64_t packets[2];
    char name[GPUCODE_NAME_MAX + 1];
    json_object(&json, NULL);
    json_string(&json, "section", understood->info->sections[reference->section].name);
    json_number(&json, "at_words", reference->unit);
    if (packets_of(xref, reference, packets)) {
        uint32_t owner = gpucode_analysis_owner(understood->analysis, reference->section, reference->unit);
        gpucode_analysis_name(understood->analysis, reference->section, owner, name, sizeof name);
        json_string(&json, "function", name);
    } else {
        json_null(&json, "function");
    }
    understood_put_packets(understood, &json, "packets", packets);
    json_string(&json, "space", space_of(xref, reference));
    name_of(xref, reference, name);
    json_string(&json, "name", name);
    json_string(&json, "access", gpucode_reference_kind_name(reference->kind));
    if (reference->space != GPUCODE_SPACE_GENERAL && reference->space != GPUCODE_SPACE_MEMORY)
        put_hex(&json, "number", reference->number);
    if (reference->has_value)
        put_hex(&json, "value", reference->value);
    json_string(&json, "via", reference->via);
    if (!reference->exact)
        json_bool(&json, "exact", false);
    understood_put_line(understood, &json, reference->section, reference->unit);
    json_end(&json);
}

/* At most this many packets, and how many more. */
#define PACKETS_SHOWN 3

static void put_text(const struct xref *xref, const struct gpucode_reference *reference)
{
    const struct understood *understood = xref->understood;
    char name[GPUCODE_NAME_MAX] = "packet table", text[GPUCODE_TEXT_MAX] = "";
    uint64_t packets[2];
    bool code = packets_of(xref, reference, packets);
    if (code) {
        understood_name(understood, reference->section,
                        gpucode_analysis_owner(understood->analysis, reference->section, reference->unit), name);
        understood_text(understood, reference->section, reference->unit, text);
    }
    if (understood->info->section_count > 1)
        printf("%s ", understood->info->sections[reference->section].name);
    printf("%5u  %-26s %-7s %s", reference->unit, name, gpucode_reference_kind_name(reference->kind), text);
    if (reference->has_value)
        printf("  = 0x%" PRIx32, reference->value);
    if (!reference->exact)
        printf("  plus something unknown");
    if (gpucode_analysis_packets(understood->analysis, packets, PACKETS_SHOWN, text, sizeof text))
        printf("  from %s", text);
    putchar('\n');
}

static bool found(void *user, const struct gpucode_reference *reference)
{
    struct xref *xref = user;
    if (!xref_wants(&xref->what, reference))
        return true;
    xref->found++;
    if (xref->understood->session->json)
        put_json(xref, reference);
    else
        put_text(xref, reference);
    return true;
}

static int search(struct session *session, const struct understood *understood)
{
    struct xref xref = {.understood = understood};
    int code = xref_understand(understood, session->arguments.operands[1], &xref.what);
    if (code)
        return code;
    enum gpucode_status status = gpucode_analysis_references(understood->analysis, found, &xref);
    if (status != GPUCODE_OK)
        return code_status(session, understood->input->file.name, status);
    if (!xref.found)
        complain(&session->diagnostics, CLI_NO_REFERENCE, understood->input->file.name, NULL,
                 session->arguments.operands[1]);
    return EXIT_DONE;
}

int command_xref(struct session *session)
{
    return understood_first(session, search);
}
