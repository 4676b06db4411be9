/* SPDX-License-Identifier: MIT */
/* Text to instruction: the rows that have the mnemonic are tried in their order. */
#include "isa/scan.h"

#include <stdio.h>
#include <string.h>

#define MNEMONIC_MAX 32

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

/* The place of the mnemonic with exactly this text; null: there is none. */
static inline const struct isa_key_slot *find_spelt(const struct isa_row_set *set, const char *text, size_t length)
{
    const struct isa_key_slot *slot = isa_find_key(set, isa_key(text, length));
    if (!slot->mnemonic)
        return NULL;
    const struct isa_mnemonic *found = &set->mnemonics[slot->mnemonic - 1];
    bool same = found->length == length && (length <= ISA_KEY_BYTES || isa_same_text(found->text, text, length));
    return same ? slot : NULL;
}

const struct isa_mnemonic *isa_find_mnemonic(const struct isa *isa, const char *text, size_t length)
{
    const struct isa_row_set *set = isa->text.rows;
    char folded[MNEMONIC_MAX];
    if (isa->text.syntax.any_case && length <= sizeof folded) {
        for (size_t i = 0; i < length; i++)
            folded[i] = lower(text[i]);
        text = folded;
    }
    const struct isa_key_slot *slot = find_spelt(set, text, length);
    return slot ? &set->mnemonics[slot->mnemonic - 1] : NULL;
}

/* Moves over the word that the set allows in front of mnemonics, when another word follows on the line. */
static void skip_prefix_word(struct isa_scan *scan)
{
    const char *prefix = scan->isa->text.syntax.prefix, *start = scan->at;
    if (!prefix || !isa_take(scan, prefix))
        return;
    isa_skip_line(scan);
    if (!isa_name(scan))
        scan->at = start;
}

/* Looks ahead for the mnemonic after all prefixes; *length receives the length of the whole word. */
static const struct isa_mnemonic *scan_mnemonic(struct isa_scan *scan, const char **word, size_t *length)
{
    const char *start = scan->at;
    for (isa_skip(scan); scan->at < scan->end && *scan->at == '('; isa_skip(scan)) {
        const char *close = memchr(scan->at, ')', (size_t)(scan->end - scan->at));
        const char *newline = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
        if (!close || (newline && newline < close))
            break;
        scan->at = close + 1;
    }
    skip_prefix_word(scan);
    *word = scan->at;
    bool dot = scan->at < scan->end && *scan->at == '.'; /* notation of our own, ".insn" */
    scan->at += dot;
    *length = isa_name(scan);
    const char *end = scan->at + *length;
    scan->at = start;
    if (!*length)
        return NULL;
    while (end + 1 < scan->end && *end == '.' && isa_name_byte(end[1])) /* "add.f", "load.f8" */
        for (end++; end < scan->end && isa_name_byte(*end);)
            end++;
    *length = (size_t)(end - *word);
    for (size_t prefix = *length;;) {
        const struct isa_mnemonic *mnemonic = isa_find_mnemonic(scan->isa, *word, prefix);
        if (mnemonic)
            return mnemonic;
        while (prefix > 0 && (*word)[prefix - 1] != '.')
            prefix--;
        if (prefix-- == 0)
            return NULL;
    }
}

/* After modifiers in parentheses, each closed on its line, and white space. */
static const char *behind_modifiers(const char *at, const char *end)
{
    while (at < end && *at == '(') {
        const char *close = at + 1;
        while (close < end && *close != ')' && *close != '\n')
            close++;
        if (close == end || *close != ')')
            return at;
        for (at = close + 1; at < end && *at == ' ';)
            at++;
    }
    return at;
}

/*
 * The place of the mnemonic at `word` as listings have it: in lower case, the whole word with its parts after dots, or
 * the word up to a dot. *behind receives its end. Null where looking closer may find one all the same.
 */
