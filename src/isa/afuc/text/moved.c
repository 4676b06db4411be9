/* SPDX-License-Identifier: MIT */
/*
 * Numbers of an edited listing that still are where something stood. Branches and `.jumptbl` follow their labels; a
 * number does not. The labels that a listing makes up ("l12", "fxn12") carry their old place in their name, so they
 * tell how far what is around them has moved; which numbers are places is for the analysis to say.
 */
#include "afuc_messages.h"
#include "isa/afuc/afuc.h"
#include "isa/afuc/text/container.h"
#include "isa/analysis.h"
#include "isa/assembler.h"

#include <stdio.h>
#include <string.h>

#define HEADER_WORDS 8u /* `mov`s in front of these say where the table and the next section are */
#define ROUNDS_MAX 4    /* places that only places lead to that had moved */
#define MOVED_MAX 4096  /* a header's number that is further away is something else */
#define STRAY_MAX 64    /* words put in or taken out after the last made-up label of sections */

struct output {
    unsigned char *bytes; /* of unit 0 on */
    bool *told;           /* of each unit: its number was told of, and mended */
    uint32_t words;
};

struct moves {
    struct asm_context *context;
    struct output output; /* a copy, in which numbers are mended */
    const struct gpucode_image_info *info;
    struct afuc_table_place tables[AFUC_SECTIONS_MAX]; /* `.jumptbl`s, in their order */
    unsigned table_count;
    bool mended;         /* in this round */
    bool listing, moved; /* there are made-up labels; and one stands elsewhere */
    bool edited;         /* that, or a number was told of */
};

static uint32_t word_of(const struct output *output, uint64_t unit)
{
    return afuc_word(&(struct afuc_words){output->bytes, output->words}, unit);
}

static void put_word(const struct output *output, uint32_t unit, uint32_t word)
{
    for (unsigned i = 0; i < 4 && unit < output->words; i++)
        output->bytes[4 * (size_t)unit + i] = (unsigned char)(word >> 8 * i);
}

