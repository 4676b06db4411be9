/* SPDX-License-Identifier: MIT */
/* Sentences and members about what was at work: busy blocks, the draw in flight, the fault, what is suspect. */
#include "base/text.h"
#include "pm4/crash/explain.h"

#include <gpucode/fields.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- busy blocks -------------------------------------------------------------------------------------------------- */

bool explain_status(const struct explanation *e, uint32_t *number, uint32_t *status)
{
    static const char name[] = "RBBM_STATUS";
    bool known = e->family && gpucode_register_find(e->family, name, sizeof name - 1, number);
    bool has_own = known && gpucode_crash_read(e->crash, *number, status);
    if (e->head->has_status && (e->head->status || !has_own))
        *status = e->head->status;
    if (!known)
        *number = 0;
    return e->head->has_status || has_own;
}

void tell_busy(const struct explanation *e, struct buffer *text)
{
    struct gpucode_field_value values[GPUCODE_FIELD_VALUES_MAX];
    uint32_t number, status;
    unsigned told = 0;
    if (!explain_status(e, &number, &status) || !number || !status)
        return;
    size_t count = gpucode_meanings_fields(e->meanings, e->family, number, status, values, GPUCODE_FIELD_VALUES_MAX);
    for (size_t i = 0; i < count; i++)
        if (values[i].value && strcmp(values[i].name, "-") != 0)
            buffer_format(text, "%s%s", told++ ? ", " : " Busy: ", values[i].name);
    if (told)
        buffer_text(text, ".");
}

/* --- the draw ----------------------------------------------------------------------------------------------------- */

static const char *relation_of(const struct draw_found *found)
{
    return found->is_draw ? "in hand" : found->has_draw ? "in flight" : "next";
}

static void tell_kind(const struct draw *draw, struct buffer *text)
{
    buffer_format(text, "%s%s%s", draw->packet, *draw->primitive ? " " : "", draw->primitive);
    if (draw->indices)
        buffer_format(text, ", %" PRIu64 " indices", draw->indices);
    for (unsigned i = 0; i < draw->target_count; i++)
        buffer_format(text, "%s%s 0x%" PRIx64, i ? ", " : "; into ", draw->targets[i].name, draw->targets[i].address);
    for (unsigned i = 0; i < draw->shader_count; i++) {
        const struct draw_shader *shader = &draw->shaders[i];
        buffer_format(text, "%s%s ", i ? ", " : "; shaders ", shader->stage);
        if (shader->bytes)
            buffer_format(text, "0x%" PRIx64, shader->hash);
        else
            buffer_format(text, "at 0x%" PRIx64 ", not dumped", shader->address);
    }
}

void tell_draw(const struct explanation *e, struct buffer *text)
{
    const struct draw_found *found = &e->found;
    if (!found->has_draw && !found->has_next)
        return;
    buffer_format(text,
                  found->is_draw    ? " It is draw %" PRIu64 " ("
                  : found->has_draw ? " In flight was draw %" PRIu64 " ("
                                    : " It sets the state of draw %" PRIu64 " (",
                  found->draw.number);
    tell_kind(&found->draw, text);
    buffer_text(text, ").");
    if (found->has_draw && !found->is_draw && found->has_next)
        buffer_format(text, " Draw %" PRIu64 " comes next.", found->next);
}

static void put_targets(const struct explanation *e, const struct draw *draw)
{
    put_begin(e, TARGETS);
    for (unsigned i = 0; i < draw->target_count; i++) {
        put_begin(e, TARGET);
        put_text(e, TARGET_NAME, draw->targets[i].name);
        put_number(e, TARGET_ADDRESS, draw->targets[i].address);
        put_text(e, TARGET_FORMAT, *draw->targets[i].format ? draw->targets[i].format : NULL);
        put_end(e);
    }
    put_end(e);
}

static void put_shaders(const struct explanation *e, const struct draw *draw)
{
    put_begin(e, DRAWN_SHADERS);
    for (unsigned i = 0; i < draw->shader_count; i++) {
        const struct draw_shader *shader = &draw->shaders[i];
        put_begin(e, DRAWN_SHADER);
        put_text(e, DRAWN_STAGE, shader->stage);
        put_number(e, DRAWN_CODE, shader->address);
        if (shader->bytes) {
            put_number(e, DRAWN_BYTES, shader->bytes);
            put_number(e, DRAWN_HASH, shader->hash);
        }
        put_text(e, DRAWN_GONE, shader->bytes ? NULL : "not in the dump");
        put_end(e);
    }
    put_end(e);
}

