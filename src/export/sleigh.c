/* SPDX-License-Identifier: MIT */
/*
 * gpucode export --form sleigh: SET/data/languages for each set, a language for each of its generations and for chips
 * whose registers have other names, and scripts for Ghidra. docs/export.md says what is modelled.
 */
#include "export/ghidra.h"
#include "export/sleigh_shown.h"
#include "front/output.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* General registers that every module has: arguments of functions are among them. */
#define GENERAL_MIN 8

/* Spaces of registers beside the general ones, those with names or with elements in actions. */
static const enum gpucode_space spaces[] = {GPUCODE_SPACE_CONTROL, GPUCODE_SPACE_SQE, GPUCODE_SPACE_PIPE,
                                            GPUCODE_SPACE_GPU};

static const char *short_name(const struct gpucode_target *target)
{
    const char *colon = strchr(gpucode_target_name(target), ':');
    return colon ? colon + 1 : gpucode_target_name(target);
}

/* Do both have the same module? */
static bool is_same_language(const struct gpucode_target *a, const struct gpucode_target *b)
{
    bool same = strcmp(gpucode_target_generation(a), gpucode_target_generation(b)) == 0;
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces && same; i++)
        same = export_same_names(a, b, spaces[i]);
    return same;
}

/* The first target with the same module has it. */
static bool is_first(const struct export *export, const struct gpucode_target *set, unsigned index)
{
    const struct gpucode_target *target = export_target(export, set, index);
    for (unsigned i = 0; i < index; i++)
        if (is_same_language(export_target(export, set, i), target))
            return false;
    return true;
}

/* Registers of the space are numbered by bytes where all names stand at multiples of 4. */
static unsigned word_size(const struct gpucode_target *target, enum gpucode_space space)
{
    uint32_t number = 0;
    unsigned names = 0;
    for (; gpucode_name_next(target, space, &number); number++, names++)
        if (number & 3)
            return 4;
    return names ? 1 : 4;
}

/* Does reading or writing the general register do something else? */
static bool acts(const struct gpucode_target *target, unsigned number)
{
    return gpucode_place_action(target, GPUCODE_ACTION_READ, number, NULL) ||
           gpucode_place_action(target, GPUCODE_ACTION_WRITE, number, NULL);
}

/* The first such register; 256: there is none. */
static unsigned first_acting(const struct gpucode_target *target)
{
    unsigned number = 0;
    while (number < 256 && !acts(target, number))
        number++;
    return number;
}

/* Do actions of registers say what is brief? */
static bool has_brief(const struct gpucode_target *target)
{
    unsigned count;
    for (unsigned place = GPUCODE_ACTION_READ; place <= GPUCODE_ACTION_WRITE; place++)
        for (unsigned number = first_acting(target); number < 256; number++) {
            const struct gpucode_action *nodes = gpucode_place_action(target, place, number, &count);
            for (unsigned i = 0; nodes && i < count; i++)
                if (nodes[i].kind == GPUCODE_ACTION_STATE && strcmp(nodes[i].text, "brief") == 0)
                    return true;
        }
    return false;
}

/* --- registers of actions ----------------------------------------------------------------------------------------- */

static void note_states(struct sleigh_names *list, struct sleigh *sleigh, const struct gpucode_action *nodes,
                        unsigned count)
{
    for (unsigned i = 0; nodes && i < count; i++)
        if (nodes[i].kind == GPUCODE_ACTION_STATE && strcmp(nodes[i].text, "next") != 0 &&
            strcmp(nodes[i].text, "brief") != 0) {
            char name[64];
            sleigh_state_name(nodes[i].text, name);
            sleigh_note(sleigh, list, "%s", name);
        }
}

