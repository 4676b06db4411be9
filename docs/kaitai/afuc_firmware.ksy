# SPDX-License-Identifier: MIT
# Firmware of Adreno's command processors, as docs/afuc-text.md and `gpucode info` have it: for hex editors and viewers.
# Told apart by their first words: what `gpucode info` calls the layout. Of a file that is cut, the sections that are whole
# are described, and the last one as far as it goes; what the file's words alone do not tell, such as the chip's generation
# by its id, is not asked.
meta:
  id: afuc_firmware
  title: Adreno command processor firmware
  file-extension: fw
  endian: le
  ks-version: 0.9
seq:
  - id: prefix
    type: u4
    if: first_word == 0
    doc: The zero word that files of linux-firmware begin with; no part of the image.
  - id: image
    type: image
    size-eos: true
instances:
  first_word:
    pos: 0
    type: u4
enums:
  layout:
    0: plain
    1: a5xx_header
    2: a660_header
    3: a7xx_header
    4: gen8_header
    5: aqe
types:
  image:
    seq:
      - id: sections
        type: section(_index == 0)
        repeat: until
        repeat-until: not _.has_next
        if: not is_aqe
      - id: code
        type: u4
        repeat: eos
        if: is_aqe
        doc: AQE has no packet table.
      - id: rest
        size-eos: true
        doc: After the last table; a build date, or nothing.
    instances:
      words:
        pos: 0
        type: u4
        repeat: expr
        repeat-expr: 4
      id:
        value: (words[0] >> 12) & 0xfff
        doc: 0x630 is a630, 0x730 is a730.
      version:
        value: words[0] & 0xfff
      has_number:
        value: (words[1] >> 24) == 1
        doc: Words with 1 in their top byte are numbers of 24 bits; a5xx has one of 16 bits in word 1.
      are_numbers:
        value: has_number and (words[2] >> 24) == 1 and (words[3] >> 24) == 1
      is_aqe:
        value: >-
          are_numbers and (words[2] & 0xffffff) != 0 and (words[2] & 0xffffff) < 0x100 and
          (words[3] & 0xffffff) != 0 and (words[3] & 0xffffff) < 0x100
        doc: Two small numbers stand where an SQE has the first word of its BV section and its packet table.
      has_sections:
        value: are_numbers and not is_aqe and (words[1] & 0xffffff) >= (words[3] & 0xffffff) + 128
        doc: Word 1 is the number of words in the image, word 3 the packet table of the first section.
      has_moves:
        value: >-
          has_number and not are_numbers and (words[2] >> 24) == 1 and id != 0 and ((words[2] >> 12) & 0xfff) == id
        doc: The a660 form, whose word 2 repeats the id; packet tables' offsets stand in instructions.
      layout:
        value: >-
          is_aqe ? 5 : has_sections ? (((words[2] >> 12) & 0xfff) == 0x8bc ? 4 : 3) : has_moves ? 2 : has_number ? 0 : 1
        enum: layout
      total_words:
        value: words[1] & 0xffffff
        if: are_numbers or has_moves
  section:
    params:
      - id: is_first
        type: bool
    seq:
      - id: identification
        type: u4
        if: left >= 4
      - id: second
        type: u4
        if: left >= 8
      - id: third
        type: u4
        if: left >= 12
      - id: fourth
        type: u4
        if: left >= 16
      - id: fifth
        type: u4
        if: left >= 20
      - id: code
        type: u4
        repeat: expr
        repeat-expr: table - 5
        if: is_whole
      - id: handlers
        type: u4
        repeat: expr
        repeat-expr: 128
        if: is_whole
        doc: By opcode of the packet, words from the start of the section.
      - id: cut
        type: u4
        repeat: expr
        repeat-expr: "left >= 20 ? left / 4 - 5 : 0"
        if: not is_whole
        doc: What there is of a section whose packet table is not in the file.
      - id: padding
        size: next_at - _io.pos
        if: has_next
    instances:
      left:
        value: _io.size - _io.pos
        doc: Bytes from the start of the section on. (Asked for in front of the first word.)
      is_whole:
        value: left >= 20 and table >= 5 and (table + 128) * 4 <= left
      table:
        value: >-
          _parent.has_moves ? moved :
          is_first and _parent.has_sections ? fourth & 0xffffff :
          not _parent.has_number ? second & 0xffff : second & 0xffffff
        doc: The packet table, words from the start of the section.
      moved:
        value: >-
          ((second >> 16) & 0xfc1f) == 0x8812 ? (second & 0xffff) << ((second >> 21) & 31) :
          ((fourth >> 16) & 0xfc1f) == 0x8812 ? (fourth & 0xffff) << ((fourth >> 21) & 31) :
          (fifth & 0xffff) << ((fifth >> 21) & 31)
        doc: What `mov $12` moves, in the a660 form.
      next_at:
        value: (_io.pos + 31) / 32 * 32
        doc: Sections begin at boundaries of 32 bytes. (Asked for after the packet table, which is where the position is then.)
      next_first:
        pos: next_at
        type: u4
        if: next_at + 4 <= _io.size
      next_second:
        pos: next_at + 4
        type: u4
        if: next_at + 8 <= _io.size
      has_next:
        value: >-
          is_whole and next_at + 4 <= _io.size and (
          next_at + 8 > _io.size ? _parent.has_sections and _parent.total_words * 4 > _io.size and (next_first >> 24) == 1 :
          not _parent.has_number ? (next_first >> 24) == 0 and ((next_first >> 12) & 0xfff) == _parent.id and
          (next_second >> 16) == 0 and next_second != 0 :
          (next_first >> 24) == 1 and
          (_parent.has_moves ? ((next_second >> 16) & 0xfc1f) == 0x8812 : (next_second >> 24) == 1))