static inline const struct isa_key_slot *plain_mnemonic(const struct isa_row_set *set, const char *word,
                                                        const char *end, const char **behind)
{
    const struct isa_key_slot *found =
        end - word >= ISA_KEY_BYTES ? isa_short_mnemonic(set, word, behind) : &(const struct isa_key_slot){0};
    if (found->mnemonic)
        return found;
    const char *at = word;
    while (at < end && (isa_name_byte(*at) || *at == '.'))
        at++;
    while (at > word) {
        *behind = at;
        found = find_spelt(set, word, (size_t)(at - word));
        if (found)
            return found;
        while (at > word && *--at != '.')
            continue;
    }
    return NULL;
}

#define LONGER_SHOWN 6

/* Offers the mnemonics that go on after a dot, as "add.f" after "add"; false: there are none. */
static bool offer_longer(const struct isa_row_set *set, const char *word, size_t length, char *hint, size_t room)
{
    unsigned found = 0;
    size_t used = (size_t)snprintf(hint, room, "did you mean ");
    for (unsigned i = 0; length && i < set->mnemonic_count && found < LONGER_SHOWN; i++) {
        const struct isa_mnemonic *mnemonic = &set->mnemonics[i];
        if (mnemonic->length <= length + 1 || memcmp(mnemonic->text, word, length) != 0 ||
            mnemonic->text[length] != '.' || used + mnemonic->length + 4 >= room)
            continue;
        used += (size_t)snprintf(hint + used, room - used, "%s%s", found++ ? ", " : "", mnemonic->text);
    }
    if (found)
        snprintf(hint + used, room - used, "?");
    return found;
}

/* The word in lower case; longer ones are cut. Returns its length. */
static size_t fold(char folded[MNEMONIC_MAX], const char *word, size_t length)
{
    size_t count = length < MNEMONIC_MAX ? length : MNEMONIC_MAX;
    for (size_t i = 0; i < count; i++)
        folded[i] = lower(word[i]);
    return count;
}

/* The mnemonic that a word in lower case is most like; null: none is like it. */
static const char *nearest_mnemonic(const struct isa_row_set *set, const char *word, size_t length)
{
    const char *nearest = NULL;
    unsigned best = (unsigned)(length < 30 ? length : 30) / 3 + 1;
    for (unsigned i = 0; i < set->mnemonic_count; i++) {
        unsigned distance = text_distance(word, length, set->mnemonics[i].text, set->mnemonics[i].length, best);
        if (distance < best) {
            best = distance;
            nearest = set->mnemonics[i].text;
        }
    }
    return nearest;
}

bool isa_suggest_mnemonic(const struct isa_row_set *set, const char *word, size_t length, char *hint, size_t room)
{
    char folded[MNEMONIC_MAX] = "";
    size_t folded_length = fold(folded, word, length);
    if (offer_longer(set, folded, folded_length, hint, room))
        return true;
    const char *nearest = nearest_mnemonic(set, folded, folded_length);
    if (nearest)
        snprintf(hint, room, "did you mean %s?", nearest);
    return nearest;
}

