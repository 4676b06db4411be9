/* SPDX-License-Identifier: MIT */
/* What stands under the pointer: instructions, names, numbers, errors. */
#include "front/chapters.h"
#include "lsp/server.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const space_titles[] = {
    [GPUCODE_SPACE_GENERAL] = "general register",
    [GPUCODE_SPACE_CONTROL] = "control register",
    [GPUCODE_SPACE_SQE] = "special register",
    [GPUCODE_SPACE_PIPE] = "pipe register",
    [GPUCODE_SPACE_GPU] = "GPU register",
    [GPUCODE_SPACE_PACKET] = "packet",
    [GPUCODE_SPACE_FLAG] = "flag",
    [GPUCODE_SPACE_EVENT] = "event",
};

const char *space_title(const struct gpucode_target *target, unsigned space)
{
    if (space < GPUCODE_SPACE_COUNT)
        return space_titles[space];
    const char *name = gpucode_space_name(target, space);
    return name ? name : "register";
}

/* Markdown as plain text: without fences and back quotes. */
static char *plain_of(const char *markdown)
{
    char *text = memory_alloc(strlen(markdown) + 1), *to = text;
    for (const char *at = markdown; text && *at;) {
        if (strncmp(at, "```", 3) == 0) {
            at += strcspn(at, "\n");
            at += *at == '\n';
        } else {
            if (*at != '`' && *at != '*')
                *to++ = *at;
            at++;
        }
    }
    if (text)
        *to = 0;
    return text;
}

json_t *markup_of(const struct lsp *lsp, const char *markdown)
{
    char *plain = lsp->client.markdown ? NULL : plain_of(markdown);
    const char *text = plain ? plain : markdown;
    json_t *markup = json_pack("{s:s, s:o}", "kind", lsp->client.markdown ? "markdown" : "plaintext", "value",
                               json_of_bytes(text, strlen(text)));
    free(plain);
    return markup;
}

static void print_part(void *user, const struct chapters_part *part)
{
    FILE *out = user;
    fputc('\n', out);
    if (part->columns) { /* a row of a table needs its head */
        unsigned columns = 0;
        for (size_t i = 0; i < part->columns_length; i++)
            columns += part->columns[i] == '|';
        fprintf(out, "%.*s\n", (int)part->columns_length, part->columns);
        for (; columns > 1; columns--)
            fputs("|---", out);
        fputs("|\n", out);
    }
    chapters_print(part->text, part->length, out);
}

/* What the chapters of the manual say of a word. */
static void print_chapters(const struct gpucode_target *target, const char *word, size_t length, FILE *out)
{
    const char *manual = gpucode_target_manual(target);
    char name[GPUCODE_NAME_MAX];
    if (!manual || length >= sizeof name)
        return;
    memcpy(name, word, length);
    name[length] = 0;
    chapters_find(manual, name, print_part, out);
}

/* Names that a number has, by space. */
static void print_names(const struct view *view, uint32_t number, FILE *out)
{
    static const uint8_t spaces[] = {GPUCODE_SPACE_PACKET, GPUCODE_SPACE_CONTROL, GPUCODE_SPACE_SQE,
                                     GPUCODE_SPACE_PIPE,   GPUCODE_SPACE_GPU,     GPUCODE_SPACE_FLAG,
                                     GPUCODE_SPACE_EVENT};
    char name[GPUCODE_NAME_MAX];
    for (size_t i = 0; i < sizeof spaces; i++)
        if (gpucode_name_of(view->target, document_names(view->document), spaces[i], number, name, sizeof name))
            fprintf(out, "  \nas a %s: `%s`", space_titles[spaces[i]], name);
}

static void print_value(int64_t value, FILE *out)
{
    fprintf(out, "`%" PRId64 "` = `0x%" PRIx64 "`", value, (uint64_t)value);
    uint32_t bits = (uint32_t)value;
    float number;
    memcpy(&number, &bits, sizeof number);
    if (value > 0xffff && value <= UINT32_MAX && number > -1e10f && number < 1e10f &&
        (number > 1e-6f || number < -1e-6f))
        fprintf(out, " = `%g` as a float", (double)number);
}

