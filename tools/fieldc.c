/* SPDX-License-Identifier: MIT */
/*
 * fieldc OUTPUT FOLDER FILE...: turns the tables of data/pm4/ into the constant tables of src/pm4/fields/tables.h. Runs
 * on the build machine. FILEs are all in FOLDER; the build names them to know when they change. data/README.md
 * describes them.
 */
#include "tsv.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Rows of tables with TABs, and texts that are stored once ----------------------------------------------------- */

#define STRINGS_MAX (1u << 20)
#define POOL_SLOTS (1u << 16)

struct string_pool {
    char text[STRINGS_MAX];
    unsigned length, slots[POOL_SLOTS]; /* offset + 1 */
};

static void load(struct tsv *table, const char *folder, const char *name, unsigned columns)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = tsv_grow(NULL, size);
    snprintf(path, size, "%s/%s", folder, name);
    tsv_load(table, path, columns, columns);
    free(path);
}

static unsigned number(const struct tsv *table, const struct tsv_row *row, const char *text)
{
    return tsv_number(table, row, text, UINT32_MAX);
}

/* "A2XX,A3XX" or "*" as a mask: bit 1 is A2XX. */
static unsigned chips(const struct tsv *table, const struct tsv_row *row, const char *text)
{
    unsigned mask = 0;
    if (strcmp(text, "*") == 0)
        return 0xfe;
    for (const char *at = text; *at; at += strcspn(at, ","), at += *at == ',') {
        if (at[0] != 'A' || at[1] < '2' || at[1] > '8' || strncmp(at + 2, "XX", 2) != 0)
            tsv_fail(table, row, "'%s' are not chips", text);
        mask |= 1u << (at[1] - '1');
    }
    return mask;
}

