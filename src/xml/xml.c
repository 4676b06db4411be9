/* SPDX-License-Identifier: MIT */
#include <gpucode/xml.h>

#include "base/text.h"
#include "isa/isa.h"
#include "xml/collection.h"

#include <stdlib.h>
#include <string.h>

struct gpucode_xml {
    struct gpucode_names names;
    const struct isa_name_domain *domains; /* of the target; list i of the collection belongs to domain i */
    struct collection collection;
    struct meaning meaning;
    unsigned family;
};

static size_t name_of(void *user, enum gpucode_space space, uint32_t number, char *text, size_t size)
{
    const struct gpucode_xml *xml = user;
    char name[GPUCODE_NAME_MAX];
    for (unsigned i = 0; xml->domains[i].name; i++) {
        if (xml->domains[i].space != space)
            continue;
        const struct isa_name_table *table = &xml->collection.lists[i].table;
        int row = name_table_row_of(table, number);
        size_t length = row < 0 ? 0 : (size_t)(name_table_text(table, row, number, name) - name);
        if (length && length <= size) {
            text_put(text, name, length);
            return length;
        }
    }
    return 0;
}

static bool number_of(void *user, enum gpucode_space space, const char *name, size_t length, uint32_t *number)
{
    const struct gpucode_xml *xml = user;
    for (unsigned i = 0; xml->domains[i].name; i++)
        if (xml->domains[i].space == space && name_table_number(&xml->collection.lists[i].table, name, length, number))
            return true;
    return false;
}

/* Of the GPU registers' domains: 6 for A6XX; 0: it has none of a GPU with fields. */
static unsigned family_of(const struct isa_name_domain *domains)
{
    for (; domains->name; domains++) {
        const char *chip = domains->space == GPUCODE_SPACE_GPU && domains->chip ? domains->chip : "";
        if (chip[0] == 'A' && chip[1] >= '0' && chip[1] <= '9' && strcmp(chip + 2, "XX") == 0)
            return (unsigned)(chip[1] - '0');
    }
    return 0;
}

/* Names and meanings of one file, added to *xml, which is made when it is null. */
static enum gpucode_status load(const struct reader_file *file, const struct isa_name_domain *domains,
                                const struct gpucode_diagnostic_handler *on_diagnostic, struct gpucode_xml **xml)
{
    struct gpucode_xml *to = *xml;
    if (to && to->domains != domains)
        return GPUCODE_ERROR_ARGUMENT;
    if (!to) {
        to = calloc(1, sizeof *to);
        if (!to)
            return GPUCODE_ERROR_MEMORY;
        to->names = (struct gpucode_names){name_of, number_of, to};
        to->domains = domains;
        to->family = family_of(domains);
    }
    struct collection_mark mark = collection_mark(&to->collection);
    struct meaning_mark meaning_before = meaning_mark(&to->meaning);
    enum gpucode_status status = xml_read(file, domains, on_diagnostic, &to->collection, &to->meaning);
    if (status == GPUCODE_OK && !collection_build(&to->collection))
        status = GPUCODE_ERROR_MEMORY;
    if (status == GPUCODE_OK && !meaning_build(&to->meaning, to->family))
        status = GPUCODE_ERROR_MEMORY;
    if (status == GPUCODE_OK) {
        *xml = to;
    } else if (!*xml) {
        gpucode_xml_free(to);
    } else {
        collection_revert(&to->collection, &mark);
        meaning_revert(&to->meaning, &meaning_before);
    }
    return status;
}

enum gpucode_status gpucode_xml_load(const void *bytes, size_t size, const char *file_name,
                                     const struct gpucode_target *target,
                                     const struct gpucode_diagnostic_handler *on_diagnostic, struct gpucode_xml **xml)
{
    if ((!bytes && size) || !target || !xml)
        return GPUCODE_ERROR_ARGUMENT;
    const struct isa_name_domain *domains = target->names ? target->names->domains : NULL;
    const struct reader_file file = {size ? bytes : "", size, file_name, target->name};
    unsigned count = 0;
    while (domains && domains[count].name)
        count++;
    if (!count || count > COLLECTION_DOMAINS)
        return GPUCODE_ERROR_UNSUPPORTED;
    return load(&file, domains, on_diagnostic, xml);
}

#define CHIP(digit) "A" #digit "XX"
#define FAMILY_DOMAINS(digit)                                                                                          \
    {                                                                                                                  \
        {GPUCODE_SPACE_GPU, CHIP(digit), CHIP(digit)}, {GPUCODE_SPACE_GPU, "AXXX", CHIP(digit)},                       \
            {GPUCODE_SPACE_PACKET, "adreno_pm4_type3_packets", CHIP(digit)}, {GPUCODE_SPACE_GPU, NULL, NULL},          \
    }

/* Of GPUs before those that targets are for. */
static const struct isa_name_domain families[][4] = {FAMILY_DOMAINS(2), FAMILY_DOMAINS(3), FAMILY_DOMAINS(4)};

enum gpucode_status gpucode_xml_load_family(const void *bytes, size_t size, const char *file_name, unsigned family,
                                            const struct gpucode_diagnostic_handler *on_diagnostic,
                                            struct gpucode_xml **xml)
{
    if ((!bytes && size) || !xml)
        return GPUCODE_ERROR_ARGUMENT;
    if (family < 2 || family - 2 >= sizeof families / sizeof *families)
        return GPUCODE_ERROR_UNSUPPORTED;
    const struct isa_name_domain *domains = families[family - 2];
    const struct reader_file file = {size ? bytes : "", size, file_name, domains->name};
    return load(&file, domains, on_diagnostic, xml);
}

const struct gpucode_names *gpucode_xml_names(const struct gpucode_xml *xml)
{
    return xml ? &xml->names : NULL;
}

const struct gpucode_meanings *gpucode_xml_meanings(const struct gpucode_xml *xml)
{
    return xml && xml->meaning.has_made ? &xml->meaning.made : NULL;
}

size_t gpucode_xml_count(const struct gpucode_xml *xml)
{
    size_t count = 0;
    for (unsigned i = 0; xml && i < COLLECTION_DOMAINS; i++)
        count += xml->collection.lists[i].count;
    return count;
}

void gpucode_xml_free(struct gpucode_xml *xml)
{
    if (xml) {
        collection_free(&xml->collection);
        meaning_free(&xml->meaning);
    }
    free(xml);
}
