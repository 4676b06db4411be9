/* SPDX-License-Identifier: MIT */
/* Whatever the bytes are, the units of an outline are these bytes, and stand in the text where they say. */
#include "assembling.h"

#include <dirent.h>
#include <fnmatch.h>
#include <gpucode/outline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct seen {
    const struct gpucode_image *image;
    const struct gpucode_outline *outline;
    const char *text;
    size_t length;
    const struct gpucode_unit *units;
    const struct gpucode_mark *marks;
    uint32_t unit_count, mark_count;
};

/* Units one after the other are the file from byte `from` on. */
static void expect_image_bytes(const struct seen *seen, size_t from)
{
    size_t size, at = from;
    const unsigned char *bytes = gpucode_image_bytes(seen->image, &size);
    for (uint32_t i = 0; i < seen->unit_count; i++) {
        const struct gpucode_unit *unit = &seen->units[i];
        assert_true(unit->size && unit->size <= size - at);
        for (unsigned k = 0; k < unit->size; k++)
            assert_int_equal(bytes[at + k], unit->bits >> 8 * k & 0xff);
        at += unit->size;
    }
    assert_int_equal(at, size);
}

/* Every unit's span is in the text after those before it, and its line is a line. */
static void expect_spans(const struct seen *seen)
{
    size_t behind = 0;
    for (uint32_t i = 0; i < seen->unit_count; i++) {
        const struct gpucode_unit *unit = &seen->units[i];
        assert_true(unit->line == 0 || seen->text[unit->line - 1] == '\n');
        assert_true(unit->text.offset >= unit->line && unit->text.offset >= behind);
        behind = unit->text.offset + unit->text.length;
        assert_true(behind <= seen->length);
        assert_null(memchr(seen->text + unit->line, '\n', behind - unit->line));
        if (unit->comment.length)
            assert_true(unit->comment.offset > behind &&
                        seen->text[unit->comment.offset + unit->comment.length] == '\n');
        assert_true(unit->text.length || unit->kind == GPUCODE_UNIT_TABLE);
    }
}

static bool same_name(const struct seen *seen, const struct gpucode_mark *a, const struct gpucode_mark *b)
{
    return a->name.length == b->name.length &&
           memcmp(seen->text + a->name.offset, seen->text + b->name.offset, a->name.length) == 0;
}

/* Labels are unique in their section, belong to one unit, and are written with a colon. */
static void expect_labels(const struct seen *seen)
{
    uint32_t next = 0, first = 0;
    unsigned section = 0;
    for (uint32_t i = 0; i < seen->unit_count; i++) {
        const struct gpucode_unit *unit = &seen->units[i];
        if (unit->section != section)
            first = unit->first_label;
        section = unit->section;
        assert_int_equal(unit->first_label, next);
        next += unit->label_count;
        for (uint32_t k = unit->first_label; k < next; k++) {
            assert_int_equal(seen->text[seen->marks[k].name.offset + seen->marks[k].name.length], ':');
            for (uint32_t other = first; other < k; other++)
                assert_false(same_name(seen, &seen->marks[k], &seen->marks[other]));
        }
    }
    assert_int_equal(next, seen->mark_count);
}

