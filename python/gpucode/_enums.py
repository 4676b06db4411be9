# SPDX-License-Identifier: MIT
"""The enumerations of the C library; _enums.pyi has their members for type checkers, and a test holds it against the library."""

import enum
from typing import Dict, Type

from ._native import ffi

BY_C_NAME: Dict[str, Type[enum.IntEnum]] = {}


def make_enum(name: str, c_name: str, prefix: str) -> Type[enum.IntEnum]:
    """An enumeration of C's: `enum gpucode_stop_reason` becomes StopReason.LIMIT and so on."""
    by_number = sorted(ffi.typeof(c_name).relements.items(), key=lambda member: member[1])
    result = enum.IntEnum(name, {key[len(prefix):]: value for key, value in by_number}, module=__name__)  # type: ignore[misc]
    result.__doc__ = f"`{c_name}` of the C library."
    BY_C_NAME[c_name] = result
    return result


Severity = make_enum("Severity", "enum gpucode_severity", "GPUCODE_")
EdgeKind = make_enum("EdgeKind", "enum gpucode_edge_kind", "GPUCODE_EDGE_")
FunctionKind = make_enum("FunctionKind", "enum gpucode_function_kind", "GPUCODE_FUNCTION_")
ReferenceKind = make_enum("ReferenceKind", "enum gpucode_reference_kind", "GPUCODE_REFERENCE_")
Change = make_enum("Change", "enum gpucode_change", "GPUCODE_CHANGE_")
TokenKind = make_enum("TokenKind", "enum gpucode_token_kind", "GPUCODE_TOKEN_")
UnitKind = make_enum("UnitKind", "enum gpucode_unit_kind", "GPUCODE_UNIT_")
Form = make_enum("Form", "enum gpucode_form", "GPUCODE_FORM_")
Strip = make_enum("Strip", "enum gpucode_strip", "GPUCODE_STRIP_")
BreakpointKind = make_enum("BreakpointKind", "enum gpucode_breakpoint_kind", "GPUCODE_")
DebugReason = make_enum("DebugReason", "enum gpucode_debug_reason", "GPUCODE_DEBUG_")
StopReason = make_enum("StopReason", "enum gpucode_stop_reason", "GPUCODE_STOP_")
EventKind = make_enum("EventKind", "enum gpucode_event_kind", "GPUCODE_EVENT_")
PacketEventKind = make_enum("PacketEventKind", "enum gpucode_packet_event_kind", "GPUCODE_PACKET_")
Space = make_enum("Space", "enum gpucode_space", "GPUCODE_SPACE_")
FlowKind = make_enum("FlowKind", "enum gpucode_flow_kind", "GPUCODE_FLOW_")
Use = make_enum("Use", "enum gpucode_use", "GPUCODE_USE_")
Evidence = make_enum("Evidence", "enum gpucode_evidence", "GPUCODE_")
