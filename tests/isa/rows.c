/* SPDX-License-Identifier: MIT */
/*
 * The rows of every instruction set, checked from the bit patterns as they are written: which bits decide, are
 * ignored or belong to a field, which rows overlap, and that texts bring words back at every boundary of every field.
 */
#include "assembling.h"

#include "isa/isa.h"
#include <stdio.h>
#include <string.h>

/* A row read from its pattern alone, by this test. */
struct pattern {
    uint64_t mask, match, ignored;
    uint64_t letters[128];   /* bits of each field */
    uint8_t places[128][64]; /* bit positions of each field, the highest first */
    uint8_t widths[128];
    unsigned bits;
};

/*
 * Rows that win over each other one that explains a word, too, in the order in which they do: the encoding of ir3 has
 * words with two meanings. As large as can be for all other rows.
 */
static unsigned precedence(const struct gpucode_target *target, const char *id)
{
    static const char *const first[] = {"MOVA_R", "MOVA_R_GPR", "MOVS", "MOVS_A0", "LDIB_B", "STIB_B"};
    unsigned i = 0, count = sizeof first / sizeof *first;
    while (i < count && strcmp(first[i], id) != 0)
        i++;
    return strcmp(gpucode_target_isa(target), "ir3") == 0 ? i : count;
}

static struct pattern read_pattern(const struct gpucode_row *row)
{
    struct pattern p = {0};
    for (const char *at = row->bits; *at; at++)
        p.bits += *at != ' ';
    unsigned bit = p.bits;
    for (const char *at = row->bits; *at; at++) {
        if (*at == ' ')
            continue;
        bit--;
        uint64_t one = UINT64_C(1) << bit;
        if (*at == '0' || *at == '1') {
            p.mask |= one;
            p.match |= *at == '1' ? one : 0;
        } else if (*at == '-') {
            p.ignored |= one;
        } else {
            p.letters[(unsigned char)*at] |= one;
            p.places[(unsigned char)*at][p.widths[(unsigned char)*at]++] = (uint8_t)bit;
        }
    }
    return p;
}

/* Each generation of each instruction set once. */
static const struct gpucode_target *generation_at(unsigned *at)
{
    const struct gpucode_target *target;
    while ((target = gpucode_target_at((*at)++))) {
        bool first = true;
        const struct gpucode_target *other;
        for (unsigned i = 0; (other = gpucode_target_at(i)) && other != target; i++)
            first = first && (other->isa != target->isa || other->generation != target->generation);
        if (first)
            return target;
    }
    return NULL;
}

static void bits_are_owned(void)
{
    const struct gpucode_target *target;
    unsigned rows = 0;
    for (unsigned at = 0; (target = generation_at(&at));)
        for (unsigned i = 0; i < gpucode_row_count(target); i++) {
            struct gpucode_row row;
            assert_true(gpucode_row(target, i, &row));
            struct pattern p = read_pattern(&row);
            assert_int_equal(p.bits, 8u * row.size);
            assert_true(row.mask == p.mask && row.match == p.match && row.ignored == p.ignored);
            uint64_t owned = p.mask | p.ignored;
            for (unsigned letter = 0; letter < 128; letter++) {
                assert_true((owned & p.letters[letter]) == 0);
                owned |= p.letters[letter];
            }
            assert_true(owned == ~UINT64_C(0) >> (64 - p.bits));
            assert_true(row.id[0] && row.mnemonic[0] && row.doc[0] && row.source[0] && row.action[0]);
            rows++;
        }
    assert_true(rows > 300);
}

/* Every field stands where its letters do: setting one bit of it sets that bit of the word and no other. */
static void fields_are_their_letters(void)
{
    const struct gpucode_target *target;
    for (unsigned at = 0; (target = generation_at(&at));)
        for (unsigned i = 0; i < gpucode_row_count(target); i++) {
            struct gpucode_row row;
            struct gpucode_insn insn;
            gpucode_row(target, i, &row);
            if (!gpucode_row_on_target(target, i)) {
                assert_int_equal(gpucode_insn_init(target, i, &insn), GPUCODE_ERROR_ARGUMENT);
                continue;
            }
            struct pattern p = read_pattern(&row);
            p.widths['.'] = 0; /* bits of operands that other letters stand for */
            for (unsigned letter = 0; letter < 128; letter++)
                for (unsigned k = 0; k < p.widths[letter]; k++) {
                    assert_int_equal(gpucode_insn_init(target, i, &insn), GPUCODE_OK);
                    assert_int_equal(gpucode_insn_set(&insn, (char)letter, UINT64_C(1) << k), GPUCODE_OK);
                    unsigned place = p.places[letter][p.widths[letter] - 1 - k];
                    assert_true(insn.bits == (p.match | UINT64_C(1) << place));
                    if (p.widths[letter] < 64)
                        assert_int_equal(gpucode_insn_set(&insn, (char)letter, UINT64_C(1) << p.widths[letter]),
                                         GPUCODE_ERROR_RANGE);
                }
            assert_int_equal(gpucode_insn_set(&insn, '?', 0), GPUCODE_ERROR_ARGUMENT);
        }
}