/* The outline finds its units again, and its instructions are those of the decoder. */
static void expect_insns(const struct seen *seen)
{
    for (uint32_t i = 0; i < seen->unit_count; i++) {
        const struct gpucode_unit *unit = &seen->units[i];
        struct gpucode_insn kept, decoded;
        unsigned char bytes[8];
        size_t length;
        assert_int_equal(gpucode_outline_find(seen->outline, unit->section, unit->at), i);
        assert_int_equal(gpucode_outline_name(seen->outline, unit->section, unit->at, &length) != NULL,
                         unit->label_count != 0);
        /* a name and a distance, which lead back; a unit with a name that others than branches use is that name */
        char near[2 * GPUCODE_NAME_MAX], *plus;
        near[0] = 'x';
        length = gpucode_outline_near(seen->outline, unit->section, unit->at, near, sizeof near);
        assert_int_equal(length, strlen(near));
        plus = strchr(near, '+');
        bool is_named = false;
        for (uint32_t k = 0; k < unit->label_count; k++)
            is_named = is_named || seen->marks[unit->first_label + k].kind != GPUCODE_MARK_BRANCHED;
        assert_false(is_named && (!near[0] || plus));
        if (plus)
            assert_in_range(strtoull(plus + 1, NULL, 16), 1, unit->at);
        for (unsigned k = 0; k < 8; k++)
            bytes[k] = (unsigned char)(unit->bits >> 8 * k);
        if (unit->kind != GPUCODE_UNIT_CODE)
            continue;
        assert_true(gpucode_outline_insn(seen->outline, i, &kept));
        assert_int_equal(gpucode_decode(gpucode_image_info(seen->image)->target, bytes, unit->size, unit->at, &decoded),
                         GPUCODE_OK);
        assert_true(kept.row == decoded.row && kept.bits == decoded.bits && kept.size == decoded.size &&
                    kept.address == decoded.address && kept.exact == decoded.exact);
    }
}

static void expect_routines(const struct seen *seen)
{
    uint32_t count, behind = 0;
    const struct gpucode_routine *routines = gpucode_outline_routines(seen->outline, &count);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(routines[i].first >= behind && routines[i].count && *routines[i].name);
        behind = routines[i].first + routines[i].count;
        assert_true(behind <= seen->unit_count);
        assert_int_equal(seen->units[routines[i].first].routine, i);
    }
}

/* A text that comes in pieces, of which only so many are taken. */
struct pieces {
    char *text;
    size_t length;
    unsigned count, most;
};

static bool take_piece(void *user, const char *text, size_t length)
{
    struct pieces *pieces = user;
    assert_true(length > 0);
    if (pieces->count == pieces->most)
        return false;
    pieces->count++;
    pieces->text = realloc(pieces->text, pieces->length + length);
    assert_non_null(pieces->text);
    memcpy(pieces->text + pieces->length, text, length);
    pieces->length += length;
    return true;
}

/* In pieces it is the same text; returns how many there were. */
static unsigned expect_pieces(const struct gpucode_image *image, const struct gpucode_disasm_options *options,
                              const char *text, size_t length)
{
    struct pieces all = {.most = UINT32_MAX};
    assert_int_equal(gpucode_disassemble_to(image, options, take_piece, &all), GPUCODE_OK);
    assert_int_equal(all.length, length);
    assert_memory_equal(all.text, text, length);
    for (unsigned most = 0; most < all.count; most++) {
        struct pieces some = {.most = most};
        assert_int_equal(gpucode_disassemble_to(image, options, take_piece, &some), GPUCODE_ERROR_SPACE);
        assert_int_equal(some.count, most);
        assert_memory_equal(some.text ? some.text : "", text, some.length);
        free(some.text);
    }
    free(all.text);
    return all.count;
}

static void expect_outline(const struct gpucode_image *image, const struct gpucode_disasm_options *options)
{
    struct gpucode_outline *outline;
    struct seen seen = {.image = image};
    char *text;
    size_t length;
    assert_int_equal(gpucode_outline_create(image, options, &outline), GPUCODE_OK);
    assert_int_equal(gpucode_disassemble(image, options, &text, &length), GPUCODE_OK);
    seen.outline = outline;
    seen.text = gpucode_outline_text(outline, &seen.length);
    seen.units = gpucode_outline_units(outline, &seen.unit_count);
    seen.marks = gpucode_outline_marks(outline, &seen.mark_count);
    assert_int_equal(seen.length, length);
    assert_string_equal(seen.text, text);
    if (length)
        expect_pieces(image, options, text, length);
    free(text);
    bool whole = seen.unit_count && seen.units[0].unit == GPUCODE_NONE; /* begins with the prefix */
    expect_image_bytes(&seen, whole ? 0 : gpucode_image_info(image)->prefix);
    expect_spans(&seen);
    expect_labels(&seen);
    expect_insns(&seen);
    expect_routines(&seen);
    gpucode_outline_free(outline);
}

