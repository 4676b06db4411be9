/* SPDX-License-Identifier: MIT */
/* Whatever the bytes are, the units of an outline are these bytes, and stand in the text where they say. */
#include "assembling.h"

#include <dirent.h>
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
    assert_int_equal(gpucode_outline_near(outline, 0, 100, near, sizeof near), 0);
    assert_string_equal(near, "");
    assert_int_equal(gpucode_outline_near(NULL, 0, 0, near, sizeof near), 0);
    uint32_t count;
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

TESTS(outline, random_bytes, names, names_behind_target, pieces, vectors, nulls_are_refused)
