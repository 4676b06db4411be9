/* SPDX-License-Identifier: MIT */
/*
 * Takes the actions of rows apart: a part of C, with declarations, assignments, if, while, calls and expressions. What
 * the words in them are says action.def of the set, which is read here with these macros:
 *
 *     WORD(A, "st")                 the operand of the first of these letters that the row has
 *     BITS(REPEAT, "r")             the field of that letter, as encoded; 0 where the row has none
 *     CONSTANT(REM, 28)             a number
 *     STATE(CARRY, "carry")         a register that programs have no name for
 *     SPACE(CONTROL, "control")     CONTROL(x): register x of the space
 *     FUNCTION2(NAME, a, b, ...)    a formula over its parameters, put in the place of calls
 *     PROCEDURE2(NAME, a, b, {...}) statements over its parameters, put in the place of calls that are statements
 *     PLACE(READ, 29, { ... })      the action of something else than a row: enum gpucode_action_place
 */
#include "rowc.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- nodes: making, copying, printing ----------------------------------------------------------------------------- */

unsigned tree_node(struct tree *tree, const char *kind, unsigned width)
{
    if (tree->count == NODES_MAX) {
        fprintf(stderr, "rowc: an action has too many parts\n");
        exit(1);
    }
    tree->node[tree->count] = (struct node){.kind = kind, .width = width};
    return tree->count++;
}

unsigned tree_copy(struct tree *tree, unsigned from)
{
    unsigned to = tree_node(tree, tree->node[from].kind, tree->node[from].width);
    struct node copy = tree->node[from];
    copy.next = 0;
    tree->node[to] = copy;
    bool is_list = strcmp(copy.kind, "CALL") == 0 || strcmp(copy.kind, "LIST") == 0;
    for (unsigned i = 0; i < 3; i++)
        if (copy.child[i])
            tree->node[to].child[i] = tree_copy(tree, copy.child[i]);
    /* children of calls and lists bring their neighbours */
    for (unsigned last = tree->node[to].child[0], next = is_list && copy.child[0] ? tree->node[copy.child[0]].next : 0;
         next; next = tree->node[next].next) {
        unsigned neighbour = tree_copy(tree, next);
        tree->node[last].next = neighbour;
        last = neighbour;
    }
    return to;
}

void tree_print(const struct tree *tree)
{
    for (unsigned i = 0; i < tree->count; i++) {
        const struct node *n = &tree->node[i];
        printf("    {GPUCODE_ACTION_%s, %u, %d, %u, %u, %u, %u, \"%s\", 0x%llxu},\n", n->kind, n->width, n->letter,
               n->child[0], n->child[1], n->child[2], n->next, n->text, (unsigned long long)n->number);
    }
}

/* --- actions ------------------------------------------------------------------------------------------------------ */

#ifndef ROW_ACTIONS
#define ROW_ACTIONS "rowc.h" /* nothing */
#endif

#define PARAMETERS_MAX 5
enum defined { END, IS_WORD, IS_BITS, IS_CONSTANT, IS_STATE, IS_SPACE, IS_FUNCTION, IS_PLACE };
static const struct definition {
    enum defined kind;
    const char *name, *text; /* letters; the name in results; the body */
    uint64_t number;
    const char *parameter[PARAMETERS_MAX];
} definitions[] = {
#define WORD(id, letters) {.kind = IS_WORD, .name = #id, .text = letters},
#define BITS(id, letters) {.kind = IS_BITS, .name = #id, .text = letters},
#define CONSTANT(id, value) {.kind = IS_CONSTANT, .name = #id, .number = value},
#define STATE(id, word) {.kind = IS_STATE, .name = #id, .text = word},
#define SPACE(id, word) {.kind = IS_SPACE, .name = #id, .text = word},
#define FUNCTION1(name, a, ...) {IS_FUNCTION, #name, #__VA_ARGS__, 0, {#a}},
#define FUNCTION2(name, a, b, ...) {IS_FUNCTION, #name, #__VA_ARGS__, 0, {#a, #b}},
#define FUNCTION3(name, a, b, c, ...) {IS_FUNCTION, #name, #__VA_ARGS__, 0, {#a, #b, #c}},
#define FUNCTION4(name, a, b, c, d, ...) {IS_FUNCTION, #name, #__VA_ARGS__, 0, {#a, #b, #c, #d}},
#define FUNCTION5(name, a, b, c, d, e, ...) {IS_FUNCTION, #name, #__VA_ARGS__, 0, {#a, #b, #c, #d, #e}},
#define PROCEDURE2 FUNCTION2
#define PROCEDURE3 FUNCTION3
#define PROCEDURE4 FUNCTION4
#define PLACE(place, value, ...) {.kind = IS_PLACE, .name = #place, .text = #__VA_ARGS__, .number = value},
#include ROW_ACTIONS
    {.kind = END}};

