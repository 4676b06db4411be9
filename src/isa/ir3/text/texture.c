/* SPDX-License-Identifier: MIT */
/* Operands of category 5: what is looked up, by which sampler and texture, and how they are named. */
#include "ir3_messages.h"
#include "isa/ir3/ir3.h"

#include "base/text.h"

#include <stdio.h>

static const char swizzle[] = "xyzw";

/* --- suffixes ----------------------------------------------------------------------------------------------------- */

static char *put_base(char *at, uint64_t bits)
{
    return text_decimal(TEXT_LITERAL(at, ".base"), ir3_bits(bits, 20, 19) * 2 + ir3_bits(bits, 47, 47));
}

IR3_PRINT(texture_flags)
{
    (void)field;
    (void)options;
    uint64_t bits = insn->bits;
    bool fetch = ir3_row(insn)->marks & IR3_MARK_FETCH;
    if (bits & IR3_LOOK_3D)
        at = TEXT_LITERAL(at, ".3d");
    if (bits & IR3_LOOK_A)
        at = TEXT_LITERAL(at, ".a");
    if (bits & IR3_LOOK_O)
        at = TEXT_LITERAL(at, ".o");
    if (bits & IR3_LOOK_P && !fetch)
        at = TEXT_LITERAL(at, ".p");
    if (bits & IR3_LOOK_S)
        at = fetch ? TEXT_LITERAL(at, ".v") : TEXT_LITERAL(at, ".s");
    if (bits & IR3_LOOK_INDIRECT) {
        const struct ir3_mode *mode = ir3_mode(bits);
        if (mode->in_register)
            at = TEXT_LITERAL(at, ".s2en");
        if (mode->uniform)
            at = TEXT_LITERAL(at, ".uniform");
        if (mode->nonuniform)
            at = TEXT_LITERAL(at, ".nonuniform");
        if (mode->bindless)
            at = put_base(at, bits);
    }
    if (fetch && !(bits & IR3_LOOK_CLP))
        at = TEXT_LITERAL(at, ".1d");
    if (!fetch && bits & IR3_LOOK_CLP)
        at = TEXT_LITERAL(at, ".clp");
    return ir3_bits(bits, 46, 44) == IR3_U8_32 ? TEXT_LITERAL(at, ".rck") : at;
}

static bool take_base(struct isa_scan *scan, struct isa_build *build)
{
    const char *at = scan->at + 5;
    if (scan->end - scan->at < 6 || memcmp(scan->at, ".base", 5) != 0)
        return false;
    if (*at < '0' || *at > '7' || (at + 1 < scan->end && isa_name_byte(at[1])))
        return false;
    unsigned base = (unsigned)(*at - '0');
    build->bits |= (uint64_t)(base & 1) << 47 | (uint64_t)(base >> 1) << 19;
    build->parse_state |= IR3_PARSED_BASE;
    scan->at = at + 1;
    return true;
}

/* Suffixes, in any order. */
IR3_PARSE(texture_flags)
{
    (void)field;
    bool fetch = build->row->marks & IR3_MARK_FETCH, one = false;
    while (scan->at < scan->end && *scan->at == '.') {
        if (ir3_take_suffix(scan, ".3d"))
            build->bits |= IR3_LOOK_3D;
        else if (ir3_take_suffix(scan, ".a"))
            build->bits |= IR3_LOOK_A;
        else if (ir3_take_suffix(scan, ".o"))
            build->bits |= IR3_LOOK_O;
        else if (!fetch && ir3_take_suffix(scan, ".p"))
            build->bits |= IR3_LOOK_P;
        else if (ir3_take_suffix(scan, fetch ? ".v" : ".s"))
            build->bits |= IR3_LOOK_S;
        else if (ir3_take_suffix(scan, ".s2en"))
            build->parse_state |= IR3_PARSED_S2EN;
        else if (ir3_take_suffix(scan, ".uniform"))
            build->parse_state |= IR3_PARSED_UNIFORM;
        else if (ir3_take_suffix(scan, ".nonuniform"))
            build->parse_state |= IR3_PARSED_NONUNIFORM;
        else if (fetch && ir3_take_suffix(scan, ".1d"))
            one = true;
        else if (!fetch && ir3_take_suffix(scan, ".clp"))
            build->bits |= IR3_LOOK_CLP;
        else if (ir3_take_suffix(scan, ".rck"))
            build->parse_state |= IR3_PARSED_RCK;
        else if (!take_base(scan, build))
            break;
    }
    build->bits |= fetch && !one ? IR3_LOOK_CLP : 0;
    bool in_register = build->parse_state & IR3_PARSED_S2EN;
    if (!in_register && build->parse_state & (IR3_PARSED_UNIFORM | IR3_PARSED_NONUNIFORM))
        return isa_fail(scan, scan->at, 1, MSG_EXPECTED,
                        "sampler and texture are uniform or not where a register has them", "'.s2en'", -1, NULL);
    build->bits |= build->parse_state & (IR3_PARSED_S2EN | IR3_PARSED_BASE) ? IR3_LOOK_INDIRECT : 0;
    return scan->at >= scan->end || *scan->at != '.' ||
           isa_fail(scan, scan->at, 1, MSG_EXPECTED,
                    ".3d .a .o .p .s .v .s2en .uniform .nonuniform .base0 .1d .clp .rck",
                    "a suffix of a texture instruction", -1, NULL);
}