static __attribute__((noinline)) bool unknown_mnemonic(struct isa_scan *scan, const char *word, size_t length)
{
    if (!length) {
        scan->at = word;
        return isa_expected(scan, "an instruction");
    }
    const struct isa_row_set *set = scan->isa->text.rows;
    char folded[MNEMONIC_MAX] = "";
    size_t folded_length = fold(folded, word, length);
    const char *nearest = nearest_mnemonic(set, folded, folded_length);
    /* a name alone on its line is a label that lacks its colon */
    scan->at = word + length;
    isa_skip_line(scan);
    if (scan->at >= scan->end || *scan->at == '\n') {
        isa_skip(scan);
        if (nearest)
            snprintf(scan->hint, sizeof scan->hint, "or did you mean the instruction %s?", nearest);
        isa_fail(scan, scan->at, 1, MSG_LABEL_COLON, nearest ? scan->hint : NULL, word, (int)length, NULL);
        isa_mend(scan, MSG_LABEL_COLON, word + length, 0, ":");
        return false;
    }
    scan->at = word;
    for (const struct isa_later_name *later = scan->isa->text.later_names; later && later->mnemonic; later++) {
        size_t known = strlen(later->mnemonic);
        if (known <= length && memcmp(later->mnemonic, word, known) == 0 && (known == length || word[known] == '.')) {
            snprintf(scan->hint, sizeof scan->hint, "it exists on %s only", later->since);
            return isa_fail(scan, word, length, MSG_OTHER_GENERATION, scan->hint, later->mnemonic, -1,
                            scan->isa->targets.generations[scan->target->generation]);
        }
    }
    if (offer_longer(set, folded, folded_length, scan->hint, sizeof scan->hint))
        return isa_fail(scan, word, length, MSG_UNKNOWN_MNEMONIC, scan->hint, word, (int)length, NULL);
    return isa_fail_meant(scan, word, length, MSG_UNKNOWN_MNEMONIC, word, (int)length, NULL, nearest);
}

static bool other_generation(struct isa_scan *scan, const struct isa_mnemonic *mnemonic, const char *word)
{
    unsigned generations = 0;
    for (unsigned i = 0; i < mnemonic->row_count; i++)
        generations |= scan->isa->text.rows->rows[mnemonic->rows[i]].generations;
    size_t used = (size_t)snprintf(scan->hint, sizeof scan->hint, "it exists on");
    for (unsigned g = 0; scan->isa->targets.generations[g] && used < sizeof scan->hint; g++)
        if (generations >> g & 1)
            used +=
                (size_t)snprintf(scan->hint + used, sizeof scan->hint - used, " %s", scan->isa->targets.generations[g]);
    return isa_fail(scan, word, mnemonic->length, MSG_OTHER_GENERATION, scan->hint, mnemonic->text, -1,
                    scan->isa->targets.generations[scan->target->generation]);
}

static bool unexpected_modifier(struct isa_scan *scan, const char *mnemonic)
{
    const char *close = memchr(scan->at, ')', (size_t)(scan->end - scan->at));
    size_t length = close ? (size_t)(close - scan->at) + 1 : 1;
    return isa_fail(scan, scan->at, length, MSG_MODIFIER, NULL, scan->at, (int)length, mnemonic);
}

/* Length of the token at `at`: a name with the mark in front of it, or one character of punctuation. */
static size_t token_length(const char *at, const char *end)
{
    size_t length = end - at > 1 && (*at == '$' || *at == '#') ? 1 : 0;
    while (at + length < end && isa_name_byte(at[length]))
        length++;
    return length ? length : 1;
}

/* Does the text at the cursor begin with these bytes, in the cases that the instruction set allows? */
static bool begins_with(const struct isa_scan *scan, const char *literal, size_t length)
{
    if ((size_t)(scan->end - scan->at) < length)
        return false;
    if (memcmp(scan->at, literal, length) == 0)
        return true;
    if (!scan->isa->text.syntax.any_case)
        return false;
    for (size_t i = 0; i < length; i++)
        if (lower(scan->at[i]) != literal[i])
            return false;
    return true;
}

/*
 * Matches a literal of a row's text: a space in it stands for any white space, punctuation may have white space before
 * it. `named`: it ends in a byte of a name, and no other may follow. False and an error noted: something else stands
 * here.
 */
