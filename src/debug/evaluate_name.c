/* SPDX-License-Identifier: MIT */
/* Numbers, characters and names in expressions. */
#include "debug/evaluation.h"

#include "isa/isa.h"

#include <stdio.h>
#include <string.h>

static bool lookup_section(const struct gpucode_debug *debug, const char *name, unsigned *number)
{
    struct gpucode_section section;
    for (unsigned i = 0; gpucode_debug_section(debug, i, &section); i++)
        if (*name && strcmp(section.name, name) == 0) {
            *number = i;
            return true;
        }
    return false;
}

/* What a register holds that the host cannot read now, on machines that know it all the same. */
static bool read_effective(struct gpucode_debug *debug, const struct gpucode_value *value, uint32_t *word)
{
    struct gpucode_space_info info;
    if (value->space != GPUCODE_SPACE_GPU || value->address & 3)
        return false;
    for (unsigned space = GPUCODE_SPACE_COUNT; space < GPUCODE_SPACE_COUNT + 16; space++)
        if (gpucode_machine_space(debug->machine, space, &info) && info.effective)
            return gpucode_machine_read(debug->machine, debug->processor, space, (uint32_t)value->address, word) ==
                   GPUCODE_OK;
    return false;
}

bool lookup_mmio(struct gpucode_debug *debug, uint64_t address, struct gpucode_value *value)
{
    struct gpucode_space_info info;
    if (address > UINT32_MAX || !gpucode_machine_space(debug->machine, GPUCODE_SPACE_GPU, &info) || !info.addressed)
        return false;
    *value = (struct gpucode_value){
        .place = GPUCODE_VALUE_REGISTER, .size = 4, .space = GPUCODE_SPACE_GPU, .address = address};
    return lookup_read(debug, value);
}

bool lookup_read(struct gpucode_debug *debug, struct gpucode_value *value)
{
    uint32_t word;
    unsigned char bytes[8];
    switch (value->place) {
    case GPUCODE_VALUE_REGISTER:
        if (gpucode_machine_read(debug->machine, debug->processor, value->space, (uint32_t)value->address, &word) !=
                GPUCODE_OK &&
            !read_effective(debug, value, &word))
            return false;
        value->number = word;
        return true;
    case GPUCODE_VALUE_PC:
        value->number = (int64_t)gpucode_machine_pc(debug->machine, debug->processor);
        value->is_code = true;
        value->section = gpucode_machine_section(debug->machine, debug->processor);
        return true;
    case GPUCODE_VALUE_MEMORY:
        if (gpucode_machine_load(debug->machine, value->address, bytes, value->size) != GPUCODE_OK)
            return false;
        value->number = 0;
        for (unsigned i = 0; i < value->size; i++)
            value->number = (int64_t)((uint64_t)value->number | (uint64_t)bytes[i] << i * 8);
        return true;
    default:
        return true;
    }
}

static bool make_code_value(struct gpucode_value *value, unsigned section, int64_t place)
{
    *value = (struct gpucode_value){.number = place, .is_code = true, .section = section};
    return true;
}

static bool find_register(struct gpucode_debug *debug, const char *name, struct gpucode_value *value)
{
    uint32_t number;
    unsigned space;
    if (!gpucode_machine_find(debug->machine, name, &space, &number))
        return false;
    *value = (struct gpucode_value){.place = GPUCODE_VALUE_REGISTER, .size = 4, .space = space, .address = number};
    return lookup_read(debug, value);
}

static bool find_symbol(struct gpucode_debug *debug, const char *section, const char *name, unsigned here,
                        struct gpucode_value *value)
{
    struct gpucode_label label;
    if (!gpucode_symbols_find(debug->symbols, section, name, strlen(name), &label))
        return false;
    switch (label.kind) {
    case GPUCODE_LABEL_CODE:
        if (strcmp(label.section, "*") == 0 || !lookup_section(debug, label.section, &here))
            here = 0; /* images of one section know no name for it */
        return make_code_value(value, here, label.value);
    case GPUCODE_LABEL_REGISTER:
        return find_register(debug, label.text, value);
    default:
        *value = (struct gpucode_value){.number = label.value};
        return true;
    }
}

static bool find_packet(struct gpucode_debug *debug, const char *name, unsigned section, struct gpucode_value *value)
{
    const struct gpucode_image *image = gpucode_debug_image(debug);
    uint32_t number, handler;
    return gpucode_number_of(gpucode_image_info(image)->target, NULL, GPUCODE_SPACE_PACKET, name, strlen(name),
                             &number) &&
           gpucode_image_handler(image, section, number, &handler) && make_code_value(value, section, handler);
}

