"""The claims of a message about a picture: answers with what they answer, and lists with what they list.

`grammar.read_text` folds a sentence from left to right. Where it takes a new thing for what was said of another one
("the cot … and on the left is a dresser"), or colours for those of the wrong thing ("three cushions, red, white and
yellow"), the nouns tell what was meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from games.common.language.claims import MANY, NONE, Claim, Phrase, Question
from games.common.language.grammar import attribute_of, read_text
from games.common.language.lexicon import LEXICON
from games.common.language.scene_claims import INNER_RELATIONS
from games.common.language.things import base_colour, find_colours, find_generic_kind, find_names, vocabulary
from games.common.language.tokens import tokenize
from games.matchit.talkers.utterances import Utterance, pair_with_questions

DENIAL_WORDS = ("no", "nope", "none", "nothing", "not", "zero")
HEIGHTS = ("top", "bottom")
"""Places that are those of a stack where its parts are listed: "a stack of crates, blue on top"."""
MAX_ABBREVIATION = 2
"""The length of a word in capitals up to which it may be a name: TV."""
AFFIRMATION_WORDS = ("yes", "yeah", "yep", "yup", "correct", "right", "exactly", "indeed")


def group_claims(history: Sequence[Utterance]) -> Iterator[tuple[Utterance, list[Claim]]]:
    """Yield the partner's messages with their claims; an answer is read together with the last question."""
    for utterance, question in pair_with_questions(history):
        own_question = next(iter(read_text(question, vocabulary()).questions), None)
        yield utterance, list(read_claims(utterance.text, own_question))


def read_claims(message_text: str, question: Question | None) -> Iterator[Claim]:
    """Yield the claims of a message; an answer is read together with the question that it answers."""
    claims = resolve_ones(share_colours(separate_things(relax_numbers(read_text(message_text, vocabulary()).claims))))
    if question is None or not question.claims:
        yield from claims
        return
    first_word = message_text.lower().split(maxsplit=1)[0].strip(".,;!:") if message_text.split() else ""
    topic, is_denial = question.claims[-1], first_word in DENIAL_WORDS
    if question.kind in ("polar", "number") and (
        is_denial or (first_word in AFFIRMATION_WORDS and question.kind == "polar")
    ):
        phrase = replace(topic.subject, count=NONE) if is_denial and not topic.predicate else topic.subject
        wording = " ".join((*topic.whole.modifiers, topic.whole.head))
        yield Claim(phrase, topic.predicate, is_denial and topic.predicate is not None, text=f"{first_word}, {wording}")
        claims = [claim for claim in claims if claim.subject.head or not is_denial]
    for claim in claims:
        yield complete_claim(claim, question, topic.subject)


def complete_claim(claim: Claim, question: Question, topic: Phrase) -> Claim:
    """Return a claim, with the subject of the question if the answer leaves it out: "Blue.", "Three."."""
    subject = claim.subject
    if not subject.head and (subject.pronoun or claim.predicate is None):
        whole_phrase = replace(topic.uncounted.merge(claim.whole), head=topic.head)
        return Claim(whole_phrase, text=claim.text, is_negated=claim.is_negated)
    if question.kind == "what" and claim.predicate is None and subject.is_bare:  # "what is on the table?" "A cup."
        return replace(claim, subject=subject.merge(Phrase(places=topic.places, links=topic.links)))
    return claim


def names_nothing(claim: Claim) -> bool:
    """Return whether words taken for a thing may be none: "that splits", writing ("CAKES"), "the same picture"."""
    is_verb = claim.subject.is_plural and claim.text.lower().startswith("that ")
    is_written = claim.text.isupper() and len(claim.text) > MAX_ABBREVIATION
    is_compared = not {"same", "different"}.isdisjoint(claim.subject.modifiers)
    return claim.predicate is None and (is_verb or is_written or is_compared)


# ---------------------------------------------------------------------- lists
def relax_numbers(claims: Sequence[Claim]) -> list[Claim]:
    """Return claims without numbers of each of several things ("one shape each"), and with those of parts as the least.

    "Six books" that are named twice are twelve, or the same.
    """
    each_flags = [claim.text.lower() == "each" and claim.whole.is_bare for claim in claims]
    own_claims = [claim for claim, *flags in zip_longest(claims, each_flags, each_flags[1:]) if not any(flags)]
    subjects = [claim.subject for claim in own_claims if claim.predicate is None]
    counted = [phrase for phrase in subjects if 0 < phrase.count.low == phrase.count.high]
    parts = {s for s, n in Counter(replace(s, places=(), links=()) for s in counted).items() if n > 1}
    return [
        replace(claim, subject=replace(claim.subject, count=replace(claim.subject.count, high=MANY)))
        if replace(claim.subject, places=(), links=()) in parts
        else claim
        for claim in own_claims
    ]


def separate_things(claims: Iterable[Claim]) -> list[Claim]:
    """Return claims in which no thing is said to be another: of "a cot is a dresser" there is a dresser.

    Their places may belong to either. What is said next of the same subject is said of the thing named last.
    """
    separated: list[Claim] = []
    misread_phrase, meant_phrase = Phrase(), Phrase()
    for claim in claims:
        subject, predicate = claim.subject, claim.predicate
        if predicate and predicate.head and not claim.is_negated and are_apart(subject.head, predicate.head):
            misread_phrase, meant_phrase = subject, replace(predicate, places=())
            separated = [replace(c, subject=drop_places(subject)) if c.subject == subject else c for c in separated]
            claim = replace(claim, subject=meant_phrase, predicate=None)
        elif subject == misread_phrase and predicate and misread_phrase != Phrase():
            claim = replace(claim, subject=replace(meant_phrase, definite=True))
        separated.append(claim)
    return separated


