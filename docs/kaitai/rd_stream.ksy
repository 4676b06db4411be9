# SPDX-License-Identifier: MIT
# Recorded command streams of Adreno GPUs (.rd, unpacked), as docs/replay.md has them.
meta:
  id: rd_stream
  title: Recorded command stream
  file-extension: rd
  endian: le
  ks-version: 0.9
seq:
  - id: records
    type: record
    repeat: eos
types:
  record:
    seq:
      - id: type
        type: u4
        enum: record_type
      - id: len_payload
        type: u4
      - id: payload
        size: len_payload
        if: type != record_type::mark
        type:
          switch-on: type
          cases:
            record_type::test: text
            record_type::command_line: text
            record_type::buffer: place
            record_type::stream_address: place
            record_type::gpu_id: number
            record_type::chip_id: wide_number
  text:
    seq:
      - id: text
        type: strz
        encoding: UTF-8
        eos-error: false
  place:
    doc: A buffer (its size in bytes) or a stream in one (its size in words).
    seq:
      - id: address_low
        type: u4
      - id: len
        type: u4
      - id: address_high
        type: u4
        if: not _io.eof
    instances:
      address:
        value: >-
          address_low + (_io.size >= 12 ? address_high : 0) * 0x100000000
  number:
    seq:
      - id: value
        type: u4
  wide_number:
    seq:
      - id: value
        type: u8
enums:
  record_type:
    1: test
    2: command_line
    3: buffer
    4: context
    5: stream
    6: stream_address
    7: parameter
    8: flush
    9: program
    10: vertex_shader
    11: fragment_shader
    12: contents
    13: gpu_id
    14: chip_id
    15: shader_log
    16: cp_log
    17: write_buffer
    0xffffffff:
      id: mark
      doc: In front of every record in the files of some recorders; its size says 0xffffffff too, and it has no payload.