static void write_registers(struct sleigh *sleigh, FILE *out)
{
    struct sleigh_names states = {.name = NULL};
    unsigned count;
    const struct gpucode_target *target = sleigh->target;
    sleigh_note(sleigh, &states, "state_value");
    for (unsigned i = 0; i < gpucode_row_count(target); i++)
        if (gpucode_row_on_target(target, i)) {
            const struct gpucode_action *nodes = gpucode_row_action(target, i, &count);
            note_states(&states, sleigh, nodes, nodes ? count : 0);
        }
    for (unsigned place = GPUCODE_ACTION_READ; place <= GPUCODE_ACTION_AROUND; place++)
        for (unsigned i = 0; i < 256; i++) {
            const struct gpucode_action *nodes = gpucode_place_action(target, place, i, &count);
            note_states(&states, sleigh, nodes, nodes ? count : 0);
        }
    fputs("define register offset=0x0 size=4 [", out);
    char name[24];
    for (unsigned i = 0; i < sleigh->registers || i < GENERAL_MIN; i++)
        fprintf(out, " %s", sleigh_general(sleigh, i, name));
    fputs(" ];\ndefine register offset=0x800 size=8 [ pc ];\ndefine register offset=0x1000 size=4 [", out);
    for (unsigned i = 0; i < states.count; i++)
        fprintf(out, " %s", states.name[i]);
    /* a stack pointer that no instruction uses: Ghidra's decompiler does not work without one */
    fputs(" ];\ndefine register offset=0x2000 size=8 [ no_stack ];\n", out);
    if (sleigh->has_slots)
        fputs("define register offset=0x2008 size=4 [ placing ];\n"
              "# in a delay slot\ndefine context placing in_slot = (0,0) noflow",
              out);
    if (sleigh->has_slots && sleigh->has_brief)
        fputs("\n# 1: to be read, not to run\nbrief = (1,1)", out);
    fputs(sleigh->has_slots ? ";\n" : "", out);
    free(states.name);
}

/* --- tokens ------------------------------------------------------------------------------------------------------- */

static void write_tokens(struct sleigh *sleigh, FILE *out)
{
    unsigned list, bytes, high, low;
    char kind;
    for (unsigned size = 1; size <= 8; size++) {
        bool begun = false;
        for (unsigned i = 0; i < sleigh->fields.count; i++) {
            if (!sleigh_parse_piece(sleigh->fields.name[i], &kind, &list, &bytes, &high, &low) || bytes != size)
                continue;
            if (!begun)
                fprintf(out, "define token instruction%u(%u)\n", size, 8 * size);
            begun = true;
            fprintf(out, "    %s = (%u, %u)%s\n", sleigh->fields.name[i], low, high, kind == 's' ? " signed" : "");
        }
        fputs(begun ? ";\n" : "", out);
    }
    for (unsigned i = 0; i < sleigh->fields.count; i++)
        if (sleigh_parse_piece(sleigh->fields.name[i], &kind, &list, &bytes, &high, &low) && kind == 'l')
            fprintf(out, "attach %s [ %s ] [%s ];\n", sleigh->lists[list].variables ? "variables" : "names",
                    sleigh->fields.name[i], sleigh->lists[list].text);
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static void write_slaspec(struct sleigh *sleigh, const char *folder, const char *rows, const char *tables)
{
    const struct gpucode_target *target = sleigh->target;
    unsigned unit = gpucode_target_unit_bytes(target);
    FILE *out = export_begin(sleigh->export, "%s/data/languages/%s_%s.slaspec", folder, folder, short_name(target));
    if (!out)
        return;
    fprintf(out,
            "# SPDX-License-Identifier: MIT\n# %s; made by `gpucode export --form sleigh`.\ndefine endian=little;\n"
            "define alignment=%u;\ndefine space code type=ram_space size=8 default;\n"
            "define space ram type=ram_space size=8;\n",
            gpucode_target_description(target), unit);
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        fprintf(out, "define space %s type=ram_space size=4 wordsize=%u;\n", gpucode_space_name(target, spaces[i]),
                word_size(target, spaces[i]));
    for (unsigned i = 0; i < sleigh->files.count; i++)
        fprintf(out, "define space %s type=ram_space size=4 wordsize=4;\n", sleigh->files.name[i]);
    fputs("define space register type=register_space size=4;\n", out);
    write_registers(sleigh, out);
    for (unsigned i = 0; i < sleigh->calls.count; i++)
        fprintf(out, "define pcodeop %s;\n", sleigh->calls.name[i]);
    fprintf(out, "@include \"%s_%s.sinc\"\n", folder, short_name(target));
    out = export_begin(sleigh->export, "%s/data/languages/%s_%s.sinc", folder, folder, short_name(target));
    if (!out)
        return;
    fprintf(out, "# SPDX-License-Identifier: MIT\n# Made by `gpucode export --form sleigh`.\n");
    write_tokens(sleigh, out);
    fputs(tables, out);
    fputs(rows, out);
}

static void write_xml_text(FILE *out, const char *text)
{
    for (; *text; text++)
        if (strchr("<>&\"", *text))
            fprintf(out, "&#%d;", *text);
        else
            putc(*text, out);
}

/* Names of registers in the program's memory, and where it begins. */
static void write_symbols(const struct gpucode_target *target, bool brief, FILE *out)
{
    char name[GPUCODE_NAME_MAX];
    bool begun = false;
    if (gpucode_target_facts(target)->packets) {
        fputs("  <default_symbols>\n    <symbol name=\"boot\" address=\"code:0x0\" entry=\"true\"/>\n", out);
        begun = true;
    }
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        for (uint32_t number = 0; gpucode_name_next(target, spaces[i], &number); number++) {
            gpucode_name_of(target, NULL, spaces[i], number, name, sizeof name);
            fputs(begun ? "" : "  <default_symbols>\n", out);
            begun = true;
            fputs("    <symbol name=\"", out);
            write_xml_text(out, name);
            fprintf(out, "\" address=\"%s:0x%" PRIx32 "\"/>\n", gpucode_space_name(target, spaces[i]), number);
            if (brief && spaces[i] == GPUCODE_SPACE_PIPE) /* there too: actions that are brief write to it */
                fprintf(out, "    <symbol name=\"%s\" address=\"%s:0x%" PRIx32 "\"/>\n", name,
                        gpucode_space_name(target, GPUCODE_SPACE_GPU), number << 24);
        }
    fputs(begun ? "  </default_symbols>\n" : "", out); /* an empty one is not allowed */
}

static void write_pspec(struct sleigh *sleigh, const char *folder)
{
    const struct gpucode_target *target = sleigh->target;
    FILE *out = export_begin(sleigh->export, "%s/data/languages/%s_%s.pspec", folder, folder, short_name(target));
    if (!out)
        return;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<processor_spec>\n  <programcounter register=\"pc\"/>\n"
          "  <volatile outputop=\"write_register\" inputop=\"read_register\">\n",
          out);
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        fprintf(out, "    <range space=\"%s\"/>\n", gpucode_space_name(target, spaces[i]));
    fputs("  </volatile>\n", out);
    if (sleigh->has_brief)
        fputs("  <context_data>\n    <context_set space=\"code\">\n      <set name=\"brief\" val=\"1\"/>\n"
              "    </context_set>\n  </context_data>\n",
              out);
    write_symbols(target, sleigh->has_brief, out);
    fputs("</processor_spec>\n", out);
}

