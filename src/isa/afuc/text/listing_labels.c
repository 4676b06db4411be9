/* SPDX-License-Identifier: MIT */
/* The lines of an AFUC listing that are labels, and the names that labels have. */
#include "isa/afuc/text/found.h"
#include "isa/afuc/text/listing.h"

#include <stdlib.h>
#include <string.h>

/* Packets without a name come after those with one where a place takes its name from one of its labels. */
#define UNNAMED_RANK 256

/* So many packets with one handler are a comment, where the caller wants that; and how wide it is. */
#define GATHERED_LEAST 8
#define GATHERED_WIDTH 100

void afuc_listing_line(const struct listing *listing, uint32_t index, const char *text, size_t length)
{
    char *at = listing_begin_line(listing, index);
    if (at)
        listing_end_line(listing, text_put(at, text, length));
}

/* The user's name of a word; 0: it has none. */
static size_t user_label(const struct listing *listing, uint64_t address, unsigned index, char *text)
{
    if (!listing->named || address < listing->unnamed)
        return 0;
    size_t length = listing->named->label(listing->named->user, listing->section, address - listing->unnamed, index,
                                          text, GPUCODE_NAME_MAX);
    return length <= GPUCODE_NAME_MAX ? length : 0;
}

size_t afuc_listing_target_name(void *user, const struct gpucode_insn *insn, uint64_t address, char *text, size_t size)
{
    const struct listing *listing = user;
    (void)size;
    if (address >= listing->words)
        return 0;
    bool call = afuc_rows.rows[insn->row].flow == GPUCODE_FLOW_CALL;
    size_t length = listing->named ? user_label(listing, address, 0, text) : 0;
    if (length)
        return length;
    return (size_t)(text_decimal(text_string(text, call ? "fxn" : "l"), address) - text);
}

/* A line with a label: `text` begins with its name. */
void afuc_listing_label(const struct listing *listing, uint32_t index, enum gpucode_mark_kind kind, const char *text,
                        size_t name_length, size_t length)
{
    char *at = listing_begin_line(listing, index);
    if (!at)
        return;
    isa_lines_mark(listing->list, kind, (size_t)(at - listing->out->bytes), name_length);
    listing_end_line(listing, text_put(at, text, length));
}

/*
 * The name of a place that packets lead to: that of the interruption, or of the lowest packet with a name, as the
 * analysis calls it.
 */
char *afuc_listing_entry_name(const struct listing *listing, char *at, uint32_t unit, bool interrupt)
{
    const struct entry_label *best = NULL;
    unsigned best_rank = 0;
    for (unsigned i = 0; i < listing->entry_count; i++) {
        const struct entry_label *entry = &listing->entries[i];
        bool named = strncmp(entry->name, "UNKN", 4) != 0, here = strcmp(entry->name, "IN_PREEMPT") == 0;
        unsigned rank = (interrupt && here ? 0 : named ? 1000 : 2000) + entry->packet;
        if (entry->handler != unit || unit == listing->gathered || (best && best_rank < rank))
            continue;
        best = entry;
        best_rank = rank;
    }
    return best ? text_put(at, best->name, best->length) : at;
}

char *afuc_listing_place_name(const struct listing *listing, char *at, const struct gpucode_code_constant *constant)
{
    if (constant->kind == GPUCODE_CONSTANT_PACKETS)
        return TEXT_LITERAL(at, "jumptbl");
    size_t length = listing->named ? listing->named->label(listing->named->user, constant->to_section, constant->to, 0,
                                                           at, GPUCODE_NAME_MAX)
                                   : 0;
    if (length && length <= GPUCODE_NAME_MAX)
        return at + length;
    bool edge = constant->kind == GPUCODE_CONSTANT_SECTION || constant->kind == GPUCODE_CONSTANT_END;
    if (edge && !listing->named)
        return constant->to ? TEXT_LITERAL(at, "end") : TEXT_LITERAL(at, "start");
    uint8_t mark = edge ? 0 : listing->marks[constant->to];
    char *end =
        edge ? at : afuc_listing_entry_name(listing, at, constant->to, constant->kind == GPUCODE_CONSTANT_INTERRUPT);
    if (end > at)
        return end;
    if (mark & AFUC_MARK_PREEMPT)
        return TEXT_LITERAL(at, "preempt");
    return text_decimal(text_string(at, mark & AFUC_MARK_CALLED ? "fxn" : "l"), constant->to);
}

static int compare_entries(const void *a, const void *b)
{
    const struct entry_label *left = a, *right = b;
    if (left->handler != right->handler)
        return left->handler < right->handler ? -1 : 1;
    return strcmp(left->name, right->name);
}

