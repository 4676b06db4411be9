/* SPDX-License-Identifier: MIT */
/*
 * Functions that write into room of the caller's, with any size of it: what they write ends where the room does, at a
 * page that nobody may touch, and is what they write where there is more. Words that they read end there too.
 */
#include "assembling.h"
#include "ends.h"
#include "guarded.h"

#include "isa/isa.h"

#include <gpucode/analysis.h>
#include <gpucode/crash.h>
#include <gpucode/debug.h>
#include <gpucode/fields.h>
#include <gpucode/fuzz.h>
#include <gpucode/machine.h>
#include <gpucode/names.h>
#include <gpucode/outline.h>
#include <gpucode/source.h>
#include <gpucode/symbols.h>
#include <stdlib.h>
#include <string.h>

#define WHOLE 2048
#define MARK 0x5a

/* Returns how long the text is, or how many elements there are. */
typedef size_t writer(const void *user, void *to, size_t room);

/* What becomes of a text for which there is no room: nothing is written, or it is cut and ends with a zero. TOLD: and
 * what is left is told, not the whole. */
enum lack { NOTHING, CUT, TOLD };

/* From `least` bytes on all of the text is there, with `zero` bytes after it. */
static void text_fits(writer *write, const void *user, enum lack lack, size_t least, size_t zero)
{
    struct guarded memory = guarded_memory(WHOLE + 1);
    char whole[WHOLE] = "";
    size_t length = write(user, whole, sizeof whole);
    assert_non_null(memory.begin);
    assert_int_not_equal(length, 0);
    assert_in_range(length + zero, 1, sizeof whole);
    least = least ? least : length + zero;
    for (size_t room = 0; room <= least + 1; room++) {
        char *to = memory.end - room;
        memset(memory.begin, MARK, (size_t)(memory.end - memory.begin));
        size_t got = write(user, to, room);
        assert_int_equal(to[-1], MARK);
        if (room >= least) {
            assert_int_equal(got, length);
            assert_memory_equal(to, whole, length + zero);
        } else if (lack == NOTHING) {
            assert_int_equal(got, 0);
        } else if (room) {
            size_t kept = strnlen(to, room);
            assert_true(kept < room);
            assert_memory_equal(to, whole, kept);
            assert_true(lack == CUT || got == kept);
        }
    }
    guarded_free(&memory);
}

/* Elements of `size` bytes: as many as there is room for, and their number in any case. */
static void elements_fit(writer *write, const void *user, size_t size)
{
    struct guarded memory = guarded_memory(64 * size);
    assert_non_null(memory.begin);
    size_t count = write(user, memory.begin, 64);
    assert_true(count > 0 && count < 64);
    for (size_t room = 0; room <= count; room++) {
        assert_int_equal(write(user, memory.end - room * size, room), count);
        memset(memory.begin, MARK, 64 * size);
        write(user, memory.begin, room);
        size_t end = 64 * size;
        while (end && memory.begin[end - 1] == MARK)
            end--;
        assert_int_equal((end + size - 1) / size, room);
    }
    guarded_free(&memory);
}

/* --- instructions ------------------------------------------------------------------------------------------------- */

static size_t write_insn(const void *user, void *to, size_t room)
{
    size_t needed = 0;
    enum gpucode_status status = gpucode_format(user, NULL, to, room, &needed);
    assert_int_equal(status, needed < room ? GPUCODE_OK : GPUCODE_ERROR_SPACE);
    return status == GPUCODE_OK ? needed : 0;
}

static size_t write_bytes(const void *user, void *to, size_t room)
{
    size_t needed = 0;
    enum gpucode_status status = gpucode_encode(user, to, room, &needed);
    assert_int_equal(status, needed <= room ? GPUCODE_OK : GPUCODE_ERROR_SPACE);
    return status == GPUCODE_OK ? needed : 0;
}

static size_t write_operands(const void *user, void *to, size_t room)
{
    return gpucode_insn_operands(user, NULL, to, (unsigned)room);
}

static size_t write_effects(const void *user, void *to, size_t room)
{
    return gpucode_insn_effects(user, to, (unsigned)room);
}