/* --- the destination ---------------------------------------------------------------------------------------------- */

/* "(f32)(xyzw)r0.x" */
IR3_PRINT(texture_destination)
{
    (void)options;
    unsigned value = (unsigned)isa_field_get(field, insn->bits), type = value >> 12, mask = value >> 8 & 15;
    if (type != IR3_U8_32 && !(ir3_row(insn)->marks & IR3_MARK_UNTYPED)) {
        *at++ = '(';
        at = shader_put_type(at, ir3_type_names, type);
        *at++ = ')';
    }
    *at++ = '(';
    for (unsigned i = 0; i < 4; i++)
        if (mask >> i & 1)
            *at++ = swizzle[i];
    *at++ = ')';
    return shader_put_register(at, value & 0xff, IR3_HALF_TYPES >> type & 1);
}

/* "(f32)"; -1: it is not there */
static int take_type(struct isa_scan *scan)
{
    const char *start = scan->at;
    if (start == scan->end || *start != '(')
        return -1;
    scan->at++;
    int type = shader_take_type(scan, ir3_type_names, false);
    if (type >= 0 && scan->at < scan->end && *scan->at == ')') {
        scan->at++;
        isa_skip(scan);
        return type;
    }
    scan->at = start;
    return -1;
}

/* "(x", or anything but a parenthesis */
static bool begins_mask(const struct isa_scan *scan)
{
    const char *at = scan->at;
    return scan->end - at < 2 || *at != '(' || at[1] == ')' || memchr(swizzle, at[1], 4);
}

static bool take_mask(struct isa_scan *scan, unsigned *mask)
{
    *mask = 0;
    if (!isa_take(scan, "("))
        return isa_expected(scan, "the components that are written, as (xyzw)");
    for (; scan->at < scan->end && *scan->at != ')'; scan->at++) {
        const char *component = *scan->at ? strchr(swizzle, *scan->at) : NULL;
        if (!component || *mask >> (component - swizzle))
            return isa_expected(scan, "components in the order x y z w");
        *mask |= 1u << (component - swizzle);
    }
    return isa_take(scan, ")") || isa_expected(scan, "')'");
}

IR3_PARSE(texture_destination)
{
    uint32_t marks = build->row->marks;
    bool residency = build->parse_state & IR3_PARSED_RCK, half;
    isa_skip(scan);
    const char *start = scan->at;
    int type = take_type(scan);
    unsigned mask, number;
    if (type >= 0 && (residency || marks & IR3_MARK_UNTYPED))
        return isa_fail(scan, start, (size_t)(scan->at - start), MSG_IR3_MODIFIER, NULL, start, 5, NULL);
    bool typed = !residency && !(marks & (IR3_MARK_UNTYPED | IR3_MARK_LANES));
    if (type < 0 && typed && !begins_mask(scan))
        return isa_fail(scan, start, 1, MSG_EXPECTED, NULL, "a type: (f16) (f32) (u16) (u32) (s16) (s32) (u8)", -1,
                        NULL);
    if (!take_mask(scan, &mask) || !ir3_take_register(scan, &number, &half))
        return false;
    if (type < 0 && !residency && marks & IR3_MARK_UNTYPED)
        type = half ? IR3_F16 : IR3_F32;
    else if (type < 0 && !residency && !(marks & IR3_MARK_LANES)) {
        scan->at = start;
        return isa_expected(scan, "a type: (f16) (f32) (u16) (u32) (s16) (s32) (u8)");
    }
    if (type < 0)
        type = IR3_U8_32;
    if (half != (IR3_HALF_TYPES >> type & 1))
        return isa_fail(scan, scan->at - 4, 4, MSG_IR3_WIDTH, "the type tells the width",
                        half ? "a half register" : "a full register", -1, half ? "full" : "half");
    build->bits = isa_field_set(field, build->bits, (unsigned)type << 12 | mask << 8 | number);
    return true;
}