static bool isa_match_literal(struct isa_scan *scan, const char *literal, size_t length)
{
    const char *end = literal + length;
    isa_skip(scan);
    if ((size_t)(scan->end - scan->at) > length && memcmp(scan->at, literal, length) == 0 &&
        !(isa_name_byte(end[-1]) && isa_name_byte(scan->at[length]))) {
        scan->at += length;
        return true;
    }
    while (literal < end) {
        isa_skip(scan);
        if (*literal == ' ') {
            literal++;
            continue;
        }
        size_t token = token_length(literal, end);
        if (!begins_with(scan, literal, token) || (literal + token == end && isa_name_byte(end[-1]) &&
                                                   scan->at + token < scan->end && isa_name_byte(scan->at[token]))) {
            char what[72];
            if (scan->quiet)
                return false;
            snprintf(what, sizeof what, "'%.*s'", (int)(token < 64 ? token : 64), literal);
            return isa_expected(scan, what);
        }
        scan->at += token;
        literal += token;
    }
    return true;
}

const char *isa_read_literal_closely(const char *at, struct isa_scan *scan, const char *literal, size_t length)
{
    scan->at = at;
    return isa_match_literal(scan, literal, length) ? scan->at : NULL;
}

/* Tells who listens that the text ends where an element of a row would begin. */
static void tell_end(struct isa_scan *scan, const struct isa_row *row, unsigned element)
{
    if (!scan->listener || !scan->listener->expected)
        return;
    struct isa_scan ahead = *scan;
    isa_skip(&ahead);
    if (ahead.at == scan->end)
        scan->listener->expected(scan->user, row, element, scan->at, false);
}

/* The same where an operand that has begun should go on. */
static void tell_inside(struct isa_scan *scan, const struct isa_row *row, unsigned element, const char *start)
{
    if (!scan->listener || !scan->listener->expected || !scan->error.set || scan->error.at != scan->end)
        return;
    struct isa_scan ahead = *scan;
    ahead.at = start;
    isa_skip(&ahead);
    if (ahead.at < scan->end)
        scan->listener->expected(scan->user, row, element, ahead.at, true);
}

/* `word` is where the mnemonic stands; `old` its length when it is an old name, else 0. */
static bool match_row(struct isa_scan *scan, struct isa_build *build, const char *word, size_t old)
{
    const struct isa_row *row = build->row;
    for (unsigned e = 0; e < row->element_count; e++) {
        const struct isa_element *element = &row->elements[e];
        tell_end(scan, row, e);
        if (element->is_field) {
            const struct isa_field *field = &row->fields[element->index];
            const char *start = scan->at;
            if (!scan->isa->text.operand_classes[field->kind].parse(scan, build, field)) {
                tell_inside(scan, row, e, start);
                return false;
            }
            if (scan->pieces && scan->pieces->count < GPUCODE_FIELDS_MAX)
                scan->pieces->list[scan->pieces->count++] = (struct isa_word){field, start, scan->at};
        } else if (old && strncmp(element->literal, row->facts.mnemonic, strlen(row->facts.mnemonic)) == 0) {
            isa_skip(scan);
            if ((size_t)(scan->end - scan->at) < old || scan->at != word)
                return unexpected_modifier(scan, row->facts.mnemonic);
            scan->at += old;
        } else {
            isa_skip(scan);
            if (scan->at < word && scan->at < scan->end && *scan->at == '(')
                return unexpected_modifier(scan, row->facts.mnemonic);
            if (!isa_match_literal(scan, element->literal, element->length))
                return false;
        }
    }
    tell_end(scan, row, row->element_count);
    return true;
}

/*
 * Would the text be right without the modifiers in front of it? Then they are the mistake, whatever other rows of the
 * mnemonic stumbled over further on.
 */
static void blame_modifier(struct isa_scan *scan, struct isa_build *build, const struct isa_mnemonic *mnemonic,
                           const char *start, const char *word, size_t old)
{
    struct isa_scan plain = *scan;
    for (unsigned i = 0; i < mnemonic->row_count; i++) {
        const struct isa_row *row = &scan->isa->text.rows->rows[mnemonic->rows[i]];
        if (!(row->generations >> scan->target->generation & 1))
            continue;
        isa_begin_build(build, row);
        plain.at = word;
        if (!match_row(&plain, build, word, old))
            continue;
        isa_begin_build(build, row);
        plain = *scan;
        plain.error.set = false;
        plain.at = start;
        bool taken = match_row(&plain, build, word, old);
        const char *prefix = scan->isa->text.syntax.prefix;
        if (!taken && plain.error.message == MSG_MODIFIER) {
            scan->error = plain.error;
        } else if (!taken && prefix && *start != '(') { /* the word in front of it is not a modifier in parentheses */
            scan->error.set = false;
            isa_fail(scan, start, strlen(prefix), MSG_MODIFIER, NULL, prefix, -1, mnemonic->text);
        }
        return;
    }
}

