/* SPDX-License-Identifier: MIT */
/* The assembler: one pass over the text, then the places that waited for labels. */
#include "asm/context.h"
#include "asm/record.h"
#include "base/arena.h"
#include "base/text.h"
#include "registry.h"

#include <gpucode/analysis.h>

#include <stdio.h>
#include <stdlib.h>

/* Reports what the scan noted. */
static void report_remark(struct asm_context *context, const struct isa_remark *remark)
{
    if (remark->set)
        asm_mend(context, remark->fix, remark->fix_at, remark->fix_span);
    if (remark->set)
        asm_report(context, context->source, remark->at, remark->span, remark->message, remark->hint, remark->text[0],
                   remark->text[1]);
}

/* Length of the label name before a colon here, 0 when this is not a label; *behind receives the end of the colon. */
static size_t label_length(const struct isa_scan *scan, const char **behind)
{
    size_t length = isa_name(scan);
    if (!length)
        return 0;
    const char *at = scan->at + length;
    while (at < scan->end && (*at == ' ' || *at == '\t'))
        at++;
    *behind = at + 1;
    return at < scan->end && *at == ':' ? length : 0;
}

/* Where the text of a line ends, in front of its comment and white space. */
static const char *content_end(const struct gpucode_syntax *syntax, const char *line, const char *end)
{
    size_t mark = strlen(syntax->comment);
    const char *at = line;
    while (at < end && !((size_t)(end - at) >= mark && memcmp(at, syntax->comment, mark) == 0))
        at++;
    while (at > line && strchr(" \t\r\v\f", at[-1]))
        at--;
    return at;
}

/* Is it a statement that begins here: a label, a directive, a raw word or a mnemonic? Or does the text end? */
static bool begins_statement(const struct asm_context *context, const char *at)
{
    struct isa_scan scan = context->scan;
    scan.at = at;
    while (scan.at < scan.end && *scan.at == '(') { /* flags */
        const char *close = memchr(scan.at, ')', (size_t)(scan.end - scan.at));
        if (!close)
            return false;
        scan.at = close + 1;
    }
    if (scan.at >= scan.end || *scan.at == '.')
        return true;
    if (*scan.at == '[')
        return scan.end - scan.at > 9 && scan.at[9] == ']';
    const char *behind;
    size_t length = label_length(&scan, &behind);
    if (length)
        return true;
    length = isa_name(&scan);
    return length && isa_find_mnemonic(context->isa, scan.at, length);
}

/*
 * Where lines do not end statements, an instruction that lacks operands is found to be wrong where the next statement
 * begins. A note then shows the end of the line above, and the next statement is read for itself.
 */
static void show_line_above(struct asm_context *context)
{
    struct isa_scan *scan = &context->scan;
    const char *wrong = scan->error.at, *last = NULL;
    if (!context->isa->text.syntax.newlines_are_space || !scan->error.set || wrong <= context->statement)
        return;
    for (const char *line = context->statement, *end; line < wrong; line = end + 1) {
        const char *newline = memchr(line, '\n', (size_t)(wrong - line));
        end = newline ? newline : wrong;
        const char *behind = content_end(&context->isa->text.syntax, line, end);
        if (behind > line && strspn(line, " \t") < (size_t)(behind - line)) {
            if (!newline)
                return; /* the line has something in front of what is wrong */
            last = behind;
        }
    }
    if (!last || !begins_statement(context, wrong))
        return;
    asm_report(context, context->source, last, 1, MSG_LINE_ENDS, NULL);
    scan->error.at = scan->at = last;
}

/* A label whose colon is missed is defined all the same, so that its uses are not told as mistakes. */
static void define_forgotten(struct asm_context *context)
{
    const struct isa_remark *error = &context->scan.error;
    size_t length = strlen(error->text[0]);
    if (error->set && error->message == MSG_LABEL_COLON && length < sizeof error->text[0] - 1)
        asm_add_label(context, error->fix_at - length, length, error->fix_at - length);
}

/* --- statements ---------------------------------------------------------------------------------------- */

/* Reading goes on with the next line. */
static void report_no_target(struct asm_context *context, const char *at, size_t span)
{
    char hint[ISA_TARGET_LIST_SIZE];
    registry_target_list(hint, sizeof hint);
    asm_report(context, context->source, at, span, MSG_NO_TARGET, hint);
}