/* One label per entry of the packet table. */
void afuc_listing_name_entries(struct listing *listing, const uint32_t *handlers)
{
    listing->entry_count = 0;
    for (unsigned i = 0; i < AFUC_TABLE_ENTRIES; i++) {
        struct entry_label *entry = &listing->entries[listing->entry_count++];
        entry->handler = handlers[i];
        entry->packet = (uint8_t)i;
        char *end = afuc_name(listing->target, listing->format.names, GPUCODE_SPACE_PACKET, i, entry->name);
        entry->made_up = end == entry->name;
        if (entry->made_up)
            end = text_decimal(text_string(entry->name, "UNKN"), i);
        *end = 0;
        entry->length = (uint8_t)(end - entry->name);
    }
    qsort(listing->entries, listing->entry_count, sizeof *listing->entries, compare_entries);
}

/* The handler of most packets, if there are many of them. */
uint32_t afuc_listing_find_gathered(const struct listing *listing)
{
    uint32_t handler = GPUCODE_NONE;
    unsigned most = GATHERED_LEAST - 1, first = 0;
    for (unsigned i = 1; listing->gathers && i <= listing->entry_count; i++) {
        if (i < listing->entry_count && listing->entries[i].handler == listing->entries[first].handler)
            continue;
        if (i - first > most && listing->entries[first].handler < listing->words) {
            most = i - first;
            handler = listing->entries[first].handler;
        }
        first = i;
    }
    return handler;
}

/*
 * A packet that has its name from a symbol file is labelled by its built-in name or number as well: the text then gives
 * the same packet table without that file.
 */
static void put_plain_entry(const struct listing *listing, uint32_t index, const struct entry_label *entry)
{
    char text[2 * GPUCODE_NAME_MAX + 16];
    char *end = afuc_name(listing->target, NULL, GPUCODE_SPACE_PACKET, entry->packet, text);
    if (end == text)
        end = text_decimal(TEXT_LITERAL(text, "UNKN"), entry->packet);
    if ((size_t)(end - text) == entry->length && memcmp(text, entry->name, entry->length) == 0)
        return;
    size_t length = (size_t)(end - text);
    end = text_hex_fixed(TEXT_LITERAL(end, ":\t; packet 0x"), entry->packet, 2);
    afuc_listing_label(listing, index, GPUCODE_MARK_BUILT_IN, text, length, (size_t)(end - text));
}

void afuc_listing_user_labels(const struct listing *listing, uint32_t index)
{
    char text[GPUCODE_NAME_MAX + 1];
    size_t length;
    for (unsigned i = 0; (length = user_label(listing, index, i, text)); i++) {
        text[length] = ':';
        afuc_listing_label(listing, index, GPUCODE_MARK_SYMBOL, text, length, length + 1);
    }
}

/* "fxn12:" */
static void put_made_up(const struct listing *listing, uint32_t index, enum gpucode_mark_kind kind, const char *stem)
{
    char text[32];
    char *end = text_decimal(text_string(text, stem), index);
    *end = ':';
    afuc_listing_label(listing, index, kind, text, (size_t)(end - text), (size_t)(end - text) + 1);
}

/* The label of a packet that leads to the gathered handler; null: it leads elsewhere. */
static const struct entry_label *gathered_entry(const struct listing *listing, unsigned packet)
{
    for (unsigned i = 0; i < listing->entry_count; i++)
        if (listing->entries[i].packet == packet)
            return listing->entries[i].handler == listing->gathered ? &listing->entries[i] : NULL;
    return NULL;
}

static void mark_packet(const struct listing *listing, const struct entry_label *entry, const char *at)
{
    isa_lines_mark(listing->list, GPUCODE_MARK_PACKET, (size_t)(at - listing->out->bytes), entry->length);
    isa_lines_rank(listing->list, (uint16_t)(entry->packet + (entry->made_up ? UNNAMED_RANK : 0)));
}

/* `.unclaimed`, and the packets by their numbers in comments. */
static void put_gathered(const struct listing *listing, uint32_t index, unsigned count)
{
    char text[64];
    char *end = text_decimal(TEXT_LITERAL(text, ".unclaimed\t; "), count);
    end = TEXT_LITERAL(end, " packets, by their numbers:");
    afuc_listing_line(listing, index, text, (size_t)(end - text));
    for (unsigned packet = 0; packet < AFUC_TABLE_ENTRIES;) {
        char *start = listing_begin_line(listing, index), *at = start;
        if (!start)
            return;
        *at++ = ';';
        for (; packet < AFUC_TABLE_ENTRIES; packet++) {
            const struct entry_label *entry = gathered_entry(listing, packet);
            if (!entry)
                continue;
            if (at - start > 1 && at - start + entry->length >= GATHERED_WIDTH)
                break;
            *at++ = ' ';
            mark_packet(listing, entry, at);
            at = text_put(at, entry->name, entry->length);
        }
        if (at - start > 1) /* else all of them stand on the lines before */
            listing_end_line(listing, at);
    }
}