/* "(f32)(xyzw)r0.x" with a type of 32 bits, or of 16 and a half register; the rest is read closely. */
IR3_READ(texture_destination)
{
    struct shader_name name;
    unsigned mask;
    scan->at = at;
    if (build->row->marks & IR3_MARK_UNTYPED || build->parse_state & IR3_PARSED_RCK)
        return isa_read_by(ir3_parse_texture_destination, at, scan, build, field);
    int type = take_type(scan);
    const char *after = type >= 0 && take_mask(scan, &mask) ? ir3_read_name(scan->at, scan, &name) : NULL;
    if (!after || name.what != SHADER_IS_GPR || name.half != (IR3_HALF_TYPES >> type & 1))
        return isa_read_by(ir3_parse_texture_destination, at, scan, build, field);
    build->bits = isa_field_fill(field, build->bits, (unsigned)type << 12 | mask << 8 | (unsigned)name.number);
    return after;
}

/* --- sources
 * ---------------------------------------------------------------------------------------------------------- */

static char *put_source(char *at, uint64_t bits, unsigned number)
{
    return shader_put_register(TEXT_LITERAL(at, ", "), number, !(bits & IR3_LOOK_FULL));
}

/* ", r0.x"; both sources have one width */
static bool take_source(struct isa_scan *scan, struct isa_build *build, unsigned *number)
{
    struct shader_name name;
    bool known = build->parse_state & IR3_PARSED_WIDTH;
    if (!isa_take(scan, ","))
        return isa_expected(scan, "',' and a register");
    if (!ir3_take_name(scan, &name))
        return false;
    if (name.what == SHADER_IS_NOTHING)
        return ir3_no_register(scan);
    if (name.what > SHADER_IS_SPECIAL)
        return isa_fail(scan, name.start, name.span, MSG_IR3_OPERAND, "only a register can stand here", name.start,
                        (int)name.span, NULL);
    if (known && name.half == ((build->bits & IR3_LOOK_FULL) != 0))
        return shader_wrong_width(scan, name, !name.half, MSG_IR3_WIDTH);
    build->bits |= name.half ? 0 : IR3_LOOK_FULL;
    build->parse_state |= IR3_PARSED_WIDTH;
    *number = (unsigned)name.number;
    return true;
}

IR3_PRINT(coordinates)
{
    (void)options;
    return ir3_row(insn)->marks & IR3_MARK_SOURCE
               ? put_source(at, insn->bits, (unsigned)isa_field_get(field, insn->bits))
               : at;
}

IR3_PARSE(coordinates)
{
    unsigned number;
    if (!(build->row->marks & IR3_MARK_SOURCE))
        return true;
    if (!take_source(scan, build, &number))
        return false;
    build->bits = isa_field_set(field, build->bits, number);
    return true;
}

/* ", r0.x" as listings have it; null: look closer. */
static inline const char *read_source(const char *at, const struct isa_scan *scan, struct isa_build *build,
                                      const struct isa_field *field)
{
    struct shader_name name;
    bool known = build->parse_state & IR3_PARSED_WIDTH;
    if (scan->end - at < 2 || at[0] != ',' || at[1] != ' ')
        return NULL;
    const char *after = ir3_read_name(at + 2, scan, &name);
    if (!after || name.what != SHADER_IS_GPR || (known && name.half == ((build->bits & IR3_LOOK_FULL) != 0)))
        return NULL;
    build->bits = isa_field_fill(field, build->bits, (unsigned)name.number) | (name.half ? 0 : IR3_LOOK_FULL);
    build->parse_state |= IR3_PARSED_WIDTH;
    return after;
}