/* One of each row of each generation, and its bytes, which are decoded where they end. */
static void instructions(void)
{
    uint64_t random = 20261130;
    const struct gpucode_target *target;
    struct guarded memory = guarded_memory(8);
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++) {
        for (unsigned at = 0; target->is_generation && at < gpucode_row_count(target); at++) {
            struct gpucode_row row;
            struct gpucode_insn insn;
            if (!gpucode_row_on_target(target, at) || !gpucode_row(target, at, &row))
                continue;
            uint64_t word = (uint64_t)next_random(&random) << 32 | next_random(&random);
            word = (word & ~row.mask & ~row.ignored) | row.match;
            unsigned char bytes[8] = {0};
            for (unsigned k = 0; k < row.size; k++)
                bytes[k] = (unsigned char)(word >> 8 * k);
            for (unsigned size = 0; size < row.size; size++)
                assert_int_not_equal(gpucode_decode(target, guarded_end(&memory, bytes, size), size, 0, &insn),
                                     GPUCODE_OK);
            bool good = gpucode_decode(target, bytes, sizeof bytes, 0, &insn) == GPUCODE_OK;
            if (!good || insn.size != row.size)
                continue;
            assert_int_equal(gpucode_decode(target, guarded_end(&memory, bytes, row.size), row.size, 0, &insn),
                             GPUCODE_OK);
            text_fits(write_insn, &insn, NOTHING, 0, 1);
            text_fits(write_bytes, &insn, NOTHING, 0, 0);
            if (gpucode_insn_operands(&insn, NULL, NULL, 0))
                elements_fit(write_operands, &insn, sizeof(struct gpucode_operand));
            if (gpucode_insn_effects(&insn, NULL, 0))
                elements_fit(write_effects, &insn, sizeof(struct gpucode_effect));
        }
    }
    guarded_free(&memory);
}

/* --- registers and packets ---------------------------------------------------------------------------------------- */

struct valued {
    const struct gpucode_target *target;
    unsigned space;
    uint32_t number;
    uint64_t value;
};

static size_t write_register_name(const void *user, void *to, size_t room)
{
    return gpucode_register_name(6, ((const struct valued *)user)->number, to, room);
}

static size_t write_register(const void *user, void *to, size_t room)
{
    const struct valued *v = user;
    return gpucode_register_text(6, v->number, v->value, to, room);
}

static size_t write_gmu_name(const void *user, void *to, size_t room)
{
    return gpucode_gmu_register_name(6, ((const struct valued *)user)->number, to, room);
}

static size_t write_gmu_register(const void *user, void *to, size_t room)
{
    const struct valued *v = user;
    return gpucode_gmu_register_text(6, v->number, v->value, to, room);
}

static size_t write_target_register(const void *user, void *to, size_t room)
{
    const struct valued *v = user;
    return gpucode_target_register_text(v->target, v->space, v->number, v->value, to, room);
}

static size_t write_name(const void *user, void *to, size_t room)
{
    const struct valued *v = user;
    return gpucode_name_of(v->target, NULL, (enum gpucode_space)v->space, v->number, to, room);
}

static size_t write_fields(const void *user, void *to, size_t room)
{
    const struct valued *v = user;
    return gpucode_register_fields(6, v->number, v->value, to, room);
}

static size_t write_payload(const void *user, void *to, size_t room)
{
    static const uint32_t load[] = {0x03360000, 0, 0};
    unsigned words;
    (void)user;
    return gpucode_payload_fields(6, 0x32, load, 3, 0, to, room, &words);
}

static size_t write_descriptor(const void *user, void *to, size_t room)
{
    static const uint32_t words[16] = {0x12345678, 0x9abcdef0, 0x13579bdf};
    (void)user;
    return gpucode_descriptor_fields(6, "A6XX_TEX_CONST", words, 3, to, room);
}

static void registers(void)
{
    struct valued mrt = {.value = 0x12345678}, gmu = {.value = 1};
    assert_true(gpucode_register_find(6, "RB_MRT[1].BUF_INFO", strlen("RB_MRT[1].BUF_INFO"), &mrt.number));
    text_fits(write_register_name, &mrt, NOTHING, GPUCODE_NAME_MAX, 1);
    text_fits(write_register, &mrt, CUT, 0, 1);
    elements_fit(write_fields, &mrt, sizeof(struct gpucode_field_value));
    while (!gpucode_gmu_register_name(6, gmu.number, (char[GPUCODE_NAME_MAX]){0}, GPUCODE_NAME_MAX))
        gmu.number++;
    text_fits(write_gmu_name, &gmu, NOTHING, GPUCODE_NAME_MAX, 1);
    text_fits(write_gmu_register, &gmu, CUT, 0, 1);
    elements_fit(write_payload, NULL, sizeof(struct gpucode_field_value));
    elements_fit(write_descriptor, NULL, sizeof(struct gpucode_field_value));
    const struct valued gpu = {target_named("afuc:a630"), GPUCODE_SPACE_GPU, mrt.number, 0x1234};
    text_fits(write_target_register, &gpu, CUT, 0, 1);
    text_fits(write_name, &gpu, NOTHING, GPUCODE_NAME_MAX, 1);
}

