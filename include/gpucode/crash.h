/* SPDX-License-Identifier: MIT */
/*
 * Crash dumps of Adreno GPUs: devcoredumps of the Linux driver `msm` (text, as a rule compressed with gzip) and
 * snapshots of Qualcomm's driver KGSL (binary). In a library of its own, gpucode-crash, because zlib decompresses
 * them.
 *
 *     struct gpucode_crash *crash;
 *     struct gpucode_crash_position position;
 *     if (gpucode_crash_open(bytes, size, NULL, &crash) == GPUCODE_OK) {
 *         if (gpucode_crash_position(crash, &position))
 *             printf("stopped in the packet 0x%08x\n", (unsigned)position.header);
 *         gpucode_crash_free(crash);
 *     }
 *
 * Functions give the contents of a dump as they are in the file. gpucode_crash_position() works out where the command
 * processor stood, and which signs confirm it. gpucode_crash_explain() tells all that is known as an answer, which can
 * be read member by member or rendered as text, JSON and HTML: it is what `gpucode crash` prints.
 *
 * Strings and words live as long as the dump. Functions may be given null pointers, and find nothing there. An open
 * dump does not change, so that several threads may read it.
 */
#ifndef GPUCODE_CRASH_H
#define GPUCODE_CRASH_H

#include <gpucode/answer.h>
#include <gpucode/diagnostic.h>
#include <gpucode/names.h>
#include <gpucode/target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gpucode_crash;

/* A file may be this large, and a quarter of it when it was compressed, unless the options say otherwise. */
#define GPUCODE_CRASH_SIZE_MAX ((size_t)1 << 30)

struct gpucode_crash_options {
    size_t limit;          /* bytes when decompressed; 0: what GPUCODE_CRASH_SIZE_MAX says */
    const char *file_name; /* for diagnostics, or null */
    struct gpucode_diagnostic_handler on_diagnostic;
};

/*
 * Takes a dump apart, decompressing it if needed. `options` may be null; the bytes must live as long as the dump. What
 * a cut off or damaged file still has is used, with warnings that name the line; sections and keys that are not known
 * are kept and passed over.
 *
 * Returns GPUCODE_OK; GPUCODE_ERROR_INPUT (not a dump, larger than the limit, or compressed where the library was built
 * without zlib; the diagnostic handler was told);
 * GPUCODE_ERROR_MEMORY; GPUCODE_ERROR_ARGUMENT.
 */
GPUCODE_API enum gpucode_status gpucode_crash_open(const void *bytes, size_t size,
                                                   const struct gpucode_crash_options *options,
                                                   struct gpucode_crash **out);
/* Null is allowed. */
GPUCODE_API void gpucode_crash_free(struct gpucode_crash *crash);
/* Do the bytes begin like a dump? For compressed ones their first bytes are looked at too. */
GPUCODE_API bool gpucode_crash_recognise(const void *bytes, size_t size);

enum gpucode_crash_format { GPUCODE_CRASH_DEVCOREDUMP, GPUCODE_CRASH_KGSL };

/* What the dump is of. Strings are null where the dump does not say. */
struct gpucode_crash_head {
    enum gpucode_crash_format format;
    uint32_t gpu_id;                     /* what a name says: 630; 0: not told */
    uint32_t chip_id;                    /* core, major, minor, patch, a byte each; 0: not told */
    const char *gpu;                     /* "A630"; null: nobody knows it */
    const char *generation;              /* "a6xx"; null: not known */
    const struct gpucode_target *target; /* whose names fit; null for GPUs before a5xx */
    const char *kernel, *module, *time, *comm, *cmdline;
    bool has_status;
    uint32_t status; /* RBBM_STATUS */
};
GPUCODE_API const struct gpucode_crash_head *gpucode_crash_head(const struct gpucode_crash *crash);

/* Words of a dump. Zeros at the end are as a rule left out there: what comes after `count` is zero up to `size`. */
struct gpucode_crash_words {
    const uint32_t *words; /* `count` of them; null: none */
    size_t count;
    uint64_t size; /* as the dump says; not to be trusted */
};

