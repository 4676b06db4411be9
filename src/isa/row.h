/* SPDX-License-Identifier: MIT */
/*
 * Rows compiled for use: what tools/rowc.c makes of an instruction set's insn.def at build time.
 * Everything is constant data; nothing is set up at run time. Texts are arrays or distances in one array rather than
 * pointers, of which the loader would have to write each at every start of a program.
 */
#ifndef ISA_ROW_H
#define ISA_ROW_H

#include "isa/hash.h"
#include <gpucode/action.h>
#include <gpucode/insn.h>

/* A field may lie in up to four pieces; the first piece holds the most significant bits. */
struct isa_piece {
    uint8_t shift, width;
};

struct isa_field {
    char letter;
    uint8_t kind;   /* index into the instruction set's operand kinds */
    uint8_t width;  /* all pieces together */
    uint8_t pieces; /* 1 to 4; 0: a part of the text without bits of its own */
    struct isa_piece piece[4];
};

/* Bytes of the longest literal, and of the longest mnemonic, their ends included. */
#define ISA_LITERAL_ROOM 21

/* One step of printing or parsing a row's text. */
struct isa_element {
    uint8_t is_field;
    uint8_t index;                  /* field: index into the row's fields */
    uint8_t length;                 /* literal: bytes */
    char literal[ISA_LITERAL_ROOM]; /* a space in it stands for any white space, or none when parsing */
};

/*
 * One clause of a row's effects (tools/rowc_effects.c has the words). It holds always, or by the value of a field of
 * the row.
 */
enum isa_verb {
    ISA_EFFECT_FLOW,     /* control goes where `field` says; `use` is enum gpucode_flow_kind */
    ISA_EFFECT_SLOTS,    /* `count` delay slots */
    ISA_EFFECT_OPERAND,  /* `field` is used */
    ISA_EFFECT_REGISTER, /* registers number .. number + count - 1 of `space` are used; of several only one, unknown */
    ISA_EFFECT_MEMORY,   /* memory is used */
};

struct isa_effect {
    uint8_t verb;  /* enum isa_verb */
    uint8_t use;   /* enum gpucode_use, added to what the operand's class says */
    uint8_t field; /* 1 + index into the row's fields; 0: none */
    uint8_t when;  /* 1 + index of the field whose value decides; 0: always */
    bool unless;   /* it holds where that field is 0, else where it is not */
    uint8_t count;
    uint8_t space;
    uint32_t number;
};

/* The flow of a row where no field decides about it, so that nobody need read its effects. */
struct isa_steady_flow {
    bool known;    /* the rest holds; else the effects tell */
    bool ends;     /* as in struct gpucode_flow */
    uint8_t field; /* that says where to: 1 + index into the row's fields; 0: none */
    uint8_t delay_slots, ending_slots;
};

/* What struct gpucode_row has of a row, but for texts that nobody needs who reads or writes code. */
struct isa_row_facts {
    char mnemonic[ISA_LITERAL_ROOM];
    uint8_t size; /* bytes */
    uint8_t evidence;
    bool acts; /* the action column says what it does, and not a function of the machine */
    uint64_t mask, match, ignored;
};

/* Those texts, as their places in isa_row_set.strings. */
struct isa_row_texts {
    uint32_t id, bits, text, effects, doc, source, action;
};

struct isa_row {
    struct isa_row_facts facts;
    uint16_t generations; /* bit per generation of the instruction set */
    uint8_t field_count, element_count;
    uint16_t action; /* index for the executor: position of the row among the rows */
    const struct isa_field *fields;
    const struct isa_element *elements;
    const struct isa_effect *effects;
    uint8_t effect_count;
    bool flows;   /* some effect is ISA_EFFECT_FLOW */
    uint8_t flow; /* enum gpucode_flow_kind of the effects that hold always */
    struct isa_steady_flow steady;
    uint32_t marks; /* bits that ROW_MARKS of the set's rows.h gives to words of the effects column */
};

/*
 * Decoding: a tree of table look-ups. `entry` >= 0 is a leaf: index into `leaves`, where the rows stand that are still
 * possible, special cases before the general row, ended by one without a row that every word matches. `entry` < 0: node
 * ~entry. The bits that the root looks at choose a node of `second`, which looks at no bits where it has nothing to
 * add: so all words of most sets take two look-ups, and no processor has to guess how many.
 */
struct isa_node {
    uint16_t mask;  /* of as many bits as the node looks at */
    uint16_t first; /* index into entries */
    uint8_t shift;
};