static bool assemble_insn(struct asm_context *context)
{
    struct isa_scan *scan = &context->scan;
    struct isa_build build;
    const char *start = scan->at;
    if (!context->isa->text.rows->mnemonic_count) {
        size_t length = isa_name(scan);
        report_no_target(context, start, length ? length : 1);
        return false;
    }
    if (context->asks_before)
        context->hooks->before(context);
    const size_t offset = asm_section_offset(context), unit = context->isa->unit_bytes;
    if (offset % unit)
        return isa_fail(scan, start, 1, MSG_UNALIGNED, NULL, NULL, 0, NULL);
    scan->address = (uint64_t)context->sections.items[context->sections.count - 1].base + offset / unit;
    scan->pieces = context->options->record_tokens || context->record ? &context->pieces : NULL;
    context->pieces.mnemonic = NULL;
    size_t first_token = context->tokens.count;
    bool good = isa_parse(scan, &build);
    if (context->record)
        asm_record_insn(context, good ? &build : NULL);
    if (!good)
        return false;
    if (context->options->record_tokens)
        asm_keep_insn(context, first_token);
    if (!asm_wait_for_fields(context, &build))
        return false;
    asm_put(context, build.bits, build.row->facts.size);
    report_remark(context, &scan->note);
    return true;
}

static bool assemble_statement(struct asm_context *context)
{
    struct isa_scan *scan = &context->scan;
    scan->error.set = scan->note.set = false;
    context->statement = scan->at;
    if (context->record)
        asm_record_statement(context);
    const char *behind;
    size_t length = label_length(scan, &behind);
    if (length) {
        const char *name = scan->at;
        if (asm_section_offset(context) % context->isa->unit_bytes)
            return isa_fail(scan, name, length, MSG_UNALIGNED, NULL, NULL, 0, NULL);
        if (!asm_add_label(context, name, length, name))
            return false;
        asm_keep_token(context, GPUCODE_TOKEN_LABEL, name, length);
        asm_record_word(context, GPUCODE_TOKEN_LABEL, name, length);
        scan->at = behind;
        return true;
    }
    if (*scan->at == '/' && context->isa->text.syntax.block_comments && scan->end - scan->at >= 2) {
        const char *start = scan->at;
        scan->at = scan->end;
        return isa_fail(scan, start, 2, MSG_COMMENT_END, NULL, NULL, 0, NULL);
    }
    const char *start = scan->at;
    size_t first_token = context->tokens.count;
    uint32_t unit = context->record || context->options->record_tokens ? asm_token_unit(context) : 0;
    int taken = context->hooks->statement ? context->hooks->statement(context, scan) : 0;
    if (taken > 0) {
        asm_keep_statement(context, first_token, start, unit);
        asm_record_own(context, start, unit);
    }
    if (taken == 2) {
        isa_skip(scan);
        return assemble_statement(context);
    }
    if (taken)
        return taken > 0;
    if (*scan->at == '.')
        return asm_directive(context);
    if (context->macros.count && (length = isa_name(scan)) != 0) {
        asm_keep_token(context, GPUCODE_TOKEN_MACRO, scan->at, length);
        if (asm_find_macro(context, scan->at, length))
            asm_record_word(context, GPUCODE_TOKEN_MACRO, scan->at, length);
        taken = asm_expand_macro(context, length);
        context->tokens.count -= context->options->record_tokens && !taken && !context->source->is_macro;
        if (taken)
            return taken > 0;
    }
    return assemble_insn(context);
}

/* After a statement: the end of the line or a separator, where the instruction set wants one. */
static bool end_statement(struct asm_context *context)
{
    struct isa_scan *scan = &context->scan;
    const struct gpucode_syntax *syntax = &context->isa->text.syntax;
    if (syntax->newlines_are_space)
        return true;
    bool label = scan->at > context->statement && scan->at[-1] == ':'; /* an instruction may follow on its line */
    isa_skip_line(scan);
    isa_skip_hash(scan);
    if (label || scan->at >= scan->end || *scan->at == '\n')
        return true;
    if (syntax->separator && *scan->at == syntax->separator) {
        scan->at++;
        return true;
    }
    return scan->at == context->source->text || isa_expected(scan, "the end of the statement");
}

static void skip_to_next_line(struct asm_context *context)
{
    struct isa_scan *scan = &context->scan;
    /* where the text stopped making sense may be further than where reading stands */
    const char *at = scan->at;
    if (scan->error.set && scan->error.at > at && scan->error.at <= scan->end)
        at = scan->error.at;
    const char *newline = at < scan->end ? memchr(at, '\n', (size_t)(scan->end - at)) : NULL;
    scan->at = newline ? newline + 1 : scan->end;
}