static bool is_special(const char *name, struct gpucode_debug *debug, struct gpucode_value *value)
{
    *value = (struct gpucode_value){0};
    if (strcmp(name, "$position") == 0)
        value->number = (int64_t)debug_position(debug);
    else if (strcmp(name, "$time") == 0)
        value->number = (int64_t)gpucode_machine_time(debug->machine);
    else if (strcmp(name, "$pc") == 0) {
        value->place = GPUCODE_VALUE_PC;
        return lookup_read(debug, value);
    } else
        return false;
    return true;
}

/*
 * A name without its '#'; `section` is null or the name of one. False: there is no such thing or, if value->place says
 * that it is a register, it cannot be read now.
 */
static bool lookup_name(struct gpucode_debug *debug, const char *section, const char *name, struct gpucode_value *value)
{
    const struct isa *isa = gpucode_image_info(gpucode_debug_image(debug))->target->isa;
    unsigned here = gpucode_machine_section(debug->machine, debug->processor);
    struct gpucode_section own;
    int64_t place;
    *value = (struct gpucode_value){0};
    if (section && !lookup_section(debug, section, &here))
        return false;
    /* the symbols of an image of one section need not name it */
    const char *labels = gpucode_debug_section(debug, 1, &own) ? section : NULL;
    if (!section && is_special(name, debug, value))
        return true;
    /* the labels of the own section hide those of others */
    if (!section && gpucode_debug_section(debug, here, &own) && *own.name &&
        find_symbol(debug, own.name, name, here, value))
        return true;
    if (find_symbol(debug, labels, name, here, value) || (!section && find_register(debug, name, value)) ||
        find_packet(debug, name, here, value))
        return true;
    return isa->text.default_label && gpucode_debug_section(debug, here, &own) &&
           isa->text.default_label(name, strlen(name), &place) && place >= 0 && (uint64_t)place < own.size &&
           make_code_value(value, here, place);
}

enum gpucode_status gpucode_debug_assign(struct gpucode_debug *debug, const struct gpucode_value *value, int64_t number)
{
    if (!debug)
        return GPUCODE_ERROR_ARGUMENT;
    unsigned char bytes[8];
    switch (value->place) {
    case GPUCODE_VALUE_REGISTER:
        if (number < INT32_MIN || number > UINT32_MAX)
            return GPUCODE_ERROR_RANGE;
        return gpucode_debug_write(debug, debug->processor, value->space, (uint32_t)value->address, (uint32_t)number);
    case GPUCODE_VALUE_PC:
        return gpucode_debug_set_pc(debug, debug->processor, (uint64_t)number);
    case GPUCODE_VALUE_MEMORY:
        for (unsigned i = 0; i < value->size; i++)
            bytes[i] = (unsigned char)((uint64_t)number >> i * 8);
        return gpucode_debug_store(debug, value->address, bytes, value->size);
    default:
        return GPUCODE_ERROR_ARGUMENT;
    }
}

/* As in C, and binary ones: 0x1f, 0b101, 017, 12. */
bool evaluate_number(struct evaluation *e, struct gpucode_value *value)
{
    uint64_t result = 0;
    const char *start = e->at;
    bool good;
    if (evaluate_float(e, value, &good))
        return good;
    char second = (char)(evaluation_peek(e, 1) | 32);
    unsigned base = *e->at != '0'                              ? 10
                    : second == 'x'                            ? 16
                    : second == 'b'                            ? 2
                    : is_name_character(evaluation_peek(e, 1)) ? 8
                                                               : 10;
    if (base == 16 || base == 2)
        e->at += 2;
    const char *digits = e->at;
    for (; e->at < e->end && is_name_character(*e->at); e->at++) {
        char c = *e->at;
        unsigned digit = isdigit((unsigned char)c) ? (unsigned)(c - '0') : (unsigned)((c | 32) - 'a') + 10;
        if (digit >= base)
            return evaluation_fail(e, start, (size_t)(e->at - start) + 1, MSG_EXPR_EXPECTED,
                                   base == 16  ? "hex digits"
                                   : base == 2 ? "binary digits"
                                   : base == 8 ? "octal digits after the 0"
                                               : "decimal digits");
        if (result > (UINT64_MAX - digit) / base)
            return evaluation_fail(e, start, (size_t)(e->at - start) + 1, MSG_EXPR_EXPECTED,
                                   "a number of at most 64 bits");
        result = result * base + digit;
    }
    if (digits == e->at)
        return evaluation_fail(e, start, 2, MSG_EXPR_EXPECTED, base == 16 ? "hex digits" : "binary digits");
    *value = (struct gpucode_value){.number = (int64_t)result};
    return true;
}