/* Word `index`, 0 where there is none. */
static inline uint32_t gpucode_crash_word(const struct gpucode_crash_words *words, uint64_t index)
{
    return index < words->count ? words->words[index] : 0;
}

struct gpucode_crash_ring {
    uint32_t id;
    uint64_t iova;
    uint32_t last_fence, retired_fence;
    uint32_t rptr, wptr; /* words; the driver's own notes */
    struct gpucode_crash_words data;
    bool current; /* it is where CP_RB_BASE points */
};

enum gpucode_crash_mark { GPUCODE_CRASH_FAR, GPUCODE_CRASH_INSIDE, GPUCODE_CRASH_BEHIND };

struct gpucode_crash_buffer {
    uint64_t iova, size; /* bytes */
    const char *name;    /* or null */
    uint32_t flags;
    bool dumped; /* its contents are in the dump */
    struct gpucode_crash_words data;
    enum gpucode_crash_mark mark; /* where a fault lies: inside, or in as many bytes after it */
};

/* Registers that are read through an address and a data register: states and memories of the processors. */
struct gpucode_crash_block {
    const char *name; /* the same in all dumps: "SQE_STAT", "SQE_UCODE_DBG" */
    const char *own;  /* as the dump has it; null in snapshots */
    uint32_t pipe;    /* snapshots of gen8; 0 elsewhere */
    struct gpucode_crash_words data;
};

/* A part of the file, in its order. */
struct gpucode_crash_section {
    const char *name; /* "registers"; of snapshots the number: "0x0201" */
    const char *text; /* its bytes, from the line with its name on */
    size_t length, line;
};

struct gpucode_crash_register {
    uint32_t number, value;
};

/* A control register (@NAME of AFUC) of a processor, from the debug memory of its code: zeros too. */
struct gpucode_crash_control {
    const char *processor; /* "SQE", "BV", "LPAC" */
    uint32_t pipe;         /* snapshots of gen8; 0 elsewhere */
    uint32_t number, value;
};

/* Item number `index` in the order of the file; false after the last. */
GPUCODE_API bool gpucode_crash_ring(const struct gpucode_crash *crash, size_t index, struct gpucode_crash_ring *ring);
GPUCODE_API bool gpucode_crash_buffer(const struct gpucode_crash *crash, size_t index,
                                      struct gpucode_crash_buffer *buffer);
GPUCODE_API bool gpucode_crash_block(const struct gpucode_crash *crash, size_t index,
                                     struct gpucode_crash_block *block);
GPUCODE_API bool gpucode_crash_section(const struct gpucode_crash *crash, size_t index,
                                       struct gpucode_crash_section *section);
GPUCODE_API bool gpucode_crash_register(const struct gpucode_crash *crash, size_t index,
                                        struct gpucode_crash_register *reg);
/* Of the GMU, by its own numbers: gpucode_gmu_register_name() of <gpucode/fields.h> names them. */
GPUCODE_API bool gpucode_crash_gmu_register(const struct gpucode_crash *crash, size_t index,
                                            struct gpucode_crash_register *reg);
/* By processor, then by number. */
GPUCODE_API bool gpucode_crash_control(const struct gpucode_crash *crash, size_t index,
                                       struct gpucode_crash_control *control);
/* The first block of that name. */
GPUCODE_API bool gpucode_crash_find_block(const struct gpucode_crash *crash, const char *name,
                                          struct gpucode_crash_block *block);
/* A GPU register by its number, the last one the dump has; false: it is not in the dump. */
GPUCODE_API bool gpucode_crash_read(const struct gpucode_crash *crash, uint32_t number, uint32_t *value);
/*
 * Copies GPU memory of rings and buffers, the lowest byte of a word first whatever the host does; returns how many bytes
 * there are without a gap, at most `size`.
 */
GPUCODE_API size_t gpucode_crash_load(const struct gpucode_crash *crash, uint64_t address, void *bytes, size_t size);