/* The fields of a GPU register, or of a packet's words, where they are known. */
static void print_fields(const struct view *view, unsigned space, uint32_t number, FILE *out)
{
    unsigned family = gpucode_target_family(view->target);
    struct gpucode_field_value fields[GPUCODE_FIELD_VALUES_MAX];
    struct gpucode_payload_field part;
    size_t count =
        gpucode_target_register_fields(view->target, space, number, UINT32_MAX, fields, GPUCODE_FIELD_VALUES_MAX);
    bool known = count && fields[0].name[0] != '-';
    for (size_t i = 0; known && i < count && i < GPUCODE_FIELD_VALUES_MAX; i++)
        fprintf(out, "\n* bits %u:%u `%s`", fields[i].high, fields[i].low, fields[i].name);
    unsigned parts = 0;
    for (; space == GPUCODE_SPACE_PACKET && gpucode_payload_field(family, number, parts, &part); parts++)
        fprintf(out, "\n* word %u, bits %u:%u `%s`", part.word, part.high, part.low, part.name);
    if (known || parts)
        fputc('\n', out);
}

static void hover_number(const struct view *view, const struct gpucode_word *word, FILE *out)
{
    char *digits = memory_alloc(word->span.length + 1);
    if (!digits)
        return;
    memcpy(digits, view_bytes(view, word), word->span.length);
    digits[word->span.length] = 0;
    uint64_t value = strtoull(digits, NULL, 0);
    free(digits);
    print_value((int64_t)value, out);
    if (value <= UINT32_MAX)
        print_names(view, (uint32_t)value, out);
    fputc('\n', out);
    char name[GPUCODE_NAME_MAX];
    if (value > 0xff && value <= UINT32_MAX &&
        gpucode_name_of(view->target, NULL, GPUCODE_SPACE_GPU, (uint32_t)value, name, sizeof name))
        print_fields(view, GPUCODE_SPACE_GPU, (uint32_t)value, out);
}

static void hover_name(const struct view *view, const struct gpucode_word *word, FILE *out)
{
    char name[GPUCODE_NAME_MAX];
    fprintf(out, "`%.*s`: %s `0x%" PRIx32 "`", (int)word->span.length, view_bytes(view, word),
            space_title(view->target, word->space), word->number);
    if (gpucode_name_of(view->target, NULL, word->space, word->number, name, sizeof name) &&
        (strlen(name) != word->span.length || memcmp(name, view_bytes(view, word), word->span.length) != 0))
        fprintf(out, ", `%s`", name);
    fputc('\n', out);
    print_fields(view, word->space, word->number, out);
    print_chapters(view->target, view_bytes(view, word), word->span.length, out);
}

static uint32_t count_uses(const struct view *view, const struct gpucode_source_symbol *symbol)
{
    const struct gpucode_word *word;
    uint32_t uses = 0;
    for (uint32_t i = symbol->first; (word = gpucode_source_word(view->source, i)); i = word->next)
        uses += !word->defines;
    return uses;
}

/* Who calls the function that begins at a unit of the image, and what it is. */
static void print_callers(const struct view *view, uint32_t unit, FILE *out)
{
    struct gpucode_analysis *analysis = document_analysis(view->document);
    const struct gpucode_image_info *info = analysis ? gpucode_image_info(view->document->image) : NULL;
    for (unsigned section = 0; info && section < info->section_count; section++) {
        uint32_t start = info->sections[section].start, callers = 0;
        const struct gpucode_function *function, *caller;
        uint32_t index = 0, wanted = GPUCODE_NONE;
        for (; (function = gpucode_analysis_function(analysis, section, index)); index++)
            if (start + function->start == unit)
                wanted = index;
        if (wanted == GPUCODE_NONE)
            continue;
        function = gpucode_analysis_function(analysis, section, wanted);
        fprintf(out, "  \n%s, %u block%s", gpucode_function_kind_name(function->kind), function->block_count,
                function->block_count == 1 ? "" : "s");
        for (index = 0; (caller = gpucode_analysis_function(analysis, section, index)); index++) {
            bool calls = false;
            for (uint32_t i = 0; i < caller->call_count; i++)
                calls |= caller->calls[i].function == wanted;
            for (uint32_t i = 0; i < caller->tail_count; i++)
                calls |= caller->tails[i].function == wanted;
            char name[GPUCODE_NAME_MAX];
            if (!calls || !gpucode_analysis_name(analysis, section, index, name, sizeof name))
                continue;
            if (callers < 20)
                fprintf(out, "%s `%s`", callers ? "," : "  \ncalled by", name);
            callers++;
        }
        if (callers > 20)
            fprintf(out, " and %" PRIu32 " more", callers - 20);
        return;
    }
}