static void expect_file(const void *bytes, size_t size, const char *target)
{
    static const struct gpucode_disasm_options forms[] = {
        {0}, {.raw = true}, {.columns = true}, {.static_only = true}, {.expand = true, .cycles = true, .style = 1}};
    struct gpucode_image *image;
    const struct gpucode_image_options options = {.target = target_named(target)};
    if (gpucode_image_open(bytes, size, &options, &image) != GPUCODE_OK)
        return;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        expect_outline(image, &forms[i]);
    gpucode_image_free(image);
}

static void random_bytes(void)
{
    static const char *const targets[] = {"afuc:a530", "afuc:a630", "afuc:a730", "hwsq:g94", "a3xx", "data"};
    uint64_t random = 88172645463325252;
    unsigned char bytes[4099];
    for (unsigned round = 0; round < 12; round++)
        for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
            for (size_t k = 0; k < sizeof bytes; k++) {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                bytes[k] = (unsigned char)(round & 1 && k < 4 ? 0 : random >> 40);
            }
            expect_file(bytes, round * 341 + (round & 3), targets[i]);
        }
}

/* Texts of several windows. */
static void pieces(void)
{
    static const char *const targets[] = {"afuc:a630", "hwsq:g94", "a3xx", "data"};
    static unsigned char bytes[40000];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * i >> 7);
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        const struct gpucode_image_options options = {.target = target_named(targets[i])};
        const struct gpucode_disasm_options raw = {.raw = true};
        struct gpucode_image *image;
        char *text;
        size_t length;
        assert_int_equal(gpucode_image_open(bytes, sizeof bytes, &options, &image), GPUCODE_OK);
        assert_int_equal(gpucode_disassemble(image, &raw, &text, &length), GPUCODE_OK);
        assert_true(length > 70000);
        unsigned count = expect_pieces(image, &raw, text, length);
        assert_true(count > 1 || i == 2); /* A3XX: its first line is known last */
        assert_int_equal(gpucode_disassemble_to(NULL, &raw, take_piece, NULL), GPUCODE_ERROR_ARGUMENT);
        assert_int_equal(gpucode_disassemble_to(image, &raw, NULL, NULL), GPUCODE_ERROR_ARGUMENT);
        free(text);
        gpucode_image_free(image);
    }
}

/* Names of the caller's are marks of their own kind, and the best. */
static size_t label_at_two(void *user, unsigned section, uint64_t unit, unsigned index, char *text, size_t size)
{
    (void)user;
    if (section || unit != 2 || index || size < 4)
        return 0;
    memcpy(text, "here", 4);
    return 4;
}

