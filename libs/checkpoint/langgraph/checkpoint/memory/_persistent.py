"""A dict that can be kept in a file, for savers whose state should outlive the process.

It is written when asked, as a whole, so it suits small programs and tests; a database suits others.
"""

from __future__ import annotations

import os
import pickle
import secrets
from collections import defaultdict
from pathlib import Path
from typing import IO, Any, TypeVar

_Self = TypeVar("_Self", bound="PersistentDict")


class PersistentDict(defaultdict[Any, Any]):
    """A `defaultdict` with a file that `sync` writes and `load` reads.

    As a context manager it is closed at the end of the block. The file is a pickle: only load what you
    trust.

    Args:
        args: as `defaultdict` takes them.
        filename: the file; it need not exist before `sync`.
        kwds: as `defaultdict` takes them.
    """

    flag = "c"
    """`"r"` makes `sync` do nothing."""
    mode: int | None = None
    """Permissions that the file gets; `None` leaves it to the system."""
    format = "pickle"
    """The only format there is."""

    def __init__(self, *args: Any, filename: str | os.PathLike[str], **kwds: Any) -> None:
        self.filename = filename
        self._closed = False
        super().__init__(*args, **kwds)

    def sync(self) -> None:
        """Write the content to the file, which is replaced at once or stays as it was."""
        if self.flag == "r" or (self._closed and not self):
            return  # a closed dict is empty, but what it wrote must stay
        path = Path(self.filename)
        written = path.with_name(f"{path.name}.{secrets.token_hex(8)}.tmp")
        try:
            with written.open("xb") as file:
                self.dump(file)
                file.flush()
                os.fsync(file.fileno())
            if self.mode is not None:
                written.chmod(self.mode)
            written.replace(path)
        except BaseException:
            written.unlink(missing_ok=True)
            raise

    def close(self) -> None:
        """Write the content to the file and empty the dict."""
        self.sync()
        self.clear()
        self._closed = True

    def dump(self, fileobj: IO[bytes]) -> None:
        """Write the content to an open file."""
        pickle.dump(dict(self), fileobj, protocol=2)  # what the release writes

    def load(self) -> None:
        """Add the file's content to the dict; an empty file has none.

        Raises:
            FileNotFoundError: there is no file yet.
            pickle.UnpicklingError: it is damaged.
        """
        with Path(self.filename).open("rb") as file:
            if os.fstat(file.fileno()).st_size:
                self.update(pickle.load(file))  # noqa: S301  # the caller's own file, as documented

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.default_factory, self.filename), self.__dict__, None, iter(self.items())


def _restore(cls: type[PersistentDict], default_factory: Any, filename: str) -> PersistentDict:
    return cls(default_factory, filename=filename)
