/* SPDX-License-Identifier: MIT */
/*
 * What the registers and packets of Adreno GPUs mean: names, fields, values as text.
 *
 *     struct gpucode_field_value fields[GPUCODE_FIELD_VALUES_MAX];
 *     size_t count = gpucode_register_fields(6, 0xbb08, 0xfffff, fields, GPUCODE_FIELD_VALUES_MAX);
 *     for (size_t i = 0; i < count; i++)
 *         printf("%s = %s\n", fields[i].name, fields[i].text);    // VS_STATE = set, ...
 *
 * The tables are constant: nothing is set up, nothing allocated, any thread may ask. A family is the digit of a
 * generation's name: 2 for A2XX, ..., 7 for A7XX, 8 for A8XX (gen8).
 */
#ifndef GPUCODE_FIELDS_H
#define GPUCODE_FIELDS_H

#include <gpucode/target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GPUCODE_FAMILY_MIN 2
#define GPUCODE_FAMILY_MAX 8

/* A GPU, as far as its id tells. */
struct gpucode_chip {
    const char *name; /* "FD630"; null: the id is not known, the family is guessed from its bits */
    unsigned family;
};

/*
 * The GPU with these ids, 0 for one that is not known. A GPU id is the number of a name (630). A chip id has a byte
 * each for patch, minor, major and core, lowest first, and 16 bits for the speed bin above them. False: null, or
 * nothing is known of it.
 */
GPUCODE_API bool gpucode_chip_find(uint32_t gpu_id, uint64_t chip_id, struct gpucode_chip *chip);

/* The family of a target with PM4 packets (AFUC); 0: it has none, or null. */
GPUCODE_API unsigned gpucode_target_family(const struct gpucode_target *target);

enum gpucode_field_type {
    GPUCODE_FIELD_HEX,
    GPUCODE_FIELD_UINT,
    GPUCODE_FIELD_INT,
    GPUCODE_FIELD_FLOAT,
    GPUCODE_FIELD_FIXED,  /* two's complement; `radix` bits after the binary point */
    GPUCODE_FIELD_UFIXED, /* without a sign */
    GPUCODE_FIELD_BOOLEAN,
    GPUCODE_FIELD_REGID, /* a shader's register: number times 4, plus component */
    GPUCODE_FIELD_ADDRESS,
    GPUCODE_FIELD_WADDRESS, /* an address that the GPU writes to */
    GPUCODE_FIELD_ENUM,
};

/* No text is longer, final zero included; a text that would be is cut. */
#define GPUCODE_FIELD_TEXT_MAX 80
/* No register or packet word has more fields. */
#define GPUCODE_FIELD_VALUES_MAX 80

struct gpucode_field_value {
    const char *name; /* constant; "-": bits that belong to no field */
    unsigned low, high;
    enum gpucode_field_type type;
    bool named;     /* the text is a value's name */
    uint64_t value; /* shifted as the field says: a count of 32-byte units comes in bytes */
    /*
     * Hexadecimal without leading zeros and "0"; decimal; "%f"; "r12.y"; "set" for a flag; the name of a value. What a
     * single field's register has outside its bits stands after it: "0x10 | 0x80000000".
     */
    char text[GPUCODE_FIELD_TEXT_MAX];
};

/*
 * The name of a GPU register ("RB_MRT[0x1].PITCH", "RB_DEPTH_BUFFER_BASE_HI"), with a final zero. Registers of other
 * processors (those common to a2xx and a3xx on later chips) have none here. Returns its length; 0: no name,
 * or `size` is less than GPUCODE_NAME_MAX of <gpucode/names.h>.
 */
GPUCODE_API size_t gpucode_register_name(unsigned family, uint32_t number, char *text, size_t size);

/* Puts the least number from *number on that has a name into *number. False: there is none, and *number is kept. */
GPUCODE_API bool gpucode_register_next(unsigned family, uint32_t *number);

/* Finds a register by its name, subscripts included ("RB_MRT[1].PITCH", "RB_MRT[0x1].PITCH"). */
GPUCODE_API bool gpucode_register_find(unsigned family, const char *name, size_t length, uint32_t *number);

/*
 * The name that is nearest in spelling to one that is wrong, for a hint: constant, "RB_MRT[].PITCH" without a number of
 * an element; null: none is near, that very name (its number is missing), an unknown family, or no name. Slow.
 */
GPUCODE_API const char *gpucode_register_nearest(unsigned family, const char *name, size_t length);
GPUCODE_API const char *gpucode_packet_nearest(unsigned family, const char *name, size_t length);

/* 2: the register is the first word of a 64-bit one; 1: it is not, or has no name. */
GPUCODE_API unsigned gpucode_register_words(unsigned family, uint32_t number);

