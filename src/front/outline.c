/* SPDX-License-Identifier: MIT */
#include "front/outline.h"

#include "front/answer.h"
#include "front/output.h"
#include "front/terminal.h"
#include <gpucode/insn.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "front/answer.def"
#define ANSWER_PART_OUTLINE
#include <gpucode/answer_rows.h>
ANSWER_TABLE(disasm, "The units of an image.");

struct outline_view {
    struct gpucode_answer *answer;
    const struct gpucode_outline *outline;
    const struct gpucode_image_info *info;
    const struct gpucode_disasm_options *options;
    const char *text; /* of the listing */
    const struct gpucode_unit *units;
    const struct gpucode_mark *marks;
    const struct gpucode_routine *routines;
    bool bytes; /* the target counts bytes */
};

static void write_unit_labels(const struct outline_view *view, const struct gpucode_unit *unit)
{
    if (!unit->label_count)
        return;
    gpucode_answer_begin(view->answer, &fields[UNIT_LABELS]);
    for (unsigned i = 0; i < unit->label_count; i++) {
        const struct gpucode_span *name = &view->marks[unit->first_label + i].name;
        gpucode_answer_bytes(view->answer, &fields[UNIT_LABEL], view->text + name->offset, name->length);
    }
    gpucode_answer_end(view->answer);
}

static void write_insn_operand(const struct outline_view *view, const struct gpucode_insn *insn,
                               const struct gpucode_operand *operand, const char *text)
{
    static const char *const uses[] = {NULL, "read", "write", "both"};
    bool is_register = operand->type == GPUCODE_OPERAND_REGISTER;
    struct gpucode_answer *answer = view->answer;
    gpucode_answer_begin(answer, &fields[OPERAND]);
    gpucode_answer_bytes(answer, &fields[OPERAND_TEXT], text + operand->start, operand->length);
    gpucode_answer_text(answer, &fields[OPERAND_KIND], operand->kind);
    if (is_register)
        gpucode_answer_text(answer, &fields[OPERAND_SPACE], gpucode_space_name(insn->target, operand->space));
    if (is_register && operand->known)
        gpucode_answer_number(answer, &fields[OPERAND_NUMBER], operand->number);
    if (!is_register && operand->known)
        gpucode_answer_signed(answer, &fields[OPERAND_VALUE], operand->value);
    gpucode_answer_text(answer, &fields[OPERAND_ACCESS], uses[operand->use]);
    gpucode_answer_end(answer);
}

static void write_insn_flow(const struct outline_view *view, const struct gpucode_insn *insn)
{
    static const char *const kinds[] = {NULL, "jump", "branch", "call", "return", "stop"};
    struct gpucode_flow flow;
    if (!gpucode_insn_flow(insn, &flow) || flow.kind == GPUCODE_FLOW_NEXT)
        return;
    struct gpucode_answer *answer = view->answer;
    gpucode_answer_begin(answer, &fields[FLOW]);
    gpucode_answer_text(answer, &fields[FLOW_KIND], kinds[flow.kind]);
    gpucode_answer_flag(answer, &fields[FLOW_CONDITIONAL], flow.conditional);
    if (flow.known)
        gpucode_answer_signed(answer, &fields[view->bytes ? FLOW_TARGET_BYTES : FLOW_TARGET_WORDS],
                              (int64_t)flow.target);
    gpucode_answer_number(answer, &fields[FLOW_DELAY_SLOTS], flow.delay_slots);
    gpucode_answer_end(answer);
}

/* A place in code, for names of targets. */
struct outline_place {
    const struct outline_view *view;
    unsigned section;
};

/* gpucode_format_options.label: the name that the listing's operands have for a place. */
static size_t find_target_name(void *user, const struct gpucode_insn *insn, uint64_t address, char *text, size_t size)
{
    const struct outline_place *place = user;
    const struct outline_view *view = place->view;
    struct gpucode_flow flow;
    uint32_t index = gpucode_outline_find(view->outline, place->section, address);
    if (index == GPUCODE_NONE || view->units[index].at != address)
        return 0;
    bool is_call = gpucode_insn_flow(insn, &flow) && flow.kind == GPUCODE_FLOW_CALL;
    for (unsigned i = 0; i < view->units[index].label_count; i++) {
        const struct gpucode_mark *mark = &view->marks[view->units[index].first_label + i];
        if ((mark->kind != GPUCODE_MARK_SYMBOL &&
             mark->kind != (is_call ? GPUCODE_MARK_CALLED : GPUCODE_MARK_BRANCHED)) ||
            mark->name.length > size)
            continue;
        memcpy(text, view->text + mark->name.offset, mark->name.length);
        return mark->name.length;
    }
    return 0;
}