/* Where in a text reading is, and what its names mean. */
struct reading {
    struct tree *tree;
    struct row *row; /* null: of no row */
    const char *at;
    const struct definition *function; /* whose body it is, */
    const unsigned *arguments;         /* and what its parameters are */
    char variable[8][NODE_TEXT_MAX];
    unsigned variable_width[8], variable_count;
    bool failed;
};

static unsigned read_choice(struct reading *reading);
static unsigned read_list(struct reading *reading);
static unsigned read_statement(struct reading *reading);

static unsigned fail(struct reading *reading)
{
    reading->failed = true;
    return 0;
}

static void skip_space(struct reading *reading)
{
    while (isspace((unsigned char)*reading->at))
        reading->at++;
}

/* Takes the sign if it stands there. */
static bool take(struct reading *reading, const char *sign)
{
    skip_space(reading);
    size_t length = strlen(sign);
    if (strncmp(reading->at, sign, length) != 0)
        return false;
    reading->at += length;
    return true;
}

static void expect(struct reading *reading, const char *sign)
{
    if (!take(reading, sign))
        fail(reading);
}

/* A name, with "->" in it, or nothing. */
static size_t name_length(const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        length++;
    if (length && isdigit((unsigned char)*at))
        return 0;
    if (length && strncmp(at + length, "->", 2) == 0)
        return length + 2 + name_length(at + length + 2);
    return length;
}

static bool is_word(const char *at, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(at, word, length) == 0;
}

/* What action.def says of a name, or null. */
static const struct definition *definition_of(const char *at, size_t length)
{
    for (const struct definition *definition = definitions; definition->kind; definition++)
        if (definition->kind != IS_PLACE && is_word(at, length, definition->name))
            return definition;
    return NULL;
}

/* Width of a type's name; 0: it is none. */
static unsigned type_width(const char *at, size_t length, bool *is_signed)
{
    *is_signed = is_word(at, length, "int32_t");
    if (*is_signed || is_word(at, length, "uint32_t") || is_word(at, length, "unsigned"))
        return 32;
    if (is_word(at, length, "bool"))
        return 1;
    return is_word(at, length, "uint64_t") ? 64 : 0;
}

static unsigned text_node(struct reading *reading, const char *kind, unsigned width, const char *text, size_t length)
{
    unsigned node = tree_node(reading->tree, kind, width);
    if (length >= NODE_TEXT_MAX)
        return fail(reading);
    memcpy(reading->tree->node[node].text, text, length);
    return node;
}

static unsigned number_node(struct reading *reading, uint64_t number, unsigned width)
{
    unsigned node = tree_node(reading->tree, "NUMBER", number >> 32 ? 64 : width);
    reading->tree->node[node].number = number;
    return node;
}

static unsigned field_node(struct reading *reading, const char *kind, const char *letters)
{
    for (; *letters; letters++)
        if (!reading->row || field_of(reading->row, *letters)) {
            unsigned node = tree_node(reading->tree, kind, 32);
            reading->tree->node[node].letter = *letters;
            return node;
        }
    return number_node(reading, 0, 32);
}

/* A name that is not a call. */
static unsigned read_name(struct reading *reading, const char *at, size_t length)
{
    for (unsigned i = 0; reading->function && i < PARAMETERS_MAX && reading->function->parameter[i]; i++)
        if (is_word(at, length, reading->function->parameter[i]))
            return tree_copy(reading->tree, reading->arguments[i]);
    for (unsigned i = reading->variable_count; i-- > 0;)
        if (is_word(at, length, reading->variable[i]))
            return text_node(reading, "VARIABLE", reading->variable_width[i], at, length);
    const struct definition *definition = definition_of(at, length);
    switch (definition ? definition->kind : END) {
    case IS_WORD:
        return field_node(reading, "OPERAND", definition->text);
    case IS_BITS:
        return field_node(reading, "FIELD", definition->text);
    case IS_CONSTANT:
        return number_node(reading, definition->number, 32);
    case IS_STATE:
        return text_node(reading, "STATE", 32, definition->text, strlen(definition->text));
    default:
        return text_node(reading, "NAME", 32, at, length);
    }
}