/*
 * The fields of a register's value. Flags that are not set and fields named UNK<digit> that are zero are left out; a
 * register that is one number has one field, whose name is "-". Writes at most `size` and returns how many there are,
 * at most GPUCODE_FIELD_VALUES_MAX; at least one for a known family.
 */
GPUCODE_API size_t gpucode_register_fields(unsigned family, uint32_t number, uint64_t value,
                                           struct gpucode_field_value *fields, size_t size);

/*
 * The same of a register that a target's code works with, by its space of <gpucode/names.h> and its number: what the
 * set knows itself (the registers that drive HWSQ; control and pipe registers of AFUC. Flags that are not set are left
 * out), else, in GPUCODE_SPACE_GPU, what the registers of the target's family have. 0: nothing is known of it, or no
 * target. Sources: envytools, docs/hw/bus/hwsq.rst; the register database of Mesa.
 */
GPUCODE_API size_t gpucode_target_register_fields(const struct gpucode_target *target, unsigned space, uint32_t number,
                                                  uint64_t value, struct gpucode_field_value *fields, size_t size);

/*
 * All fields of such a register's value in one text, as gpucode_register_text() has it. Returns the length of the whole
 * text, which is cut where `size` is not enough; 0: no fields of the register are known, it is one
 * number, it is zero and no field has a name for that, or no target.
 */
GPUCODE_API size_t gpucode_target_register_text(const struct gpucode_target *target, unsigned space, uint32_t number,
                                                uint64_t value, char *text, size_t size);

/*
 * All fields of a register's value in one text: "{ A = 1 | FLAG }", "0x1f", "{ 0 }"; with a final zero. Returns the
 * length of the whole text, which is cut where `size` is not enough; 0 for an unknown family.
 */
GPUCODE_API size_t gpucode_register_text(unsigned family, uint32_t number, uint64_t value, char *text, size_t size);

/* What is wrong with a text that has the values of fields. */
enum gpucode_field_fault {
    GPUCODE_FIELD_NO_NAME,  /* there is no field of that name */
    GPUCODE_FIELD_NO_VALUE, /* the field has no such value, or lacks one */
    GPUCODE_FIELD_LARGE,    /* `limit` is the largest that it holds */
    GPUCODE_FIELD_UNIT,     /* it must be a multiple of `limit` */
    GPUCODE_FIELD_TWICE,    /* its bits have another value already, from the same text */
};
struct gpucode_field_wrong {
    enum gpucode_field_fault fault;
    const char *at; /* in the text that was read */
    size_t length;
    uint64_t limit;
    const char *nearest; /* NO_NAME: the other name that is nearest in spelling, constant; null: none is near */
};

/*
 * The value of a register out of the text that gpucode_register_text() makes of it, or that a person writes:
 * "{ A = 1 | FLAG | 0x8000 }" with or without the braces, of a register that is one number "0x1f" or "1.5", with
 * further bits after '|'. Values are names, numbers (in the units of the text), floats; in fields that are floats, have
 * a binary point or a sign, hexadecimal numbers are the bits themselves. Fields that are not named are 0. False: a null
 * pointer, an unknown family, or `wrong`, which may be null, tells what is the matter. Any thread; the inverse of the
 * tables from the register database of Mesa.
 */
GPUCODE_API bool gpucode_register_read(unsigned family, uint32_t number, const char *text, size_t length,
                                       uint64_t *value, struct gpucode_field_wrong *wrong);

/*
 * Registers of the GMU, the processor that switches power and clocks, from a6xx on, by its own numbers, which are not
 * those of the GPU: what the section `registers-gmu` of a crash dump has (a6xx_gmu of Mesa's register database). As
 * gpucode_register_name() and gpucode_register_text(); 0 also for families without a GMU.
 */
GPUCODE_API size_t gpucode_gmu_register_name(unsigned family, uint32_t number, char *text, size_t size);
GPUCODE_API size_t gpucode_gmu_register_text(unsigned family, uint32_t number, uint64_t value, char *text, size_t size);

/*
 * The meanings of registers with a user's own tables ahead of the built-in ones: gpucode_xml_meanings() of
 * <gpucode/xml.h> has them. Null: the built-in ones alone.
 */
struct gpucode_meanings;
GPUCODE_API unsigned gpucode_meanings_words(const struct gpucode_meanings *own, unsigned family, uint32_t number);
GPUCODE_API size_t gpucode_meanings_fields(const struct gpucode_meanings *own, unsigned family, uint32_t number,
                                           uint64_t value, struct gpucode_field_value *fields, size_t size);
GPUCODE_API size_t gpucode_meanings_text(const struct gpucode_meanings *own, unsigned family, uint32_t number,
                                         uint64_t value, char *text, size_t size);