def drop_places(phrase: Phrase) -> Phrase:
    """Return a phrase without where it is."""
    return replace(phrase, places=(), links=tuple(link for link in phrase.links if link.relation in INNER_RELATIONS))


def are_apart(head: str, other_head: str) -> bool:
    """Return whether two words name things of which none can be called as the other is."""
    names, other_names = find_names(head), find_names(other_head)
    is_open = not (names and other_names) or find_generic_kind(head) or find_generic_kind(other_head)
    return not (is_open or names & other_names or LEXICON.is_a(head, other_head) or LEXICON.is_a(other_head, head))


def share_colours(claims: Sequence[Claim]) -> list[Claim]:
    """Return claims in which colours after several things are theirs: "a sofa with three cushions, red, white, …".

    Where there are as many colours as things, each thing has one.
    """
    new_claims: list[Claim] = []
    index = 0
    while index < len(claims):
        group = find_group(claims[index])
        end = index + 1
        while end < len(claims) and group and is_colour_list(claims[end]):
            end += 1
        listed = claims[index + 1 : end]
        new_claims += (
            [claims[index], *listed] if not (group and listed) else _share_listed(claims[index], group, listed)
        )
        if group and listed:  # "… are on the right" is said of the group
            subject, group_subject = listed[-1].subject, replace(group, definite=True)
            rest = [replace(o, subject=group_subject) if o.subject == subject else o for o in claims[end:]]
            claims = [*claims[:end], *rest]
        index = end
    return new_claims


def _share_listed(claim: Claim, group: Phrase, listed: Sequence[Claim]) -> list[Claim]:
    """Return a claim that names a group, and one for each colour that is listed after it."""
    written_words = {attribute_of(token.text) or token.text for token in tokenize(claim.text)}
    spilt = [word for word in find_colours(claim.subject.modifiers) if written_words.isdisjoint(word.split(" "))]
    subject, is_subject = drop_modifiers(claim.subject, spilt), claim.subject == group
    group = subject if is_subject else group  # of "four cones in green, red, …" the first colour is not theirs
    lists = [(replace(claim, subject=group), spilt)] if spilt else []
    lists += [(each, find_colours(each.whole.modifiers)) for each in listed]
    is_one_each = sum(len(colours) for _, colours in lists) == group.count.low == group.count.high
    claims = [replace(claim, subject=subject)]
    for each, colours in lists:
        places = tuple(place for place in each.whole.places if place not in HEIGHTS and each.subject != group)
        for words in [[colour] for colour in colours] if is_one_each else [colours]:
            modifiers = tuple(dict.fromkeys((*group.modifiers, *words)))
            phrase = Phrase(group.head, modifiers, is_plural=not is_one_each, places=places)
            claims.append(Claim(phrase, text=" and ".join(words)))
    return claims


def drop_modifiers(phrase: Phrase, words: Sequence[str]) -> Phrase:
    """Return a phrase without some of its modifiers."""
    return replace(phrase, modifiers=tuple(word for word in phrase.modifiers if word not in words))


def find_group(claim: Claim) -> Phrase | None:
    """Return the several things that a claim names last: the cushions of "a sofa with three cushions"."""
    phrase: Phrase | None = claim.whole
    group = None
    while phrase:
        group = phrase if phrase.is_plural and phrase.head and not phrase.is_negated else group
        phrase = phrase.links[-1].phrase if phrase.links else None
    return group


def is_colour_list(claim: Claim) -> bool:
    """Return whether a claim only lists colours: "white and yellow"."""
    words = [token.text for token in tokenize(claim.text) if token.is_word and token.text != "and"]
    shades = LEXICON.categories("shades")
    return bool(words) and all(base_colour(attribute_of(word) or word) or word in shades for word in words)


def resolve_ones(claims: Iterable[Claim]) -> list[Claim]:
    """Return claims in which "a black one" may stand for any of the things named before: "benches with weights".

    "One" of them is no number: there may be more that are so. "Both shiny" is said of the two things before.
    """
    resolved: list[Claim] = []
    groups: list[Phrase] = []
    for claim in claims:
        words = [LEXICON.lemma(token.text) for token in tokenize(claim.text)]
        if not claim.subject.head or claim.predicate or claim.subject.head.rsplit(" ", 1)[-1] in words:
            owned = [link.phrase for link in claim.whole.links if link.phrase.head]
            plurals = [phrase for phrase in (claim.subject, *owned) if phrase.is_plural and phrase.head]
            groups = plurals or owned or groups
            resolved.append(claim)
        else:
            heads = [phrase.head for phrase in groups] if "one" in words else []
            resolved += _resolve_one(claim, heads, resolved)
    return resolved


def _resolve_one(claim: Claim, heads: Sequence[str], claims_before: Sequence[Claim]) -> Iterator[Claim]:
    """Yield what a claim says whose noun is left out, for each thing that it may be said of."""
    subject, count = claim.subject, claim.subject.count
    is_exact = 0 < count.low == count.high
    if subject.definite and is_exact and len(claims_before) >= count.low and claims_before[-1].subject.count != count:
        for other in claims_before[-count.low :]:
            yield replace(claim, subject=other.subject.uncounted.merge(subject.uncounted))
        return
    subject = subject.uncounted if is_exact and count.low == 1 else subject
    yield replace(claim, subject=subject)
    for head in heads:
        if head != subject.head:
            yield replace(claim, subject=replace(subject, head=head), is_alternative=True)


def strip_wording(claim: Claim) -> Claim:
    """Return a claim without its wording, to recognise repetitions."""
    return replace(claim, text="", subject=replace(claim.subject, definite=False))
