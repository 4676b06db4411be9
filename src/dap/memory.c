/* SPDX-License-Identifier: MIT */
/* Memory in base64: of the machine, and code as read-only memory. */
#include "dap/server.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST (1 << 20)

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static char *encode_base64(const unsigned char *bytes, size_t size)
{
    char *text = malloc((size + 2) / 3 * 4 + 1), *at = text;
    if (!text)
        return NULL;
    for (size_t i = 0; i < size; i += 3) {
        uint32_t group = (uint32_t)bytes[i] << 16 | (i + 1 < size ? (uint32_t)bytes[i + 1] << 8 : 0) |
                         (i + 2 < size ? bytes[i + 2] : 0);
        for (unsigned k = 0; k < 4; k++)
            *at++ = i + k > size ? '=' : digits[group >> (18 - 6 * k) & 63];
    }
    *at = 0;
    return text;
}

/* False: no base64. *bytes is malloc'ed. */
static bool decode_base64(const char *text, unsigned char **bytes, size_t *size)
{
    uint32_t group = 0;
    unsigned count = 0;
    *size = 0;
    *bytes = malloc(strlen(text) + 1);
    if (!*bytes)
        return false;
    for (; *text && *text != '='; text++) {
        const char *digit = strchr(digits, *text);
        if (!digit)
            return false;
        group = group << 6 | (uint32_t)(digit - digits);
        count += 6;
        if (count >= 8) {
            count -= 8;
            (*bytes)[(*size)++] = (unsigned char)(group >> count);
        }
    }
    return true;
}

static size_t read_code(struct dap *dap, uint64_t address, unsigned char *bytes, size_t size)
{
    unsigned unit = gpucode_target_unit_bytes(gpucode_image_info(dap->image)->target), section;
    size_t done = 0;
    uint64_t pc;
    while (done < size && code_place(dap, address + done, &section, &pc)) {
        struct gpucode_insn insn;
        const unsigned char *at;
        gpucode_debug_insn(dap->debug, section, pc, &insn, &at);
        if (!at)
            break;
        for (unsigned i = (unsigned)((address + done) % unit); i < unit && done < size; i++)
            bytes[done++] = at[i];
    }
    return done;
}

void request_readMemory(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    uint64_t address;
    int64_t count = number_of(arguments, "count", 0);
    char reference[32];
    if (!take_reference(arguments, "memoryReference", &address) || count < 0 || count > LARGEST) {
        refuse(answer, "a memory reference and at most %d bytes are wanted", LARGEST);
        return;
    }
    address += (uint64_t)number_of(arguments, "offset", 0);
    unsigned char *bytes = malloc((size_t)count + 1);
    size_t done = 0;
    if (bytes && address >= CODE_BASE && address < CODE_BASE * 2)
        done = read_code(dap, address, bytes, (size_t)count);
    while (bytes && done < (size_t)count &&
           gpucode_machine_load(dap->machine, address + done, bytes + done, 1) == GPUCODE_OK)
        done++;
    char *text = bytes ? encode_base64(bytes, done) : NULL;
    snprintf(reference, sizeof reference, "0x%" PRIx64, address);
    answer->body = json_pack("{s:s, s:s, s:i}", "address", reference, "data", text ? text : "", "unreadableBytes",
                             (int)((size_t)count - done));
    free(text);
    free(bytes);
}

void request_writeMemory(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    uint64_t address;
    unsigned char *bytes = NULL;
    size_t size;
    if (!take_reference(arguments, "memoryReference", &address)) {
        refuse(answer, "there is no memory at that reference");
        return;
    }
    address += (uint64_t)number_of(arguments, "offset", 0);
    if (address >= CODE_BASE && address < CODE_BASE * 2)
        refuse(answer, "code cannot be written");
    else if (!decode_base64(text_of(arguments, "data"), &bytes, &size))
        refuse(answer, "the data is not base64");
    else if (gpucode_debug_store(dap->debug, address, bytes, size) != GPUCODE_OK)
        refuse(answer, "the memory cannot be written");
    else
        answer->body = json_pack("{s:I}", "bytesWritten", (json_int_t)size);
    free(bytes);
}