/* What a packet of the CP_LOAD_STATE kind loads. */
struct gpucode_contents {
    const char *kind; /* "A6XX_TEX_CONST" (a descriptor), "shader", "constants", ...; constant */
    unsigned words;   /* of one unit */
};
/* By the names of packet, STATE_BLOCK and STATE_TYPE. False: null, or nothing is known of it. */
GPUCODE_API bool gpucode_contents_find(unsigned family, const char *packet, const char *block, const char *type,
                                       struct gpucode_contents *contents);

/* Words of a descriptor (texture, sampler, buffer); 0: there is none of that name. */
GPUCODE_API unsigned gpucode_descriptor_words(const char *kind);
/* The fields of a descriptor, as far as its words are there; as gpucode_register_fields(). 0: it is none, or null. */
GPUCODE_API size_t gpucode_descriptor_fields(unsigned family, const char *kind, const uint32_t *words,
                                             size_t word_count, struct gpucode_field_value *fields, size_t size);

/* A register that holds the address of descriptors or code. */
struct gpucode_pointer {
    const char *kind;  /* "A6XX_TEX_CONST" (a descriptor), "shader", "bindless" (slots of 16 words); constant */
    const char *count; /* the register that has their number, or null; constant */
};
/* False: null, or the register is none of them. The address is of 64 bits from a5xx on. */
GPUCODE_API bool gpucode_pointer_find(unsigned family, uint32_t number, struct gpucode_pointer *pointer);

/*
 * Words of the shader at the start of a piece of code of a3xx and later: up to its first `end`, or where it has none,
 * up to the last word that is not zero.
 */
GPUCODE_API size_t gpucode_shader_words(const uint32_t *words, size_t count);
/* Does it end there, with an `end`? False: null, or the code goes on, was overwritten, or is none. */
GPUCODE_API bool gpucode_shader_ends(const uint32_t *words, size_t count);
/*
 * A number for these words of the shader, by which the same shader is known again wherever it stands, and whatever
 * comes after it: FNV-1a of 64 bits of its bytes. Null: that of no words.
 */
GPUCODE_API uint64_t gpucode_shader_hash(const uint32_t *words, size_t count);

/* The name of a packet (opcode of type 3 or 7), constant; null: it has none. */
GPUCODE_API const char *gpucode_packet_name(unsigned family, unsigned opcode);
/*
 * Finds a packet by its name, which need not end with a zero: by the one that gpucode_packet_name() gives, else by another
 * that the opcode has too (CP_SET_BIN_BASE_OFFSET of a20x is CP_SET_DRAW_INIT_FLAGS). Where two opcodes have the name, the
 * lower. False: the family has none, or an argument is null.
 */
GPUCODE_API bool gpucode_packet_find(unsigned family, const char *name, size_t length, uint32_t *opcode);

/* A field of a packet's payload, as tables have it. Pointers are constant. */
struct gpucode_payload_field {
    const char *name;   /* "-": the word has no other name */
    unsigned word;      /* 0 is the one after the header */
    unsigned low, high; /* bits; those above 31 are in the next word */
    enum gpucode_field_type type;
    const char *values; /* of GPUCODE_FIELD_ENUM: what the tables call the list of names; else null */
    /* Another field that decides whether this one is there, by what its names are called; and the values with which it
     * is, separated by '|' and cut where there is no room. Null and "": it always is. */
    const char *selector;
    char selected[GPUCODE_FIELD_TEXT_MAX];
    unsigned repeat; /* its group of words comes again every so many words; 0: it does not */
};
/*
 * Field `index` of a packet, in the order of the words; words of which another meaning comes first with the same
 * selector are left out. False: null, no such packet, or after the last one. Source: the register database of Mesa
 * (adreno_pm4.xml).
 */
GPUCODE_API bool gpucode_payload_field(unsigned family, unsigned opcode, unsigned index,
                                       struct gpucode_payload_field *field);

/*
 * The fields of one word of a packet's payload, `count` words of which are given; as gpucode_register_fields(), 0 also
 * where nothing is known of the word. *words: 2 where it and the next one are one value, else 1.
 */
GPUCODE_API size_t gpucode_payload_fields(unsigned family, unsigned opcode, const uint32_t *payload, uint32_t count,
                                          uint32_t word, struct gpucode_field_value *fields, size_t size,
                                          unsigned *words);
/*
 * The value of that word out of a text "A = 1 | FLAG | 0x8000", as gpucode_register_read(). `payload` has the words in
 * front of it, `word` of them, which say what fields it has. *words as above: of two the value has 64 bits.
 */
GPUCODE_API bool gpucode_payload_read(unsigned family, unsigned opcode, const uint32_t *payload, uint32_t word,
                                      const char *text, size_t length, uint64_t *value, unsigned *words,
                                      struct gpucode_field_wrong *wrong);

#ifdef __cplusplus
}
#endif
#endif