/* Does nobody want to know of each word that is read? */
static bool can_be_quiet(const struct isa_scan *scan)
{
    return scan->isa->text.parse && !scan->pieces && !scan->listener;
}

/* What follows a mnemonic that ends like a name is not a part of a name. */
static const char *read_mnemonic(const char *at, struct isa_scan *scan, const char *mnemonic)
{
    size_t length = strlen(mnemonic);
    return isa_read_literal(at, scan, mnemonic, length, isa_name_byte(mnemonic[length - 1]));
}

/* The first row that takes the text; false, and nothing is noted, where none does or the set refuses it. */
static bool parse_rows(struct isa_scan *scan, struct isa_build *build, const uint16_t *number, const char *start)
{
    const struct isa_text *text = &scan->isa->text;
    for (; *number; number++) {
        const struct isa_row_parser *parser = &text->parse[*number - 1];
        const struct isa_row *row = &text->rows->rows[*number - 1];
        isa_begin_build(build, row);
        const char *end = parser->before(start, scan, build);
        if (end)
            end = read_mnemonic(end, scan, row->facts.mnemonic);
        if (end)
            end = parser->after(end, scan, build);
        if (!end)
            continue;
        scan->at = end;
        return isa_check(scan, build, start);
    }
    return false;
}

bool isa_parse_plain(struct isa_scan *scan, struct isa_build *build)
{
    const struct isa_row_set *set = scan->isa->text.rows;
    const char *start = scan->at, *word = behind_modifiers(start, scan->end), *behind;
    const struct isa_key_slot *slot = plain_mnemonic(set, word, scan->end, &behind);
    if (!slot)
        return false;
    const uint16_t *numbers = isa_rows_of(set, slot->first_list, scan->target->generation);
    return word == start ? isa_parse_behind(scan, build, numbers, start, behind)
                         : parse_rows(scan, build, numbers, start);
}

/* The same with all that is to be told: errors, and where the words stand. */
static bool parse_loudly(struct isa_scan *scan, struct isa_build *build, const struct isa_mnemonic *mnemonic,
                         const char *start, const char *word, size_t length, size_t old)
{
    bool any = false;
    for (unsigned i = 0; i < mnemonic->row_count; i++) {
        const struct isa_row *row = &scan->isa->text.rows->rows[mnemonic->rows[i]];
        if (!(row->generations >> scan->target->generation & 1))
            continue;
        any = true;
        scan->at = start;
        isa_begin_build(build, row);
        if (scan->listener)
            scan->listener->retry(scan->user);
        if (scan->pieces)
            *scan->pieces = (struct isa_words){.mnemonic = word, .mnemonic_length = length};
        if (match_row(scan, build, word, old))
            return isa_check(scan, build, start);
    }
    if (!any)
        return other_generation(scan, mnemonic, word);
    if (start < word)
        blame_modifier(scan, build, mnemonic, start, word, old);
    return false;
}

/* Is it the old name, alone or with parts after dots? */
static bool is_old_name(const char *old, const char *word, size_t length)
{
    size_t own = strlen(old);
    return own <= length && memcmp(old, word, own) == 0 && (own == length || word[own] == '.');
}

