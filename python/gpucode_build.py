# SPDX-License-Identifier: MIT
"""Makes the extension gpucode._native from the library's own headers: there is no second list of functions.

The headers are read by the C compiler's preprocessor, so that what Python sees is what C sees. Libraries are found by
pkg-config; optional ones (streams, dumps, pictures, XML, drawings) are taken where they are.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile

import cffi

MAIN = ["gpucode"]
# gpucode-NAME.pc and gpucode/NAME.h
OPTIONAL = ["stream", "crash", "picture", "xml", "drawing", "fuzz"]
LIBC_HEADERS = ["stddef.h", "stdint.h", "stdbool.h", "stdio.h", "inttypes.h"]

# cffi forgets the const of an array that a field points to, which is an error from gcc 14 on.
LENIENT = '#pragma GCC diagnostic ignored "-Wincompatible-pointer-types"\n'

# C calls Python through these; each has the callback's own signature. The pointer `user` is a handle of a function.
CALLBACKS = """
extern "Python" {
    void gpucode_py_report(void *user, const struct gpucode_diagnostic *diagnostic);
    bool gpucode_py_include(void *user, const char *from, const char *name, char **text, size_t *length);
    size_t gpucode_py_label(void *user, unsigned section, uint64_t unit, unsigned index, char *text, size_t size);
    size_t gpucode_py_insn_label(void *user, const struct gpucode_insn *insn, uint64_t address, char *text, size_t size);
    bool gpucode_py_symbol(void *user, const char *name, size_t length, int64_t *value);
    void gpucode_py_finding(void *user, const struct gpucode_finding *finding);
    void gpucode_py_script(void *user, const struct gpucode_hwsq_script *script);
    bool gpucode_py_hook(void *user, struct gpucode_machine *machine, const struct gpucode_event *event);
    bool gpucode_py_texture(void *user, struct gpucode_machine *machine, const struct gpucode_texture_lookup *lookup,
                            uint32_t values[4]);
    bool gpucode_py_access(void *user, struct gpucode_machine *machine, const struct gpucode_access *access, uint32_t *value);
    size_t gpucode_py_name(void *user, enum gpucode_space space, uint32_t number, char *text, size_t size);
    bool gpucode_py_number(void *user, enum gpucode_space space, const char *name, size_t length, uint32_t *number);
    size_t gpucode_py_read(void *user, uint64_t address, void *bytes, size_t size);
    bool gpucode_py_packet(void *user, const struct gpucode_packet_event *event);
    bool gpucode_py_reference(void *user, const struct gpucode_reference *reference);
    bool gpucode_py_privileges(void *user, const struct gpucode_privileges *row);
    bool gpucode_py_write(void *user, const char *piece, size_t length);
    void gpucode_py_expected(void *user, const struct gpucode_expected *expected);
}
void *malloc(size_t size);
void free(void *bytes);
"""
FUZZ_CALLBACKS = """
extern "Python" {
    enum gpucode_status gpucode_py_attach(void *user, uint8_t *map, size_t size);
    void gpucode_py_run(void *user, const struct gpucode_fuzz_record *records, size_t count, struct gpucode_fuzz_outcome *outcome);
}
"""
# Scripts over a stream: what happens is gathered in C, so that Python is called a few times for many events.
STREAM_TYPES = """
struct gpucode_py_item {
    uint64_t address;
    uint32_t number, value, count; /* of a packet, value: where its payload begins in words */
    uint8_t packet, known, condition;
};
struct gpucode_py_stream_script {
    const struct gpucode_stream *stream;
    size_t submit;
    void *user;
    uint32_t values[262144];
    uint8_t states[262144]; /* 1: written, 2: the value is known, 4: written since the last draw */
    uint8_t wanted[262144], packets[256];
    uint32_t item_count, write_count, word_count;
    struct gpucode_py_item items[8192];
    uint32_t numbers[8192], written[8192], words[65536];
};
"""
STREAM_CALLS = """
extern "Python" bool gpucode_py_stream_batch(void *user, const struct gpucode_packet_event *draw);
size_t gpucode_py_stream_read(void *user, uint64_t address, void *bytes, size_t size);
bool gpucode_py_stream_event(void *user, const struct gpucode_packet_event *event);
bool gpucode_py_stream_flush(struct gpucode_py_stream_script *script);
"""
STREAM_SOURCE = STREAM_TYPES + """
#include <string.h>
static bool gpucode_py_stream_batch(void *user, const struct gpucode_packet_event *draw);