/* Blobs without rows of their own: "gmu-log", "gmu-hfi", "gmu-debug". */
GPUCODE_API bool gpucode_crash_blob(const struct gpucode_crash *crash, const char *name, uint64_t *iova,
                                    struct gpucode_crash_words *data);

/* Decodes a line of the dump's encoding of words (ascii85, groups of 5, z for 0) into at most `room` words. */
GPUCODE_API size_t gpucode_crash_ascii85(const char *text, size_t length, uint32_t *words, size_t room);

/* Code of a shader in the instruction memories of the shader processors. The pointers are valid during the call. */
struct gpucode_crash_shader {
    const char *memory; /* "A6XX_SP_INST_DATA", as the dump has it */
    const char *place;  /* which of its memories: "bank 0", "pipe PIPE_BR sp 0 usptp 1"; "" */
    size_t offset;      /* words from its start */
    const uint32_t *words;
    size_t count;
};
/*
 * Tells `take` the shaders in the section shader-blocks, in the order of the dump, from blocks whose names say that
 * they hold instructions (SP_INST_DATA, HLSQ_INST_RAM). A block holds several: each ends with its `end`, or where it
 * was overwritten, with the block; what fills up between them is left out. False from `take` ends it. Returns
 * GPUCODE_OK, GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT.
 */
GPUCODE_API enum gpucode_status
gpucode_crash_shaders(const struct gpucode_crash *crash,
                      bool (*take)(void *user, const struct gpucode_crash_shader *shader), void *user);

/* --- what it means ----------------------------------------------------------------------------------------------- */

/* The registers that tell of a state, where the GPU has them; a number is 0 where it has none. */
enum gpucode_crash_role {
    GPUCODE_CRASH_RB_BASE, /* wide ones: the lower half; the upper one follows */
    GPUCODE_CRASH_RB_RPTR,
    GPUCODE_CRASH_RB_WPTR,
    GPUCODE_CRASH_INTERRUPT,
    GPUCODE_CRASH_PROTECT,
    GPUCODE_CRASH_HW_FAULT,
    GPUCODE_CRASH_IB1_BASE,
    GPUCODE_CRASH_IB1_REM,
    GPUCODE_CRASH_IB1_SIZE, /* at the start */
    GPUCODE_CRASH_IB2_BASE,
    GPUCODE_CRASH_IB2_REM,
    GPUCODE_CRASH_IB2_SIZE,
    GPUCODE_CRASH_SDS_BASE,
    GPUCODE_CRASH_SDS_REM,
    GPUCODE_CRASH_RB_AVAIL, /* words fetched and not used yet: bits 31:16 */
    GPUCODE_CRASH_IB1_AVAIL,
    GPUCODE_CRASH_IB2_AVAIL,
    GPUCODE_CRASH_ROLES
};
GPUCODE_API uint32_t gpucode_crash_number(const struct gpucode_crash *crash, enum gpucode_crash_role role);

/* Text of bit number `bit` of the interrupt status; null: it has no name. */
GPUCODE_API const char *gpucode_crash_interrupt(const struct gpucode_crash *crash, unsigned bit);

/* The same of the hardware fault status, which is public for gen8 alone. */
GPUCODE_API const char *gpucode_crash_hardware_fault(const struct gpucode_crash *crash, unsigned bit);

/* What the register with the status of protection tells. */
struct gpucode_crash_protection {
    uint32_t status; /* its value */
    bool refused;    /* an access was; a5xx has no bit for it, its interrupt status tells */
    bool write;      /* it was a write */
    bool halted;     /* the processor stopped for it; not told on a5xx */
    uint32_t number; /* of the register that was to be accessed */
};
/* False: the dump does not have that register. */
GPUCODE_API bool gpucode_crash_protection(const struct gpucode_crash *crash,
                                          struct gpucode_crash_protection *protection);