/* An instruction that is not written as listings write it, or wrong. */
static __attribute__((noinline)) bool parse_closely(struct isa_scan *scan, struct isa_build *build, const char *start)
{
    const char *word;
    size_t length, old = 0;
    scan->at = start;
    const struct isa_mnemonic *found = scan_mnemonic(scan, &word, &length);
    for (const struct isa_old_name *name = scan->isa->text.old_names; !found && name && name->old; name++)
        if (is_old_name(name->old, word, length)) {
            found = isa_find_mnemonic(scan->isa, name->mnemonic, strlen(name->mnemonic));
            old = strlen(name->old);
        }
    if (!length && word == scan->end && scan->listener && scan->listener->expected)
        scan->listener->expected(scan->user, NULL, 0, word, false);
    if (!found)
        return unknown_mnemonic(scan, word, length);
    if (!old && can_be_quiet(scan)) { /* in capitals, or after a prefix */
        scan->quiet = true;
        bool taken = parse_rows(scan, build,
                                isa_rows_of(scan->isa->text.rows, found->first_list, scan->target->generation), start);
        scan->quiet = false;
        if (taken)
            return true;
    }
    return parse_loudly(scan, build, found, start, word, length, old);
}

bool isa_parse(struct isa_scan *scan, struct isa_build *build)
{
    isa_skip(scan);
    const char *start = scan->at;
    bool quiet = can_be_quiet(scan) && !scan->isa->text.syntax.prefix;
    scan->quiet = quiet;
    bool taken = quiet && isa_parse_plain(scan, build);
    scan->quiet = false;
    return taken || parse_closely(scan, build, start);
}

/* --- one instruction, for the public interface ------------------------------------------------------- */

struct resolver {
    const struct gpucode_parse_options *options;
    const struct isa *isa;
};

static int resolve(void *user, const char *name, size_t length, int64_t *value, bool *is_address)
{
    const struct resolver *resolver = user;
    if (resolver->options->symbol && resolver->options->symbol(resolver->options->user, name, length, value)) {
        *is_address = true;
        return 1;
    }
    if (resolver->isa->text.default_label && resolver->isa->text.default_label(name, length, value)) {
        *is_address = true;
        return 1;
    }
    return -1;
}

enum gpucode_status gpucode_parse(const struct gpucode_target *target, const char *text, size_t length,
                                  const struct gpucode_parse_options *options, struct gpucode_insn *insn)
{
    static const struct gpucode_parse_options defaults;
    if (!target || !insn || (!text && length))
        return GPUCODE_ERROR_ARGUMENT;
    if (!options)
        options = &defaults;
    if (!text)
        text = "";
    struct resolver resolver = {options, target->isa};
    struct isa_scan scan = {
        .at = text,
        .end = text + length,
        .isa = target->isa,
        .target = target,
        .names = options->names,
        .address = options->address,
        .symbol = resolve,
        .user = &resolver,
    };
    struct isa_build build;
    bool good = isa_parse(&scan, &build);
    if (good) {
        isa_skip(&scan);
        if (target->isa->text.syntax.separator && scan.at < scan.end && *scan.at == target->isa->text.syntax.separator)
            scan.at++;
        isa_skip(&scan);
        isa_skip_hash(&scan);
        if (scan.at < scan.end && *scan.at != '\n')
            good = isa_expected(&scan, "the end of the line");
    }
    if (!good) {
        isa_report(&scan.error, &options->on_diagnostic, options->file, text, length, 1);
        return GPUCODE_ERROR_INPUT;
    }
    if (scan.note.set)
        isa_report(&scan.note, &options->on_diagnostic, options->file, text, length, 1);
    /* old flag operands can turn one instruction into another */
    int row = isa_row_of(target, build.bits);
    *insn = (struct gpucode_insn){
        .target = target,
        .bits = build.bits,
        .address = options->address,
        .row = (uint16_t)(row < 0 ? build.row - target->isa->text.rows->rows : row),
        .size = build.row->facts.size,
        .exact = true,
    };
    return GPUCODE_OK;
}