/* --- what is known of a program ----------------------------------------------------------------------------------- */

struct known {
    struct gpucode_image *image;
    struct gpucode_machine *machine;
    struct gpucode_debug *debug;
    struct gpucode_symbols *symbols;
    struct gpucode_outline *outline;
    struct gpucode_analysis *analysis;
};

static size_t write_near(const void *user, void *to, size_t room)
{
    return gpucode_symbols_near(((const struct known *)user)->symbols, 0, 3, to, room);
}

static size_t write_memory(const void *user, void *to, size_t room)
{
    return gpucode_symbols_memory(((const struct known *)user)->symbols, 0x1010, to, room);
}

static size_t write_label(const void *user, void *to, size_t room)
{
    return gpucode_symbols_label(((const struct known *)user)->symbols, 0, 2, 0, to, room);
}

static size_t write_outlined(const void *user, void *to, size_t room)
{
    return gpucode_outline_near(((const struct known *)user)->outline, 0, 3, to, room);
}

static size_t write_place(const void *user, void *to, size_t room)
{
    return gpucode_debug_label(((const struct known *)user)->debug, 0, 3, to, room);
}

static size_t write_text(const void *user, void *to, size_t room)
{
    return gpucode_debug_text(((const struct known *)user)->debug, 0, 2, to, room) ? strnlen(to, room) : 0;
}

static size_t write_machine_name(const void *user, void *to, size_t room)
{
    return gpucode_machine_name(((const struct known *)user)->machine, GPUCODE_SPACE_GENERAL, 2, to, room);
}

static size_t write_function(const void *user, void *to, size_t room)
{
    return gpucode_analysis_name(((const struct known *)user)->analysis, 0, 0, to, room);
}

static size_t write_packet(const void *user, void *to, size_t room)
{
    return gpucode_analysis_packet_name(((const struct known *)user)->analysis, 0x10, to, room);
}

static size_t write_packets(const void *user, void *to, size_t room)
{
    static const uint64_t packets[2] = {0x50000, 0x10};
    return gpucode_analysis_packets(((const struct known *)user)->analysis, packets, 2, to, room);
}

static size_t write_read_register(const void *user, void *to, size_t room)
{
    return gpucode_analysis_register(user, 0x1f, false, to, room);
}

