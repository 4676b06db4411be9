# SPDX-License-Identifier: MIT
"""The enumerations of the C library; _enums.pyi has their members for type checkers, and a test holds it against the library."""

import enum
from typing import Dict, Type

from ._native import ffi

BY_C_NAME: Dict[str, Type[enum.IntEnum]] = {}


def make_enum(name: str, c_name: str, prefix: str) -> Type[enum.IntEnum]:
    """An enumeration of C's: `enum gpucode_stop_reason` becomes StopReason.LIMIT and so on."""
    try:
        by_number = sorted(ffi.typeof(c_name).relements.items(), key=lambda member: member[1])
    except ffi.error:  # of a part of the library that was left out when it was built
        by_number = []
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
ActionKind = make_enum("ActionKind", "enum gpucode_action_kind", "GPUCODE_ACTION_")
ConstantKind = make_enum("ConstantKind", "enum gpucode_constant_kind", "GPUCODE_CONSTANT_")
ConstantHalf = make_enum("ConstantHalf", "enum gpucode_constant_half", "GPUCODE_HALF_")
CrashMark = make_enum("CrashMark", "enum gpucode_crash_mark", "GPUCODE_CRASH_")
CrashFormat = make_enum("CrashFormat", "enum gpucode_crash_format", "GPUCODE_CRASH_")
CrashLevel = make_enum("CrashLevel", "enum gpucode_crash_level", "GPUCODE_CRASH_")
EffectKind = make_enum("EffectKind", "enum gpucode_effect_kind", "GPUCODE_EFFECT_")
ExpectedKind = make_enum("ExpectedKind", "enum gpucode_expected_kind", "GPUCODE_EXPECTED_")
OperandType = make_enum("OperandType", "enum gpucode_operand_type", "GPUCODE_OPERAND_")
FieldType = make_enum("FieldType", "enum gpucode_field_type", "GPUCODE_FIELD_")
ScriptOrigin = make_enum("ScriptOrigin", "enum gpucode_hwsq_origin", "GPUCODE_HWSQ_")
LabelKind = make_enum("LabelKind", "enum gpucode_label_kind", "GPUCODE_LABEL_")
PacketSource = make_enum("PacketSource", "enum gpucode_packet_source", "GPUCODE_PACKET_")
PacketCondition = make_enum("PacketCondition", "enum gpucode_packet_condition", "GPUCODE_PACKET_")
PacketForm = make_enum("PacketForm", "enum gpucode_packet_form", "GPUCODE_PACKET_")
SourceSymbolKind = make_enum("SourceSymbolKind", "enum gpucode_source_symbol_kind", "GPUCODE_SOURCE_")
StageResource = make_enum("StageResource", "enum gpucode_stage_resource", "GPUCODE_STAGE_")
LookupKind = make_enum("LookupKind", "enum gpucode_a3xx_lookup_kind", "GPUCODE_A3XX_")
ValuePlace = make_enum("ValuePlace", "enum gpucode_value_place", "GPUCODE_VALUE_")