/* A fault that the IOMMU saw. Strings are null where the dump does not say. */
struct gpucode_crash_fault {
    uint64_t iova;
    const char *type, *direction, *source; /* "TRANSLATION", "READ", "UCHE" */
};
GPUCODE_API bool gpucode_crash_fault(const struct gpucode_crash *crash, struct gpucode_crash_fault *fault);

/* An entry of the kernel's log of mappings (section vm-log), oldest first. */
struct gpucode_crash_mapping {
    const char *operation; /* "map", "unmap", as the driver wrote it */
    int64_t queue;
    uint64_t start, end; /* the byte after the last one */
};
GPUCODE_API bool gpucode_crash_mapping(const struct gpucode_crash *crash, size_t index,
                                       struct gpucode_crash_mapping *mapping);

/* The packet table that the SQE had loaded: the handler of each opcode, in words. False: it is not in the dump. */
GPUCODE_API bool gpucode_crash_table(const struct gpucode_crash *crash, uint32_t handlers[128]);

/* Which handler of a packet table a PC is in, both in words. */
struct gpucode_crash_handler {
    uint32_t start; /* the largest entry that is not 0 and not after the PC */
    bool unknown;   /* it is the one for opcodes that nobody handles: the most frequent entry, of 16 opcodes or more */
};
/* False: the PC is before all handlers. */
GPUCODE_API bool gpucode_crash_handler(const uint32_t handlers[128], uint32_t pc,
                                       struct gpucode_crash_handler *handler);

enum gpucode_crash_level {
    GPUCODE_CRASH_RB,
    GPUCODE_CRASH_IB1,
    GPUCODE_CRASH_IB2,
    GPUCODE_CRASH_IB3,
    GPUCODE_CRASH_SDS, /* a draw-state group */
};

/* The signs that confirm a position: bits of gpucode_crash_position.confirmed and .asked. */
enum {
    GPUCODE_CRASH_BY_HEADER = 1,   /* the packet's header is in $01 */
    GPUCODE_CRASH_BY_PREVIOUS = 2, /* the two packets before it are those that the SQE remembers */
    GPUCODE_CRASH_BY_LEVEL = 4,    /* the deepest buffer that has words left is the one the SQE is in */
    GPUCODE_CRASH_BY_HANDLER = 8,  /* the PC is in the packet's handler, or in that of unknown opcodes */
};

/* A level of buffers and where it is read. */
struct gpucode_crash_place {
    bool known;      /* the buffer was found */
    bool ahead;      /* the fetcher was in a later buffer than the SQE */
    bool guessed;    /* no packet that calls it is in the dump: address and size are those of the registers */
    uint64_t buffer; /* GPU address */
    uint32_t words;  /* of the buffer */
    uint32_t next;   /* the word that the SQE would read next, `words` at the end */
    bool has_packet;
    uint32_t word;   /* of the header of the packet that it had in hand */
    uint32_t header; /* that word; it may not be a header */
};

struct gpucode_crash_position {
    enum gpucode_crash_level level;
    struct gpucode_crash_place places[3];    /* of RB, IB1, IB2 */
    const struct gpucode_crash_place *place; /* that of `level`; null: a level of which the dump has none */
    bool has_header;
    uint32_t header; /* of the packet in hand */
    bool has_pc;
    uint32_t pc;      /* words from the start of the SQE's code */
    bool has_handler; /* a packet table was loaded, and the PC is not before its first handler */
    bool unknown;     /* the handler is that of opcodes nobody handles */
    uint32_t handler; /* where it begins */
    unsigned confirmed, asked;
    bool elsewhere; /* the packet whose header is in $01 stands at another place than the registers say: */
    uint64_t elsewhere_buffer;
    uint32_t elsewhere_word;
};
/*
 * Where the SQE stood. False: the GPU or the dump has no registers that tell (before a5xx). What the words mean is
 * measured, not documented; docs/crash.md says how. Of a5xx there are the words left of each buffer alone: nothing is
 * asked or confirmed, and there is no PC.
 */