/* One null among what is right is refused as well as all of them. */
static void nulls_are_refused(void)
{
    static const unsigned char bytes[8] = {0};
    const struct gpucode_image_options options = {.target = gpucode_target_find("data")};
    struct gpucode_image *image;
    char *text = NULL;
    size_t length = 0;
    assert_int_equal(gpucode_image_open(bytes, sizeof bytes, &options, &image), GPUCODE_OK);
    assert_int_equal(gpucode_disassemble(NULL, NULL, &text, &length), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_disassemble(image, NULL, NULL, &length), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_disassemble(image, NULL, &text, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_null(text);
    assert_int_equal(gpucode_outline_create(NULL, NULL, &(struct gpucode_outline *){NULL}), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_outline_create(image, NULL, NULL), GPUCODE_ERROR_ARGUMENT);
    struct gpucode_outline *outline;
    struct gpucode_insn insn;
    assert_int_equal(gpucode_outline_create(image, NULL, &outline), GPUCODE_OK);
    assert_false(gpucode_outline_insn(NULL, 0, &insn));
    assert_false(gpucode_outline_insn(outline, 1000, &insn));
    assert_false(gpucode_outline_insn(outline, 0, &insn)); /* a byte of data */
    assert_int_equal(gpucode_outline_find(outline, 1, 0), GPUCODE_NONE);
    assert_int_equal(gpucode_outline_find(outline, 0, 1000), GPUCODE_NONE);
    assert_int_equal(gpucode_outline_find(NULL, 0, 0), 0);
    /* what is counted may be wanted or not; of no outline there is nothing */
    uint32_t count = 7;
    assert_non_null(gpucode_outline_units(outline, NULL));
    assert_non_null(gpucode_outline_units(outline, &count));
    assert_in_range(count, 1, 8);
    assert_null(gpucode_outline_name(outline, 0, 0, NULL));
    assert_ptr_equal(gpucode_outline_routines(outline, NULL), gpucode_outline_routines(outline, &count));
    assert_ptr_equal(gpucode_outline_marks(outline, NULL), gpucode_outline_marks(outline, &count));
    assert_string_equal(gpucode_outline_text(outline, NULL), gpucode_outline_text(outline, &length));
    assert_int_equal(strlen(gpucode_outline_text(outline, NULL)), length);
    for (unsigned wanted = 0; wanted < 2; wanted++) {
        count = 7;
        length = 7;
        assert_null(gpucode_outline_text(NULL, wanted ? &length : NULL));
        assert_int_equal(length, wanted ? 0 : 7);
        length = 7;
        assert_null(gpucode_outline_name(NULL, 0, 0, wanted ? &length : NULL));
        assert_int_equal(length, wanted ? 0 : 7);
        assert_null(gpucode_outline_units(NULL, wanted ? &count : NULL));
        assert_int_equal(count, wanted ? 0 : 7);
        count = 7;
        assert_null(gpucode_outline_marks(NULL, wanted ? &count : NULL));
        assert_int_equal(count, wanted ? 0 : 7);
        count = 7;
        assert_null(gpucode_outline_routines(NULL, wanted ? &count : NULL));
        assert_int_equal(count, wanted ? 0 : 7);
    }
    uint8_t ran = 5;
    gpucode_machine_ran(NULL, image, &ran);
    assert_int_equal(ran, 5);
    gpucode_outline_free(outline);
    gpucode_image_free(image);
}

static void names(void)
{
    static const char text[] = "[016ee001]\n[01000000]\nback: add $02, $02, 0x1\njump #back\nnop\ncall #back\nnop\n";
    struct assembled made;
    struct gpucode_image *image;
    struct gpucode_outline *outline;
    const struct gpucode_disasm_options options = {.label = label_at_two};
    size_t length;
    assemble_text(&made, text, NULL);
    assert_int_equal(made.status, GPUCODE_OK);
    image = image_made(&made, NULL);
    assert_int_equal(gpucode_outline_create(image, NULL, &outline), GPUCODE_OK);
    const char *name = gpucode_outline_name(outline, 0, 2, &length);
    assert_true(length == 4 && memcmp(name, "fxn2", 4) == 0);
    assert_null(gpucode_outline_name(outline, 0, 3, &length));
    assert_int_equal(gpucode_outline_find(outline, 1, 0), GPUCODE_NONE);
    gpucode_outline_free(outline);
    expect_outline(image, &options);
    assert_int_equal(gpucode_outline_create(image, &options, &outline), GPUCODE_OK);
    name = gpucode_outline_name(outline, 0, 2, &length);
    assert_true(length == 4 && memcmp(name, "here", 4) == 0);
    char near[32];
    assert_int_equal(gpucode_outline_near(outline, 0, 2, near, sizeof near), 4);
    assert_string_equal(near, "here");
    assert_int_equal(gpucode_outline_near(outline, 0, 3, near, sizeof near), 8);
    assert_string_equal(near, "here+0x1");
    assert_int_equal(gpucode_outline_near(outline, 0, 3, near, 5), 4); /* cut, and ended by a zero */
    assert_string_equal(near, "here");
    assert_int_equal(gpucode_outline_near(outline, 0, 3, near, 8), 7);
    assert_string_equal(near, "here+0x");
    assert_int_equal(gpucode_outline_near(outline, 0, 3, near, 9), 8);
    assert_string_equal(near, "here+0x1");
    assert_int_equal(gpucode_outline_near(outline, 0, 3, near, 1), 0);
    assert_string_equal(near, "");
    assert_non_null(gpucode_outline_name(outline, 0, 2, NULL));
    assert_int_equal(gpucode_outline_near(outline, 0, 100, near, sizeof near), 0);
    assert_string_equal(near, "");
    assert_int_equal(gpucode_outline_near(NULL, 0, 0, near, sizeof near), 0);
    uint32_t count;
    struct gpucode_insn insn;
    gpucode_outline_units(outline, &count);
    assert_true(gpucode_outline_insn(outline, count - 1, &insn));
    assert_false(gpucode_outline_insn(outline, count, &insn));
    const struct gpucode_routine *routines = gpucode_outline_routines(outline, &count);
    assert_int_equal(count, 2);
    assert_string_equal(routines[1].name, "here");
    assert_string_equal(routines[1].symbol, "here");
    assert_null(routines[1].packet);
    gpucode_outline_free(outline);
    gpucode_image_free(image);
    gpucode_program_free(made.program);
}

/* The line that says the target stands in front of the first label as well. */
static void names_behind_target(void)
{
    static const char *const targets[] = {"a3xx", "mme:fermi"}, *const heads[] = {".target a3xx\n", ""};
    static const unsigned char bytes[32] = {0};
    for (unsigned i = 0; i < 2; i++) {
        const struct gpucode_disasm_options options = {.label = label_at_two};
        const struct gpucode_image_options how = {.target = target_named(targets[i])};
        struct gpucode_image *image;
        char *text;
        size_t length;
        assert_int_equal(gpucode_image_open(bytes, sizeof bytes, &how, &image), GPUCODE_OK);
        expect_outline(image, &options);
        assert_int_equal(gpucode_disassemble(image, &options, &text, &length), GPUCODE_OK);
        assert_memory_equal(text, heads[i], strlen(heads[i]));
        assert_non_null(strstr(text, "here:"));
        free(text);
        gpucode_image_free(image);
    }
}

/* --- patterns ---------------------------------------------------------------------------------------------------- */

struct matches {
    unsigned count, most;
    char bound[2 * GPUCODE_NAME_MAX]; /* what the first name of the first match stands for */
};

static bool take_match(void *user, const struct gpucode_match *match)
{
    struct matches *matches = user;
    if (!matches->count++ && match->bound_count)
        snprintf(matches->bound, sizeof matches->bound, "%s=%s", match->bound[0].name, match->bound[0].text);
    return matches->count < matches->most;
}

static void expect_matches(const struct gpucode_outline *outline, const char *target, const char *text, unsigned count,
                           const char *bound)
{
    struct gpucode_pattern *pattern;
    struct heard heard = {0};
    for (unsigned most = 1; most < 3; most++) {
        struct matches matches = {.most = most == 1 ? 1 : UINT32_MAX};
        assert_int_equal(
            gpucode_pattern_create(target_named(target), NULL, text, strlen(text), listen(&heard), &pattern),
            GPUCODE_OK);
        assert_int_equal(gpucode_outline_search(outline, pattern, take_match, &matches), GPUCODE_OK);
        if (most == 1 ? matches.count != (count > 0) : matches.count != count)
            fail_msg("'%s' has %u matches and not %u", text, matches.count, count);
        assert_string_equal(matches.bound, bound);
        gpucode_pattern_free(pattern);
    }
}

/* How often a pattern matches, up to the ends of what it may have; the search stops where it is told to. */
static void searches(void)
{
    static const struct {
        const char *target, *text;
        struct {
            const char *pattern;
            unsigned count;
            const char *bound;
        } rows[14];
    } codes[] = {
        {"afuc:a630",
         "mov $01, 0x5\nadd $02, $03, $02\nadd $04, $04, $05\nnop\n",
         {{"mov $a, *", 1, "$a=$01"},
          {"mov $z, *", 1, "$z=$01"},
          {"mov ?aAzZ_09, *", 1, "?aAzZ_09=$01"},
          {"mov ?Z, *", 1, "?Z=$01"},
          {"add ?x, *, ?x", 1, "?x=$02"},
          {"add $x, $x, *", 1, "$x=$04"},
          {"add", 2, ""},
          {"mov; ...0; add", 1, ""},
          {"mov; ...0; nop", 0, ""},
          {"mov; ...1; nop", 0, ""},
          {"mov; ...2; nop", 1, ""},
          {"mov; ...1024; nop", 1, ""}}},
        {"mme:fermi",
         ".target mme:fermi\nmov $r3 (add $r1 1)\nexit\nnop\nexit mov $r3 $r1\nmov $r4 $r3\n",
         {{"*", 5, ""}, {"exit", 2, ""}, {"mov", 3, ""}, {"mov $r3 *", 2, ""}, {"exit mov $r3 ?x", 1, "?x=$r1"}}},
    };
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        struct assembled made;
        struct gpucode_outline *outline;
        struct gpucode_pattern *pattern;
        assemble_text(&made, codes[i].text, codes[i].target);
        assert_int_equal(made.status, GPUCODE_OK);
        struct gpucode_image *image = image_made(&made, codes[i].target);
        assert_int_equal(gpucode_outline_create(image, NULL, &outline), GPUCODE_OK);
        for (size_t k = 0; k < 14 && codes[i].rows[k].pattern; k++)
            expect_matches(outline, codes[i].target, codes[i].rows[k].pattern, codes[i].rows[k].count,
                           codes[i].rows[k].bound);
        /* one null, and code of another set */
        struct gpucode_diagnostic_handler nobody = {0};
        assert_int_equal(gpucode_pattern_create(target_named("hwsq:g94"), NULL, "exit", 4, nobody, &pattern),
                         GPUCODE_OK);
        assert_int_equal(gpucode_outline_search(outline, pattern, take_match, NULL), GPUCODE_ERROR_ARGUMENT);
        gpucode_pattern_free(pattern);
        assert_int_equal(gpucode_pattern_create(target_named(codes[i].target), NULL, "nop", 3, nobody, &pattern),
                         GPUCODE_OK);
        assert_int_equal(gpucode_outline_search(NULL, pattern, take_match, NULL), GPUCODE_ERROR_ARGUMENT);
        assert_int_equal(gpucode_outline_search(outline, NULL, take_match, NULL), GPUCODE_ERROR_ARGUMENT);
        assert_int_equal(gpucode_outline_search(outline, pattern, NULL, NULL), GPUCODE_ERROR_ARGUMENT);
        gpucode_pattern_free(pattern);
        gpucode_outline_free(outline);
        gpucode_image_free(image);
        gpucode_program_free(made.program);
    }
}

/* Refused patterns are quoted up to 200 letters. */
static void wrong_patterns(void)
{
    const struct gpucode_target *target = target_named("afuc:a630");
    struct gpucode_pattern *pattern = NULL;
    static char letters[300];
    memset(letters, 'q', sizeof letters);
    for (unsigned length = 198; length < 300; length += length < 202 ? 1 : 90) {
        struct heard heard = {0};
        assert_int_equal(gpucode_pattern_create(target, NULL, letters, length, listen(&heard), &pattern),
                         GPUCODE_ERROR_INPUT);
        assert_null(pattern);
        const char *quote = strchr(heard.said[0].message, 'q');
        assert_non_null(quote);
        assert_int_equal(strspn(quote, "q"), length < 200 ? length : 200);
    }
    static const char *const wrong[][2] = {{"mov; ...1025; nop", "pattern-gap:1:6"},
                                           {"mov; ...x; nop", "pattern-gap:1:6"},
                                           {"", "pattern-empty:1:1"},
                                           {"...; ...1024", "pattern-empty:1:1"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct heard heard = {0};
        assert_int_equal(
            gpucode_pattern_create(target, NULL, wrong[i][0], strlen(wrong[i][0]), listen(&heard), &pattern),
            GPUCODE_ERROR_INPUT);
        assert_string_equal(heard_text(&heard), wrong[i][1]);
    }
    struct gpucode_diagnostic_handler nobody = {0};
    assert_int_equal(gpucode_pattern_create(NULL, NULL, "nop", 3, nobody, &pattern), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_pattern_create(target, NULL, "nop", 3, nobody, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_pattern_create(target, NULL, NULL, 3, nobody, &pattern), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_pattern_create(target, NULL, NULL, 0, nobody, &pattern), GPUCODE_ERROR_INPUT);
}

/* A label of as many letters as there is room for, at most as `user` says. */
static size_t long_label(void *user, unsigned section, uint64_t unit, unsigned index, char *text, size_t size)
{
    size_t length = *(const size_t *)user;
    if (section || unit != 2 || index || size < length)
        return 0;
    memset(text, 'q', length);
    return length;
}

/* Names stand for texts that are shorter than GPUCODE_NAME_MAX. */
static void long_names(void)
{
    struct assembled made;
    assemble_text(&made, "[016ee001]\n[01000000]\nback: add $02, $02, 0x1\njump #back\nnop\n", NULL);
    assert_int_equal(made.status, GPUCODE_OK);
    struct gpucode_image *image = image_made(&made, NULL);
    for (size_t length = 120; length < 131; length++) {
        const struct gpucode_disasm_options options = {.label = long_label, .user = &length};
        struct gpucode_outline *outline;
        size_t named;
        assert_int_equal(gpucode_outline_create(image, &options, &outline), GPUCODE_OK);
        assert_non_null(gpucode_outline_name(outline, 0, 2, &named));
        char bound[2 * GPUCODE_NAME_MAX] = "?x=#";
        if (named == length)
            memset(bound + 4, 'q', length);
        else
            strcpy(bound + 4, "l2");
        bool fits = strlen(bound + 3) < GPUCODE_NAME_MAX;
        expect_matches(outline, "afuc:a630", "jump ?x", fits, fits ? bound : "");
        expect_matches(outline, "afuc:a630", "jump *", 1, "");
        gpucode_outline_free(outline);
    }
    gpucode_image_free(image);
    gpucode_program_free(made.program);
}

/* A text of `letters`, which `number` says: all texts of up to some length are those of all numbers below a limit. */
static size_t counted_text(unsigned number, const char *letters, char *text)
{
    unsigned base = (unsigned)strlen(letters);
    size_t length = 0;
    for (; number; number = (number - 1) / base)
        text[length++] = letters[(number - 1) % base];
    text[length] = 0;
    return length;
}

/* Two labels where a branch leads, of the texts that the two numbers say. */
static size_t counted_label(void *user, unsigned section, uint64_t unit, unsigned index, char *text, size_t size)
{
    const unsigned *numbers = user;
    if (section || unit != 2 || index > 1 || size < 8)
        return 0;
    return counted_text(numbers[index], "aBb", text);
}

/* Words with stars fit the labels that fnmatch() says, whatever the case of letters, either of two at one place. */
static void stars_in_words(void)
{
    struct assembled made;
    assemble_text(&made, "[016ee001]\n[01000000]\nback: add $02, $02, 0x1\njump #back\nnop\n", NULL);
    assert_int_equal(made.status, GPUCODE_OK);
    struct gpucode_image *image = image_made(&made, NULL);
    static unsigned labels[][2] = {{1, 39}, {20, 6}, {35, 100}, {64, 12}, {50, 363}};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        const struct gpucode_disasm_options options = {.label = counted_label, .user = labels[i]};
        struct gpucode_outline *outline;
        char names[2][8], word[8] = "#", pattern[16];
        assert_int_equal(gpucode_outline_create(image, &options, &outline), GPUCODE_OK);
        counted_text(labels[i][0], "aBb", names[0]);
        counted_text(labels[i][1], "aBb", names[1]);
        for (unsigned number = 1; counted_text(number, "A*b", word + 1) < 6; number++) {
            bool fits =
                fnmatch(word + 1, names[0], FNM_CASEFOLD) == 0 || fnmatch(word + 1, names[1], FNM_CASEFOLD) == 0;
            snprintf(pattern, sizeof pattern, "jump %s", word);
            expect_matches(outline, "afuc:a630", pattern, fits, "");
        }
        gpucode_outline_free(outline);
    }
    gpucode_image_free(image);
    gpucode_program_free(made.program);
}

/* Leaves out each pair that has nothing between its two until there is none; the length that is left. */
static size_t without_pairs(char *text)
{
    for (size_t i = 0; text[i] && text[i + 1];) {
        bool pair =
            strncmp(text + i, "()", 2) == 0 || strncmp(text + i, "[]", 2) == 0 || strncmp(text + i, "{}", 2) == 0;
        if (pair)
            memmove(text + i, text + i + 2, strlen(text + i + 2) + 1);
        i = pair ? 0 : i + 1;
    }
    return strlen(text);
}

/* Brackets match or are refused, the whole step; so are words, of which there are at most 128. */
static void brackets(void)
{
    const struct gpucode_target *target = target_named("afuc:a630");
    char text[300], place[64];
    for (unsigned number = 1; counted_text(number, "()[]{}", text) < 6; number++) {
        struct gpucode_pattern *pattern;
        struct heard heard = {0};
        size_t length = strlen(text);
        enum gpucode_status status = gpucode_pattern_create(target, NULL, text, length, listen(&heard), &pattern);
        if (without_pairs(text)) {
            assert_int_equal(status, GPUCODE_ERROR_INPUT);
            assert_string_equal(heard_text(&heard), "pattern-bracket:1:1");
            assert_int_equal(heard.said[0].length, length);
        } else {
            assert_int_equal(status, GPUCODE_OK);
            assert_int_equal(heard.count, 0);
            gpucode_pattern_free(pattern);
        }
    }
    for (size_t deep = 62; deep < 66; deep++) {
        struct gpucode_pattern *pattern;
        for (unsigned more = 0; more < 2; more++) {
            struct heard heard = {0};
            memset(text, '[', deep);
            memset(text + deep, ']', deep + more);
            bool fits = 2 * deep + more <= 128;
            assert_int_equal(gpucode_pattern_create(target, NULL, text, 2 * deep + more, listen(&heard), &pattern),
                             fits && !more ? GPUCODE_OK : GPUCODE_ERROR_INPUT);
            snprintf(place, sizeof place, "pattern-%s:1:1", fits ? "bracket" : "long");
            assert_string_equal(heard_text(&heard), fits && !more ? "" : place);
            if (fits && !more)
                gpucode_pattern_free(pattern);
        }
    }
}

/* Files of a folder beside the project that end in `suffix`, where they are there. */
static unsigned expect_folder(const char *path, const char *suffix, const char *target)
{
    static unsigned char bytes[1 << 20];
    unsigned count = 0;
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char name[4096];
        size_t length = strlen(entry->d_name);
        if (length < strlen(suffix) || strcmp(entry->d_name + length - strlen(suffix), suffix) != 0)
            continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        FILE *file = fopen(name, "rb");
        if (!file)
            continue;
        expect_file(bytes, fread(bytes, 1, sizeof bytes, file), target);
        fclose(file);
        count++;
    }
    if (folder)
        closedir(folder);
    return count;
}

static void vectors(void)
{
    const char *given = getenv("GPUCODE_VECTORS");
    char root[2048], path[4096];
    snprintf(root, sizeof root, "%s", given ? given : SOURCE_ROOT "/../shared/vectors");
    snprintf(path, sizeof path, "%s/afuc/disassembly", root);
    unsigned count = expect_folder(path, ".fw", NULL);
    snprintf(path, sizeof path, "%s/afuc/synth-examples", root);
    count += expect_folder(path, ".fw", NULL);
    if (!count)
        print_message("skipped: no vectors\n");
}

TESTS(outline, random_bytes, names, names_behind_target, pieces, vectors, nulls_are_refused, searches, wrong_patterns,
      long_names, stars_in_words, brackets)