static void overlaps_are_special_cases(void)
{
    const struct gpucode_target *target;
    unsigned overlaps = 0;
    for (unsigned at = 0; (target = generation_at(&at));)
        for (unsigned i = 0; i < gpucode_row_count(target); i++)
            for (unsigned k = 0; k < i; k++) {
                struct gpucode_row a, b;
                gpucode_row(target, i, &a);
                gpucode_row(target, k, &b);
                if (a.size != b.size || !gpucode_row_on_target(target, i) || !gpucode_row_on_target(target, k) ||
                    ((a.match ^ b.match) & a.mask & b.mask))
                    continue;
                bool a_special = (a.mask & b.mask) == b.mask && a.mask != b.mask;
                bool b_special = (a.mask & b.mask) == a.mask && a.mask != b.mask;
                unsigned a_place = precedence(target, a.id), b_place = precedence(target, b.id);
                if (!a_special && !b_special && a_place == b_place)
                    fail_msg("%s: %s and %s overlap", target->name, a.id, b.id);
                uint64_t word = a.match | b.match;
                struct gpucode_insn insn;
                unsigned char bytes[8];
                for (unsigned byte = 0; byte < 8; byte++)
                    bytes[byte] = (unsigned char)(word >> 8 * byte);
                assert_int_equal(gpucode_decode(target, bytes, a.size, 0, &insn), GPUCODE_OK);
                struct gpucode_row won;
                gpucode_row(target, insn.row, &won);
                if (a_place == b_place)
                    assert_true((won.mask & (a.mask | b.mask)) == (a.mask | b.mask));
                else
                    assert_true(precedence(target, won.id) <= (a_place < b_place ? a_place : b_place));
                overlaps++;
            }
    assert_true(overlaps > 0);
}

static bool wins(const struct gpucode_target *target, const struct gpucode_row *row, const struct gpucode_row *best)
{
    unsigned place = precedence(target, row->id), other = precedence(target, best->id);
    return place != other ? place < other : (row->mask & best->mask) == best->mask && row->mask != best->mask;
}

/* Decoding is the tree's answer; a scan over all rows must agree. */
static void decoding_agrees_with_a_scan(void)
{
    const struct gpucode_target *target;
    uint64_t random = 20240229;
    for (unsigned at = 0; (target = generation_at(&at));) {
        unsigned count = gpucode_row_count(target);
        for (unsigned n = 0; n < test_rounds(40000, 200000); n++) {
            struct gpucode_row row, best = {0};
            uint64_t word = (uint64_t)next_random(&random) << 32 | next_random(&random);
            if (n % 2 && count) { /* near a row */
                unsigned picked = next_random(&random) % count;
                gpucode_row(target, picked, &row);
                word = (word & ~row.mask) | row.match;
                if (n % 4 == 1)
                    word ^= UINT64_C(1) << next_random(&random) % (8 * row.size);
            }
            int expected = -1;
            if (n % 64 < 2) { /* the scan is slow */
                for (unsigned i = 0; i < count; i++)
                    if (gpucode_row_on_target(target, i) && gpucode_row(target, i, &row) &&
                        (word & row.mask) == row.match && (expected < 0 || wins(target, &row, &best))) {
                        expected = (int)i;
                        best = row;
                    }
                assert_int_equal(isa_decode_row(target->isa->text.rows, target->generation, word), expected);
            }
        }
    }
}

/* Address of the instruction: branches go back and forth from here without leaving the code. */
#define HERE 40000

struct tally {
    unsigned back, lossy;
};

/* An AFUC word that text cannot bring back: what the manual of the text says, not what the code asks. */
static bool is_lossy(const struct gpucode_insn *insn, const struct gpucode_row *row)
{
    return strchr(row->bits, 'f') || strchr(row->bits, 'g') ? (insn->bits >> 25 & 1) : false;
}