GPUCODE_API bool gpucode_crash_position(const struct gpucode_crash *crash, struct gpucode_crash_position *position);

/* --- work that was submitted -------------------------------------------------------------------------------------- */

enum gpucode_crash_state {
    GPUCODE_CRASH_FINISHED, /* its fence was retired */
    GPUCODE_CRASH_RUNNING,  /* begun: the command processor is in it, or past it, and its fence is not retired */
    GPUCODE_CRASH_PENDING,  /* not begun */
};

/*
 * What a driver submitted at once: the packets of a ring up to one that writes a fence with an interrupt, that one
 * included (CP_EVENT_WRITE with bit 31 of its first word, as the kernel's driver and KGSL end submits). In a ring
 * without such packets each call of a buffer begins one. State: a fence that the driver has seen retired, or where
 * there is no fence, whether the command processor has read past it.
 */
struct gpucode_crash_submit {
    size_t ring;          /* index of the ring */
    uint64_t address;     /* of its first packet; after the ring's end it goes on at the ring's start */
    uint32_t from, words; /* its first word in the ring, and how many it has */
    bool has_fence;
    uint32_t fence; /* what its last packet writes */
    enum gpucode_crash_state state;
};
/* Submit number `index`, ring by ring, oldest first; false after the last. */
GPUCODE_API bool gpucode_crash_submit(const struct gpucode_crash *crash, size_t index,
                                      struct gpucode_crash_submit *submit);

/*
 * Memory that a finished submit ran as packets and that was used again since, so that what is in the dump now is not
 * what it ran: a later submit runs packets from there, or packets do not stand there any more.
 */
struct gpucode_crash_reuse {
    size_t submit; /* the finished one */
    uint64_t address, bytes;
};
GPUCODE_API bool gpucode_crash_reuse(const struct gpucode_crash *crash, size_t index,
                                     struct gpucode_crash_reuse *reuse);

/* The way to the packet in hand: the packets that call, outermost first, and last that packet. */
struct gpucode_crash_path {
    size_t submit;
    unsigned count;      /* of the packets, at least 1 */
    uint64_t packets[3]; /* GPU addresses; in the ring from the submit's address on, beyond the ring's end too */
    bool whole;          /* it leads to the packet of gpucode_crash_position(); else to one that was around it */
};
/* False: the dump does not tell, or the ring's packets are not there. */
GPUCODE_API bool gpucode_crash_path(const struct gpucode_crash *crash, struct gpucode_crash_path *path);

/* A message between the driver and the power-management processor. */
struct gpucode_crash_message {
    unsigned queue, sequence, id;
    const char *name; /* or null */
    bool acknowledge;
    const uint32_t *words; /* after the header; where the queue wraps, up to its end alone */
    uint32_t count;
};
GPUCODE_API bool gpucode_crash_message(const struct gpucode_crash *crash, size_t index,
                                       struct gpucode_crash_message *message);

/* A named word of a message; what words mean is from Mesa's crashdec and the kernel's driver. */
struct gpucode_crash_message_field {
    const char *name;   /* "freq", "gx_votes"; constant */
    unsigned row, item; /* which element of an array; 0 elsewhere */
    unsigned rank;      /* of its subscripts, 0 to 2: `row` alone, or both */
    const char *member; /* "vote" of an array of such; constant. Null: the element itself */
    uint32_t value;
    bool hex; /* bits or an address; otherwise it is a count */
};
/* Field `index` of message number `message`; false after the last, and of messages whose words are not known. */
GPUCODE_API bool gpucode_crash_message_field(const struct gpucode_crash *crash, size_t message, size_t index,
                                             struct gpucode_crash_message_field *field);

/* A queue of such messages, as the table in their memory describes it. Sizes and places are words. */
struct gpucode_crash_message_queue {
    unsigned number; /* 0: to the processor, 1: from it */
    uint32_t status, iova, type, size, message_size, dropped;
    uint32_t receive_watermark, transmit_watermark, receive_request, transmit_request, read, write;
    unsigned history_count; /* where the last messages begin, oldest first; the driver's notes */
    uint32_t history[8];
};
GPUCODE_API bool gpucode_crash_message_queue(const struct gpucode_crash *crash, size_t index,
                                             struct gpucode_crash_message_queue *queue);