/* Operands and flow of an instruction. */
static void write_unit_meaning(const struct outline_view *view, const struct gpucode_unit *unit,
                               const struct gpucode_insn *insn)
{
    struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
    char text[GPUCODE_TEXT_MAX];
    const struct outline_place place = {view, unit->section};
    const struct gpucode_format_options format = {.names = view->options->names,
                                                  .style = view->options->style,
                                                  .label = find_target_name,
                                                  .user = (void *)(uintptr_t)&place};
    unsigned count = gpucode_insn_operands(insn, &format, operands, GPUCODE_OPERANDS_MAX);
    if (gpucode_format(insn, &format, text, sizeof text, NULL) != GPUCODE_OK)
        return;
    gpucode_answer_begin(view->answer, &fields[OPERANDS]);
    for (unsigned i = 0; i < count; i++)
        if (operands[i].length) /* else the text leaves it out */
            write_insn_operand(view, insn, &operands[i], text);
    gpucode_answer_end(view->answer);
    write_insn_flow(view, insn);
}

static void write_unit(const struct outline_view *view, const struct gpucode_unit *unit, uint32_t index)
{
    static const char *const kinds[] = {"code", "data", "table", "text"};
    char bits[24];
    snprintf(bits, sizeof bits, "0x%0*" PRIx64, 2 * unit->size, unit->bits);
    struct gpucode_answer *answer = view->answer;
    gpucode_answer_begin(answer, &fields[UNIT]);
    gpucode_answer_text(answer, &fields[UNIT_SECTION],
                        unit->section < view->info->section_count ? view->info->sections[unit->section].name : "");
    gpucode_answer_number(answer, &fields[view->bytes ? UNIT_AT_BYTES : UNIT_AT_WORDS], unit->at);
    gpucode_answer_text(answer, &fields[UNIT_BITS], bits);
    gpucode_answer_text(answer, &fields[UNIT_KIND], kinds[unit->kind]);
    write_unit_labels(view, unit);
    if (unit->routine != GPUCODE_NONE && unit->kind == GPUCODE_UNIT_CODE)
        gpucode_answer_text(answer, &fields[UNIT_ROUTINE], view->routines[unit->routine].name);
    struct gpucode_insn insn;
    struct gpucode_row row;
    bool is_insn = unit->kind == GPUCODE_UNIT_CODE && gpucode_outline_insn(view->outline, index, &insn) &&
                   gpucode_row(insn.target, insn.row, &row);
    if (is_insn)
        gpucode_answer_text(answer, &fields[UNIT_MNEMONIC], row.mnemonic);
    if (unit->text.length)
        gpucode_answer_bytes(answer, &fields[UNIT_TEXT], view->text + unit->text.offset, unit->text.length);
    if (is_insn)
        write_unit_meaning(view, unit, &insn);
    if (unit->comment.length)
        gpucode_answer_bytes(answer, &fields[UNIT_COMMENT], view->text + unit->comment.offset, unit->comment.length);
    gpucode_answer_end(answer);
}

void outline_tell(struct gpucode_answer *answer, const struct gpucode_image *image,
                  const struct gpucode_disasm_options *options, const struct gpucode_outline *outline)
{
    const struct gpucode_image_info *info = gpucode_image_info(image);
    uint32_t count, marks, routines;
    const struct gpucode_unit *units = gpucode_outline_units(outline, &count);
    const struct outline_view view = {.answer = answer,
                                      .outline = outline,
                                      .info = info,
                                      .options = options,
                                      .units = units,
                                      .text = gpucode_outline_text(outline, NULL),
                                      .marks = gpucode_outline_marks(outline, &marks),
                                      .routines = gpucode_outline_routines(outline, &routines),
                                      .bytes = gpucode_target_unit_bytes(info->target) == 1};
    for (uint32_t i = 0; i < count; i++)
        write_unit(&view, &units[i], i);
}

