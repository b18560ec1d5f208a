"""Turn values into bytes and back, exactly. Start at `jsonplus.JsonPlusSerializer`."""