struct isa_leaf {
    uint64_t mask, match; /* the row's */
    uint16_t row;         /* plus 1; 0: the end */
};

struct isa_decoder {
    const struct isa_node *second; /* by the bits of the root */
    const struct isa_node *nodes;  /* node 0 is the root */
    const int16_t *entries;
    const struct isa_leaf *leaves;
};

/* A mnemonic and its rows, in the order of insn.def. */
struct isa_mnemonic {
    const char *text;
    uint8_t length;
    uint8_t row_count;
    uint16_t
        first_list; /* index into isa_row_set.list_starts: its rows of generation 0, those of the others after it */
    const uint16_t *rows; /* of all generations */
};

/* A mnemonic's place in a hash table of keys; what has no place at once has one of those after. */
struct isa_key_slot {
    uint64_t key;
    uint16_t mnemonic;   /* index + 1; 0: empty, and the key is 0 */
    uint16_t first_list; /* the mnemonic's */
};

/* An action taken apart (tools/rowc_action.c): its nodes in isa_row_set.action_nodes; count 0: it is not. */
struct isa_action {
    uint32_t first, count;
};

/* An action of something else than a row; the last one has none. */
struct isa_place {
    enum gpucode_action_place place;
    unsigned number;
    struct isa_action action;
};

struct isa_row_set {
    const struct isa_row *rows;
    const struct isa_row_texts *texts; /* by row */
    const char *strings;
    unsigned row_count;
    const struct isa_decoder *decoders; /* one per generation */
    const struct isa_mnemonic *mnemonics;
    unsigned mnemonic_count;
    const struct isa_key_slot *slots; /* from isa_key_hash() >> slot_shift on; the last one is empty */
    unsigned slot_shift;
    const uint16_t *lists;       /* rows' numbers plus 1, each list ended by 0 */
    const uint16_t *list_starts; /* indices into `lists`; see struct isa_mnemonic */
    const struct gpucode_action *action_nodes;
    const struct isa_action *actions; /* by row */
    const struct isa_place *places;
};

/* The rows that a mnemonic with this first list has on a generation: their numbers plus 1, ended by 0. */
static inline const uint16_t *isa_rows_of(const struct isa_row_set *set, unsigned first_list, unsigned generation)
{
    return set->lists + set->list_starts[first_list + generation];
}

/* Always inline: where the field is a constant, as in the functions that rowc makes of rows, a shift and a mask remain.
 */
static inline __attribute__((always_inline)) uint64_t isa_field_get(const struct isa_field *field, uint64_t bits)
{
    if (!field->pieces) /* a part of the text without bits */
        return 0;
    uint64_t value = bits >> field->piece[0].shift & (~UINT64_C(0) >> (64 - field->piece[0].width));
    for (unsigned i = 1; i < field->pieces; i++)
        value = value << field->piece[i].width |
                (bits >> field->piece[i].shift & (~UINT64_C(0) >> (64 - field->piece[i].width)));
    return value;
}

static inline uint64_t isa_field_set(const struct isa_field *field, uint64_t bits, uint64_t value)
{
    for (unsigned i = field->pieces; i-- > 0;) {
        uint64_t mask = ~UINT64_C(0) >> (64 - field->piece[i].width);
        bits = (bits & ~(mask << field->piece[i].shift)) | (value & mask) << field->piece[i].shift;
        value >>= field->piece[i].width % 64;
    }
    return bits;
}

/* The same for a field whose bits are still 0 and a value that fits. */
static inline uint64_t isa_field_fill(const struct isa_field *field, uint64_t bits, uint64_t value)
{
    return field->pieces == 1 ? bits | value << field->piece[0].shift : isa_field_set(field, bits, value);
}

/* Row number that matches, or -1. */
static inline int isa_decode_row(const struct isa_row_set *set, unsigned generation, uint64_t bits)
{
    const struct isa_decoder *decoder = &set->decoders[generation];
    const struct isa_node *node = &decoder->second[bits >> decoder->nodes->shift & decoder->nodes->mask];
    int entry = decoder->entries[node->first + (bits >> node->shift & node->mask)];
    while (entry < 0) {
        node = &decoder->nodes[~entry];
        entry = decoder->entries[node->first + (bits >> node->shift & node->mask)];
    }
    const struct isa_leaf *leaf = &decoder->leaves[entry];
    leaf += (bits & leaf->mask) != leaf->match;
    while ((bits & leaf->mask) != leaf->match)
        leaf++;
    return leaf->row - 1;
}

#endif