static size_t gpucode_py_stream_read(void *user, uint64_t address, void *bytes, size_t size)
{
    struct gpucode_py_stream_script *script = user;
    return gpucode_stream_load(script->stream, script->submit, address, bytes, size);
}

static bool gpucode_py_stream_tell(struct gpucode_py_stream_script *script, const struct gpucode_packet_event *draw)
{
    bool good = !(script->item_count || script->write_count || draw) || gpucode_py_stream_batch(script->user, draw);
    script->item_count = script->write_count = script->word_count = 0;
    return good;
}

static bool gpucode_py_stream_flush(struct gpucode_py_stream_script *script)
{
    return gpucode_py_stream_tell(script, NULL);
}

static struct gpucode_py_item *gpucode_py_stream_item(struct gpucode_py_stream_script *script,
                                                      const struct gpucode_packet_event *event, uint32_t number)
{
    struct gpucode_py_item *item = &script->items[script->item_count++];
    memset(item, 0, sizeof *item);
    item->address = event->address;
    item->number = number;
    item->condition = event->condition;
    return item;
}

static bool gpucode_py_stream_write(struct gpucode_py_stream_script *script, const struct gpucode_packet_event *event)
{
    bool skipped = event->condition == GPUCODE_PACKET_SKIPPED;
    bool known = event->known && event->condition != GPUCODE_PACKET_MAYBE;
    if (!skipped) {
        script->values[event->number] = (uint32_t)event->value;
        script->states[event->number] = known ? 7 : 5;
    }
    if (!script->wanted[event->number])
        return true;
    if (script->item_count == 8192 && !gpucode_py_stream_tell(script, NULL))
        return false;
    struct gpucode_py_item *item = gpucode_py_stream_item(script, event, event->number);
    item->value = (uint32_t)event->value;
    item->known = event->known;
    if (!skipped) {
        script->numbers[script->write_count] = event->number;
        script->written[script->write_count++] = event->known ? (uint32_t)event->value : 0;
    }
    return true;
}

static bool gpucode_py_stream_event(void *user, const struct gpucode_packet_event *event)
{
    struct gpucode_py_stream_script *script = user;
    if (event->kind == GPUCODE_PACKET_WRITE)
        return gpucode_py_stream_write(script, event);
    if (event->kind == GPUCODE_PACKET_DRAW) {
        if (!gpucode_py_stream_tell(script, event))
            return false;
        for (uint32_t i = 0; i < 262144; i += 8) {
            uint64_t states;
            memcpy(&states, script->states + i, 8);
            if (states) {
                states &= UINT64_C(0x0303030303030303);
                memcpy(script->states + i, &states, 8);
            }
        }
        return true;
    }
    bool command = event->type == 7 || event->type == 3;
    if (event->kind != GPUCODE_PACKET_BEGIN || !command || !script->packets[event->opcode & 255])
        return true;
    if ((script->item_count == 8192 || event->count > 65536 - script->word_count) && !gpucode_py_stream_tell(script, NULL))
        return false;
    struct gpucode_py_item *item = gpucode_py_stream_item(script, event, event->opcode);
    item->packet = 1;
    item->value = script->word_count;
    item->count = event->count;
    memcpy(script->words + script->word_count, event->words, 4 * (size_t)event->count);
    script->word_count += event->count;
    return true;
}
"""


def pkg_config(option, packages):
    """The words that pkg-config prints; an exception where a package is not there."""
    command = [os.environ.get("PKG_CONFIG", "pkg-config"), option, *packages]
    return shlex.split(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def packages():
    """gpucode, and of its companions those that are installed."""
    found = list(MAIN)
    for name in OPTIONAL:
        if subprocess.run(["pkg-config", "--exists", f"gpucode-{name}"], check=False).returncode == 0:
            found.append(f"gpucode-{name}")
    return found


def include_lines(found, folders):
    """All headers of the library's folder but those of companions that are not there (NAME.h and NAME_....h)."""
    folders = [folder[len("-I"):] for folder in folders] + ["/usr/include", "/usr/local/include"]
    folder = next(folder for folder in folders if os.path.exists(os.path.join(folder, "gpucode/gpucode.h")))
    missing = [name for name in OPTIONAL if f"gpucode-{name}" not in found]
    headers = [name[:-len(".h")] for name in sorted(os.listdir(os.path.join(folder, "gpucode"))) if name.endswith(".h")]
    return "".join(f"#include <gpucode/{header}.h>\n" for header in headers
                   if not any(header == name or header.startswith(f"{name}_") for name in missing))