void outline_tell_whole(struct gpucode_answer *answer, const struct gpucode_image *image, const char *file, size_t size,
                        const struct gpucode_outline *outline)
{
    gpucode_answer_begin(answer, &fields[WHOLE]);
    gpucode_answer_text(answer, &fields[WHOLE_FILE], file);
    gpucode_answer_text(answer, &fields[WHOLE_TARGET], gpucode_target_name(gpucode_image_info(image)->target));
    gpucode_answer_number(answer, &fields[WHOLE_SIZE], size);
    gpucode_answer_text(answer, &fields[WHOLE_TEXT], gpucode_outline_text(outline, NULL));
    gpucode_answer_end(answer);
}

#define ROW_BYTES 8 /* of a row whose units are single bytes */

static bool same_line(const struct gpucode_line *a, const struct gpucode_line *b)
{
    return a->line == b->line && a->source == b->source && strcmp(a->file, b->file) == 0;
}

/* A unit as people write it: little-endian words as numbers, wide ones in halves. */
static void print_unit_bytes(FILE *out, const unsigned char *bytes, unsigned size)
{
    for (unsigned i = size; i-- > 0;) {
        fprintf(out, "%02x", bytes[i]);
        if (size == 8 && i == 4)
            fputc('_', out);
    }
}

/* Units that one row shows: one, or those of the same line where units are bytes. */
static uint32_t row_units(const struct gpucode_program *program, uint32_t unit, uint32_t count, unsigned unit_bytes,
                          const struct gpucode_line *line)
{
    uint32_t units = 1;
    struct gpucode_line next;
    while (line && unit_bytes == 1 && units < ROW_BYTES && unit + units < count &&
           gpucode_program_line(program, unit + units, &next) && same_line(line, &next))
        units++;
    return units;
}

static void print_place(FILE *out, const struct gpucode_line *line, const char *behind)
{
    excerpt_text(out, line->file, strlen(line->file));
    fprintf(out, ":%u%s", line->line, behind);
}

/* Where a row comes from, and the source that stands there. */
static void print_line(FILE *out, const struct gpucode_line *line)
{
    fputs("  ", out);
    print_place(out, line, line->from_macro ? "+\t" : "\t");
    excerpt_lines(out, line->source, line->source_length);
}

static void print_unit_lines(FILE *out, const struct gpucode_program *program)
{
    const unsigned char *bytes = gpucode_program_bytes(program);
    size_t prefix = gpucode_program_prefix(program), size = gpucode_program_size(program) - prefix;
    unsigned unit_bytes = gpucode_target_unit_bytes(gpucode_program_target(program));
    uint32_t count = (uint32_t)(size / unit_bytes), units;
    struct gpucode_line line, last = {0};
    bool has_last = false;
    bytes += prefix;
    for (uint32_t unit = 0; unit < count; unit += units) {
        bool known = gpucode_program_line(program, unit, &line);
        units = row_units(program, unit, count, unit_bytes, known ? &line : NULL);
        fprintf(out, "%04" PRIx32 ": ", unit);
        for (uint32_t i = 0; i < units; i++)
            print_unit_bytes(out, bytes + (size_t)(unit + i) * unit_bytes, unit_bytes);
        if (unit_bytes == 1)
            fprintf(out, "%*s", (int)(2 * (ROW_BYTES - units)), "");
        if (known && !(has_last && same_line(&line, &last)))
            print_line(out, &line);
        fputc('\n', out);
        has_last = known;
        last = line;
    }
    for (size_t at = (size_t)count * unit_bytes; at < size; at++)
        fprintf(out, "%04" PRIx32 "+%u: %02x\n", count, (unsigned)(at % unit_bytes), bytes[at]);
}

static int compare_symbols(const void *left, const void *right)
{
    const struct gpucode_symbol *a = left, *b = right;
    if (!a->section != !b->section)
        return a->section ? -1 : 1;
    if (a->section && a->unit != b->unit)
        return a->unit < b->unit ? -1 : 1;
    return strcmp(a->name, b->name);
}

static void print_symbol(FILE *out, const char *section, int64_t value, const char *name)
{
    bool negative = value < 0;
    fprintf(out, "%-8s %s0x%04" PRIx64 " %s\n", section, negative ? "-" : "",
            negative ? 0 - (uint64_t)value : (uint64_t)value, name);
}