/* What has been read of the source may leave memory; labels that stand there are put in before. */
static void pass_text(struct asm_context *context)
{
    const char *at = context->scan.at;
    asm_settle_fixups(context);
    asm_pass(context, context->source, at);
    bool far = (size_t)(context->scan.end - at) > ASM_PASSED_AT_ONCE;
    context->pass_at = far ? at + ASM_PASSED_AT_ONCE : context->scan.end;
}

static void assemble_text(struct asm_context *context)
{
    struct isa_scan *scan = &context->scan;
    while (!context->failed && !context->out.failed && !context->stopped) {
        if (scan->at >= context->pass_at && !context->frames.count)
            pass_text(context);
        asm_quick_lines(context);
        isa_skip(scan);
        isa_skip_hash(scan);
        while (scan->at < scan->end && (*scan->at == '\n' || (context->isa->text.syntax.separator &&
                                                              *scan->at == context->isa->text.syntax.separator))) {
            scan->at++;
            isa_skip(scan);
            isa_skip_hash(scan);
        }
        if (scan->at >= scan->end) {
            if (!asm_pop_text(context))
                return;
            continue;
        }
        const struct asm_source *source = context->source;
        if (!assemble_statement(context) || (context->source == source && !end_statement(context))) {
            report_remark(context, &scan->error);
            define_forgotten(context);
            show_line_above(context);
            skip_to_next_line(context);
        }
    }
}

/* --- the target ---------------------------------------------------------------------------------------- */

/*
 * Where two bytes stand beside one another, or null. All of a source is looked through for a directive that is rarely
 * there: the compiler makes vectors of the blocks.
 */
static const char *find_pair(const char *at, const char *end, char first, char second)
{
    enum { BLOCK = 256 };
    for (; end - at > BLOCK; at += BLOCK) {
        unsigned char found = 0;
        for (unsigned i = 0; i < BLOCK; i++)
            found |= (unsigned char)((at[i] == first) & (at[i + 1] == second));
        if (found)
            break;
    }
    for (; end - at > 1; at++)
        if (at[0] == first && at[1] == second)
            return at;
    return NULL;
}

/* The same for a first byte that may be rare, which memchr() finds quickest, or stand in each line. */
static const char *find_rare_pair(const char *at, const char *end, char first, char second)
{
    enum { NEAR = 64, NEAR_MAX = 8 };
    for (unsigned near = 0; near < NEAR_MAX;) {
        const char *found = memchr(at, first, (size_t)(end - at));
        if (!found || end - found < 2)
            return NULL;
        if (found[1] == second)
            return found;
        near = found - at < NEAR ? near + 1 : 0;
        at = found + 1;
    }
    return find_pair(at, end, first, second);
}

/* The next `.t`, or null. `context`: of the assembler that asks, or null. */
static const char *find_directive(const struct asm_context *context, const char *at, const char *end)
{
    const char *found = NULL;
    while (!found && end - at > 1) {
        bool far = (size_t)(end - at) > ASM_PASSED_AT_ONCE;
        const char *stop = far ? at + ASM_PASSED_AT_ONCE : end;
        found = find_rare_pair(at, stop, '.', 't');
        at = far ? stop - 1 : end; /* the pair may lie across */
        if (far && !found && context)
            asm_pass(context, context->source, at);
    }
    return found;
}

/*
 * The `.target` directive of the text, if it stands on a line of its own; null: none, or no such target, whose name
 * is *wrong then.
 */
static const struct gpucode_target *named_target(const struct asm_context *context, const char *text, size_t length,
                                                 const char **wrong, size_t *span)
{
    static const char word[] = ".target";
    const size_t word_length = sizeof word - 1;
    const char *end = text + length;
    for (const char *at = text; (at = find_directive(context, at, end)); at++) {
        const char *before = at, *name = at + word_length;
        if ((size_t)(end - at) < word_length || memcmp(at, word, word_length) != 0)
            continue;
        while (before > text && (before[-1] == ' ' || before[-1] == '\t'))
            before--;
        if ((before > text && before[-1] != '\n') || name == end || (*name != ' ' && *name != '\t'))
            continue;
        while (name < end && (*name == ' ' || *name == '\t'))
            name++;
        char copy[64];
        size_t name_length = 0;
        while (name + name_length < end && name_length < sizeof copy - 1 &&
               (isa_name_byte(name[name_length]) || name[name_length] == ':' || name[name_length] == '-')) {
            copy[name_length] = name[name_length];
            name_length++;
        }
        copy[name_length] = 0;
        const struct gpucode_target *target = gpucode_target_find(copy);
        if (!target && name_length) {
            *wrong = name;
            *span = name_length;
        }
        return target;
    }
    return NULL;
}