static void put_draw(const struct explanation *e)
{
    static const char *const modes[] = {[1] = "BINNING", [2] = "GMEM", [4] = "SYSMEM"};
    const struct draw_found *found = &e->found;
    const struct draw *draw = &found->draw;
    if (!found->has_draw && !found->has_next)
        return;
    put_begin(e, DRAWN);
    put_number(e, DRAWN_NUMBER, draw->number);
    put_text(e, DRAWN_RELATION, relation_of(found));
    put_text(e, DRAWN_PACKET, draw->packet);
    put_text(e, DRAWN_PRIMITIVE, *draw->primitive ? draw->primitive : NULL);
    if (draw->indices)
        put_number(e, DRAWN_INDICES, draw->indices);
    put_text(e, DRAWN_MODE, draw->mode < sizeof modes / sizeof *modes ? modes[draw->mode] : NULL);
    put_number(e, DRAWN_AT, draw->address);
    put_targets(e, draw);
    put_shaders(e, draw);
    put_end(e);
    if (found->has_next && !found->is_draw)
        put_number(e, NEXT_DRAW, found->has_draw ? found->next : draw->number);
}

/* --- fences, the range, and what is suspect in it ----------------------------------------------------------------- */

static void put_some(const struct explanation *e, unsigned row, const char *what, uint64_t first, uint64_t last)
{
    char text[TEXT_SOME_MAX];
    text_some(text, what, first, last);
    put_text(e, row, text);
}

void put_fences(const struct explanation *e, unsigned row, bool named, uint32_t retired, uint32_t last)
{
    char text[TEXT_SOME_MAX + sizeof ", nothing in flight"];
    int32_t flying = (int32_t)(last - retired); /* fences may wrap */
    uint32_t first = flying > 0 ? retired + 1 : last ? last : retired;
    char *end = text_some(text, named ? "fence" : "", first, flying > 0 ? last : first);
    if (flying <= 0 && !last && !retired) /* they count the submits: 0 is none, or was not told */
        strcpy(text, named ? "no fences" : "nothing in flight");
    else
        strcpy(end, flying > 0 ? " in flight" : last ? ", nothing in flight" : " finished");
    put_text(e, row, text);
}

static void put_range(const struct explanation *e)
{
    const struct draw_found *found = &e->found;
    struct gpucode_crash_submit submit;
    struct gpucode_crash_path path;
    if (!gpucode_crash_path(e->crash, &path) || !found->reached ||
        !gpucode_crash_submit(e->crash, found->first_submit, &submit) || submit.state == GPUCODE_CRASH_FINISHED)
        return;
    put_begin(e, RANGE);
    put_number(e, RANGE_FIRST, found->first_submit);
    put_number(e, RANGE_LAST, path.submit);
    put_some(e, RANGE_SUBMITS, "submit", found->first_submit, path.submit);
    put_number(e, RANGE_FROM, submit.address);
    put_number(e, RANGE_TO, path.packets[path.count - 1]);
    if (found->has_draw) {
        put_number(e, RANGE_DRAW, found->first);
        put_number(e, RANGE_LAST_DRAW, found->draw.number);
        put_some(e, RANGE_DRAWS, "draw", found->first, found->draw.number);
    }
    put_text(e, RANGE_END, "");
    put_end(e);
}

void tell_suspect(const struct explanation *e, struct buffer *text)
{
    const struct draw_suspect *suspect = &e->found.suspect;
    struct fault_found place;
    if (suspect->why == DRAW_NOT_SUSPECT)
        return;
    buffer_format(text, " The earliest suspect stands before it or there, at 0x%" PRIx64 ": ", suspect->address);
    if (suspect->why == DRAW_NOT_WRITTEN) {
        buffer_format(text, "draw %" PRIu64 " needs %s, which no packet of the dump wrote.", suspect->draw,
                      suspect->name);
        return;
    }
    fault_classify(e->crash, suspect->target, &place);
    if (suspect->at_draw)
        buffer_format(text, "%s of draw %" PRIu64 " is 0x%" PRIx64, suspect->name, suspect->draw, suspect->target);
    else
        buffer_format(text, "the packet calls 0x%" PRIx64, suspect->target);
    buffer_format(text,
                  place.place == FAULT_UNMAPPED ? ", which was unmapped %zu entries before the end of the log."
                                                : ", where the dump lists no buffer.",
                  place.later + 1);
}