/* A queue of register writes between the command processor and a cluster. */
struct gpucode_crash_queue {
    const char *name; /* "FE" */
    uint32_t entries; /* that were not taken yet */
    bool damaged;     /* its list of blocks leads nowhere; the entries are those up to there */
};
GPUCODE_API bool gpucode_crash_queue(const struct gpucode_crash *crash, size_t index,
                                     struct gpucode_crash_queue *queue);
/* Register write number `entry` of a queue: two to an entry, those that are switched off left out. */
struct gpucode_crash_write {
    uint32_t number, value;
    bool pipe; /* the number is of the pipe registers */
};
GPUCODE_API bool gpucode_crash_queue_write(const struct gpucode_crash *crash, size_t queue, size_t entry,
                                           struct gpucode_crash_write *write);

/* --- explained ---------------------------------------------------------------------------------------------------- */

struct gpucode_image;
struct gpucode_meanings;
struct gpucode_symbols;

/* Firmware that may be the one that crashed: the packet table that was loaded tells. It must outlive the call. */
struct gpucode_crash_firmware {
    const char *file;                      /* its name, or null */
    const struct gpucode_image *image;     /* must not be null */
    const struct gpucode_names *names;     /* ahead of the built-in ones, or null */
    const struct gpucode_symbols *symbols; /* names of places and lines of a source, or null */
};

/* Null pointers, and options that are all zero, are the usual ones. */
struct gpucode_crash_explain_options {
    const struct gpucode_target *target;           /* ahead of what the dump says; null: that */
    const struct gpucode_names *names;             /* ahead of the built-in ones, or null */
    const struct gpucode_meanings *meanings;       /* the same of values (gpucode_xml_meanings()), or null */
    const struct gpucode_crash_firmware *firmware; /* to compare with, and to list around the PC; or null */
    bool verbose;     /* all registers, fields, words and register writes; text: all buffers and processors too */
    bool ucode;       /* gpucode_crash_explain_section(): words of firmware as well */
    const char *dump; /* its name as a shell takes it, for the command to type next; or null */
};

/*
 * Puts what a dump tells into an answer, as one object: the verdict in sentences, the GPU and its status, the position
 * with its signs and the packets around it, the processors, the firmware, rings, buffers, queues and messages. What
 * `gpucode crash` prints is this, rendered. docs/crash.md explains the parts; gpucode_crash_answer_table() has the
 * fields.
 *
 * Returns GPUCODE_OK; GPUCODE_ERROR_MEMORY; GPUCODE_ERROR_ARGUMENT (no dump); or what gpucode_answer_status() tells of
 * the answer. Several threads may explain one dump, each into an answer of its own.
 */
GPUCODE_API enum gpucode_status gpucode_crash_explain(const struct gpucode_crash *crash,
                                                      const struct gpucode_crash_explain_options *options,
                                                      struct gpucode_answer *answer);
/*
 * The same of the lines that the drivers write into the kernel's log, where nobody kept a dump. Without a target the
 * lines say what the GPU is, or else the firmware's target. Returns also GPUCODE_ERROR_INPUT: there is no such line.
 */
GPUCODE_API enum gpucode_status gpucode_crash_explain_log(const char *text, size_t length,
                                                          const struct gpucode_crash_explain_options *options,
                                                          struct gpucode_answer *answer);
/* Has the text such a line? A text with a zero byte has none. */
GPUCODE_API bool gpucode_crash_log_recognise(const char *text, size_t length);
/*
 * One section of the file, decoded: its lines with names of registers, and words in place of their encoding. Returns
 * also GPUCODE_ERROR_INPUT: the dump has no section of that name.
 */