static void names(void)
{
    static const char source[] = "start: mov $02, 1\nnop\nlast: mov $03, 2\nmov $04, $03\nnop\nend:\n";
    static const char text[] = "* 2 the_second\nmem 0x1000 ring\n";
    struct assembled made;
    struct known known;
    assemble_text(&made, source, "afuc:a630");
    known.image = image_made(&made, "afuc:a630");
    assert_int_equal(gpucode_symbols_create(target_named("afuc:a630"), NULL, &known.symbols), GPUCODE_OK);
    assert_int_equal(gpucode_symbols_add(known.symbols, made.program), GPUCODE_OK);
    gpucode_symbols_read(known.symbols, text, strlen(text), "a.sym", (struct gpucode_diagnostic_handler){0});
    gpucode_symbols_bind(known.symbols, known.image, (struct gpucode_diagnostic_handler){0});
    const struct gpucode_disasm_options named = {.label = gpucode_symbols_label, .user = known.symbols};
    const struct gpucode_debug_options debugged = {.symbols = known.symbols};
    assert_int_equal(gpucode_outline_create(known.image, &named, &known.outline), GPUCODE_OK);
    assert_int_equal(gpucode_machine_create(known.image, NULL, &known.machine), GPUCODE_OK);
    assert_int_equal(gpucode_debug_create(known.machine, &debugged, &known.debug), GPUCODE_OK);
    assert_int_equal(gpucode_analyse(known.image, NULL, &known.analysis), GPUCODE_OK);
    text_fits(write_near, &known, TOLD, 0, 1);
    text_fits(write_memory, &known, TOLD, 0, 1);
    text_fits(write_label, &known, NOTHING, 0, 0);
    char name[GPUCODE_NAME_MAX];
    assert_int_equal(gpucode_symbols_label(known.symbols, 0, 4, 0, name, sizeof name), 0);
    assert_int_equal(gpucode_symbols_label(known.symbols, 0, 5, 0, name, sizeof name), 0); /* behind the last unit */
    assert_int_equal(gpucode_outline_find(known.outline, 0, 4), 4);
    assert_int_equal(gpucode_outline_find(known.outline, 0, 5), GPUCODE_NONE);
    text_fits(write_outlined, &known, TOLD, 0, 1);
    text_fits(write_place, &known, TOLD, 0, 1);
    text_fits(write_text, &known, CUT, 0, 1);
    text_fits(write_machine_name, &known, NOTHING, 0, 1);
    text_fits(write_function, &known, NOTHING, GPUCODE_NAME_MAX, 1);
    text_fits(write_packet, &known, NOTHING, GPUCODE_NAME_MAX, 1);
    text_fits(write_packets, &known, CUT, 0, 1);
    text_fits(write_read_register, target_named("afuc:a630"), NOTHING, GPUCODE_NAME_MAX, 1);
    gpucode_analysis_free(known.analysis);
    gpucode_debug_free(known.debug);
    gpucode_machine_free(known.machine);
    gpucode_outline_free(known.outline);
    gpucode_symbols_free(known.symbols);
    gpucode_image_free(known.image);
    gpucode_program_free(made.program);
}

/* --- bytes and words ---------------------------------------------------------------------------------------------- */

static size_t write_records(const void *user, void *to, size_t room)
{
    static const uint32_t words[] = {1, 2};
    static const struct gpucode_fuzz_record records[] = {{0, 2, words}, {1, 0, NULL}, {2, 1, words}};
    (void)user;
    return gpucode_fuzz_write(records, 3, to, room);
}

static size_t write_ascii85(const void *user, void *to, size_t room)
{
    (void)user;
    return 4 * gpucode_crash_ascii85("87cURD]i,\"Ebo80z!!!!", 20, to, room / 4);
}

static void bytes(void)
{
    text_fits(write_records, NULL, NOTHING, 0, 0);
    struct guarded memory = guarded_memory(64);
    uint32_t whole[8];
    size_t count = gpucode_crash_ascii85("87cURD]i,\"Ebo80z!!!!", 20, whole, 8);
    for (size_t room = 0; room <= count; room++) {
        size_t got = write_ascii85(NULL, memory.end - 4 * room, 4 * room) / 4;
        assert_true(got == room || got == count);
        assert_memory_equal(memory.end - 4 * room, whole, 4 * room);
    }
    guarded_free(&memory);
}

/* Words of shaders, with the same before and behind the place where they end. */
static void words(void)
{
    static const uint32_t code[] = {0, 0, 5, 0x20000000, 0, 0x03000000, 0, 0x03000000, 7, 8};
    struct guarded memory = guarded_memory(sizeof code);
    for (size_t count = 0; count <= sizeof code / sizeof *code; count++) {
        const uint32_t *end = guarded_end(&memory, code, 4 * count);
        assert_int_equal(gpucode_shader_words(end, count), gpucode_shader_words(code, count));
        assert_true(gpucode_shader_words(end, count) <= count);
        assert_int_equal(gpucode_shader_ends(end, count), count >= 6);
        assert_int_equal(gpucode_shader_hash(end, count), gpucode_shader_hash(code, count));
        for (unsigned word = 0; word <= count; word++) {
            struct gpucode_field_value fields[GPUCODE_FIELD_VALUES_MAX];
            unsigned taken = 0;
            size_t told =
                gpucode_payload_fields(6, 0x32, end, (uint32_t)count, word, fields, GPUCODE_FIELD_VALUES_MAX, &taken);
            assert_true(word < count || !told);
            assert_true(!told || word + taken <= count);
        }
        gpucode_descriptor_fields(6, "A6XX_TEX_CONST", end, count,
                                  (struct gpucode_field_value[GPUCODE_FIELD_VALUES_MAX]){0}, GPUCODE_FIELD_VALUES_MAX);
    }
    guarded_free(&memory);
}

TESTS(rooms, instructions, registers, names, bytes, words)