IR3_READ(coordinates)
{
    const char *after = build->row->marks & IR3_MARK_SOURCE ? read_source(at, scan, build, field) : at;
    return after ? after : isa_read_by(ir3_parse_coordinates, at, scan, build, field);
}

IR3_PRINT(parameters)
{
    (void)options;
    const struct isa_row *row = ir3_row(insn);
    unsigned value = (unsigned)isa_field_get(field, insn->bits);
    if (ir3_shows_second(row, insn->bits))
        return put_source(at, insn->bits, value);
    if (!(row->marks & IR3_MARK_FETCH) || !(insn->bits & IR3_LOOK_P) || !value)
        return at;
    *at++ = '+';
    return text_decimal(at, value);
}

/* Is there another operand? Of lane rows it is what bit 52 tells. */
static bool takes_second(struct isa_scan *scan, struct isa_build *build)
{
    if (ir3_shows_second(build->row, build->bits) || !(build->row->marks & IR3_MARK_LANES))
        return ir3_shows_second(build->row, build->bits);
    const char *at = scan->at;
    while (at < scan->end && (*at == ' ' || *at == '\t'))
        at++;
    if (at == scan->end || *at != ',')
        return false;
    build->bits |= IR3_LOOK_O;
    return true;
}

IR3_PARSE(parameters)
{
    unsigned number;
    if (takes_second(scan, build)) {
        if (!take_source(scan, build, &number))
            return false;
        build->bits = isa_field_set(field, build->bits, number);
        return true;
    }
    if (!(build->row->marks & IR3_MARK_FETCH) || !isa_take(scan, "+"))
        return true;
    int64_t value;
    if (!ir3_take_number(scan, 0, 255, "offset in elements", &value))
        return false;
    build->bits = isa_field_set(field, build->bits, (unsigned)value) | (value ? IR3_LOOK_P : 0);
    return true;
}

IR3_READ(parameters)
{
    bool shown = ir3_shows_second(build->row, build->bits);
    if (!shown && !(build->row->marks & (IR3_MARK_LANES | IR3_MARK_FETCH)))
        return at;
    const char *after = shown ? read_source(at, scan, build, field) : NULL;
    return after ? after : isa_read_by(ir3_parse_parameters, at, scan, build, field);
}

/* --- samplers and textures
 * ----------------------------------------------------------------------------------------------- */

/* Where sampler and texture stand in a word, 0 bits: it has none. */
struct places {
    unsigned sampler, sampler_bits, texture, texture_bits;
};

static struct places places_of(const struct isa_row *row, unsigned generation, uint64_t bits)
{
    struct places places = {21, 4, 25, 7};
    if (bits & IR3_LOOK_INDIRECT) {
        unsigned form = ir3_mode(bits)->a1 ? ir3_a1_forms[generation] : IR3_A1_BOTH;
        places = form == IR3_A1_SAMPLER   ? (struct places){21, 8, 25, 0}
                 : form == IR3_A1_TEXTURE ? (struct places){21, 0, 21, 8}
                                          : (struct places){21, 4, 25, 4};
    }
    places.sampler_bits = row->marks & IR3_MARK_SAMPLER ? places.sampler_bits : 0;
    places.texture_bits = row->marks & IR3_MARK_TEXTURE ? places.texture_bits : 0;
    return places;
}

IR3_PRINT(descriptors)
{
    (void)options;
    (void)field;
    uint64_t bits = insn->bits;
    const struct ir3_mode *mode = bits & IR3_LOOK_INDIRECT ? ir3_mode(bits) : &(const struct ir3_mode){0};
    struct places places = places_of(ir3_row(insn), insn->target->generation, bits);
    if (mode->in_register) {
        at = shader_put_register(TEXT_LITERAL(at, ", "), ir3_bits(bits, 28, 21), !mode->bindless);
    } else {
        if (places.sampler_bits)
            at = text_decimal(TEXT_LITERAL(at, ", s#"),
                              ir3_bits(bits, places.sampler + places.sampler_bits - 1, places.sampler));
        if (places.texture_bits)
            at = text_decimal(TEXT_LITERAL(at, ", t#"),
                              ir3_bits(bits, places.texture + places.texture_bits - 1, places.texture));
    }
    return mode->a1 ? TEXT_LITERAL(at, ", a1.x") : at;
}