/* The distance between what a number says and what it may have meant. */
static uint32_t distance(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

/* --- places ------------------------------------------------------------------------------------------------------- */

static bool shift_of(const struct asm_label *label, int64_t *shift)
{
    int64_t stood;
    if (!afuc_default_label(label->name, label->length, &stood))
        return false;
    *shift = (int64_t)label->value - stood;
    return true;
}

/* The first label of a place of a section; a packet's stands in front of those that are made up. */
static bool label_of(const struct moves *moves, uint32_t start, int64_t place, struct asm_label *label)
{
    for (unsigned i = 0; asm_label_at(moves->context, i, label); i++)
        if (label->section != UINT32_MAX && (int64_t)label->value == place &&
            asm_section_start(moves->context, label->section) == start)
            return true;
    return false;
}

/*
 * How far the code moved that stood at `place` of a section: as the made-up labels around it did. Where these differ,
 * it stands where there is a label; after the last of them, where the nearest one is. GPUCODE_NONE: as the last did.
 */
static int64_t shift_at(const struct moves *moves, uint32_t start, int64_t place)
{
    int64_t before = 0, after = 0, shift;
    bool ends = true;
    struct asm_label label;
    for (unsigned i = 0; asm_label_at(moves->context, i, &label); i++) {
        if (label.section == UINT32_MAX || !shift_of(&label, &shift) ||
            asm_section_start(moves->context, label.section) != start)
            continue;
        int64_t stood = (int64_t)label.value - shift;
        if (stood <= place)
            before = shift;
        if (stood >= place) {
            after = shift;
            ends = false;
            break;
        }
    }
    for (int64_t off = 0; ends && moves->edited && place < GPUCODE_NONE && off < 2 * STRAY_MAX; off++) {
        int64_t shift_here = before + (off & 1 ? (off + 1) / 2 : -off / 2);
        if (label_of(moves, start, place + shift_here, &label))
            return shift_here;
    }
    if (ends || before == after)
        return before;
    bool here = label_of(moves, start, place + before, &label), there = label_of(moves, start, place + after, &label);
    return here == there ? (before ? before : after) : here ? before : after;
}

/* --- saying so ---------------------------------------------------------------------------------------------------- */

/* A number of the image: what it says, what it should say, and how that is written. */
struct stood {
    uint32_t section, at; /* unit of the image that the section begins at, and of the number in it */
    const char *name;     /* of what moved */
    size_t name_length;
    uint32_t number;       /* what it should be */
    const char *label;     /* null: there is none to be written */
    const char *operation; /* " * 4" */
    const char *use;
};

static void tell(struct moves *moves, const struct stood *stood)
{
    char name[64], detail[128], hint[192];
    uint32_t word = word_of(&moves->output, stood->section + stood->at);
    int row = isa_decode_row(&afuc_rows, asm_target(moves->context)->generation, word);
    unsigned shift = afuc_is_move((unsigned)row) ? word >> 21 & 31 : 0;
    uint32_t mask = word >> 27 ? 0xffff : 0xffffff;
    size_t length = stood->name_length < sizeof name ? stood->name_length : sizeof name - 1;
    snprintf(name, sizeof name, "%.*s", (int)length, stood->name);
    size_t used = (size_t)snprintf(detail, sizeof detail, "the constant 0x%llx", (unsigned long long)(word & mask));
    if (shift)
        used += (size_t)snprintf(detail + used, sizeof detail - used, " << %u", shift);
    snprintf(detail + used, sizeof detail - used, " at word 0x%x is where it stood%s", (unsigned)stood->at, stood->use);
    used = (size_t)snprintf(hint, sizeof hint, "0x%x is its place now; ", (unsigned)stood->number);
    if (stood->label)
        snprintf(hint + used, sizeof hint - used, "write %s%s%s in the constant's place",
                 strchr(stood->operation, ')') ? "(#" : "#", stood->label, stood->operation);
    else
        snprintf(hint + used, sizeof hint - used, "`gpucode disasm --edit` writes a label in the constant's place");
    put_word(&moves->output, stood->section + stood->at, (word & ~mask) | (stood->number & mask));
    moves->output.told[stood->section + stood->at] = true;
    moves->mended = moves->edited = true;
    asm_calls_of(moves->context)
        ->number_report(moves->context, stood->section + stood->at, MSG_AFUC_STOOD, hint, name, detail);
}

/* Was the number written as one, and not told of? */
static bool is_open(const struct moves *moves, uint32_t unit)
{
    return unit < moves->output.words && !moves->output.told[unit] && !asm_waits(moves->context, 0, unit);
}

/* A number that is a place of code, or the base of a table of jumps; both count words. */
static void look_at_code(struct moves *moves, const struct gpucode_code_constant *constant)
{
    char label_name[80], operation[24] = "";
    const struct gpucode_section *to = &moves->info->sections[constant->to_section];
    uint32_t start = moves->info->sections[constant->section].start;
    int64_t shift = shift_at(moves, to->start, constant->to);
    if (!shift || !is_open(moves, start + constant->at))
        return;
    struct asm_label label;
    bool named = label_of(moves, to->start, (int64_t)constant->to + shift, &label);
    int length = named ? (int)(label.length < 64 ? label.length : 64) : 0;
    if (named)
        snprintf(label_name, sizeof label_name, "%.*s", length, label.name);
    if (constant->half)
        snprintf(operation, sizeof operation, "%s", constant->half == GPUCODE_HALF_LOW ? " & 0xffff)" : " >> 16)");
    uint32_t number = (uint32_t)((int64_t)constant->to + shift);
    number = constant->half == GPUCODE_HALF_HIGH ? number >> 16 : constant->half ? number & 0xffff : number;
    tell(moves, &(struct stood){start, constant->at, named ? label.name : "code", named ? label.length : 4, number,
                                named ? label_name : NULL, operation,
                                constant->kind == GPUCODE_CONSTANT_INTERRUPT ? ", for %PREEMPT_INSTR" : ""});
}

/*
 * Where the packet table, the start (place 0) or the end of a section stood, from the image's start, if nothing was put
 * in or taken out after the last made-up label of a section.
 */
static int64_t stood_at(const struct moves *moves, unsigned section, uint32_t place)
{
    int64_t stood = (int64_t)moves->info->sections[section].start + place;
    for (unsigned i = 0; i < section + (place != 0); i++)
        stood -= shift_at(moves, moves->info->sections[i].start, GPUCODE_NONE);
    return stood;
}

/* Is the number where the thing stood, or near? Numbers of headers, of a table's words and the like are not. */
static bool is_near(const struct moves *moves, uint32_t number, unsigned section, uint32_t place, bool from_section)
{
    int64_t stood = stood_at(moves, section, place), least = section * (HEADER_WORDS + AFUC_TABLE_WORDS);
    if (from_section)
        stood -= stood_at(moves, section, 0);
    if (from_section || place)
        least = from_section ? HEADER_WORDS : least + HEADER_WORDS;
    return number >= least && number >= stood - STRAY_MAX && number <= stood + STRAY_MAX;
}

/* A number that is not a place of what is wanted there. */
static void look_at_stale(struct moves *moves, const struct gpucode_code_constant *constant)
{
    char name[48], operation[24] = "";
    const struct gpucode_image_info *info = moves->info;
    bool tables = constant->kind == GPUCODE_CONSTANT_PACKETS, end = constant->kind == GPUCODE_CONSTANT_END;
    uint32_t start = info->sections[constant->section].start, place = info->sections[constant->section].table;
    unsigned found = constant->section;
    bool own = tables && place != GPUCODE_NONE && is_near(moves, constant->to, found, place, true);
    for (unsigned i = 0; !own && i <= info->section_count; i++) {
        if ((found = i) == info->section_count)
            return;
        place = tables ? info->sections[i].table : end ? info->sections[i].size : 0;
        if ((constant->to_section == GPUCODE_NONE || constant->to_section == i) && place != GPUCODE_NONE &&
            (place || info->sections[i].start) && is_near(moves, constant->to, i, place, false))
            break;
    }
    if (!is_open(moves, start + constant->at))
        return;
    const struct gpucode_section *to = &info->sections[found];
    if (constant->scale > 1)
        snprintf(operation, sizeof operation, " * %u", constant->scale);
    snprintf(name, sizeof name, "%.24s%s%s", own ? "" : to->name, own ? "" : "::",
             tables ? "jumptbl"
             : end  ? "end"
                    : "start");
    tell(moves,
         &(struct stood){start, constant->at, name, strlen(name), (place + (own ? 0 : to->start)) * constant->scale,
                         tables ? name : NULL, operation, ""});
}

/*
 * What the analysis finds where numbers are wrong is wrong itself: once they are mended it is made again, and says what
 * stays unknown.
 */
static void look_at_all(struct moves *moves, size_t size, size_t prefix)
{
    const struct gpucode_analysis *analysis = NULL;
    moves->mended = true;
    for (unsigned round = 0; round < ROUNDS_MAX && moves->mended; round++) {
        moves->mended = false;
        analysis = asm_calls_of(moves->context)->analyse(moves->context, moves->output.bytes - prefix, size);
        if (!analysis)
            return;
        moves->info = &analysis->layout->info;
        for (size_t i = analysis->stale_count; i-- > 0;) /* that of the whole image is the first */
            if (analysis->stale[i].kind != GPUCODE_CONSTANT_END || moves->edited)
                look_at_stale(moves, &analysis->stale[i]);
        for (size_t i = 0; i < analysis->constant_count; i++)
            if (analysis->constants[i].kind <= GPUCODE_CONSTANT_CODE)
                look_at_code(moves, &analysis->constants[i]);
    }
    if (analysis->lost_count && moves->moved) {
        char detail[64];
        const struct gpucode_lost_place *lost = analysis->lost;
        uint32_t unit = moves->info->sections[lost->section].start + lost->at;
        size_t used = (size_t)snprintf(detail, sizeof detail, "0x%x", (unsigned)lost->at);
        if (analysis->lost_count > 1)
            snprintf(detail + used, sizeof detail - used, ", the first of %zu,", analysis->lost_count);
        asm_calls_of(moves->context)->number_report(moves->context, unit, MSG_AFUC_LOST, NULL, detail, NULL);
    }
}

/* --- headers, which the analysis needs as they should be ---------------------------------------------------------- */

/* The a660 form: `mov $12` has the place of the packet table, `mov $13` of the first section the start of the second.
 */
static void mend_moves(struct moves *moves)
{
    for (unsigned i = 0; i < moves->table_count; i++) {
        uint32_t start = asm_section_start(moves->context, moves->tables[i].section);
        bool seen[2] = {false, false}; /* the first `mov` of each register is the header's, others are code */
        for (uint32_t at = 1; at < HEADER_WORDS && !asm_waits(moves->context, 0, start + 1); at++) {
            uint32_t word = word_of(&moves->output, start + at), says = word & 0xffff, reg = word >> 16 & 31;
            bool next = reg == 0x13 && i == 0 && moves->table_count > 1;
            if ((word & 0xffe00000) != 0x88000000 || (reg != 0x12 && !next) || seen[next] ||
                !is_open(moves, start + at))
                continue;
            seen[next] = true;
            uint32_t now =
                next ? asm_section_start(moves->context, moves->tables[1].section) : (uint32_t)moves->tables[i].place;
            if (now == says || now > 0xffff || distance(now, says) >= MOVED_MAX)
                continue;
            const char *name = next ? "LPAC" : "jumptbl";
            tell(moves, &(struct stood){start, at, name, strlen(name), now, next ? NULL : name, "", ""});
        }
    }
}

/* Is a packet table there, whose handlers begin at word `least` or after it, and nothing after it? */
static bool is_table(const struct output *output, uint32_t start, uint32_t place, uint32_t words, uint32_t least)
{
    bool good = place >= 2 && place + AFUC_TABLE_WORDS <= words;
    for (uint32_t i = 0; good && i < AFUC_TABLE_WORDS; i++) {
        uint32_t handler = word_of(output, start + place + i);
        good = handler >= least && handler < place;
    }
    for (uint32_t i = place + AFUC_TABLE_WORDS; good && i < words; i++)
        good = !word_of(output, start + i);
    return good;
}

/* The plain listing of an a5xx has header and packet table as numbers. */
static void mend_plain(struct moves *moves, uint32_t start, uint32_t words)
{
    const struct output *output = &moves->output;
    uint32_t says = word_of(output, start + 1), stale = 0, first = 0, first_number = 0, first_says = 0, table = says;
    if (says >> 16 || asm_waits(moves->context, 0, start + 1))
        return;
    bool found = is_table(output, start, says, words, 0);
    for (uint32_t off = 1; off < MOVED_MAX && !found; off++) {
        table = off & 1 ? says + (off + 1) / 2 : says - off / 2;
        found = is_table(output, start, table, words, 2); /* nops are 0 */
    }
    if (!found)
        return;
    if (table != says)
        tell(moves, &(struct stood){start, 1, "jumptbl", 7, table, NULL, "", ""});
    for (uint32_t i = 0; i < AFUC_TABLE_WORDS; i++) {
        uint32_t at = start + table + i, handler = word_of(output, at);
        int64_t shift = asm_waits(moves->context, 0, at) ? 0 : shift_at(moves, start, handler);
        if (shift && !stale++) {
            first = at;
            first_says = handler;
            first_number = (uint32_t)((int64_t)handler + shift);
        }
        put_word(output, at, (uint32_t)((int64_t)handler + shift));
    }
    if (stale) {
        char use[64];
        snprintf(use, sizeof use, ", and so are %u more of the packet table", (unsigned)stale - 1);
        put_word(output, first, first_says);
        tell(moves, &(struct stood){start, first - start, "handler", 7, first_number, NULL, "", stale > 1 ? use : ""});
    }
}

static void mend_a5xx(struct moves *moves)
{
    unsigned last = asm_current_section(moves->context);
    for (unsigned i = 0; i <= last; i++) {
        uint32_t start = asm_section_start(moves->context, i);
        uint32_t end = i < last ? asm_section_start(moves->context, i + 1) : moves->output.words;
        mend_plain(moves, start, end - start);
    }
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

/*
 * Where no label has moved, code may have after the last of them: then a packet table that is uploaded is not where a
 * number says.
 */
static bool differs(const struct moves *moves)
{
    const struct gpucode_target *target = asm_target(moves->context);
    const struct output *output = &moves->output;
    const struct isa_row *row = &afuc_rows.rows[AFUC_CWRITE];
    uint32_t upload, before = 0;
    if (!isa_number_of(target->names, NULL, GPUCODE_SPACE_CONTROL, "PACKET_TABLE_WRITE", 18, &upload))
        return false;
    for (unsigned i = 0; i < moves->table_count; i++) {
        uint32_t place = (uint32_t)moves->tables[i].place;
        uint32_t end = asm_section_start(moves->context, moves->tables[i].section) + place;
        bool uploads = false, says = false;
        for (uint32_t unit = before; unit < end && !says; unit++) {
            uint32_t word = word_of(output, unit), imm = word & 0xffff;
            uploads |= (word & row->facts.mask) == row->facts.match && (word & 0xfff) == upload;
            bool is = imm && (imm == place || imm == 4 * place || imm == end || imm == 4 * end);
            int said = is ? isa_decode_row(&afuc_rows, target->generation, word) : -1;
            says |= afuc_is_move((unsigned)said) || said == AFUC_ADD_IMM || said == AFUC_OR_IMM;
        }
        if (uploads && !says)
            return true;
        before = end + AFUC_TABLE_WORDS;
    }
    return false;
}

/* What moved, as the labels say. */
static void look_at_labels(struct moves *moves)
{
    struct asm_label label;
    int64_t shift;
    for (unsigned i = 0; asm_label_at(moves->context, i, &label); i++)
        if (label.section != UINT32_MAX && shift_of(&label, &shift)) {
            moves->listing = true;
            moves->moved |= shift != 0;
            moves->edited |= shift != 0;
        }
}

void afuc_warn_moved(struct asm_context *context, const struct afuc_table_place *tables, unsigned table_count)
{
    struct moves moves = {.context = context, .table_count = table_count};
    size_t size, prefix;
    look_at_labels(&moves);
    const void *bytes = asm_calls_of(context)->output(context, &size, &prefix);
    if (!moves.listing || size < prefix + 8)
        return;
    unsigned char *copy = asm_memory(context, size);
    bool *told = asm_memory(context, size / 4 * sizeof *told);
    if (!copy || !told)
        return;
    memcpy(copy, bytes, size);
    memcpy(moves.tables, tables, table_count * sizeof *tables);
    moves.output = (struct output){copy + prefix, told, (uint32_t)((size - prefix) / 4)};
    bool a5xx = asm_target(context)->generation == AFUC_A5XX;
    if (a5xx)
        mend_a5xx(&moves);
    else if (asm_target(context)->generation == AFUC_A6XX)
        mend_moves(&moves);
    if (!moves.moved && (a5xx || !differs(&moves)))
        return;
    look_at_all(&moves, size, prefix);
}

uint32_t afuc_preempt_number(const struct gpucode_target *target)
{
    uint32_t number;
    return isa_number_of(target->names, NULL, GPUCODE_SPACE_SQE, "PREEMPT_INSTR", 13, &number) ? number : GPUCODE_NONE;
}

unsigned afuc_preempt_source(const struct gpucode_target *target, uint32_t preempt, uint64_t word)
{
    struct gpucode_insn insn = {target, word, 0, AFUC_SWRITE, 4, true};
    return isa_letter(&insn, 'q') == preempt && !isa_letter(&insn, 'o') ? (unsigned)isa_letter(&insn, 's')
                                                                        : AFUC_NO_REGISTER;
}
