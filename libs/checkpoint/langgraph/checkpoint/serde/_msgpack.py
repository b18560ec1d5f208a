"""Which types and methods stored msgpack may name without anybody's leave, and the strict switch."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Final

STRICT_MSGPACK_ENABLED: Final = os.getenv("LANGGRAPH_STRICT_MSGPACK", "false").lower() in (
    "1",
    "true",
    "yes",
)
"""Read once, at import: whether only safe types load unless others are named."""

AllowedMsgpackModules = Iterable[tuple[str, ...] | type]
"""Types that may be loaded, each as the class itself or as `(module, name)`."""

_SENTINEL: Final = object()

_SAFE: Final[dict[str, str]] = {
    "array": "array",
    "builtins": "bytearray complex dict frozenset int memoryview range set slice str tuple",
    "collections": "Counter OrderedDict defaultdict deque",
    "datetime": "date datetime time timedelta timezone",
    "decimal": "Decimal",
    "fractions": "Fraction",
    "ipaddress": "IPv4Address IPv4Interface IPv4Network IPv6Address IPv6Interface IPv6Network",
    "langchain_core.documents.base": "Document",
    "langchain_core.messages.ai": "AIMessage AIMessageChunk",
    "langchain_core.messages.base": "BaseMessage BaseMessageChunk TextAccessor",
    "langchain_core.messages.chat": "ChatMessage ChatMessageChunk",
    "langchain_core.messages.function": "FunctionMessage FunctionMessageChunk",
    "langchain_core.messages.human": "HumanMessage HumanMessageChunk",
    "langchain_core.messages.modifier": "RemoveMessage",
    "langchain_core.messages.system": "SystemMessage SystemMessageChunk",
    "langchain_core.messages.tool": "ToolMessage ToolMessageChunk",
    "langgraph.store.base": "GetOp Item",
    "langgraph.types": "Command Interrupt Overwrite PregelTask Send StateSnapshot TimeoutPolicy",
    "pathlib": "Path PosixPath PurePosixPath PureWindowsPath WindowsPath",
    "pathlib._local": "Path PosixPath PurePosixPath PureWindowsPath WindowsPath",
    "re": "compile",
    "types": "EllipsisType MappingProxyType",
    "uuid": "UUID",
    "zoneinfo": "ZoneInfo",
}

SAFE_MSGPACK_TYPES: Final = frozenset((module, name) for module, names in _SAFE.items() for name in names.split())
SAFE_MSGPACK_METHODS: Final = frozenset({("datetime", "datetime", "fromisoformat")})