static void put_entries(const struct listing *listing, uint32_t index, unsigned *entry)
{
    unsigned first = *entry;
    while (*entry < listing->entry_count && listing->entries[*entry].handler == index)
        ++*entry;
    if (index == listing->gathered) {
        put_gathered(listing, index, *entry - first);
        return;
    }
    for (unsigned i = first; i < *entry; i++) {
        char text[GPUCODE_NAME_MAX + 1];
        char *end = text_put(text, listing->entries[i].name, listing->entries[i].length);
        *end = ':';
        afuc_listing_label(listing, index, GPUCODE_MARK_PACKET, text, (size_t)(end - text), (size_t)(end - text) + 1);
        isa_lines_rank(listing->list,
                       (uint16_t)(listing->entries[i].packet + (listing->entries[i].made_up ? UNNAMED_RANK : 0)));
        if (listing->named)
            put_plain_entry(listing, index, &listing->entries[i]);
    }
}

void afuc_listing_labels(const struct listing *listing, uint32_t index, unsigned *entry)
{
    char name[GPUCODE_NAME_MAX];
    uint8_t mark = listing->marks[index];
    bool handler = *entry < listing->entry_count && listing->entries[*entry].handler == index;
    bool named = listing->named && user_label(listing, index, 0, name);
    bool inner = (mark & (AFUC_MARK_CALLED | AFUC_MARK_BRANCHED)) == AFUC_MARK_BRANCHED;
    listing->list->begins = handler || mark & (AFUC_MARK_CALLED | AFUC_MARK_PREEMPT) || (named && !inner);
    if (!index && listing->places.start && !named)
        afuc_listing_label(listing, index, GPUCODE_MARK_BUILT_IN,
                           listing->named ? "l0:" : "start:", listing->named ? 2 : 5, listing->named ? 3 : 6);
    if (listing->list->begins && index)
        afuc_listing_line(listing, index, "", 0);
    put_entries(listing, index, entry);
    if (named) {
        afuc_listing_user_labels(listing, index);
        return;
    }
    if (mark & AFUC_MARK_PREEMPT)
        afuc_listing_label(listing, index, GPUCODE_MARK_BUILT_IN, "preempt:", 7, 8);
    if (mark & AFUC_MARK_CALLED)
        put_made_up(listing, index, GPUCODE_MARK_CALLED, "fxn");
    if (mark & AFUC_MARK_BRANCHED)
        put_made_up(listing, index, GPUCODE_MARK_BRANCHED, "l");
}

void afuc_places_begin(struct afuc_places *places, const struct gpucode_disasm_options *options, bool raw)
{
    *places = (struct afuc_places){.at = GPUCODE_NONE};
    if (raw || !options->constants)
        return;
    places->list = options->constants;
    places->count = options->constant_count;
    for (size_t i = 0; i < places->count; i++)
        if (places->list[i].kind == GPUCODE_CONSTANT_END)
            places->end = &places->list[i];
}

static void go_to(struct afuc_places *places, size_t index)
{
    /* sections in front of the first `.section` have no name that one could write */
    while (index < places->count && places->list[index].section == places->section && places->list[index].from_image &&
           !places->list[index].to_section)
        index++;
    bool more = index < places->count && places->list[index].section == places->section;
    places->next = more ? &places->list[index] : NULL;
    places->at = more ? places->next->at : GPUCODE_NONE;
}

void afuc_places_enter(struct afuc_places *places, unsigned number)
{
    size_t index = 0;
    places->section = number;
    places->start = false;
    for (size_t i = 0; i < places->count; i++)
        places->start |= places->list[i].kind == GPUCODE_CONSTANT_SECTION && places->list[i].to_section == number;
    while (index < places->count && places->list[index].section < number)
        index++;
    go_to(places, index);
}

void afuc_places_step(struct afuc_places *places)
{
    go_to(places, (size_t)(places->next - places->list) + 1);
}

const struct gpucode_code_constant *afuc_places_here(const struct afuc_places *places,
                                                     const struct gpucode_code_constant *after)
{
    const struct gpucode_code_constant *at = after ? after + 1 : places->list;
    for (; places->list && at < places->list + places->count; at++)
        if (at->to_section == places->section)
            return at;
    return NULL;
}

bool afuc_places_known(const struct afuc_places *places, const uint8_t *executed, uint32_t words, uint8_t **known)
{
    const struct gpucode_code_constant *constant = NULL;
    *known = NULL;
    if (!afuc_places_here(places, NULL))
        return true;
    *known = calloc((size_t)words + 1, 1);
    if (!*known)
        return false;
    if (executed)
        memcpy(*known, executed, words);
    while ((constant = afuc_places_here(places, constant))) {
        uint32_t count = constant->count ? constant->count : 1;
        if (constant->kind <= GPUCODE_CONSTANT_CODE && constant->to < words)
            memset(*known + constant->to, 1, count < words - constant->to ? count : words - constant->to);
    }
    return true;
}

char *afuc_put_place(char *start, char *end, const char *place, size_t length)
{
    char *number = end;
    while (number > start && !(number[0] == '0' && number[1] == 'x'))
        number--;
    char *rest = number + 2;
    while (rest < end && ((*rest >= '0' && *rest <= '9') || (*rest >= 'a' && *rest <= 'f')))
        rest++;
    memmove(number + length, rest, (size_t)(end - rest));
    memcpy(number, place, length);
    return number + length + (end - rest);
}