/* The target that the source names; *wrong is the name of one that does not exist. */
static const struct gpucode_target *source_target(const struct asm_context *context, const char *text, size_t length,
                                                  const char **wrong, size_t *span)
{
    size_t mark = text_mark(text, length);
    text += mark;
    length -= mark;
    const struct gpucode_target *found = named_target(context, text, length, wrong, span);
    for (const struct isa *const *set = registry_sets; !found && *set; set++)
        if ((*set)->assembler && (*set)->assembler->detect)
            found = (*set)->assembler->detect(*set, registry_mnemonic_elsewhere, text, length);
    return found;
}

const struct gpucode_target *gpucode_source_target(const char *text, size_t length)
{
    const char *wrong;
    size_t span;
    return text ? source_target(NULL, text, length, &wrong, &span) : NULL;
}

/* The target whose sources alone have names that end so. */
static const struct gpucode_target *target_of_file(const char *file)
{
    size_t length = file ? strlen(file) : 0;
    for (const struct isa *const *set = registry_sets; *set; set++) {
        const char *ending = (*set)->files.ending;
        size_t end = ending ? strlen(ending) : 0;
        if (ending && length > end && strcmp(file + length - end, ending) == 0)
            return (*set)->targets.list;
    }
    return NULL;
}

const struct gpucode_target *gpucode_source_target_of(const char *text, size_t length, const char *file)
{
    const char *wrong = NULL;
    size_t span;
    const struct gpucode_target *found = text ? source_target(NULL, text, length, &wrong, &span) : NULL;
    return found || wrong ? found : target_of_file(file);
}

/* Has the text a `.target` of a target that exists; if not, *wrong is the name of one that does not, or null. */
static bool names_target(const char *text, size_t length, const char **wrong)
{
    size_t span, mark = text_mark(text, length);
    *wrong = NULL;
    return named_target(NULL, text + mark, length - mark, wrong, &span);
}

/* Is what the source looks like, without saying so, another set of the target's family? */
static bool looks_related(const struct asm_context *context, const struct gpucode_target *found, const char *text,
                          size_t length)
{
    const char *wrong, *family = found->isa->targets.family;
    return family && strcmp(family, context->target->isa->name) == 0 && !names_target(text, length, &wrong);
}

/* Of a family's sources one set's alone are known by their looks: after errors it is told that nothing named the set. */
static void tell_assumed_target(const struct asm_context *context, const char *text, size_t length)
{
    const struct gpucode_target *target = context->target;
    const char *wrong;
    if (!context->errors || context->options->target || !target || !target->isa->targets.family ||
        names_target(text, length, &wrong) || wrong)
        return;
    struct place place = {.file = context->source->file};
    report(&context->options->on_diagnostic, &place, MSG_TARGET_ASSUMED, NULL, target->name);
}

static void choose_target(struct asm_context *context, const char *text, size_t length)
{
    const char *wrong = NULL;
    size_t span = 0;
    const struct gpucode_target *found = source_target(context, text, length, &wrong, &span);
    context->target = context->options->target ? context->options->target : found;
    if (!context->target && !wrong)
        context->target = target_of_file(context->options->file);
    if (!context->target && wrong) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)span, wrong);
        char hint[160];
        registry_target_hint(hint, sizeof hint, name, strlen(name));
        const struct gpucode_target *nearest = registry_nearest_target(name, strlen(name));
        if (nearest)
            asm_mend(context, nearest->name, wrong, span);
        asm_report(context, context->source, wrong, span, MSG_NO_SUCH_TARGET, hint, name);
    }
    if (context->options->target && found &&
        (found->isa != context->target->isa || found->generation != context->target->generation ||
         found->names != context->target->names) &&
        !looks_related(context, found, text, length)) {
        struct place place = {.file = context->source->file};
        asm_record_place(context, NULL, &place);
        report(&context->options->on_diagnostic, &place, MSG_TARGET_CONTRADICTION, NULL, found->name,
               context->target->name);
    }
}

/* --- all of it ------------------------------------------------------------------------------------------ */

/*
 * Room for what grows with the output, by the bytes of text that usually give a byte of output, or a label or a place
 * that waits for one: memory that is not written costs nothing, while arrays that move as they grow leave holes.
 */
#define TEXT_OF_BYTE 4
#define TEXT_OF_LABEL 128

static void make_room(struct asm_context *context, size_t length)
{
    size_t labels = length / TEXT_OF_LABEL;
    buffer_reserve(&context->out, length / TEXT_OF_BYTE);
    if (labels)
        asm_grow_to(context, (void **)&context->symbols.items, &context->symbols.room, labels,
                    sizeof *context->symbols.items);
    if (labels)
        asm_grow_to(context, (void **)&context->waited.items, &context->waited.room, labels,
                    sizeof *context->waited.items);
}

