/* SPDX-License-Identifier: MIT */
/* Showing values: print, set, display. */
#include "console/internal.h"

#include <gpucode/fields.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void print_in_binary(struct console *console, uint64_t value)
{
    char text[65], *at = text + 64;
    *at = 0;
    do
        *--at = (char)('0' + (value & 1));
    while (value >>= 1);
    console_say(console, "0b%s", at);
}

/* The bits of a 32-bit float of the same value as a 16-bit one. */
static uint32_t float_of_half(uint32_t half)
{
    uint32_t sign = (half & 0x8000) << 16, exponent = half >> 10 & 31, fraction = half & 0x3ff;
    if (exponent == 31)
        return sign | 0x7f800000 | fraction << 13;
    if (!exponent) {
        if (!fraction)
            return sign;
        for (exponent = 1; !(fraction & 0x400); exponent--)
            fraction <<= 1;
        fraction &= 0x3ff;
    }
    return sign | (exponent + 112) << 23 | fraction << 13;
}

/* The float of 2, 4 or 8 bytes whose bits these are. */
static double float_of_bits(uint64_t number, unsigned size)
{
    float single;
    double wide;
    uint32_t bits = size == 2 ? float_of_half(number & 0xffff) : (uint32_t)number;
    memcpy(&single, &bits, sizeof single);
    memcpy(&wide, &number, sizeof wide);
    return size == 8 ? wide : (double)single;
}

/* A float by its bits; size in bytes: 2, 4 or 8. */
static void put_float(struct console *console, uint64_t number, unsigned size)
{
    console_say(console, "%.*g", size == 8 ? 17 : size == 2 ? 5 : 9, float_of_bits(number, size));
}

size_t console_float_text(const struct gpucode_machine *machine, unsigned space, uint32_t number, uint32_t value,
                          char *text, size_t size)
{
    struct gpucode_space_info info;
    if (!gpucode_machine_space(machine, space, &info) || !info.float_bits || number >= info.float_count)
        return 0;
    bool half = info.float_bits == 16;
    uint32_t exponent = half ? 0x7c00 : 0x7f800000, fraction = half ? 0x3ff : 0x7fffff;
    if (!(value & exponent) || ((value & exponent) == exponent && value & fraction))
        return 0; /* an integer, or not a number */
    float number_of_it;
    uint32_t bits = half ? float_of_half(value & 0xffff) : value;
    memcpy(&number_of_it, &bits, sizeof bits);
    return (size_t)snprintf(text, size, "%.*g", half ? 5 : 9, (double)number_of_it);
}

size_t console_value_float(const struct gpucode_machine *machine, const struct gpucode_value *value, char *text,
                           size_t size)
{
    if (value->section == GPUCODE_VALUE_FLOAT)
        return (size_t)snprintf(
            text, size, "%.9g",
            float_of_bits((uint64_t)value->number, value->place == GPUCODE_VALUE_MEMORY ? value->size : 4));
    return value->place == GPUCODE_VALUE_REGISTER ? console_float_text(machine, value->space, (uint32_t)value->address,
                                                                       (uint32_t)value->number, text, size)
                                                  : 0;
}

size_t console_fields_text(const struct gpucode_machine *machine, const struct gpucode_value *value, char *text,
                           size_t size)
{
    const struct gpucode_image *image = gpucode_machine_image(machine);
    return value->place == GPUCODE_VALUE_REGISTER && !value->is_code
               ? gpucode_target_register_text(gpucode_image_info(image)->target, value->space, (uint32_t)value->address,
                                              (uint32_t)value->number, text, size)
               : 0;
}