static void check_word(const struct gpucode_target *target, uint64_t word, unsigned size, struct tally *tally)
{
    unsigned char bytes[8], back[8];
    for (unsigned i = 0; i < size; i++)
        bytes[i] = (unsigned char)(word >> 8 * i);
    struct gpucode_insn insn, again;
    struct gpucode_row row;
    assert_int_equal(gpucode_decode(target, bytes, size, HERE, &insn), GPUCODE_OK);
    assert_true(gpucode_row(target, insn.row, &row));
    assert_int_equal(insn.exact, (word & row.ignored) == 0);
    for (unsigned style = 0; style < 2; style++) { /* with and without the comment */
        char text[GPUCODE_TEXT_MAX];
        size_t length;
        struct gpucode_format_options format = {.comments = style};
        assert_int_equal(gpucode_format(&insn, &format, text, sizeof text - 16, &length), GPUCODE_OK);
        assert_int_equal(strlen(text), length);
        /* reversed bit fields need a mark, so that nobody writes one by mistake */
        bool reversed =
            (strcmp(row.mnemonic, "ubfx") == 0 || strcmp(row.mnemonic, "bfi") == 0) && (word & 31) > (word >> 5 & 31);
        struct heard heard;
        struct gpucode_parse_options parse = {.on_diagnostic = listen(&heard), .address = HERE};
        enum gpucode_status status = gpucode_parse(target, text, length, &parse, &again);
        if (reversed) {
            assert_int_equal(status, GPUCODE_ERROR_INPUT);
            assert_string_equal(heard.said[0].code, "afuc-reversed");
            strcpy(text + length, "\t;! reversed");
            status = gpucode_parse(target, text, strlen(text), &parse, &again);
        }
        if (is_lossy(&insn, &row)) {
            assert_int_equal(status, GPUCODE_ERROR_INPUT);
            tally->lossy++;
            continue;
        }
        if (status != GPUCODE_OK)
            fail_msg("%s: %08llx '%s' is refused: %s", target->name, (unsigned long long)word, text,
                     heard.said[0].message);
        if (again.bits != (word & ~row.ignored) || again.row != insn.row)
            fail_msg("%s: %08llx '%s' becomes %08llx", target->name, (unsigned long long)word, text,
                     (unsigned long long)again.bits);
        size_t needed;
        assert_int_equal(gpucode_encode(&again, back, sizeof back, &needed), GPUCODE_OK);
        assert_int_equal(needed, size);
        if (insn.exact)
            assert_memory_equal(back, bytes, size);
        tally->back++;
    }
}

/* Each field at its smallest, its largest and with each single bit, the others empty, full or random. */
static void texts_bring_words_back(void)
{
    const struct gpucode_target *target;
    uint64_t random = 7;
    struct tally tally = {0};
    for (unsigned at = 0; (target = gpucode_target_at(at)); at++) {
        if (strcmp(gpucode_target_isa(target), "afuc") != 0)
            continue; /* the other sets have tests of their own: not all of their texts stand alone */
        for (unsigned i = 0; i < gpucode_row_count(target); i++) {
            if (!gpucode_row_on_target(target, i))
                continue;
            struct gpucode_row row;
            gpucode_row(target, i, &row);
            struct pattern p = read_pattern(&row);
            uint64_t free_bits = ~(p.mask | p.ignored) & 0xffffffff;
            check_word(target, p.match, row.size, &tally);
            check_word(target, p.match | free_bits, row.size, &tally);
            for (unsigned bit = 0; bit < p.bits; bit++) /* ignored bits one by one: told as not exact */
                if (p.ignored >> bit & 1)
                    check_word(target, p.match | UINT64_C(1) << bit, row.size, &tally);
            for (unsigned letter = 0; letter < 128; letter++) {
                if (!p.letters[letter])
                    continue;
                for (unsigned others = 0; others < 4; others++) {
                    uint64_t rest = others == 0 ? 0 : others == 1 ? free_bits : next_random(&random) & free_bits;
                    rest &= ~p.letters[letter];
                    check_word(target, p.match | rest, row.size, &tally);
                    check_word(target, p.match | rest | p.letters[letter], row.size, &tally);
                    for (unsigned k = 0; k < p.widths[letter]; k++) {
                        uint64_t one = UINT64_C(1) << p.places[letter][k];
                        check_word(target, p.match | rest | one, row.size, &tally);
                        check_word(target, p.match | rest | (p.letters[letter] & ~one), row.size, &tally);
                    }
                }
            }
        }
    }
    assert_true(tally.back > 100000 && tally.lossy > 1000);
}

