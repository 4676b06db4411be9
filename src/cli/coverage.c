/* SPDX-License-Identifier: MIT */
/* gpucode coverage: which instructions of a firmware its packets let run. */
#include "front/code.h"
#include "front/lcov.h"
#include "front/output.h"
#include "front/session.h"
#include "kit/afuc/firmware.h"
#include "kit/afuc/routines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int command_coverage(struct session *session);

/* --- text ---------------------------------------------------------------------------------------------------- */

/* The listing, each line behind + when its instruction ran, - when it did not. */
static void put_listing(const struct routines *routines)
{
    const char *at = routines->listing.text, *end = at + routines->listing.length;
    uint32_t unit = 0, units = routines->info->units;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop + 1 : end;
        while (unit < units && (routines->listing.places[unit].kind == GPUCODE_UNIT_NONE ||
                                routines->listing.text + routines->listing.places[unit].offset < at))
            unit++;
        const char *mark = "  ";
        if (unit < units && routines->listing.text + routines->listing.places[unit].offset == at &&
            routines_is_insn(routines, unit))
            mark = routines->ran[unit] ? "+ " : "- ";
        fwrite(*at == '\n' ? "" : mark, 1, *at == '\n' ? 0 : 2, stdout);
        fwrite(at, 1, (size_t)(stop - at), stdout);
        at = stop;
    }
}

static void put_share(uint32_t ran, uint32_t instructions)
{
    unsigned percent = instructions ? (unsigned)(UINT64_C(100) * ran / instructions) : 100;
    printf("%6" PRIu32 " of %6" PRIu32 "  %3u%%", ran, instructions, percent);
}

static void put_summary(const struct routines *routines)
{
    for (unsigned section = 0; section < routines->info->section_count; section++) {
        const struct gpucode_section *place = &routines->info->sections[section];
        uint32_t ran = 0, instructions = 0;
        if (!routines->present[section])
            continue;
        printf("\n%s\n", place->name);
        for (size_t i = 0; i < routines->count; i++) {
            const struct routine *routine = &routines->list[i];
            if (routine->section != section)
                continue;
            printf("  0x%04" PRIx32, routine->first - place->start);
            put_share(routine->ran, routine->instructions);
            printf(*routine->symbol ? "  %s = %s" : "  %s%s", routine->symbol, routine->name);
            if (routine->more)
                printf(" and %u more", routine->more);
            putchar('\n');
            ran += routine->ran;
            instructions += routine->instructions;
        }
        printf("  all   ");
        put_share(ran, instructions);
        putchar('\n');
    }
}

/* --- JSON ---------------------------------------------------------------------------------------------------- */

/* Runs of words that ran, first and last. */
static void put_runs(struct json *json, const struct routines *routines, const struct gpucode_section *place)
{
    json_array(json, "ran_words");
    uint32_t end =
        place->size < routines->info->units - place->start ? place->size : routines->info->units - place->start;
    const uint8_t *ran = routines->ran + place->start;
    for (uint32_t i = 0, last; i < end; i = last + 1) {
        last = i;
        if (!ran[i])
            continue;
        while (last + 1 < end && ran[last + 1])
            last++;
        json_array(json, NULL);
        json_number(json, NULL, i);
        json_number(json, NULL, last);
        json_end(json);
    }
    json_end(json);
}

static void put_json(const struct firmware *firmware, const struct routines *routines)
{
    struct json json = {.out = stdout};
    json_object(&json, NULL);
    firmware_put_json(firmware, &json);
    json_array(&json, "sections");
    for (unsigned section = 0; section < routines->info->section_count; section++) {
        const struct gpucode_section *place = &routines->info->sections[section];
        if (!routines->present[section])
            continue;
        json_object(&json, NULL);
        json_string(&json, "name", place->name);
        json_array(&json, "routines");
        for (size_t i = 0; i < routines->count; i++) {
            const struct routine *routine = &routines->list[i];
            if (routine->section != section)
                continue;
            json_object(&json, NULL);
            json_string(&json, "name", routine->name);
            if (*routine->symbol)
                json_string(&json, "symbol", routine->symbol);
            json_number(&json, "start_words", routine->first - place->start);
            json_number(&json, "more_handlers", routine->more);
            json_number(&json, "ran", routine->ran);
            json_number(&json, "instructions", routine->instructions);
            json_end(&json);
        }
        json_end(&json);
        put_runs(&json, routines, place);
        json_end(&json);
    }
    json_end(&json);
    json_end(&json);
}

/* --- the command --------------------------------------------------------------------------------------------- */

static int write_lcov(struct session *session, const struct routines *routines, const char *path)
{
    size_t length;
    char *text = lcov_text(routines, &length);
    if (!text)
        return complain(&session->diagnostics, CLI_MEMORY, NULL, NULL);
    int code = outputs_write(&session->diagnostics, path, text, length);
    free(text);
    return code;
}

static int report(struct session *session, const struct firmware *firmware)
{
    const char *lcov = session->arguments.value[OPTION_LCOV];
    struct routines routines;
    enum gpucode_status status =
        routines_find(&routines, firmware->input, firmware->machine, session->arguments.value[OPTION_AFUC_SECTION]);
    if (status != GPUCODE_OK)
        return code_status(session, firmware->input->file.name, status);
    int code = lcov ? write_lcov(session, &routines, lcov) : EXIT_DONE;
    bool alone = lcov && strcmp(lcov, "-") == 0; /* standard output is taken */
    if (!code && !alone && session->json) {
        put_json(firmware, &routines);
    } else if (!code && !alone) {
        put_listing(&routines);
        put_summary(&routines);
        firmware_put_text(firmware);
    }
    routines_free(&routines);
    return code ? code : firmware_verdict(firmware);
}

int command_coverage(struct session *session)
{
    struct input input;
    struct firmware *firmware = NULL;
    int code = input_open(session, session->arguments.operands[0], &input);
    if (code)
        return code;
    if (strcmp(gpucode_target_isa(input.target), "afuc") != 0)
        code = complain(&session->diagnostics, CLI_CANNOT, NULL, NULL, gpucode_target_isa(input.target), "coverage");
    if (!code)
        code = firmware_open(session, &input, &firmware);
    if (!code)
        gpucode_machine_coverage(firmware->machine, true);
    if (!code && firmware_boot(firmware))
        code = firmware_feed(firmware);
    if (!code)
        code = report(session, firmware);
    firmware_close(firmware);
    input_close(&input);
    return code;
}