static void hover_symbol(const struct view *view, const struct gpucode_source_symbol *symbol, FILE *out)
{
    static const char *const kinds[] = {"label", "constant", "section", "macro", "parameter"};
    fprintf(out, "%s `%s`", kinds[symbol->kind], symbol->name);
    if (symbol->parent && *symbol->parent)
        fprintf(out, symbol->kind == GPUCODE_SOURCE_PARAMETER ? " of macro `%s`" : " in section `%s`", symbol->parent);
    if (symbol->kind == GPUCODE_SOURCE_CONSTANT) {
        fputs(" = ", out);
        print_value(symbol->value, out);
    }
    if (symbol->kind == GPUCODE_SOURCE_LABEL)
        fprintf(out, " at `0x%" PRIx64 "`", (uint64_t)symbol->value);
    uint32_t uses = count_uses(view, symbol), packet = GPUCODE_NONE;
    fprintf(out, ", %" PRIu32 " use%s", uses, uses == 1 ? "" : "s");
    if (symbol->kind == GPUCODE_SOURCE_LABEL) {
        if (gpucode_number_of(view->target, document_names(view->document), GPUCODE_SPACE_PACKET, symbol->name,
                              strlen(symbol->name), &packet))
            fprintf(out, "  \nhandler of packet `0x%" PRIx32 "`", packet);
        print_callers(view, symbol->unit, out);
        fputc('\n', out);
        if (packet != GPUCODE_NONE)
            print_fields(view, GPUCODE_SPACE_PACKET, packet, out);
        print_chapters(view->target, symbol->name, strlen(symbol->name), out);
    }
    if (symbol->kind == GPUCODE_SOURCE_MACRO) {
        const struct gpucode_word *word = gpucode_source_word(view->source, symbol->definition);
        const struct text *text = word ? &view->document->texts[word->file] : NULL;
        if (text && symbol->body.offset + symbol->body.length <= text->length)
            fprintf(out, "\n```gpucode\n%.*s\n```", (int)(symbol->body.length < 2000 ? symbol->body.length : 2000),
                    text->bytes + symbol->body.offset);
    }
    fputc('\n', out);
}

/* The instruction as it is in the program: its bits. */
static void print_encoding(const struct view *view, uint32_t unit, FILE *out)
{
    const struct gpucode_program *program = gpucode_source_program(view->source);
    if (!program || !view->target)
        return;
    size_t at = gpucode_program_prefix(program) + (size_t)unit * gpucode_target_unit_bytes(view->target);
    size_t size = gpucode_program_size(program);
    const unsigned char *bytes = gpucode_program_bytes(program);
    struct gpucode_insn insn;
    if (at < size && gpucode_decode(view->target, bytes + at, size - at, unit, &insn) == GPUCODE_OK)
        fprintf(out, "\nHere: `%0*" PRIx64 "` at `0x%" PRIx32 "` of the image\n", 2 * insn.size, insn.bits, unit);
}

static void hover_insn(const struct view *view, const struct gpucode_word *word, FILE *out)
{
    char *row = row_markdown(view->target, word->row);
    if (row)
        fputs(row, out);
    free(row);
    if (word->row != GPUCODE_NONE && !word->expanded)
        print_encoding(view, word->unit, out);
}

static void hover_directive(const struct view *view, const struct gpucode_word *word, FILE *out)
{
    struct gpucode_directive directive;
    for (unsigned i = 0; gpucode_directive_at(view->target, i, &directive); i++) {
        size_t length = strlen(directive.name);
        if (length <= word->span.length && memcmp(directive.name, view_bytes(view, word), length) == 0 &&
            (length == word->span.length ||
             !strchr("abcdefghijklmnopqrstuvwxyz0123456789", view_bytes(view, word)[length]))) {
            fprintf(out, "```gpucode\n%s%s%s\n```\n%s\n", directive.name, *directive.operands ? " " : "",
                    directive.operands, directive.doc);
            return;
        }
    }
}

/* The operand of the program that a word stands for; false: nobody knows. */
static bool operand_of(const struct view *view, const struct gpucode_word *word, struct gpucode_operand *operand)
{
    const struct gpucode_program *program = gpucode_source_program(view->source);
    struct gpucode_insn insn;
    struct gpucode_operand operands[GPUCODE_FIELDS_MAX];
    if (!program || word->expanded)
        return false;
    size_t at = gpucode_program_prefix(program) + (size_t)word->unit * gpucode_target_unit_bytes(view->target);
    size_t size = gpucode_program_size(program);
    if (at >= size ||
        gpucode_decode(view->target, (const char *)gpucode_program_bytes(program) + at, size - at, word->unit, &insn) !=
            GPUCODE_OK ||
        word->operand >= gpucode_insn_operands(&insn, NULL, operands, GPUCODE_FIELDS_MAX) ||
        word->operand >= GPUCODE_FIELDS_MAX)
        return false;
    *operand = operands[word->operand];
    return true;
}