/* All register numbers that an address can have, on every target. */
static void names_bring_numbers_back(void)
{
    const struct gpucode_target *target;
    struct tally tally = {0};
    for (unsigned at = 0; (target = gpucode_target_at(at)); at++) {
        if (strcmp(gpucode_target_isa(target), "afuc") != 0)
            continue;
        bool a5 = strcmp(gpucode_target_generation(target), "a5xx") == 0;
        for (uint32_t number = 0; number < 0x1000; number++) {
            check_word(target, (a5 ? 0xa8628000 : 0xa8620000) | number, 4, &tally);
            check_word(target, (a5 ? 0xb0628000 : 0xb8620000) | number, 4, &tally);
            if (!a5)
                check_word(target, 0xb8628000 | number, 4, &tally);
        }
    }
    assert_true(tally.back > 100000);
}

static const char *accuracy_of(const struct gpucode_target *target, const char *id)
{
    struct gpucode_row row;
    for (unsigned i = 0; gpucode_row(target, i, &row); i++)
        if (strcmp(row.id, id) == 0)
            return gpucode_row_accuracy(target, i);
    fail_msg("%s has no row %s", gpucode_target_name(target), id);
    return NULL;
}

/* Each row of shaders says how near its result is, which its action does: a name that nobody has looked at shows here.
 */
static void accuracies_are_told(void)
{
    static const char *const sets[] = {"a3xx", "ir3:a6xx"};
    struct gpucode_row row;
    for (unsigned k = 0; k < 2; k++) {
        const struct gpucode_target *target = target_named(sets[k]);
        for (unsigned i = 0; gpucode_row(target, i, &row); i++)
            if (!gpucode_row_accuracy(target, i))
                fail_msg("%s: nothing is said of how exact %s is: %s", sets[k], row.id, row.action);
        assert_null(gpucode_row_accuracy(target, gpucode_row_count(target)));
        assert_string_equal(accuracy_of(target, "ADD_U"), "exact, by what the operation is");
        assert_string_equal(accuracy_of(target, "MSAD"), "not known: the machine stops");
        assert_non_null(strstr(accuracy_of(target, "MUL_F"), "within 0.5 units in the last place"));
        assert_non_null(strstr(accuracy_of(target, "MAD_F32"), "the product and the sum each within 0.5"));
        assert_non_null(strstr(accuracy_of(target, "RCP"), "within 0.51 units in the last place"));
        assert_non_null(strstr(accuracy_of(target, "DSX"), "a difference"));
        assert_non_null(strstr(accuracy_of(target, "SAM"), "not known"));
    }
    assert_null(gpucode_row_accuracy(target_named("afuc:a6xx"), 1));
    assert_null(gpucode_row_accuracy(NULL, 0));
}

/* The names of the instructions that a target has, each once; returns how many. */
static unsigned mnemonics_of(const struct gpucode_target *target, const char **names, unsigned most)
{
    unsigned count = 0;
    for (unsigned i = 0; i < gpucode_row_count(target); i++) {
        struct gpucode_row row;
        gpucode_row(target, i, &row);
        unsigned k = 0;
        while (k < count && strcmp(names[k], row.mnemonic) != 0)
            k++;
        if (k == count && gpucode_row_on_target(target, i) && count < most)
            names[count++] = row.mnemonic;
    }
    return count;
}

static void later_firmware_keeps_instructions(void)
{
    const char *old[256], *new[256];
    unsigned before = mnemonics_of(gpucode_target_find("afuc:a5xx"), old, 256);
    unsigned after = mnemonics_of(gpucode_target_find("afuc:a6xx"), new, 256);
    assert_true(before > 30);
    assert_true(after > before);
    for (unsigned i = 0; i < before; i++) {
        unsigned k = 0;
        while (k < after && strcmp(old[i], new[k]) != 0)
            k++;
        if (k == after && strcmp(old[i], "jumpa") != 0) /* the one that is gone */
            fail_msg("a6xx has no %s", old[i]);
    }
}

TESTS(rows, accuracies_are_told, bits_are_owned, fields_are_their_letters, overlaps_are_special_cases,
      decoding_agrees_with_a_scan, texts_bring_words_back, names_bring_numbers_back,
      later_firmware_keeps_instructions)
