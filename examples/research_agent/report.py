"""What the agent concludes from its summaries, and how it puts that on paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reading import FileSummary


@dataclass(frozen=True, slots=True)
class Findings:
    """The conclusions over all files."""

    files: int
    lines: int
    functions: int
    best_documented: tuple[tuple[str, float], ...]
    longest: tuple[tuple[str, int], ...]
    imported: tuple[tuple[str, int], ...]
    words: tuple[tuple[str, int], ...]


def conclude(summaries: Sequence[FileSummary], top: int = 5) -> Findings:
    """Compare the summaries and keep the `top` of each ranking."""
    imported = Counter(name for summary in summaries for name in summary.imports)
    words: Counter[str] = Counter()
    for summary in summaries:
        words.update(dict(summary.words))
    documented = sorted(summaries, key=lambda it: (-it.share_documented, it.module))
    longest = sorted(summaries, key=lambda it: (-it.longest.lines, it.module))
    return Findings(
        files=len(summaries),
        lines=sum(summary.lines for summary in summaries),
        functions=sum(summary.functions for summary in summaries),
        best_documented=tuple((it.module, round(it.share_documented, 3)) for it in documented[:top]),
        longest=tuple((f"{it.module}.{it.longest.name}", it.longest.lines) for it in longest[:top]),
        imported=tuple(imported.most_common(top)),
        words=tuple(words.most_common(top)),
    )


def short_report(title: str, findings: Findings) -> str:
    """Write the conclusions alone."""
    documented = [(name, f"{share:.0%}") for name, share in findings.best_documented]
    longest = [(name, f"{lines} lines") for name, lines in findings.longest]
    return "\n".join(
        [
            f"# {title}",
            "",
            f"{findings.files} files, {findings.lines:,} lines, {findings.functions:,} functions.",
            "",
            "- Best documented: " + _listed(documented),
            "- Longest functions: " + _listed(longest),
            "- Most imported: " + _listed(findings.imported),
            "- What docstrings talk about: " + _listed(findings.words),
            "",
        ]
    )


def full_report(title: str, findings: Findings, summaries: Sequence[FileSummary]) -> str:
    """Write the conclusions and a table of the files."""
    rows = [
        f"| {it.module} | {it.lines:,} | {it.comments:,} | {it.classes} | {it.functions}"
        f" | {it.share_documented:.0%} | {it.longest.name} ({it.longest.lines}) |"
        for it in summaries
    ]
    head = [
        "| module | lines | comments | classes | functions | documented | longest function |",
        "| --- | ---: | ---: | ---: | ---: | ---: | --- |",
    ]
    return short_report(title, findings) + "\n" + "\n".join([*head, *rows, ""])


def _listed(pairs: Iterable[tuple[str, object]]) -> str:
    return ", ".join(f"{name} ({figure})" for name, figure in pairs)
