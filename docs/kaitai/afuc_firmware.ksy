# SPDX-License-Identifier: MIT
# Firmware of Adreno's command processors, as docs/afuc-text.md and `gpucode info` have it: for hex editors and viewers.
# Not described: the a660 form, whose offsets stand in instructions, and AQE files, which have no packet table.
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
types:
  image:
    seq:
      - id: sections
        type: section(_index == 0)
        repeat: until
        repeat-until: not _.has_next
      - id: rest
        size-eos: true
        doc: Behind the last table; a build date, or nothing.
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
      has_sections:
        value: (words[1] >> 24) == 1 and (words[2] >> 24) == 1 and (words[3] >> 24) == 1
        doc: Word 1 is the number of words in the image, word 3 the packet table of the first section.
      has_number:
        value: (words[1] >> 24) == 1
        doc: Word 1 is the packet table's offset in its low 24 bits; otherwise (a5xx) in its low 16 bits.
      total_words:
        value: words[1] & 0xffffff
        if: has_sections
  section:
    params:
      - id: is_first
        type: bool
    seq:
      - id: identification
        type: u4
      - id: second
        type: u4
      - id: third
        type: u4
      - id: fourth
        type: u4
      - id: code
        type: u4
        repeat: expr
        repeat-expr: table - 4
      - id: handlers
        type: u4
        repeat: expr
        repeat-expr: 128
        doc: By opcode of the packet, words from the start of the section.
      - id: padding
        size: (32 - _io.pos % 32) % 32
        if: _parent.has_sections and _io.size - _io.pos >= 32
    instances:
      table:
        value: >-
          is_first and _parent.has_sections ? fourth & 0xffffff :
          is_first and not _parent.has_number ? second & 0xffff : second & 0xffffff
        doc: The packet table, words from the start of the section.
      next_word:
        pos: _io.pos
        type: u4
        if: _io.size - _io.pos >= 32
      has_next:
        value: _parent.has_sections and _io.size - _io.pos >= 32 and (next_word >> 24) == 1