static void put_number(struct console *console, int64_t number, char letter)
{
    switch (letter) {
    case 'x':
        console_say(console, "0x%" PRIx64, (uint64_t)number);
        break;
    case 'd':
        console_say(console, "%" PRId64, number);
        break;
    case 'u':
        console_say(console, "%" PRIu64, (uint64_t)number);
        break;
    case 'o':
        console_say(console, "%s%" PRIo64, number ? "0" : "", (uint64_t)number);
        break;
    case 't':
        print_in_binary(console, (uint64_t)number);
        break;
    case 'c':
        console_say(console, "%" PRId64 " '%c'", number & 255,
                    (number & 255) >= 32 && (number & 255) < 127 ? (char)(number & 255) : '.');
        break;
    default:
        if (number >= -9 && number <= 9)
            console_say(console, "%" PRId64, number);
        else
            console_say(console, "0x%" PRIx64 " (%" PRId64 ")", (uint64_t)number, number);
    }
}

/* Bytes of a size letter: b h w g. */
static unsigned size_of_letter(char letter)
{
    return letter == 'b' ? 1 : letter == 'h' ? 2 : letter == 'g' ? 8 : 4;
}

/* Of a value, the size of the float that it is taken for. */
static unsigned float_size(const struct console *console, const struct gpucode_value *value)
{
    struct gpucode_space_info info;
    bool half = value->place == GPUCODE_VALUE_REGISTER &&
                gpucode_machine_space(console->machine, value->space, &info) && info.float_bits == 16;
    return half ? 2 : value->place == GPUCODE_VALUE_MEMORY && value->size != 1 ? value->size : 4;
}

static void put_value(struct console *console, const struct gpucode_value *value, const struct console_format *format)
{
    char text[CONSOLE_FIELDS_MAX];
    if (format->letter == 'a' || (!format->letter && value->is_code)) {
        unsigned section = value->is_code ? value->section : console_section(console);
        put_address(console, section, (uint64_t)value->number);
    } else if (format->letter == 'i') {
        char insn[GPUCODE_TEXT_MAX];
        unsigned processor = gpucode_debug_processor(console->debug);
        unsigned section = value->is_code ? value->section : gpucode_machine_section(console->machine, processor);
        put_address(console, section, (uint64_t)value->number);
        console_say(console, ":\t%s",
                    gpucode_debug_text(console->debug, section, (uint64_t)value->number, insn, sizeof insn)
                        ? insn
                        : "(no code)");
    } else if (format->letter == 'f') {
        put_float(console, (uint64_t)value->number,
                  format->size ? size_of_letter(format->size) : float_size(console, value));
    } else if (!format->letter && console_value_float(console->machine, value, text, sizeof text)) {
        console_say(console, "%s (0x%" PRIx64 ")", text, (uint64_t)value->number);
    } else {
        put_number(console, value->number, format->letter);
        if (!format->letter && console_fields_text(console->machine, value, text, sizeof text))
            console_say(console, " %s", text);
    }
}

bool do_print(struct console *console, const struct console_arguments *arguments)
{
    console_say(console, "%s = ", arguments->at[1].text);
    put_value(console, &arguments->at[1].value, &arguments->at[0].format);
    console_say(console, "\n");
    return true;
}

/* Forms: an assignment, which has been done by evaluating it; comments; settings that gdb's scripts begin with and that
 * mean nothing here. */
bool do_set(struct console *console, const struct console_arguments *arguments)
{
    if (arguments->form == 1)
        console->plain = strcmp(arguments->at[1].text, "off") == 0;
    return true;
}

static void show_display(struct console *console, unsigned index)
{
    struct gpucode_value value;
    const char *text = console->displays[index].text;
    console_say(console, "%u: %s = ", index + 1, text);
    if (gpucode_debug_evaluate(console->debug, text, strlen(text), false, (struct gpucode_diagnostic_handler){0},
                               &value) == GPUCODE_OK)
        put_value(console, &value, &console->displays[index].format);
    else
        console_say(console, "?");
    console_say(console, "\n");
}

void show_displays(struct console *console)
{
    for (unsigned i = 0; i < DISPLAYS_MAX; i++)
        if (console->displays[i].text[0])
            show_display(console, i);
}