/* Has a file of the program sections? All code of those that have none is one that is called CODE. */
static bool has_sections(const struct gpucode_program *program)
{
    const struct gpucode_image_options options = {.target = gpucode_program_target(program)};
    struct gpucode_image *image;
    if (gpucode_image_open(gpucode_program_bytes(program), gpucode_program_size(program), &options, &image) !=
        GPUCODE_OK)
        return true;
    const struct gpucode_image_info *info = gpucode_image_info(image);
    bool named = info->section_count > 1 || (info->section_count && strcmp(info->sections[0].name, "CODE") != 0);
    gpucode_image_free(image);
    return named;
}

/* Where files know no sections, the program's are labels: names of macros. Those that a label has already are not. */
static void print_section_map(FILE *out, const struct gpucode_program *program, const struct gpucode_symbol *symbols,
                              unsigned count)
{
    struct gpucode_program_section section;
    unsigned unit_bytes = gpucode_target_unit_bytes(gpucode_program_target(program));
    for (unsigned i = 0; gpucode_program_section(program, i, &section); i++) {
        unsigned k = 0;
        while (k < count && strcmp(symbols[k].name, section.name) != 0)
            k++;
        if (*section.name && k == count)
            print_symbol(out, "-", (int64_t)((section.offset - gpucode_program_prefix(program)) / unit_bytes),
                         section.name);
    }
}

static bool print_symbol_map(FILE *out, const struct gpucode_program *program)
{
    unsigned count = 0;
    struct gpucode_symbol symbol, *symbols;
    while (gpucode_program_symbol(program, count, &symbol))
        count++;
    symbols = calloc(count ? count : 1, sizeof *symbols);
    if (!symbols)
        return false;
    for (unsigned i = 0; i < count; i++)
        gpucode_program_symbol(program, i, &symbols[i]);
    qsort(symbols, count, sizeof *symbols, compare_symbols);
    bool sections = has_sections(program);
    if (!sections)
        print_section_map(out, program, symbols, count);
    for (unsigned i = 0; i < count; i++) {
        /* code in front of the first .section has no section name; constants are not places */
        const char *section = symbols[i].section;
        bool by_image = section && *section && !sections;
        print_symbol(out,
                     !section               ? "="
                     : *section && sections ? section
                                            : "-",
                     by_image ? (int64_t)symbols[i].unit : symbols[i].value, symbols[i].name);
    }
    free(symbols);
    return true;
}

/* Where code comes from, for debuggers: a line for each unit that begins another source line. */
static void print_place_map(FILE *out, const struct gpucode_program *program)
{
    unsigned unit_bytes = gpucode_target_unit_bytes(gpucode_program_target(program));
    uint32_t count = (uint32_t)((gpucode_program_size(program) - gpucode_program_prefix(program)) / unit_bytes);
    struct gpucode_line line, last = {0};
    for (uint32_t unit = 0; unit < count; unit++) {
        if (!gpucode_program_line(program, unit, &line) || (last.file && same_line(&line, &last)))
            continue;
        fprintf(out, "@        0x%04" PRIx32 " ", unit);
        print_place(out, &line, line.from_macro ? "+\n" : "\n");
        last = line;
        for (unsigned i = 0; gpucode_program_use(program, unit, i, &line); i++) {
            fprintf(out, "use      0x%04" PRIx32 " %s ", unit, line.macro);
            print_place(out, &line, "\n");
        }
    }
}

static bool finish(struct listing *listing, FILE *out, bool good)
{
    if (text_stream_close(out) && good)
        return true;
    listing_free(listing);
    return false;
}

bool listing_of_lines(struct listing *listing, const struct gpucode_program *program)
{
    FILE *out = text_stream_open(&listing->text, &listing->length);
    if (!out)
        return false;
    print_unit_lines(out, program);
    return finish(listing, out, true);
}

bool listing_of_symbols(struct listing *listing, const struct gpucode_program *program)
{
    FILE *out = text_stream_open(&listing->text, &listing->length);
    if (out)
        fprintf(out, "; image 0x%016" PRIx64 "\n", gpucode_program_hash(program));
    bool good = out && print_symbol_map(out, program);
    if (good)
        print_place_map(out, program);
    return out && finish(listing, out, good);
}

void listing_free(struct listing *listing)
{
    free(listing->text);
    *listing = (struct listing){0};
}