/* The formula or the statements of a function with its arguments in it. */
static unsigned put_in_place(struct reading *reading, const struct definition *function, unsigned first)
{
    unsigned arguments[PARAMETERS_MAX] = {0}, count = 0;
    for (unsigned i = first; i && count < PARAMETERS_MAX; i = reading->tree->node[i].next)
        arguments[count++] = i;
    if (count < PARAMETERS_MAX && function->parameter[count])
        return fail(reading);
    struct reading body = {
        .tree = reading->tree, .row = reading->row, .at = function->text, .function = function, .arguments = arguments};
    unsigned node = *function->text == '{' ? read_list(&body) : read_choice(&body);
    skip_space(&body);
    reading->failed |= body.failed || *body.at;
    return node;
}

static unsigned read_call(struct reading *reading, const char *name, size_t length)
{
    unsigned first = 0, last = 0;
    struct tree *tree = reading->tree;
    while (!reading->failed && !take(reading, ")")) {
        if (last)
            expect(reading, ",");
        unsigned argument = read_choice(reading);
        if (last)
            tree->node[last].next = argument;
        else
            first = argument;
        last = argument;
    }
    if (is_word(name, length, "UINT32_C") || is_word(name, length, "UINT64_C")) {
        tree->node[first].width = is_word(name, length, "UINT64_C") ? 64 : 32;
        return first;
    }
    if (is_word(name, length, "POLICY")) /* as it is unless somebody chooses */
        return number_node(reading, 0, 32);
    const struct definition *called = definition_of(name, length);
    if (called && called->kind == IS_FUNCTION)
        return put_in_place(reading, called, first);
    unsigned node = called && called->kind == IS_SPACE
                        ? text_node(reading, "ELEMENT", 32, called->text, strlen(called->text))
                        : text_node(reading, "CALL", 32, name, length);
    tree->node[node].child[0] = first;
    return node;
}

static unsigned read_primary(struct reading *reading)
{
    skip_space(reading);
    if (isdigit((unsigned char)*reading->at)) {
        char *end;
        uint64_t number = strtoull(reading->at, &end, 0);
        reading->at = end + strspn(end, "uUlL");
        return number_node(reading, number, 32);
    }
    if (*reading->at == '"') {
        const char *text = ++reading->at;
        size_t length = strcspn(text, "\"");
        reading->at += length + (text[length] != 0);
        return text_node(reading, "NAME", 32, text, length);
    }
    const char *name = reading->at;
    size_t length = name_length(name);
    if (length) {
        reading->at += length;
        return take(reading, "(") ? read_call(reading, name, length) : read_name(reading, name, length);
    }
    expect(reading, "(");
    unsigned node = read_choice(reading);
    expect(reading, ")");
    return node;
}

static unsigned read_cast(struct reading *reading)
{
    const char *before = reading->at;
    bool is_signed = false;
    unsigned width = 0;
    if (take(reading, "(")) {
        skip_space(reading);
        size_t length = name_length(reading->at);
        width = type_width(reading->at, length, &is_signed);
        reading->at += length;
    }
    if (!width || !take(reading, ")")) {
        reading->at = before;
        return 0;
    }
    return tree_node(reading->tree, is_signed ? "SIGNED" : "CAST", width);
}

static unsigned read_unary(struct reading *reading)
{
    skip_space(reading);
    struct tree *tree = reading->tree;
    unsigned node = read_cast(reading), child;
    if (node) {
        child = read_unary(reading);
        tree->node[node].is_signed = strcmp(tree->node[node].kind, "SIGNED") == 0;
        tree->node[node].kind = "CAST";
        tree->node[node].child[0] = child;
        return node;
    }
    const char sign = *reading->at;
    if (sign != '~' && sign != '-' && sign != '!')
        return read_primary(reading);
    reading->at++;
    node = text_node(reading, "UNARY", 32, &sign, 1);
    child = read_unary(reading);
    tree->node[node].child[0] = child;
    tree->node[node].width = sign == '!' ? 1 : tree->node[child].width;
    return node;
}