GPUCODE_API enum gpucode_status gpucode_crash_explain_section(const struct gpucode_crash *crash, const char *name,
                                                              const struct gpucode_crash_explain_options *options,
                                                              struct gpucode_answer *answer);
/* The fields of all of these. */
GPUCODE_API const struct gpucode_answer_table *gpucode_crash_answer_table(void);

/* --- command streams ---------------------------------------------------------------------------------------------- */

/*
 * The packets of a ring: the oldest word from which all is whole (in a ring that has begun again it comes after the
 * newest), and how many words there are from there on. False: there are none, or the ring cannot be one.
 */
GPUCODE_API bool gpucode_crash_ring_packets(const struct gpucode_crash_ring *ring, uint64_t *from, uint64_t *words);
/*
 * The command streams of a dump in the form of a recording, for <gpucode/stream.h>: rings and dumped buffers, and each
 * submit of the rings as one of the recording, with what is known of it in records of types that recorders do not
 * write. A ring is there twice, one copy after the other, so that streams that begin again at its start go straight on.
 * *bytes is malloc'ed, the caller's. Returns GPUCODE_OK, GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT.
 */
GPUCODE_API enum gpucode_status gpucode_crash_streams(const struct gpucode_crash *crash, void **bytes, size_t *size);

/* --- without what is not to be shown ----------------------------------------------------------------------------- */

/* The processors' instruction memory is firmware: sections 0 to 3 and 6 of the debug memories of their code. */
#define GPUCODE_CRASH_UCODE_SECTION 0x1000u
/* May word `index` of a block be shown without asking for firmware? */
GPUCODE_API bool gpucode_crash_is_open(const struct gpucode_crash_block *block, uint64_t index);

/* What else to leave out of a redacted dump. */
enum {
    GPUCODE_CRASH_WITHOUT_BUFFERS = 1,   /* contents of buffers; the rings stay */
    GPUCODE_CRASH_WITHOUT_PROCESS = 2,   /* names of program and command line, and of buffers */
    GPUCODE_CRASH_WITHOUT_ADDRESSES = 4, /* page tables and physical addresses */
    GPUCODE_CRASH_WITHOUT_TABLE = 8,     /* the packet table */
};
/*
 * Writes the same dump without firmware, decompressed. *bytes is malloc'ed, the caller's. Returns GPUCODE_OK,
 * GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT.
 */
GPUCODE_API enum gpucode_status gpucode_crash_redact(const struct gpucode_crash *crash, unsigned without, void **bytes,
                                                     size_t *size);

/* --- writing ----------------------------------------------------------------------------------------------------- */

/* What a devcoredump is written of. Null strings and lists without items are left out. */
struct gpucode_crash_contents {
    const char *kernel, *comm, *cmdline;
    uint32_t gpu_id, chip_id;
    uint32_t status;                         /* RBBM_STATUS */
    const struct gpucode_crash_fault *fault; /* or null */
    const struct gpucode_crash_ring *rings;
    size_t ring_count;
    const struct gpucode_crash_buffer *buffers;
    size_t buffer_count;
    const struct gpucode_crash_register *registers;
    size_t register_count;
    const struct gpucode_crash_block *blocks; /* under the names `own` */
    size_t block_count;
};
/*
 * Writes a devcoredump as the driver does. *bytes is malloc'ed, the caller's. Returns GPUCODE_OK, GPUCODE_ERROR_MEMORY
 * or GPUCODE_ERROR_ARGUMENT.
 */
GPUCODE_API enum gpucode_status gpucode_crash_write(const struct gpucode_crash_contents *contents, void **bytes,
                                                    size_t *size);
/* Chip id of a GPU that a target stands for; of a generation that of one GPU. 0: there is none. */
GPUCODE_API uint32_t gpucode_crash_chip(const struct gpucode_target *target);
/* The numbers that gpucode_crash_number() gives for dumps of a target's GPUs. */
GPUCODE_API uint32_t gpucode_crash_number_of(const struct gpucode_target *target, enum gpucode_crash_role role);

#ifdef __cplusplus
}
#endif
#endif
