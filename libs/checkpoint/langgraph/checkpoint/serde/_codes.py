"""The msgpack extension codes, shared with the release, and where our own elements stand behind its own."""

from __future__ import annotations

from typing import Final

EXT_CONSTRUCTOR_SINGLE_ARG: Final = 0
EXT_CONSTRUCTOR_POS_ARGS: Final = 1
EXT_CONSTRUCTOR_KW_ARGS: Final = 2
EXT_METHOD_SINGLE_ARG: Final = 3
EXT_PYDANTIC_V1: Final = 4
EXT_PYDANTIC_V2: Final = 5
EXT_NUMPY_ARRAY: Final = 6
EXT_DELTA_SNAPSHOT: Final = 7

# What each code stands for. Elements after `|` are ours; the release's decoder ignores them.
#   0  module, name, argument             | qualified name, extras
#   1  module, name, positional arguments | qualified name
#   2  module, name, keyword arguments    | qualified name, further attributes
#   3  module, name, argument, method     | zone, fold
#   4  module, name, fields               | qualified name, fields set, private attributes
#   5  module, name, fields, method       | qualified name, type arguments, fields set, extras' names, private
#   6  dtype, shape, order, buffer        | field layout, scalar
#   7  value
QUALNAME_AT: Final = {0: 3, 1: 3, 2: 3, 4: 3, 5: 4}
"""Where the qualified name stands in the envelopes that name a class."""
TYPE_ARGS_AT: Final = 5
"""Where the type arguments of a generic pydantic model stand in its envelope."""