/* ", s#5" */
static bool take_slot(struct isa_scan *scan, struct isa_build *build, char letter, unsigned place, unsigned width)
{
    char what[] = "', s#N'";
    what[3] = letter;
    const char *start = scan->at;
    if (!isa_take(scan, ","))
        return isa_expected(scan, what);
    isa_skip(scan);
    if (scan->end - scan->at < 3 || scan->at[0] != letter || scan->at[1] != '#') {
        scan->at = start;
        return isa_expected(scan, what);
    }
    scan->at += 2;
    int64_t value;
    if (!ir3_take_number(scan, 0, (1 << width) - 1, letter == 's' ? "sampler" : "texture", &value))
        return false;
    build->bits |= (uint64_t)value << place;
    return true;
}

/* Does ", a1.x" stand after all that is left of the line? What stands in front of it depends on it. */
static bool ends_in_a1(const struct isa_scan *scan)
{
    const char *at = scan->at, *end = at;
    while (end < scan->end && *end != '\n' && *end != ';' && *end != '{')
        end++;
    while (end > at && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    return end - at >= 4 && memcmp(end - 4, "a1.x", 4) == 0;
}

static bool choose_mode(struct isa_scan *scan, struct isa_build *build, bool a1)
{
    unsigned state = build->parse_state, mode = 0;
    bool in_register = state & IR3_PARSED_S2EN, bindless = state & IR3_PARSED_BASE;
    for (; mode < 8; mode++) {
        const struct ir3_mode *form = &ir3_modes[mode];
        if (form->in_register == in_register && form->bindless == bindless && form->a1 == a1 &&
            (!in_register || form->nonuniform == ((state & IR3_PARSED_NONUNIFORM) != 0)))
            break;
    }
    if (mode == 8)
        return isa_fail(scan, scan->at, 1, MSG_IR3_OPERAND, "a1.x goes with .baseN", "a1.x", -1, NULL);
    build->bits |= (uint64_t)mode << 29;
    return true;
}

IR3_PARSE(descriptors)
{
    (void)field;
    bool indirect = build->bits & IR3_LOOK_INDIRECT, a1 = indirect && ends_in_a1(scan);
    if (indirect && !choose_mode(scan, build, a1))
        return false;
    if (indirect && ir3_mode(build->bits)->in_register) {
        unsigned number;
        if (!isa_take(scan, ","))
            return isa_expected(scan, "',' and the register with sampler and texture");
        if (!ir3_take_register_of(scan, !ir3_mode(build->bits)->bindless, &number))
            return false;
        build->bits |= (uint64_t)number << 21;
    } else {
        struct places places = places_of(build->row, scan->target->generation, build->bits);
        if ((places.sampler_bits && !take_slot(scan, build, 's', places.sampler, places.sampler_bits)) ||
            (places.texture_bits && !take_slot(scan, build, 't', places.texture, places.texture_bits)))
            return false;
    }
    return !a1 || (isa_take(scan, ",") && isa_take(scan, "a1.x")) || isa_expected(scan, "', a1.x'");
}

/* ", s#3" as listings have it; null: look closer. */
static inline const char *read_slot(const char *at, const struct isa_scan *scan, struct isa_build *build,
                                    const char mark[static 4], unsigned place, unsigned width)
{
    unsigned number;
    const char *after =
        scan->end - at < 4 || memcmp(at, mark, 4) != 0 ? NULL : isa_read_small(at + 4, scan->end, &number);
    if (!after || number >> width)
        return NULL;
    build->bits |= (uint64_t)number << place;
    return after;
}

IR3_READ(descriptors)
{
    const char *after = at;
    uint64_t bits = build->bits;
    if (!(bits & IR3_LOOK_INDIRECT) && !scan->listener) {
        struct places places = places_of(build->row, scan->target->generation, bits);
        if (places.sampler_bits)
            after = read_slot(after, scan, build, ", s#", places.sampler, places.sampler_bits);
        if (after && places.texture_bits)
            after = read_slot(after, scan, build, ", t#", places.texture, places.texture_bits);
        if (after)
            return after;
    }
    build->bits = bits;
    return isa_read_by(ir3_parse_descriptors, at, scan, build, field);
}