/* Binary operators, those that bind least first. */
static const char *const operators[][4] = {
    {"||"},       {"&&"},     {"|"},          {"^"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"},
    {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
#define LEVELS (sizeof operators / sizeof *operators)

/* The operator of the level that stands there. */
static const char *operator_at(struct reading *reading, size_t level)
{
    skip_space(reading);
    for (unsigned i = 0; i < 4 && operators[level][i]; i++) {
        const char *sign = operators[level][i], *at = reading->at;
        size_t length = strlen(sign);
        if (strncmp(at, sign, length) != 0)
            continue;
        /* not the beginning of a longer one */
        if (length == 1 && (at[1] == at[0] || at[1] == '=') && strchr("|&<>", *sign))
            continue;
        return sign;
    }
    return NULL;
}

static unsigned binary_node(struct reading *reading, const char *sign, size_t level, unsigned left, unsigned right)
{
    struct tree *tree = reading->tree;
    bool is_signed = tree->node[left].is_signed && (strcmp(sign, ">>") == 0 || level == 6);
    char text[4];
    int length = snprintf(text, sizeof text, "%s%s", is_signed ? "s" : "", sign);
    unsigned width = tree->node[left].width;
    if (level > 7 && tree->node[right].width > width)
        width = tree->node[right].width;
    if (level >= 2 && level <= 4 && tree->node[right].width > width)
        width = tree->node[right].width;
    if (level < 2 || level == 5 || level == 6)
        width = 1;
    unsigned node = text_node(reading, "BINARY", width, text, (size_t)length);
    tree->node[node].child[0] = left;
    tree->node[node].child[1] = right;
    return node;
}

static unsigned read_binary(struct reading *reading, size_t level)
{
    if (level == LEVELS)
        return read_unary(reading);
    unsigned left = read_binary(reading, level + 1);
    const char *sign;
    while (!reading->failed && (sign = operator_at(reading, level))) {
        reading->at += strlen(sign);
        unsigned right = read_binary(reading, level + 1);
        left = binary_node(reading, sign, level, left, right);
    }
    return left;
}

static unsigned read_choice(struct reading *reading)
{
    unsigned condition = read_binary(reading, 0);
    if (reading->failed || !take(reading, "?"))
        return condition;
    unsigned yes = read_choice(reading);
    expect(reading, ":");
    unsigned no = read_choice(reading);
    struct tree *tree = reading->tree;
    unsigned width = tree->node[yes].width > tree->node[no].width ? tree->node[yes].width : tree->node[no].width;
    unsigned node = tree_node(tree, "CHOICE", width);
    tree->node[node].child[0] = condition;
    tree->node[node].child[1] = yes;
    tree->node[node].child[2] = no;
    return node;
}

/* --- statements --------------------------------------------------------------------------------------------------- */

/* Statements to the end of the text or the closing brace, which is taken. */
static void read_statements(struct reading *reading, unsigned list)
{
    unsigned last = 0;
    for (skip_space(reading); !reading->failed && *reading->at && !take(reading, "}"); skip_space(reading)) {
        unsigned statement = read_statement(reading);
        if (!statement)
            continue;
        if (last)
            reading->tree->node[last].next = statement;
        else
            reading->tree->node[list].child[0] = statement;
        last = statement;
    }
}

/* One statement, or those between braces, as a list. */
static unsigned read_list(struct reading *reading)
{
    unsigned list = tree_node(reading->tree, "LIST", 0), variables = reading->variable_count;
    if (take(reading, "{")) {
        read_statements(reading, list);
    } else {
        unsigned statement = read_statement(reading);
        reading->tree->node[list].child[0] = statement;
    }
    reading->variable_count = variables;
    return list;
}

static unsigned read_conditional(struct reading *reading, const char *kind)
{
    unsigned node = tree_node(reading->tree, kind, 0);
    expect(reading, "(");
    unsigned condition = read_choice(reading);
    expect(reading, ")");
    unsigned yes = read_list(reading);
    unsigned no = 0;
    const char *before = reading->at;
    skip_space(reading);
    if (name_length(reading->at) == 4 && take(reading, "else"))
        no = read_list(reading);
    else
        reading->at = before;
    struct node *made = &reading->tree->node[node];
    made->child[0] = condition;
    made->child[1] = yes;
    made->child[2] = no;
    return node;
}

static unsigned read_declaration(struct reading *reading, unsigned width)
{
    skip_space(reading);
    const char *name = reading->at;
    size_t length = name_length(name);
    if (!length || length >= NODE_TEXT_MAX || reading->variable_count == 8)
        return fail(reading);
    reading->at += length;
    unsigned node = text_node(reading, "DECLARE", width, name, length);
    expect(reading, "=");
    unsigned value = read_choice(reading);
    expect(reading, ";");
    reading->tree->node[node].child[0] = value;
    memcpy(reading->variable[reading->variable_count], name, length);
    reading->variable[reading->variable_count][length] = 0;
    reading->variable_width[reading->variable_count++] = width;
    return node;
}

static unsigned read_statement(struct reading *reading)
{
    bool is_signed;
    if (take(reading, ";"))
        return 0;
    if (take(reading, "{")) {
        unsigned list = tree_node(reading->tree, "LIST", 0);
        read_statements(reading, list);
        return list;
    }
    const char *name = reading->at;
    size_t length = name_length(name);
    unsigned width = type_width(name, length, &is_signed);
    reading->at += is_word(name, length, "if") || is_word(name, length, "while") || width ? length : 0;
    if (is_word(name, length, "if"))
        return read_conditional(reading, "IF");
    if (is_word(name, length, "while"))
        return read_conditional(reading, "WHILE");
    if (width)
        return read_declaration(reading, width);
    unsigned left = read_choice(reading);
    if (reading->failed)
        return 0;
    if (operator_at(reading, 5) || !take(reading, "=")) {
        expect(reading, ";");
        const char *kind = reading->tree->node[left].kind; /* a call, or the statements that stand for it */
        return strcmp(kind, "CALL") == 0 || strcmp(kind, "LIST") == 0 ? left : fail(reading);
    }
    unsigned node = tree_node(reading->tree, "ASSIGN", 0);
    unsigned right = read_choice(reading);
    expect(reading, ";");
    reading->tree->node[node].child[0] = left;
    reading->tree->node[node].child[1] = right;
    return node;
}

bool action_read(struct tree *tree, struct row *row, const char *text)
{
    char copy[4096];
    size_t length = strlen(text);
    tree->count = 0;
    if (strcmp(text, "LONG") == 0 || length >= sizeof copy)
        return false;
    if (strncmp(text, "LONG(", 5) == 0) { /* what the function of the machine comes to */
        text += 5;
        length -= 6;
    }
    memcpy(copy, text, length);
    copy[length] = 0;
    struct reading reading = {.tree = tree, .row = row, .at = copy};
    unsigned list = tree_node(tree, "LIST", 0);
    expect(&reading, "{");
    read_statements(&reading, list);
    skip_space(&reading);
    return !reading.failed && !*reading.at;
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

/* Where the nodes of one action stand among those of the set. */
struct part {
    unsigned first, count;
};

/* Prints nodes after those of other actions, and gives what one finds them by: their place and their number. */
static struct part print_part(const struct tree *tree, unsigned *printed)
{
    struct part part = {*printed, tree->count};
    tree_print(tree);
    *printed += tree->count;
    return part;
}

static void print_places(const struct part *parts)
{
    printf("static const struct isa_place place_actions[] = {\n");
    for (unsigned i = 0; definitions[i].kind; i++)
        if (definitions[i].kind == IS_PLACE)
            printf("    {GPUCODE_ACTION_%s, %llu, {%u, %u}},\n", definitions[i].name,
                   (unsigned long long)definitions[i].number, parts[i].first, parts[i].count);
    printf("    {0, 0, {0, 0}}};\n");
}

void actions_print(struct row *rows, const char *const *texts, unsigned count)
{
    static struct tree tree;
    static struct part parts[4096], place_parts[sizeof definitions / sizeof *definitions];
    unsigned printed = 0;
    /* one table of nodes without pointers, which the loader would have to write at each start */
    printf("static const struct gpucode_action action_nodes[] = {\n");
    for (unsigned i = 0; i < count && definitions->kind; i++) {
        bool has = action_read(&tree, &rows[i], texts[i]);
        if (!has && strcmp(texts[i], "LONG") != 0)
            refuse_row(&rows[i], "the action cannot be taken apart", texts[i], (int)strlen(texts[i]));
        if (has)
            parts[i] = print_part(&tree, &printed);
    }
    for (unsigned i = 0; definitions[i].kind; i++) {
        const struct definition *place = &definitions[i];
        if (place->kind != IS_PLACE)
            continue;
        if (!action_read(&tree, NULL, place->text)) {
            fprintf(stderr, "rowc: the action of %s %llu cannot be taken apart\n", place->name,
                    (unsigned long long)place->number);
            exit(1);
        }
        place_parts[i] = print_part(&tree, &printed);
    }
    printf("    {GPUCODE_ACTION_LIST, 0, 0, 0, 0, 0, 0, \"\", 0}};\nstatic const struct isa_action actions[] = {\n");
    for (unsigned i = 0; i < count; i++)
        printf("    {%u, %u},\n", parts[i].first, parts[i].count);
    printf("};\n");
    print_places(place_parts);
}