bool do_display(struct console *console, const struct console_arguments *arguments)
{
    const char *expression = arguments->at[1].text;
    if (!*arguments->text)
        show_displays(console);
    for (unsigned i = 0; *arguments->text && i < DISPLAYS_MAX; i++)
        if (!console->displays[i].text[0]) {
            if (strlen(expression) >= sizeof console->displays[i].text)
                return console_complain(console, "the expression is too long");
            strcpy(console->displays[i].text, expression);
            console->displays[i].format = arguments->at[0].format;
            show_display(console, i);
            return true;
        }
    return !*arguments->text || console_complain(console, "at most %d values can be displayed", DISPLAYS_MAX);
}

bool do_undisplay(struct console *console, const struct console_arguments *arguments)
{
    uint64_t first, last;
    for (unsigned i = 0; !arguments->at[0].given && i < DISPLAYS_MAX; i++)
        console->displays[i].text[0] = 0;
    for (const char *at = arguments->at[0].text; next_range(&at, &first, &last);) {
        if (last > DISPLAYS_MAX)
            return console_complain(console, "there is no display %" PRIu64, last);
        for (; first <= last; first++)
            console->displays[first - 1].text[0] = 0;
    }
    return true;
}

/* x and map: memory. */

/* Memory, or the register that stands at that address instead. */
static bool load_value(struct console *console, uint64_t address, unsigned char *bytes, unsigned size)
{
    char text[32];
    struct gpucode_value value;
    int length = snprintf(text, sizeof text, "*0x%" PRIx64, address);
    if (size != 4 || gpucode_debug_evaluate(console->debug, text, (size_t)length, false,
                                            (struct gpucode_diagnostic_handler){0}, &value) != GPUCODE_OK)
        return gpucode_machine_load(console->machine, address, bytes, size) == GPUCODE_OK;
    for (unsigned i = 0; i < size; i++)
        bytes[i] = (unsigned char)((uint64_t)value.number >> i * 8);
    return true;
}

static bool show_memory_values(struct console *console, uint64_t address, struct console_format format)
{
    unsigned size = size_of_letter(format.size), row = size == 8 ? 2 : size == 4 ? 4 : 8;
    unsigned char bytes[8];
    for (unsigned i = 0; i < format.count; i++, address += size) {
        if (!load_value(console, address, bytes, size)) {
            console_say(console, "%s", i ? "\n" : "");
            return console_complain(console, "no memory at 0x%" PRIx64, address);
        }
        if (i % row == 0)
            console_say(console, "%s0x%08" PRIx64 ":", i ? "\n" : "", address);
        uint64_t value = 0;
        for (unsigned k = 0; k < size; k++)
            value |= (uint64_t)bytes[k] << k * 8;
        console_say(console, "\t");
        if (format.letter == 'x')
            console_say(console, "0x%0*" PRIx64, (int)size * 2, value);
        else if (format.letter == 'f')
            put_float(console, value, size);
        else if (format.letter == 'd') /* sign-extended */
            console_say(console, "%" PRId64, (int64_t)(value << (64 - 8 * size)) >> (64 - 8 * size));
        else
            put_number(console, (int64_t)value, format.letter);
        console->next_memory = address + size;
    }
    console_say(console, "\n");
    return true;
}

bool do_x(struct console *console, const struct console_arguments *arguments)
{
    const struct console_format *given = &arguments->at[0].format;
    const struct console_argument *where = &arguments->at[1];
    struct console_format format = {.count = given->counted ? given->count : 1,
                                    .letter = given->letter ? given->letter : console->x_format.letter,
                                    .size = given->size ? given->size : console->x_format.size};
    uint64_t address = where->given ? (uint64_t)where->value.number : console->next_memory;
    unsigned section = where->value.is_code ? where->value.section : console_section(console);
    if (!format.count)
        return true;
    console->x_format = format;
    if (format.letter != 'i')
        return show_memory_values(console, address, format);
    char text[GPUCODE_TEXT_MAX];
    for (unsigned i = 0; i < format.count; i++) {
        unsigned units = gpucode_debug_text(console->debug, section, address, text, sizeof text);
        if (!units && !i)
            return console_complain(console, "no code at 0x%" PRIx64 " of that section; x/x shows memory", address);
        if (!units)
            break;
        show_place(console, section, address, address == console_pc(console) && section == console_section(console));
        address += units;
    }
    console->next_memory = address;
    return true;
}