static void assemble_source(struct asm_context *context, const struct asm_source *source)
{
    context->source = source;
    choose_target(context, source->text, source->length);
    if (!context->target) {
        if (!context->errors)
            report_no_target(context, context->source->text, 1);
        return;
    }
    static const struct isa_assembler no_hooks;
    context->isa = context->target->isa;
    context->hooks = context->isa->assembler ? context->isa->assembler : &no_hooks;
    context->scan =
        (struct isa_scan){.at = source->text + text_mark(source->text, source->length),
                          .end = source->text + source->length,
                          .isa = context->isa,
                          .target = context->target,
                          .names = context->options->names,
                          .symbol = asm_symbol_value,
                          .comment = context->options->record_tokens || context->record ? asm_keep_comment : NULL,
                          .listener = context->record ? &asm_record_listener : NULL,
                          .user = context};
    asm_begin_quick(context);
    context->pass_at = context->scan.at;
    if (context->hooks->begin)
        context->hooks->begin(context, source->text, source->length);
    context->prefix = context->hooks->prefix;
    buffer_append(&context->out, "\0\0\0\0\0\0\0", context->prefix);
    make_room(context, source->length);
    if (!ASM_PUSH(context, context->sections, (struct asm_section){"", context->prefix, 0, 0, 0, 0}))
        return;
    assemble_text(context);
    asm_keep_last_comments(context);
    if (context->failed || context->out.failed || context->stopped)
        return;
    if (context->hooks->end_section)
        context->hooks->end_section(context, true);
    asm_resolve_fixups(context);
    if (context->hooks->finish && !context->is_again)
        context->hooks->finish(context);
    asm_join_sections(context);
}

void asm_free_context(struct asm_context *context)
{
    gpucode_analysis_free(context->analysis);
    gpucode_image_free(context->image);
    if (context->again)
        asm_free_context(context->again);
    free(context->again);
    FREE_ALL(context->frames.items, context->sources.items, context->sections.items, context->symbols.items,
             context->symbol_hash, context->fixups.items, context->waited.items, context->macros.items,
             context->lines.items, context->tokens.items, context->comments.items);
    buffer_free(&context->out);
    arena_free(&context->arena);
}

void asm_read_all(struct asm_context *context, const char *text, size_t length)
{
    context->read_all = asm_read_all;
    const char *file = context->options->file ? context->options->file : "<input>";
    bool keep = context->options->record_lines || context->options->record_tokens || context->record;
    /* programs outlive the text they were made from */
    struct asm_source *source = arena_alloc(&context->arena, sizeof *source);
    char *copy = keep ? arena_copy(&context->arena, text, length) : NULL;
    const char *name = arena_copy(&context->arena, file, strlen(file));
    if (!source || !name || (keep && !copy)) {
        context->failed = true;
        return;
    }
    *source = (struct asm_source){.file = name,
                                  .text = copy   ? copy
                                          : text ? text
                                                 : "",
                                  .length = length,
                                  .first_line = 1};
    asm_record_file(context, source, NULL, 0);
    if (ASM_PUSH(context, context->sources, source))
        assemble_source(context, source);
    if (!context->is_again)
        tell_assumed_target(context, text, length);
}

enum gpucode_status asm_status(const struct asm_context *context)
{
    if (context->failed || context->out.failed)
        return GPUCODE_ERROR_MEMORY;
    return context->errors ? GPUCODE_ERROR_INPUT : GPUCODE_OK;
}

enum gpucode_status gpucode_assemble(const char *text, size_t length, const struct gpucode_asm_options *options,
                                     struct gpucode_program **out)
{
    return gpucode_assemble_with(text, length, options, NULL, out);
}

enum gpucode_status gpucode_assemble_with(const char *text, size_t length, const struct gpucode_asm_options *options,
                                          const char *const *folders, struct gpucode_program **out)
{
    static const struct gpucode_asm_options defaults;
    if ((!text && length) || !out)
        return GPUCODE_ERROR_ARGUMENT;
    *out = NULL;
    struct asm_context context = {.calls = &asm_offered, .options = options ? options : &defaults, .folders = folders};
    asm_read_all(&context, text, length);
    enum gpucode_status status = asm_status(&context);
    if (status == GPUCODE_OK && !asm_make_program(&context, out))
        status = GPUCODE_ERROR_MEMORY;
    asm_free_context(&context);
    return status;
}