static void hover_operand(const struct view *view, const struct gpucode_word *word, FILE *out)
{
    const char *bytes = view_bytes(view, word);
    struct gpucode_operand operand = {.space = word->space};
    bool known = operand_of(view, word, &operand);
    if (word->type == GPUCODE_OPERAND_REGISTER)
        fprintf(out, "`%.*s`: %s\n", (int)word->span.length, bytes, space_title(view->target, operand.space));
    if (known) {
        fprintf(out, "\n%s", operand.kind);
        if (operand.type != GPUCODE_OPERAND_REGISTER) {
            fputs(" = ", out);
            print_value(operand.value, out);
        }
        fputc('\n', out);
    }
    if (word->type == GPUCODE_OPERAND_REGISTER)
        print_chapters(view->target, bytes, word->span.length, out);
}

static void hover_word(const struct view *view, const struct gpucode_word *word, FILE *out)
{
    const struct gpucode_source_symbol *symbol = view_symbol(view, word->symbol);
    const struct gpucode_target *target;
    char name[64];
    if (symbol) {
        hover_symbol(view, symbol, out);
        return;
    }
    switch (word->kind) {
    case GPUCODE_TOKEN_MNEMONIC:
        hover_insn(view, word, out);
        break;
    case GPUCODE_TOKEN_NAME:
        hover_name(view, word, out);
        break;
    case GPUCODE_TOKEN_NUMBER:
        hover_number(view, word, out);
        break;
    case GPUCODE_TOKEN_DIRECTIVE:
    case GPUCODE_TOKEN_STATEMENT:
        hover_directive(view, word, out);
        break;
    case GPUCODE_TOKEN_OPERAND:
        hover_operand(view, word, out);
        break;
    case GPUCODE_TOKEN_FLAG:
        fprintf(out, "`%.*s`\n", (int)word->span.length, view_bytes(view, word));
        print_chapters(view->target, view_bytes(view, word), word->span.length, out);
        break;
    case GPUCODE_TOKEN_TARGET:
        snprintf(name, sizeof name, "%.*s", (int)word->span.length, view_bytes(view, word));
        target = gpucode_target_find(name);
        if (target)
            fprintf(out, "`%s`: %s\n", gpucode_target_name(target), gpucode_target_description(target));
        break;
    default:
        break;
    }
}

/* Errors at the place, each explained at length. */
static void hover_errors(const struct view *view, FILE *out)
{
    uint32_t count;
    const struct gpucode_source_diagnostic *all = gpucode_source_diagnostics(view->source, &count);
    for (uint32_t i = 0; i < count; i++) {
        bool here = all[i].file == view->file && all[i].severity != GPUCODE_NOTE &&
                    all[i].span.offset <= view->offset && view->offset <= all[i].span.offset + all[i].span.length;
        const char *explanation = here ? gpucode_explain(all[i].code) : NULL;
        if (explanation)
            fprintf(out, "\n**%s**: %s\n", all[i].code, explanation);
    }
    for (size_t i = 0; i < view->document->found_count; i++) {
        const struct found *found = &view->document->found[i];
        if (found->file == view->file && found->span.offset <= view->offset &&
            view->offset <= found->span.offset + found->span.length)
            fprintf(out, "\n**%s**: %s\n", found->code, found->reason);
    }
}

void answer_hover(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    struct view view;
    if (!view_open_at(lsp, params, &view, answer))
        return;
    const struct gpucode_word *word = view.word == GPUCODE_NONE ? NULL : &view.words[view.word];
    const struct gpucode_word *named = view_named(&view);
    char *text = NULL;
    size_t length = 0;
    diagnostics_lint(lsp, view.document); /* what is found here is part of the answer, however soon it is asked for */
    FILE *out = open_memstream(&text, &length);
    if (!memory_note(out))
        return;
    if (named)
        word = named;
    if (word && view.target && view.offset <= word->span.offset + word->span.length)
        hover_word(&view, word, out);
    hover_errors(&view, out);
    bool whole = fclose(out) == 0;
    if (memory_note(whole && text) && length) /* fclose() may give null, and tell of nothing */
        answer->result = json_pack("{s:o}", "contents", markup_of(lsp, text));
    if (answer->result && word)
        json_object_set_new(answer->result, "range", text_range(lsp, view.text, word->span));
    free(text);
}