bool do_map(struct console *console, const struct console_arguments *arguments)
{
    return gpucode_debug_map(console->debug, (uint64_t)arguments->at[0].value.number,
                             (uint64_t)arguments->at[1].value.number) == GPUCODE_OK ||
           console_complain(console, "that memory cannot be made");
}

/* echo and printf: text that a script prints. */

static char unescape_letter(char c)
{
    return c == 'n' ? '\n' : c == 't' ? '\t' : c;
}

/* gdb's scripts end the text in \n, others do not: there is one end of line either way. */
bool do_echo(struct console *console, const struct console_arguments *arguments)
{
    char last = 0;
    for (const char *at = arguments->text; *at; at++) {
        last = *at == '\\' && at[1] ? unescape_letter(*++at) : *at;
        console_say(console, "%c", last);
    }
    if (last != '\n')
        console_say(console, "\n");
    return true;
}

/* Prints the next argument as "%08x" and the like ask for; *at is after the '%'. */
static bool print_converted(struct console *console, const char **at, const char **arguments)
{
    char format[16] = "%";
    size_t flags = strspn(*at, "-+ #0"), length = flags + strspn(*at + flags, "0123456789");
    size_t point = (*at)[length] == '.' ? 1 + strspn(*at + length + 1, "0123456789") : 0;
    struct gpucode_value value;
    const char *end;
    if (flags > 5 || length - flags > 2 || point > 3)
        return console_complain(console, "a width has at most two digits");
    memcpy(format + 1, *at, length + point);
    *at += length + point;
    *at += strspn(*at, "lh");
    char letter = *(*at)++;
    if (letter == '%') {
        console_say(console, "%%");
        return true;
    }
    if (!letter || !strchr("diuxXcfge", letter))
        return console_complain(console, "printf knows %%d %%i %%u %%x %%X %%c %%f %%g %%e and %%%%");
    if (**arguments != ',')
        return console_complain(console, "printf has too few arguments");
    *arguments = skip_blanks(*arguments + 1);
    end = find_comma(*arguments);
    if (!console_evaluate(console, *arguments, (size_t)(end - *arguments), &value))
        return false;
    *arguments = end;
    if (letter == 'c') {
        if (value.number & 255) /* texts have no zeros */
            console_say(console, "%c", (char)value.number);
        return true;
    }
    char text[160], full[24];
    bool is_float = strchr("fge", letter);
    snprintf(full, sizeof full, is_float ? "%s%c" : "%sll%c", format, letter);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    bool whole = value.place == GPUCODE_VALUE_PLAIN && value.section != GPUCODE_VALUE_FLOAT;
    if (is_float)
        snprintf(text, sizeof text, full,
                 whole ? (double)value.number : float_of_bits((uint64_t)value.number, float_size(console, &value)));
    else
        snprintf(text, sizeof text, full, (long long)value.number);
#pragma GCC diagnostic pop
    console_say(console, "%s", text);
    return true;
}

bool do_printf(struct console *console, const struct console_arguments *arguments)
{
    const char *at = arguments->text + 1, *close = at;
    if (*arguments->text != '"')
        return console_complain(console, "printf \"FORMAT\", EXPRESSION, ...");
    while (*close && *close != '"')
        close += *close == '\\' && close[1] ? 2 : 1;
    if (!*close)
        return console_complain(console, "the format has no end");
    const char *rest = skip_blanks(close + 1);
    while (at < close) {
        char c = *at++;
        if (c == '%') {
            if (!print_converted(console, &at, &rest))
                return false;
        } else {
            console_say(console, "%c", c == '\\' ? unescape_letter(*at++) : c);
        }
    }
    return !*rest || console_complain(console, "printf has too many arguments");
}