/* Functions take values in any of the first registers. */
static void write_arguments(FILE *out)
{
    fputs("      <input>\n", out);
    for (unsigned i = 1; i < 8; i++)
        fprintf(out, "        <pentry minsize=\"1\" maxsize=\"4\"><register name=\"r%02x\"/></pentry>\n", i);
    fputs("      </input>\n      <output>\n        <pentry minsize=\"1\" maxsize=\"4\"><register "
          "name=\"r01\"/></pentry>\n      </output>\n",
          out);
}

/* Functions have all registers in common, which keep what they have from packet to packet; but for those that act. */
static void write_shared(const struct sleigh *sleigh, FILE *out)
{
    char name[24];
    fputs("      <input/>\n      <output/>\n      <killedbycall>\n        <register name=\"state_place\"/>\n"
          "        <register name=\"state_step\"/>\n",
          out);
    for (unsigned i = first_acting(sleigh->target); acts(sleigh->target, i); i++)
        fprintf(out, "        <register name=\"%s\"/>\n", sleigh_general(sleigh, i, name));
    fputs("      </killedbycall>\n", out);
}

static void write_cspec(struct sleigh *sleigh, const char *folder)
{
    FILE *out = export_begin(sleigh->export, "%s/data/languages/%s.cspec", folder, folder);
    if (!out)
        return;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<compiler_spec>\n  <global>\n    <range space=\"ram\"/>\n", out);
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        fprintf(out, "    <range space=\"%s\"/>\n", gpucode_space_name(sleigh->target, spaces[i]));
    if (sleigh->has_brief)
        fprintf(out, "    <range space=\"register\" first=\"0x4\" last=\"0x%x\"/>\n",
                4 * first_acting(sleigh->target) - 1);
    fputs("  </global>\n  <stackpointer register=\"no_stack\" space=\"ram\"/>\n  <default_proto>\n    <prototype "
          "name=\"__asmcall\" extrapop=\"0\" stackshift=\"0\">\n",
          out);
    if (sleigh->has_brief)
        write_shared(sleigh, out);
    else
        write_arguments(out);
    fputs("    </prototype>\n  </default_proto>\n</compiler_spec>\n", out);
}