static void put_suspect(const struct explanation *e)
{
    const struct draw_suspect *suspect = &e->found.suspect;
    if (suspect->why == DRAW_NOT_SUSPECT)
        return;
    put_begin(e, SUSPECT);
    put_text(e, SUSPECT_WHY, suspect->why == DRAW_NOT_WRITTEN ? "not written" : "no buffer");
    put_number(e, SUSPECT_AT, suspect->address);
    if (suspect->at_draw)
        put_number(e, SUSPECT_DRAW, suspect->draw);
    put_text(e, SUSPECT_NAME, *suspect->name ? suspect->name : NULL);
    if (suspect->why == DRAW_NO_BUFFER)
        put_number(e, SUSPECT_TARGET, suspect->target);
    put_end(e);
}

/* --- the fault ---------------------------------------------------------------------------------------------------- */

static void tell_fault_place(const struct explanation *e, struct buffer *text)
{
    const struct fault_found *found = &e->fault_place;
    if (found->place == FAULT_NEVER) {
        buffer_text(text, found->has_log ? "never mapped: neither a listed buffer nor the log of mappings has it"
                                         : "never mapped as far as the dump tells, which has no log of mappings");
        return;
    }
    if (found->offset)
        buffer_format(text, "0x%" PRIx64 " %s ", found->offset,
                      found->place == FAULT_PAST ? "after the end of" : "into");
    else
        buffer_text(text, found->place == FAULT_PAST ? "right after the end of " : "at the start of ");
    if (found->place == FAULT_UNMAPPED || found->place == FAULT_MAPPED) {
        buffer_format(text, "0x%" PRIx64 " to 0x%" PRIx64 ", which ", found->mapping.start, found->mapping.end);
        if (found->place == FAULT_MAPPED)
            buffer_text(text, "was mapped, though no buffer is listed there");
        else if (!found->later)
            buffer_text(text, "was unmapped a moment ago, by the last entry of the log of mappings");
        else
            buffer_format(text, "was unmapped a moment ago, %zu entr%s before the last of the log of mappings",
                          found->later, found->later == 1 ? "y" : "ies");
        return;
    }
    buffer_text(text, "the buffer ");
    if (found->buffer.name)
        buffer_text(text, found->buffer.name);
    else
        buffer_format(text, "at 0x%" PRIx64, found->buffer.iova);
}

void tell_fault_of_dump(const struct explanation *e, struct buffer *text)
{
    const struct gpucode_crash_fault *fault = &e->fault;
    buffer_format(text, " An SMMU fault was seen: %s%s0x%" PRIx64 ", ", fault->direction ? fault->direction : "",
                  fault->direction ? " of " : "address ", fault->iova);
    tell_fault_place(e, text);
    if (fault->source)
        buffer_format(text, ", by %s", fault->source);
    if (fault->type)
        buffer_format(text, " (%s)", fault->type);
    buffer_text(text, ".");
}

static void put_fault_place(const struct explanation *e)
{
    static const char *const places[] = {"inside", "past", "unmapped", "mapped", "never"};
    const struct fault_found *found = &e->fault_place;
    bool buffer = found->place == FAULT_INSIDE || found->place == FAULT_PAST;
    struct buffer text = {0};
    tell_fault_place(e, &text);
    put_text(e, FAULT_PLACE, places[found->place]);
    put_sentences(e, FAULT_TEXT, &text);
    if (buffer)
        put_number(e, FAULT_BUFFER, found->buffer.iova);
    else if (found->place != FAULT_NEVER)
        put_number(e, FAULT_START, found->mapping.start);
    if (found->place != FAULT_NEVER)
        put_number(e, FAULT_OFFSET, found->offset);
    if (!buffer && found->place != FAULT_NEVER)
        put_number(e, FAULT_LATER, found->later);
    put_flag(e, FAULT_LOG, found->has_log);
}

void put_fault(const struct explanation *e, unsigned row, const struct gpucode_crash_fault *fault)
{
    put_begin(e, row);
    put_text(e, row + DIRECTION - FAULT, fault->direction);
    put_number(e, row + FAULT_IOVA - FAULT, fault->iova);
    put_text(e, row + FAULT_TYPE - FAULT, fault->type);
    put_text(e, row + SOURCE - FAULT, fault->source);
    if (e->has_fault)
        put_fault_place(e);
    put_end(e);
}

/* --- together ----------------------------------------------------------------------------------------------------- */

void put_work(const struct explanation *e)
{
    const struct draw_found *found = &e->found;
    put_draw(e);
    put_range(e);
    put_suspect(e);
    if (!e->dump)
        return;
    put_begin(e, NEXT_PART);
    if (found->has_draw || found->has_next)
        put_format(e, NEXT, "gpucode decode %s --draws --draw %" PRIu64, e->dump, found->draw.number);
    else
        put_format(e, NEXT, "gpucode decode %s", e->dump);
    put_end(e);
}
