"""Whether a sentence may be meant otherwise than it was read: then nothing is decided by it.

Both readers of sentences, about grids and about boards, cut texts with this. Only those clauses decide that are one of
the plain ways to say something (`plain` in their tables of words): a word without a part may limit it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set

from games.common.language.phrases import EncodedTerms, compile_phrase
from games.common.language.terms import Term

REFERRING_WORDS = {"places": ("its", "their"), "lines": ("its", "their"), "number": ("the",)}
"""First words that refer to what was said before, by the kind of what they begin: "its top", "the two"."""
INTERJECTIONS = frozenset("wait oh oops sorry".split())
HESITATIONS = INTERJECTIONS | {"hmm", "um", "er", "uh", "hm"}
WORDS_AFTER_NO = frozenset(", : wait only it actually that".split())


def sentences(terms: Sequence[Term], is_doubtful: Callable[[Term], bool]) -> Iterator[tuple[list[Term], bool]]:
    """Yield each sentence with its mark, and whether it is doubtful: "…", "?", or taken back by "no, …" after it."""
    sentence: list[Term] = []
    for index, term in enumerate(terms):
        sentence.append(term)
        if index + 1 < len(terms) and (term.kind != "stop" or term.text == ";"):
            continue
        if any(word.kind != "stop" for word in sentence):
            next_terms = terms[index + 1 : index + 3]
            is_unfinished = term.text == "?" or any(word.kind == "stop" and word.text == "." for word in next_terms[:1])
            is_corrected = (index >= len(sentence) and denies_sentence(sentence)) or denies_sentence(next_terms)
            is_corrected |= any(map(_takes_back, sentence, sentence[1:], sentence[2:]))
            yield sentence, is_unfinished or is_corrected or any(map(is_doubtful, sentence))
        sentence = []


def _takes_back(joint: Term, word: Term, next_word: Term) -> bool:
    """Return whether words within a sentence take back what stands before: ", no sorry", ", sorry", "so no, 14"."""
    is_denial = "no" in (word.text, next_word.text) and not {word.text, next_word.text}.isdisjoint(HESITATIONS)
    is_denial |= word.text == "no" and next_word.kind == "comma"
    return (joint.kind == "comma" or joint.text == "so") and (is_denial or word.text in INTERJECTIONS)


def denies_sentence(terms: Sequence[Term]) -> bool:
    """Return whether "no" at the start denies what was said before: "no, a V", "no wait"."""
    first_word, second_word = [*[term.text for term in terms[:2]], "", ""][:2]
    return first_word in INTERJECTIONS or (first_word == "no" and second_word in WORDS_AFTER_NO)


def compile_clauses(patterns: Iterable[str]) -> re.Pattern[str]:
    """Return the pattern of a clause that is one of some patterns."""
    return compile_phrase(f"({'|'.join(patterns)}) STOP")


def is_plain(terms: Iterable[Term], plain_clause: re.Pattern[str], unsaid: Set[str]) -> bool:
    """Return whether a clause says one thing by itself, and each of its words has a part in that.

    `unsaid` are the words, and kinds of words, that need none.
    """
    said_terms = [term for term in terms if unsaid.isdisjoint((term.text, term.kind))]
    while said_terms and said_terms[-1].kind in ("comma", "and"):
        said_terms.pop()
    first_term = next(iter(said_terms), Term("none"))
    refers_back = first_term.source.lower().split(" ")[0] in REFERRING_WORDS.get(first_term.kind, ())
    return not refers_back and bool(EncodedTerms(said_terms).match_pattern(plain_clause, 0))
