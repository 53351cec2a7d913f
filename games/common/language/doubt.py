"""Whether a sentence may be meant otherwise than it was read: then nothing is decided by it.

Both readers of sentences, about grids and about boards, cut texts with this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from games.common.language.signs import Item

INTERJECTIONS = frozenset("wait oh oops sorry".split())
AFTER_NO = frozenset(", wait only it actually that".split())


def sentences(parts: Sequence[Item], is_doubtful: Callable[[Item], bool]) -> Iterator[tuple[list[Item], bool]]:
    """Yield each sentence with its mark, and whether it is doubtful: "…", "?", or taken back by "no, …" after it."""
    sentence: list[Item] = []
    for at, part in enumerate(parts):
        sentence.append(part)
        if at + 1 < len(parts) and (part.kind != "stop" or part.text == ";"):
            continue
        if any(other.kind != "stop" for other in sentence):
            ahead = parts[at + 1 : at + 3]
            is_unfinished = part.text == "?" or any(other.kind == "stop" and other.text == "." for other in ahead[:1])
            is_corrected = (at >= len(sentence) and takes_back(sentence)) or takes_back(ahead)
            yield sentence, is_unfinished or is_corrected or any(map(is_doubtful, sentence))
        sentence = []


def takes_back(parts: Sequence[Item]) -> bool:
    """Return whether "no" at the start denies what was said before: "no, a V", "no wait"."""
    first, second = [*[part.text for part in parts[:2]], "", ""][:2]
    return first in INTERJECTIONS or (first == "no" and second in AFTER_NO)