def preprocess(source, folders, *options):
    """The source as the compiler sees it, libc's headers left out: cffi knows their types."""
    with tempfile.TemporaryDirectory() as empty:
        for header in LIBC_HEADERS:
            with open(os.path.join(empty, header), "w", encoding="ascii"):
                pass
        command = [*shlex.split(os.environ.get("CC", "cc")), "-E", "-P", "-w", "-nostdinc", "-I", empty, *folders, "-D__attribute__(x)=",
                   *options, "-x", "c", "-"]
        return subprocess.run(command, check=True, capture_output=True, text=True, input=source).stdout


def declarations(text):
    """Bodies of inline functions become declarations."""
    text = re.sub(r"static inline ([^;{]*?\))\s*\{(?:[^{}]|\{[^{}]*\})*(?:\{(?:[^{}]|\{[^{}]*\})*\}(?:[^{}]|\{[^{}]*\})*)*\n\}",
                  r"\1;", text)
    # cffi cannot name a pointer to an array of constants
    return re.sub(r"const (\w+ \(\*\w+\)\[)", r"\1", text)


def constants(text):
    """#define NAME NUMBER: the compiler tells the value."""
    names = re.findall(r"^#define (GPUCODE_[A-Z0-9_]+) \(*(?:\(size_t\))?\s*(?:\d|UINT|0x|SIZE_MAX|GPUCODE_[A-Z0-9_]+$)", text, re.MULTILINE)
    return "".join(f"#define {name} ...\n" for name in names if not name.endswith("_H"))


def describe(found, folders):
    """What Python is to see of the headers, and the C source's head."""
    source = include_lines(found, folders)
    text = declarations(preprocess(source, folders))
    ffi = cffi.FFI()
    streams = "gpucode-stream" in found
    ffi.cdef(constants(preprocess(source, folders, "-dM")) + text + CALLBACKS + (FUZZ_CALLBACKS if "gpucode-fuzz" in found else "")
             + (STREAM_TYPES + STREAM_CALLS if streams else ""))
    return ffi, source + LENIENT + "#include <stdlib.h>\n" + (STREAM_SOURCE if streams else "")


def make_ffi():
    """The extension against libraries that pkg-config knows."""
    found = packages()
    folders = [word for word in pkg_config("--cflags-only-I", found) if word.startswith("-I")]
    folders += [f"-I{folder}" for folder in pkg_config("--variable=includedir", MAIN)]
    ffi, source = describe(found, folders)
    libraries = pkg_config("--libs", found)
    if os.environ.get("GPUCODE_LINK") == "static":
        libraries = ["-l:libgpucode.a" if word == "-lgpucode" else word for word in libraries] + ["-lm"]
    ffi.set_source("gpucode._native", source,
                   extra_compile_args=[*pkg_config("--cflags", found), "-w"], extra_link_args=libraries)
    return ffi


def write_source(output, include, names):
    """The extension's C source alone, for another build system, which knows where headers and libraries are."""
    ffi, source = describe(MAIN + [f"gpucode-{name}" for name in names], [f"-I{include}"])
    ffi.set_source("gpucode._native", source)
    ffi.emit_c_code(output)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: gpucode_build.py OUTPUT INCLUDE_FOLDER [stream|crash|picture|xml|drawing|fuzz]...")
    write_source(sys.argv[1], sys.argv[2], sys.argv[3:])
else:
    ffibuilder = make_ffi()