static void write_ldefs(struct export *export, const struct gpucode_target *set, const char *folder)
{
    const struct gpucode_target *target;
    FILE *out = export_begin(export, "%s/data/languages/%s.ldefs", folder, folder);
    if (!out)
        return;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<language_definitions>\n", out);
    for (unsigned i = 0; (target = export_target(export, set, i)); i++) {
        if (!is_first(export, set, i))
            continue;
        const char *name = short_name(target);
        fprintf(
            out,
            "  <language processor=\"%s\" endian=\"little\" size=\"32\" variant=\"%s\" version=\"1.0\"\n"
            "            slafile=\"%s_%s.sla\" processorspec=\"%s_%s.pspec\" id=\"%s:LE:32:%s\">\n    <description>",
            folder, name, folder, name, folder, name, folder, name);
        write_xml_text(out, gpucode_target_description(target));
        fprintf(out,
                "</description>\n    <compiler name=\"default\" spec=\"%s.cspec\" id=\"default\"/>\n  </language>\n",
                folder);
    }
    fputs("</language_definitions>\n", out);
    if ((out = export_begin(export, "%s/Module.manifest", folder)))
        fputs("", out);
    if (!(out = export_begin(export, "%s/ghidra_scripts/gpucode_load_%s.py", folder, gpucode_target_isa(set))))
        return;
    fputs(
        "# SPDX-License-Identifier: MIT\n"
        "# Loads a file section by section, with names, comments and code, from the lines of `gpucode disasm --json`.\n"
        "# Made by `gpucode export --form sleigh`: import the file as Raw Binary in the module's language, then run "
        "this.\n"
        "# @category gpucode\n",
        out);
    fputs("\n\n", out);
    fputs(ghidra_marks, out);
    fputs(ghidra_loader, out);
}

static void write_language(struct export *export, const struct gpucode_target *target, const char *folder,
                           struct sleigh_looks *looks)
{
    char *rows = NULL, *tables = NULL;
    size_t rows_length, tables_length;
    struct sleigh sleigh = {.export = export, .target = target, .place_code = sleigh_place_code, .parts = looks};
    sleigh.has_places = first_acting(target) < 256;
    sleigh.has_brief = has_brief(target);
    sleigh.learned.row = UINT_MAX;
    sleigh_name_registers(&sleigh);
    sleigh.rows = text_stream_open(&rows, &rows_length);
    sleigh.tables = sleigh.rows ? text_stream_open(&tables, &tables_length) : NULL;
    if (sleigh.tables)
        for (unsigned i = 0; i < gpucode_row_count(target); i++)
            sleigh_write_row(&sleigh, i);
    bool whole = sleigh.tables != NULL;
    if (sleigh.rows)
        whole &= text_stream_close(sleigh.rows);
    if (sleigh.tables)
        whole &= text_stream_close(sleigh.tables);
    if (whole && !sleigh.failed) {
        write_slaspec(&sleigh, folder, rows, tables);
        write_pspec(&sleigh, folder);
    }
    export->failed |= sleigh.failed || !whole;
    free(rows);
    free(tables);
    free(sleigh.fields.name);
    free(sleigh.made.name);
    free(sleigh.calls.name);
    free(sleigh.files.name);
    free(sleigh.looks.name);
    free(sleigh.learned.forms);
    shown_again(looks);
    for (unsigned i = 0; i < sleigh.list_count; i++)
        free(sleigh.lists[i].text);
    free(sleigh.lists);
}

void export_sleigh(struct export *export)
{
    const struct gpucode_target *set, *target;
    for (unsigned i = 0; (set = export_set(export, i)); i++) {
        char folder[32];
        struct sleigh_looks looks = {.shown_count = 0};
        snprintf(folder, sizeof folder, "%s", gpucode_target_isa(set));
        for (char *c = folder; *c; c++)
            *c = (char)toupper((unsigned char)*c);
        for (unsigned k = 0; (target = export_target(export, set, k)); k++)
            if (is_first(export, set, k))
                write_language(export, target, folder, &looks);
        shown_free(&looks);
        struct sleigh sleigh = {.export = export, .target = set, .has_brief = has_brief(set)};
        sleigh_name_registers(&sleigh);
        write_cspec(&sleigh, folder);
        write_ldefs(export, set, folder);
    }
}