static bool find_name(struct evaluation *e, const char *start, const char *section, const char *name,
                      struct gpucode_value *value)
{
    if (lookup_name(e->debug, section, name, value))
        return true;
    bool exists = value->place == GPUCODE_VALUE_REGISTER;
    return evaluation_fail_value(e, start, exists ? MSG_EXPR_READ : MSG_EXPR_NAME, name, value);
}

/* '\\n' and the like; false: it is none of them. */
static bool take_escape(struct evaluation *e, struct gpucode_value *value)
{
    static const char letters[] = "0abfnrtve\\\'\"", codes[] = "\0\a\b\f\n\r\t\v\033\\\'\"";
    const char *found = evaluation_peek(e, 1) == '\\' && evaluation_peek(e, 2) && evaluation_peek(e, 3) == '\''
                            ? strchr(letters, evaluation_peek(e, 2))
                            : NULL;
    if (!found)
        return false;
    *value = (struct gpucode_value){.number = codes[found - letters]};
    e->at += 4;
    return true;
}

/* 'c' is a character, 'longer' a name. */
bool evaluate_quoted(struct evaluation *e, struct gpucode_value *value)
{
    char name[GPUCODE_NAME_MAX];
    if (take_escape(e, value))
        return true;
    const char *start = e->at, *close = memchr(start + 1, '\'', (size_t)(e->end - start - 1));
    size_t length = close ? (size_t)(close - start - 1) : 0;
    if (!length || length >= sizeof name)
        return evaluation_fail(e, start, 1, MSG_EXPR_EXPECTED, "a character or a name in quotes");
    e->at = close + 1;
    if (length == 1) {
        *value = (struct gpucode_value){.number = (unsigned char)start[1]};
        return true;
    }
    memcpy(name, start + 1, length);
    name[length] = 0;
    return find_name(e, start, NULL, name, value);
}

static bool append_to_name(struct evaluation *e, const char *start, char *name, size_t *length, const char *text,
                           size_t size)
{
    if (*length + size >= GPUCODE_NAME_MAX)
        return evaluation_fail(e, start, (size_t)(e->at - start), MSG_EXPR_EXPECTED, "a shorter name");
    memcpy(name + *length, text, size);
    *length += size;
    name[*length] = 0;
    return true;
}

/* A name with what belongs to it: CP_SCRATCH[2].REG, r1.y; subscripts are expressions. */
bool evaluate_name(struct evaluation *e, struct gpucode_value *value)
{
    char text[GPUCODE_NAME_MAX], section[GPUCODE_NAME_MAX], subscript[32];
    const char *start = e->at;
    size_t length = 0;
    bool has_section = false;
    unsigned number_of_section;
    if (*e->at == '#')
        e->at++;
    const char *word = e->at;
    if (e->at < e->end && !is_name_character(*e->at))
        e->at++; /* $ @ % | */
    while (e->at < e->end && is_name_character(*e->at))
        e->at++;
    if (!append_to_name(e, start, text, &length, word, (size_t)(e->at - word)))
        return false;
    if (evaluation_peek(e, 0) == ':' && is_name_character(evaluation_peek(e, 1)) &&
        lookup_section(e->debug, text, &number_of_section)) {
        memcpy(section, text, length + 1);
        has_section = true;
        word = ++e->at;
        while (e->at < e->end && is_name_character(*e->at))
            e->at++;
        length = 0;
        if (!append_to_name(e, start, text, &length, word, (size_t)(e->at - word)))
            return false;
    }
    for (;;) {
        word = e->at;
        if (evaluation_peek(e, 0) == '.' && is_name_character(evaluation_peek(e, 1))) {
            e->at++;
            while (e->at < e->end && is_name_character(*e->at))
                e->at++;
            if (!append_to_name(e, start, text, &length, word, (size_t)(e->at - word)))
                return false;
        } else if (evaluation_peek(e, 0) == '[') {
            struct gpucode_value index;
            e->at++;
            if (!evaluate_expression(e, &index) || !evaluation_expect(e, ']', "']'"))
                return false;
            if (evaluation_is_float(&index))
                return evaluation_fail(e, word, 1, MSG_EXPR_FLOAT, NULL);
            int size = snprintf(subscript, sizeof subscript, "[%lld]", (long long)index.number);
            if (!append_to_name(e, start, text, &length, subscript, (size_t)size))
                return false;
        } else {
            break;
        }
    }
    return find_name(e, start, has_section ? section : NULL, text, value);
}
