"""How the demo tells what happens: acts, sentences, a progress bar and claims that must hold."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field


class ClaimError(Exception):
    """Something that the demo claims did not hold."""


@dataclass(slots=True)
class Story:
    """Prints the account; keeps silent but counts if `quiet`."""

    quiet: bool = False
    acts: int = 0
    claims: list[str] = field(default_factory=list)
    _live: bool = field(default_factory=sys.stdout.isatty)
    _progress: int = -1

    def act(self, title: str) -> None:
        """Begin the next act."""
        self.acts += 1
        self._progress = -1
        self._print(f"\n{self.acts}. {title}")

    def say(self, text: str) -> None:
        """Tell one or more lines."""
        for line in text.splitlines():
            self._print(f"   {line}")

    def claim(self, text: str, holds: bool) -> None:
        """Tell what must hold here.

        Raises:
            ClaimError: It does not hold.
        """
        if not holds:
            raise ClaimError(f"this does not hold: {text}")
        self.claims.append(text)
        self._print(f"   [ok] {text}")

    def progress(self, label: str, done: int, total: int) -> None:
        """Show how far something is: a bar that grows on a terminal, a line at each quarter elsewhere."""
        if self.quiet or done == self._progress:
            return
        if self._live:
            bar = "#" * round(24 * done / total)
            print(f"\r   [{bar:<24}] {label} {done}/{total} ", end="", flush=True)
        elif done * 4 // total != self._progress * 4 // total:
            self._print(f"   {label} {done}/{total}")
        self._progress = done

    def progress_ends(self) -> None:
        """Leave the progress bar's line."""
        if self._live and not self.quiet:
            print()

    def _print(self, text: str) -> None:
        if not self.quiet:
            print(text, flush=True)
