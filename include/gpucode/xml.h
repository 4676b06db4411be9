/* SPDX-License-Identifier: MIT */
/*
 * Names and fields from rules-ng XML files (freedreno's registers in Mesa and the Linux kernel), newer than the
 * built-in ones. In a library of its own, gpucode-xml, because it needs expat.
 *
 *     struct gpucode_xml *xml = NULL;
 *     if (gpucode_xml_load(bytes, size, "a6xx.xml", target, &on_diagnostic, &xml) == GPUCODE_OK)
 *         options.names = gpucode_xml_names(xml);
 *     ...
 *     gpucode_xml_free(xml);
 *
 * Read are the register domains of the target's generation (A6XX, AXXX, A6XX_CONTROL_REG, ...) and the PM4 packets;
 * of the GPU registers also what they mean: types, bitsets, enumerations; of packets (domains named CP_...) their words
 * and fields. Everything else in a file is passed over, imports too: load the imported files one by one, in any order.
 */
#ifndef GPUCODE_XML_H
#define GPUCODE_XML_H

#include <gpucode/diagnostic.h>
#include <gpucode/fields.h>
#include <gpucode/names.h>
#include <gpucode/target.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A file may be this large, in bytes. */
#define GPUCODE_XML_SIZE_MAX (16u << 20)

struct gpucode_xml;

/*
 * Reads one file of `size` bytes. `file_name` is for diagnostics and may be null; `on_diagnostic` may be null. *xml is
 * null or what an earlier call made for the same target; then the names are added to it, and where two files name a
 * number, the one loaded first wins. The object keeps no pointer into `bytes`.
 *
 * Returns GPUCODE_OK; GPUCODE_ERROR_INPUT (the diagnostic handler was told why; *xml is as before);
 * GPUCODE_ERROR_UNSUPPORTED (such files have no names for the target); GPUCODE_ERROR_MEMORY; GPUCODE_ERROR_ARGUMENT (a
 * null pointer, or *xml was made for another target). Document types are refused and nesting and counts are limited, so
 * that no file takes more than time and memory in proportion to its size and the limits. Different objects may be used
 * in different threads.
 */
GPUCODE_API enum gpucode_status gpucode_xml_load(const void *bytes, size_t size, const char *file_name,
                                                 const struct gpucode_target *target,
                                                 const struct gpucode_diagnostic_handler *on_diagnostic,
                                                 struct gpucode_xml **xml);

/*
 * The same for GPUs that there are no targets for, whose recordings and dumps are read: `family` is 2 for a2xx, 3 for
 * a3xx, 4 for a4xx. GPUCODE_ERROR_UNSUPPORTED: another one.
 */
GPUCODE_API enum gpucode_status gpucode_xml_load_family(const void *bytes, size_t size, const char *file_name,
                                                        unsigned family,
                                                        const struct gpucode_diagnostic_handler *on_diagnostic,
                                                        struct gpucode_xml **xml);

/*
 * The names, for the options of other calls; lives as long as `xml` and is brought up to date by further loads.
 * Null for null. Any thread, while no file is being loaded into it.
 */
GPUCODE_API const struct gpucode_names *gpucode_xml_names(const struct gpucode_xml *xml);

/*
 * What the registers mean that the files give types or fields, for gpucode_meanings_fields() and its like of
 * <gpucode/fields.h>, and packets, for gpucode_packets_create(); null: there are none, or null. A register that a file
 * names and says no more of keeps its built-in meaning; so does one whose type no loaded file has. Lives until the next
 * load into `xml`. Any thread, while no file is being loaded into it.
 */
GPUCODE_API const struct gpucode_meanings *gpucode_xml_meanings(const struct gpucode_xml *xml);

/* How many names were read, or 0 for null. Any thread. */
GPUCODE_API size_t gpucode_xml_count(const struct gpucode_xml *xml);

/* Null is allowed. */
GPUCODE_API void gpucode_xml_free(struct gpucode_xml *xml);

#ifdef __cplusplus
}
#endif
#endif