/* Offset of a text in the pool. */
static unsigned intern(struct string_pool *pool, const char *text)
{
    uint32_t hash = 2166136261u;
    for (const char *at = text; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 16777619u;
    unsigned slot = hash % POOL_SLOTS, size = (unsigned)strlen(text) + 1;
    for (; pool->slots[slot]; slot = (slot + 1) % POOL_SLOTS)
        if (strcmp(pool->text + pool->slots[slot] - 1, text) == 0)
            return pool->slots[slot] - 1;
    if (pool->length + size > STRINGS_MAX)
        tsv_fail(NULL, NULL, "too many strings");
    memcpy(pool->text + pool->length, text, size);
    pool->slots[slot] = pool->length + 1;
    pool->length += size;
    return pool->slots[slot] - 1;
}

/* One array instead of pointers: no relocations when the program starts. */
static void put_strings(FILE *out, const struct string_pool *pool, const char *name)
{
    fprintf(out, "static const char %s[] = {", name);
    for (unsigned i = 0; i < pool->length; i++)
        fprintf(out, "%s%d,", i % 32 ? "" : "\n    ", pool->text[i]);
    fputs("\n};\n", out);
}

#define REGISTERS_MAX 16383
#define NUMBERS 0x40000

static const char *folder;
static FILE *out;

static struct string_pool strings;
static struct tsv enums;
static struct {
    const char *name;
    unsigned first, count;
    bool used;
} types[1024];
static unsigned type_count;
static struct {
    const char *file, *name;
    unsigned first, count, words;
} layouts[1024];
static unsigned layout_count, row_count, register_count;
static struct {
    unsigned number, words, stride, count, chips, file, name;
    bool array, gmu;
} registers[REGISTERS_MAX];

/* --- enumerations ------------------------------------------------------------------------------------ */

static void load_enums(void)
{
    load(&enums, folder, "enums.tsv", 4);
    for (unsigned i = 0; i < enums.count; i++) {
        const char *name = enums.rows[i].cell[0];
        if (!i || strcmp(name, enums.rows[i - 1].cell[0]) != 0) {
            if (type_count == 1024)
                tsv_fail(&enums, &enums.rows[i], "too many enumerations");
            types[type_count].name = name;
            types[type_count++].first = i;
        }
        types[type_count - 1].count++;
    }
}

static unsigned find_enum(const struct tsv *table, const struct tsv_row *row, const char *name, size_t length)
{
    for (unsigned i = 0; i < type_count; i++)
        if (strlen(types[i].name) == length && memcmp(types[i].name, name, length) == 0) {
            types[i].used = true;
            return i;
        }
    tsv_fail(table, row, "'%.*s' is not an enumeration", (int)length, name);
}

/* Those that nothing has as its type stay out. */
static void put_enums(void)
{
    unsigned count = 0;
    static unsigned first[1024], length[1024];
    fputs("static const uint32_t field_values[] = {", out);
    for (unsigned i = 0; i < type_count; i++) {
        first[i] = count;
        for (unsigned k = 0; types[i].used && k < types[i].count; k++) {
            const struct tsv_row *row = &enums.rows[types[i].first + k];
            if (strcmp(row->cell[2], "-") == 0)
                continue;
            fprintf(out, "%s0x%x,", count++ % 16 ? "" : "\n    ", number(&enums, row, row->cell[2]));
        }
        length[i] = count - first[i];
    }
    for (unsigned part = 0; part < 2; part++) {
        fputs(part ? "\n};\nstatic const uint8_t field_value_chips[] = {\n    "
                   : "\n};\nstatic const uint32_t field_value_names[] = {\n    ",
              out);
        for (unsigned i = 0; i < type_count; i++)
            for (unsigned k = 0; types[i].used && k < types[i].count; k++) {
                const struct tsv_row *row = &enums.rows[types[i].first + k];
                if (strcmp(row->cell[2], "-") != 0)
                    fprintf(out, "%u,%s", part ? chips(&enums, row, row->cell[3]) : intern(&strings, row->cell[1]),
                            k % 16 == 15 ? "\n    " : "");
            }
    }
    fputs("\n};\nstatic const struct field_enum field_enums[] = {\n", out);
    for (unsigned i = 0; i < type_count; i++)
        fprintf(out, "    {%u, %u, %u},\n", intern(&strings, types[i].name), first[i], length[i]);
    fputs("};\n", out);
}

/* --- rows of fields ---------------------------------------------------------------------------------- */

static const char *const type_names[] = {"hex",        "uint",    "int",      "float", "fixed",  "ufixed", "boolean",
                                         "a3xx_regid", "address", "waddress", "enum",  "bitset", "-"};

static unsigned field_type(const struct tsv *table, const struct tsv_row *row, const char *text)
{
    for (unsigned i = 0; i < sizeof type_names / sizeof *type_names; i++)
        if (strcmp(text, type_names[i]) == 0)
            return i;
    tsv_fail(table, row, "'%s' is not a type", text);
}

enum { TYPE_ENUM = 10, TYPE_BITSET = 11 };

/* A layout of the file, else one that is shared. */
static unsigned find_layout(const struct tsv *table, const struct tsv_row *row, const char *file, const char *name)
{
    for (unsigned i = 0; i < layout_count; i++)
        if ((strcmp(layouts[i].file, file) == 0 || strcmp(layouts[i].file, "bitsets.tsv") == 0) &&
            strcmp(layouts[i].name, name) == 0)
            return i;
    (void)table;
    (void)row;
    return 0xffff; /* no fields are known */
}

static unsigned type_of(const struct tsv *table, const struct tsv_row *row, const char *file, unsigned type,
                        const char *of)
{
    if (type == TYPE_ENUM)
        return find_enum(table, row, of, strlen(of));
    return type == TYPE_BITSET ? find_layout(table, row, file, of) : 0;
}

/* "enum=VALUE|VALUE" */
static unsigned selected(const struct tsv *table, const struct tsv_row *row, const char *text, unsigned *mask)
{
    size_t length = strcspn(text, "=");
    unsigned type = find_enum(table, row, text, length);
    *mask = 0;
    for (const char *at = text + length; *at;) {
        size_t size = strcspn(++at, "|");
        bool found = false;
        for (unsigned i = 0; i < types[type].count; i++) {
            const struct tsv_row *value = &enums.rows[types[type].first + i];
            if (strlen(value->cell[1]) == size && memcmp(value->cell[1], at, size) == 0) {
                unsigned bit = number(&enums, value, value->cell[2]);
                if (bit > 31)
                    tsv_fail(table, row, "the value %u is too large to select by", bit);
                *mask |= 1u << bit;
                found = true;
            }
        }
        if (!found)
            tsv_fail(table, row, "'%s' has unknown values", text);
        at += size;
    }
    return type;
}

struct cells {
    const char *field, *low, *high, *type, *of, *shr, *radix, *chips, *when, *repeat, *note;
    unsigned word, form;
};

static void put_row(const struct tsv *table, const struct tsv_row *row, const struct cells *cells)
{
    unsigned type = field_type(table, row, cells->type), low = number(table, row, cells->low),
             high = number(table, row, cells->high), values = 0, when = 0, stride = 0, repeat = 0, flags = 0;
    if (high < low || high > 63)
        tsv_fail(table, row, "bits %u to %u", low, high);
    if (strcmp(cells->when, "-") != 0)
        when = selected(table, row, cells->when, &values);
    if (strcmp(cells->repeat, "-") != 0 && sscanf(cells->repeat, "%u*%u", &stride, &repeat) < 1)
        tsv_fail(table, row, "'%s' repeats nothing", cells->repeat);
    flags = (strcmp(cells->note, "selects") == 0 ? 1 : 0) | (strcmp(cells->note, "unnamed") == 0 ? 2 : 0) |
            (strcmp(cells->note, "shadowed") == 0 ? 4 : 0) |
            (strncmp(cells->field, "UNK", 3) == 0 && cells->field[3] >= '0' && cells->field[3] <= '9' ? 8 : 0);
    char name[64];
    snprintf(name, sizeof name, "%s%s", flags & 2 ? "WORD" : "", cells->field);
    fprintf(out, "    {%u, 0x%x, %u, %u, %u, %u, %u, %u, %u, 0x%x, %u, %u, %u, %u, %u},\n", intern(&strings, name),
            values, type_of(table, row, "bitsets.tsv", type, cells->of), when, low, high, type,
            number(table, row, cells->shr), number(table, row, cells->radix), chips(table, row, cells->chips), flags,
            cells->word, cells->form, stride, repeat);
    row_count++;
}

static void begin_layout(const struct tsv *table, const struct tsv_row *row, const char *file)
{
    if (layout_count && strcmp(layouts[layout_count - 1].name, row->cell[0]) == 0 &&
        strcmp(layouts[layout_count - 1].file, file) == 0)
        return;
    if (layout_count == 1024)
        tsv_fail(table, row, "too many layouts");
    layouts[layout_count].file = file;
    layouts[layout_count].name = row->cell[0];
    layouts[layout_count++].first = row_count;
}

static void put_in_layout(const struct tsv *table, const struct tsv_row *row, const char *file,
                          const struct cells *cells)
{
    begin_layout(table, row, file);
    put_row(table, row, cells);
    layouts[layout_count - 1].count = row_count - layouts[layout_count - 1].first;
}

/* Fields of registers: layout field low high type of shr radix chips when note */
static void put_register_rows(const char *file)
{
    static struct tsv table;
    load(&table, folder, file, 11);
    for (unsigned i = 0; i < table.count; i++) {
        const struct tsv_row *row = &table.rows[i];
        char **cell = table.rows[i].cell;
        put_in_layout(&table, row, file,
                      &(struct cells){cell[1], cell[2], cell[3], cell[4], cell[5], cell[6], cell[7], cell[8], cell[9],
                                      "-", "-", 0, 0});
    }
}

/* packet form word field low high type of shr radix chips when repeat note */
static void put_packet_rows(void)
{
    static struct tsv table;
    load(&table, folder, "packet_fields.tsv", 14);
    for (unsigned i = 0; i < table.count; i++) {
        const struct tsv_row *row = &table.rows[i];
        char **cell = table.rows[i].cell;
        put_in_layout(&table, row, "packet_fields.tsv",
                      &(struct cells){cell[3], cell[4], cell[5], cell[6], cell[7], cell[8], cell[9], cell[10], cell[11],
                                      cell[12], cell[13], number(&table, row, cell[2]), number(&table, row, cell[1])});
    }
}

/* descriptor words word field low high type of shr radix chips note */
static void put_descriptor_rows(void)
{
    static struct tsv table;
    load(&table, folder, "descriptors.tsv", 12);
    for (unsigned i = 0; i < table.count; i++) {
        const struct tsv_row *row = &table.rows[i];
        char **cell = table.rows[i].cell;
        put_in_layout(&table, row, "descriptors.tsv",
                      &(struct cells){cell[3], cell[4], cell[5], cell[6], cell[7], cell[8], cell[9], cell[10], "-", "-",
                                      "-", number(&table, row, cell[2]), 0});
        layouts[layout_count - 1].words = number(&table, row, cell[1]);
    }
}

/* --- registers --------------------------------------------------------------------------------------- */

static const char *const generations[] = {"a2xx", "a3xx", "a4xx", "a5xx", "a6xx", "axxx"};
enum { FILE_AXXX = 5 };

/* name number chips words stride count kind type of low high shr radix align usage domain source */
static void put_registers(unsigned file)
{
    static struct tsv table;
    char path[32], fields[32];
    snprintf(path, sizeof path, "registers_%s.tsv", generations[file]);
    snprintf(fields, sizeof fields, "fields_%s.tsv", generations[file]);
    load(&table, folder, path, 17);
    for (unsigned i = 0; i < table.count; i++) {
        const struct tsv_row *row = &table.rows[i];
        char *const *cell = row->cell;
        const char *domain = cell[15], *brackets = strstr(cell[0], "[]");
        bool array = strcmp(cell[6], "array") == 0;
        /* other processors' numbers are in address spaces of their own */
        if (strlen(domain) != 4)
            continue;
        if (register_count == REGISTERS_MAX)
            tsv_fail(&table, row, "too many registers");
        unsigned type = array ? 12 : field_type(&table, row, cell[7]);
        unsigned words = number(&table, row, cell[3]), stride = number(&table, row, cell[4]);
        registers[register_count].number = number(&table, row, cell[1]);
        registers[register_count].words = words;
        registers[register_count].stride = stride;
        registers[register_count].count = number(&table, row, cell[5]);
        registers[register_count].chips = file == FILE_AXXX ? 0x06 : chips(&table, row, cell[2]);
        registers[register_count].file = file;
        registers[register_count].array = array;
        registers[register_count].gmu = strcmp(cell[16], "a6xx_gmu") == 0;
        registers[register_count].name = intern(&strings, cell[0]);
        fprintf(out, "    {%u, 0x%x, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u},\n", registers[register_count].name,
                registers[register_count].number, type_of(&table, row, fields, type, cell[8]), stride,
                registers[register_count].count, words, type, array ? 0 : number(&table, row, cell[9]),
                array ? 31 : number(&table, row, cell[10]), number(&table, row, cell[11]),
                number(&table, row, cell[12]), brackets ? (unsigned)(brackets - cell[0]) : (unsigned)strlen(cell[0]),
                (unsigned)strlen(cell[0]));
        register_count++;
    }
}

static void claim(uint16_t *owner, unsigned row)
{
    unsigned words = registers[row].array ? registers[row].stride : registers[row].words;
    for (unsigned i = 0; i < registers[row].count; i++)
        for (unsigned k = 0; k < words; k++) {
            unsigned at = registers[row].number + i * registers[row].stride + k;
            if (at < NUMBERS && owner[at] == REGISTERS_MAX)
                owner[at] = (uint16_t)row;
        }
}

/*
 * Which row names each number, as runs, and the run that every 64th number lies in; after the families those of the
 * GMU's own numbers on a6xx and later.
 */
static void put_runs(void)
{
    static uint16_t owner[NUMBERS + 1], buckets[NUMBERS >> 6];
    for (unsigned family = 2; family <= 11; family++) {
        unsigned count = 0, chip = family > 8 ? family - 3 : family;
        for (unsigned i = 0; i <= NUMBERS; i++)
            owner[i] = REGISTERS_MAX;
        for (unsigned i = 0; i < register_count; i++)
            if (registers[i].chips >> (chip - 1) & 1 && (family <= 8 || registers[i].gmu))
                claim(owner, i);
        fprintf(out, "static const uint32_t runs_%u[] = {\n    ", family);
        for (unsigned i = 0; i < NUMBERS; i++) {
            if (!i || owner[i] != owner[i - 1])
                fprintf(out, "0x%x,%s", i << 14 | owner[i], count++ % 16 == 15 ? "\n    " : "");
            if (i % 64 == 0)
                buckets[i / 64] = (uint16_t)(count - 1);
        }
        fprintf(out, "0xffffffff};\nstatic const uint16_t buckets_%u[] = {", family);
        for (unsigned i = 0; i < NUMBERS >> 6; i++)
            fprintf(out, "%s%u,", i % 32 ? "" : "\n    ", buckets[i]);
        fputs("\n};\n", out);
    }
}

static int compare_names(const void *a, const void *b)
{
    const unsigned one = *(const uint16_t *)a, other = *(const uint16_t *)b;
    int order = strcmp(strings.text + registers[one].name, strings.text + registers[other].name);
    return order ? order : (one > other) - (one < other);
}

/* The rows in the order of their names. */
static void put_order(void)
{
    static uint16_t rows[REGISTERS_MAX];
    for (unsigned i = 0; i < register_count; i++)
        rows[i] = (uint16_t)i;
    qsort(rows, register_count, sizeof *rows, compare_names);
    fputs("const uint16_t field_register_order[] = {", out);
    for (unsigned i = 0; i < register_count; i++)
        fprintf(out, "%s%u,", i % 24 ? "" : "\n    ", rows[i]);
    fprintf(out, "\n};\nconst unsigned field_register_count = %u;\n", register_count);
}

/* All of it in one set; the tables have names of their own in the file alone. */
static void put_set(void)
{
    fputs("const struct field_set field_built_in = {\n"
          "    field_strings, field_rows, field_layouts, field_enums, field_value_names,\n"
          "    field_values, field_value_chips, field_registers, {NULL, NULL",
          out);
    for (unsigned family = 2; family <= 11; family++)
        fprintf(out, ", runs_%u", family);
    fputs("}, {NULL, NULL", out);
    for (unsigned family = 2; family <= 11; family++)
        fprintf(out, ", buckets_%u", family);
    fputs("}};\n", out);
}

/* --- packets, chips, descriptors --------------------------------------------------------------------- */

static void put_packets(void)
{
    static struct tsv table, others;
    load(&table, folder, "packets.tsv", 9);
    load(&others, folder, "packet_layouts.tsv", 2);
    fputs("const struct field_packet field_packets[] = {\n", out);
    for (unsigned i = 0; i < table.count; i++) {
        const struct tsv_row *row = &table.rows[i];
        const char *layout = strcmp(row->cell[7], "-") == 0 ? row->cell[0] : row->cell[7];
        for (unsigned k = 0; k < others.count; k++)
            if (strcmp(others.rows[k].cell[0], layout) == 0)
                layout = others.rows[k].cell[1];
        fprintf(out, "    {%u, %u, 0x%x, 0x%x},\n", intern(&strings, row->cell[0]),
                find_layout(&table, row, "packet_fields.tsv", layout), number(&table, row, row->cell[1]),
                chips(&table, row, row->cell[2]));
    }
    fprintf(out, "};\nconst unsigned field_packet_count = %u;\n", table.count);
}

static void put_chips(void)
{
    static struct tsv table;
    load(&table, folder, "chips.tsv", 5);
    fputs("const struct field_chip field_chips[] = {\n", out);
    for (unsigned i = 0; i < table.count; i++) {
        const struct tsv_row *row = &table.rows[i];
        fprintf(out, "    {%s, %s, %u, %c},\n", row->cell[1], strcmp(row->cell[0], "-") == 0 ? "0" : row->cell[0],
                intern(&strings, row->cell[2]), row->cell[3][1]);
    }
    fprintf(out, "};\nconst unsigned field_chip_count = %u;\n", table.count);
}

static void put_loads(void)
{
    static struct tsv table, pointers;
    load(&table, folder, "descriptor_loads.tsv", 7);
    fputs("const struct field_load field_loads[] = {\n", out);
    for (unsigned i = 0; i < table.count; i++) {
        const struct tsv_row *row = &table.rows[i];
        fprintf(out, "    {%u, %u, %u, %u, 0x%x, %s},\n", intern(&strings, row->cell[0]),
                intern(&strings, row->cell[2]), intern(&strings, row->cell[3]), intern(&strings, row->cell[4]),
                chips(&table, row, row->cell[1]),
                strspn(row->cell[5], "0123456789") == strlen(row->cell[5]) ? row->cell[5] : "0");
    }
    fprintf(out, "};\nconst unsigned field_load_count = %u;\n", table.count);
    load(&pointers, folder, "descriptor_registers.tsv", 4);
    fputs("const struct field_pointer field_pointers[] = {\n", out);
    for (unsigned i = 0; i < pointers.count; i++) {
        const struct tsv_row *row = &pointers.rows[i];
        fprintf(out, "    {%u, %u, %u, 0x%x},\n", intern(&strings, row->cell[0]), intern(&strings, row->cell[2]),
                intern(&strings, row->cell[3]), chips(&pointers, row, row->cell[1]));
    }
    fprintf(out, "};\nconst unsigned field_pointer_count = %u;\n", pointers.count);
}

static void put_layouts(unsigned first_descriptor)
{
    fputs("static const struct field_layout field_layouts[] = {\n", out);
    for (unsigned i = 0; i < layout_count; i++)
        fprintf(out, "    {%u, %u, %u, %u},\n", intern(&strings, layouts[i].name), layouts[i].first, layouts[i].count,
                layouts[i].words);
    fprintf(out, "};\nconst unsigned field_descriptor_first = %u, field_descriptor_end = %u;\n", first_descriptor,
            layout_count);
}

int main(int argc, char **argv)
{
    if (argc < 3 || !(out = fopen(argv[1], "w")))
        tsv_fail(NULL, NULL, "usage: fieldc OUTPUT FOLDER FILE...");
    folder = argv[2];
    load_enums();
    fputs("/* Made by tools/fieldc.c. */\n#include \"pm4/fields/tables.h\"\n\nstatic const struct field_row "
          "field_rows[] = {\n",
          out);
    put_register_rows("bitsets.tsv");
    for (unsigned i = 0; i <= FILE_AXXX; i++) {
        char name[32];
        snprintf(name, sizeof name, "fields_%s.tsv", generations[i]);
        put_register_rows(strdup(name));
    }
    put_packet_rows();
    unsigned first_descriptor = layout_count;
    put_descriptor_rows();
    fputs("};\nstatic const struct field_register field_registers[] = {\n", out);
    for (unsigned i = 0; i <= FILE_AXXX; i++)
        put_registers(i);
    fputs("};\n", out);
    put_runs();
    put_order();
    put_packets();
    put_chips();
    put_loads();
    put_layouts(first_descriptor);
    put_enums();
    put_strings(out, &strings, "field_strings");
    put_set();
    if (fclose(out) != 0)
        tsv_fail(NULL, NULL, "cannot be written");
    return 0;
}
