"""Answers questions about a picture of a scene from its description, and describes its things in words.

Every answer begins with what was asked. Where the description cannot tell, the answer says "I am not sure" and what is
known; it never denies what may only be missing from the description.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from games.common.language.claims import Answer, Claim, Count, Link, Phrase, Question, Truth
from games.common.language.grammar import read_text, words_of
from games.common.language.lexicon import LEXICON
from games.common.language.scenes import (
    SceneEvaluator,
    SceneThing,
    base_colour,
    generic_kind,
    is_about_picture,
    is_room,
    vocabulary,
)
from games.common.language.tokens import MAX_TEXT
from games.common.language.wording import add_article, capitalise, count_noun, count_word, join_list, pluralise

UNSURE = "I am not sure"
MATERIALS = {"metal": "shiny metal", "rubber": "matte rubber"}
"""How the materials of solids are called in answers."""
SUBSTANCES = {"wooden": "wood", "tiled": "tiles"}
STATES = ("on", "off")
"""Attributes that stand after the name: "a television that is on"."""
SUPPORTS = ("shelf", "table", "desk", "bench", "stool", "chair", "step", "rack", "hook")
SIDES = ("on the left", "in the middle", "on the right")
OUTDOORS = ("garden", "balcony", "street", "doorstep", "swimming pool")


class SceneAnswerer(SceneEvaluator):
    """Answers questions about one picture."""

    # ------------------------------------------------------------------ words for things
    def phrase(self, item: SceneThing) -> str:
        """Return "red wooden chair", "vase with red flowers"."""
        before = self._look(item)
        after = [word for word in item.words if _is_after(word)]
        before = [word for word in before if word not in item.name.split(" ")]
        colours = [word for word in before if base_colour(word)]
        if len(colours) > 1:
            before = [word for word in before if word not in colours] + [" and ".join(colours)]
        return " ".join([*before, item.name, *(f"that is {word}" if word in STATES else word for word in after)])

    def place(self, item: SceneThing, *, short: bool = False) -> str:
        """Return where a thing is: "on the table", "on the left"."""
        support = self.scene.by_id.get(item.support)
        side = self.side(item)
        if support and not short:
            return f"on the {support.name}, {side}" if self._is_one_of_many(support) else f"on the {support.name}"
        return side

    @staticmethod
    def side(item: SceneThing) -> str:
        """Return "on the left", "in the middle" or "on the right"."""
        return SIDES[0 if item.x < 0.4 else 2 if item.x > 0.6 else 1] if item.box else ""

    def _level(self, item: SceneThing) -> str:
        """Return "top " or "bottom " for the first or last of several things one above the other."""
        heights = [other.y for other in self.scene.things if other.name == item.name and other.box]
        spread = max(heights, default=0.0) - min(heights, default=0.0)
        ends = {min(heights): "top ", max(heights): "bottom "} if spread > 0.15 else {}
        return ends.get(item.y, "")

    def _is_one_of_many(self, item: SceneThing) -> bool:
        return sum(other.name == item.name for other in self.scene.things) > 1

    def group(self, things: Sequence[SceneThing]) -> str:
        """Return things in words, equal ones counted: "two red cushions and a lamp"."""
        phrases: dict[str, int] = {}
        for item in things:
            phrases[self.phrase(item)] = phrases.get(self.phrase(item), 0) + 1
        return join_list(
            [
                add_article(phrase) if number == 1 else _plural_phrase(phrase, number)
                for phrase, number in phrases.items()
            ]
        )

    # ------------------------------------------------------------------ questions
    def reply(self, text: str) -> str:
        """Return the answer to what somebody asks, in words."""
        reading = read_text(text, vocabulary())
        cut = f"I only read the first {MAX_TEXT:,} characters. " if len(text) > MAX_TEXT else ""
        questions = reading.questions or tuple(Question("polar", (claim,)) for claim in reading.claims[:2])
        answers = [self.answer(question).text for question in questions[:2]]
        parts = list(dict.fromkeys(capitalise(part) for part in answers))
        if not parts:
            return f"{cut}I did not understand that question."
        return cut + " ".join(f"{part}." for part in parts)

    def answer(self, question: Question) -> Answer:
        """Return the answer to a question; it says so if the question was not understood or cannot be answered."""
        handler: Callable[[Question], Answer] | None = getattr(self, f"_answer_{question.kind}", None)
        if handler is None or (not question.claims and question.kind not in ("more", "what")):
            return unsure("" if question.kind == "text" else "I did not understand the question")
        return handler(question)

    def _answer_polar(self, question: Question) -> Answer:
        claims = [claim for claim in question.claims if not self._is_presupposed(claim, question.claims)]
        answers = [self._answer_claim(claim) for claim in claims]
        truths = [answer.truth for answer in answers]
        if len(answers) == 1 or len(set(truths)) == 1:
            return Answer("; ".join(answer.text for answer in answers), truths[0])
        if Truth.UNKNOWN in truths:
            return unsure("; ".join(answer.text for answer in answers if answer.truth is not Truth.UNKNOWN))
        return Answer(f"not all of it: {'; '.join(answer.text for answer in answers)}", Truth.NO)

    @staticmethod
    def _is_presupposed(claim: Claim, claims: Sequence[Claim]) -> bool:
        """Return whether a claim only names what another one is about: "the lamp" in "is the lamp lit"."""
        return claim.kind == "exists" and any(other.kind != "exists" and _is_about(other, claim) for other in claims)

    def _answer_claim(self, claim: Claim) -> Answer:
        if claim.object and claim.object.head == "same" and claim.subject.head:
            return self._answer_same(claim)
        truth = self.truth(claim)
        if truth is Truth.UNKNOWN:
            return unsure(self._nearest(claim))
        if claim.kind == "exists":
            return self._answer_exists(claim, truth)
        text = self._category_words() if is_about_picture(claim) else self._predicate_words(claim, truth)
        word = "yes" if truth is Truth.YES else "no"
        return Answer(f"{word}, {text}" if text else word, truth)

    def _answer_same(self, claim: Claim) -> Answer:
        """Answer "are all the chairs the same colour"."""
        things = self.subjects(claim.subject)
        colours = list(dict.fromkeys(join_list(item.colours) for item in things if item.colours))
        if len(things) < 2 or not colours or "size" in claim.text:
            return unsure(self._nearest(claim))
        truth = Truth.YES if len(colours) == 1 else Truth.NO
        return Answer(f"{truth.value}, they are {join_list(colours)}", truth)

    def _answer_exists(self, claim: Claim, truth: Truth) -> Answer:
        phrase = replace(claim.subject, count=Count())
        category = self.scene.category_chance(phrase)
        is_category = category is not None and is_room(phrase.head) and phrase.is_bare
        things = self.subjects(phrase) if not is_category else []
        if is_category and not things:
            category_words = f"it is {add_article(self.scene.category or 'scene')}"
            return Answer(f"{'yes' if truth is Truth.YES else 'no'}, {category_words}", truth)
        if truth is Truth.YES:
            if claim.subject.negated:
                return Answer("right, I see none", truth)
            return Answer(f"yes, there {_be(things)} {self._some(things)}{self._shared_place(things)}", truth)
        if claim.subject.count.is_stated and things and not claim.subject.negated:
            return Answer(f"no, there {_be(things)} {count_noun(len(things), _noun(phrase, things))}", truth)
        if claim.subject.negated:
            return Answer(f"there {_be(things)} {self._some(things)}", truth)
        others = self.subjects(Phrase(head=phrase.head)) if phrase.head and not phrase.is_bare else []
        denial = f"no, I see no {_phrase_words(phrase)}" if phrase.head else "no, I see none"
        if not others or generic_kind(phrase.head):
            return Answer(denial, truth)
        return Answer(f"{denial}; I see {self._some(others)}{self._shared_place(others)}", truth)

    def _some(self, things: Sequence[SceneThing]) -> str:
        solid = [item for item in things if not item.is_part]
        if not solid and things:
            part = things[0]
            owner = self.scene.by_id.get(part.support)
            return add_article(self.phrase(owner)) if owner else part.name
        return self.group(solid[:6]) if len(solid) <= 6 else f"{count_word(len(solid))} of them"

    def _shared_place(self, things: Sequence[SceneThing]) -> str:
        places = {self.place(item) for item in things if item.box}
        return f" {next(iter(places))}" if len(places) == 1 and len(things) == 1 else ""

    def _nearest(self, claim: Claim) -> str:
        """Return what is known about the subject of a claim that cannot be judged."""
        things = self.subjects(Phrase(head=claim.subject.head)) if claim.subject.head else []
        things = [item for item in things if not item.is_part]
        return f"I see {self._some(things[:3])}{self._shared_place(things)}" if things and things[0].box else ""

    def _category_words(self) -> str:
        if self.scene.is_complete:
            return "it is no room but some objects on a plain floor"
        return f"it is {add_article(self.scene.category)}" if self.scene.category else ""

    def _predicate_words(self, claim: Claim, truth: Truth) -> str:
        """Return what is so of the things that a claim is about, "" where nothing needs to be added."""
        things = self.subjects(claim.subject)
        if not things:
            return ""
        item = things[0]
        if not item.box:
            return f"the {item.name} looks {join_list(item.words[:3])}" if item.words else ""
        if claim.object and claim.kind == "has":
            return self._part_words(claim.object) if truth is Truth.YES else ""
        if truth is Truth.YES and claim.attributes and not claim.negated and not claim.subject.count.is_stated:
            subject = f"{item.name} is" if len(things) == 1 else f"{pluralise(item.name)} are"
            return f"the {subject} {join_list([MATERIALS.get(word, word) for word in claim.attributes])}"
        if len(things) > 1 or claim.subject.count.is_stated:
            return ""
        if claim.links or claim.places:
            return f"the {item.name} is {self.place(item)}"
        return self._look_words(item, claim.attributes) if truth is Truth.NO else ""

    def _look_words(self, item: SceneThing, denied: Sequence[str]) -> str:
        """Return what a thing looks like where attributes of its look are denied."""
        look = self._look(item)
        return f"the {item.name} is {join_list(look)}" if look and any(map(attribute_kind, denied)) else ""

    def _part_words(self, phrase: Phrase) -> str:
        """Return the parts that a phrase names."""
        parts = self.subjects(phrase)
        return f"there {_be(parts)} {self._some(parts)}" if parts else ""

    def _look(self, item: SceneThing) -> list[str]:
        """Return what a thing looks like, in words that stand before its name."""
        words = [word for word in item.words if not _is_after(word)]
        return [MATERIALS.get(word, word) for word in words] if self.scene.is_complete else words

    def _answer_choice(self, question: Question) -> Answer:
        """Answer "is it shiny or matte", "a cello or a double bass", "on the left or on the right"."""
        options = [claim for claim in question.claims if not self._is_presupposed(claim, question.claims)]
        if all(claim.kind == "exists" for claim in options):
            return self._answer_any(options)
        if special := self._answer_indoors(options):
            return special
        true = [claim for claim in options if self.truth(claim) is Truth.YES]
        if len(true) == 1:
            return Answer(f"{_subject_words(true[0])} {self._option_words(true[0])}")
        if not true and all(self.truth(claim) is Truth.NO for claim in options):
            return Answer("neither", Truth.NO)
        return unsure(self._nearest(options[0]) if options else "")

    def _answer_any(self, options: Sequence[Claim]) -> Answer:
        answers = [(self.truth(claim), claim) for claim in options]
        true = [claim for truth, claim in answers if truth is Truth.YES]
        if true:
            return Answer("; ".join(self._answer_claim(claim).text for claim in true[:2]), Truth.YES)
        if all(truth is Truth.NO for truth, _ in answers):
            return Answer("no, none of these", Truth.NO)
        return unsure("I do not see any, but I may have missed it")

    def _answer_indoors(self, options: Sequence[Claim]) -> Answer | None:
        words = {
            word for claim in options for word in (*claim.attributes, claim.subject.head, *claim.subject.modifiers)
        }
        words |= {claim.object.head for claim in options if claim.object}
        if not words & {"indoor", "outdoor", "indoors", "outdoors", "inside", "outside"} or not self.scene.category:
            return None
        outside = self.scene.category in OUTDOORS and any(
            s.name in ("sky", "hedge", "grass") for s in self.scene.surfaces
        )
        return Answer("it is outdoors" if outside else "it is indoors")

    def _option_words(self, claim: Claim) -> str:
        words = [MATERIALS.get(word, word) if self.scene.is_complete else word for word in claim.attributes]
        if claim.places:
            words = [f"on the {' '.join(claim.places)}"]
        if claim.object:
            words = [add_article(" ".join((*claim.object.modifiers, claim.object.head)))]
        if claim.links and not words:
            words = [f"{claim.links[0].relation} the {claim.links[0].phrase.head}"]
        return " ".join(words)

    def _answer_number(self, question: Question) -> Answer:
        phrase = counted_phrase(question)
        low, high = self.scene.count_range(phrase)
        is_countable = self.scene.is_countable(phrase)
        things = self.subjects(phrase) if low else []
        if not (is_countable or low) or low != high:
            return unsure(f"I see at least {count_noun(low, _noun(phrase, things))}" if low else "")
        is_part = any(item.is_part for item in things) and not any(item.number > 1 for item in things)
        if is_part or any(item.is_several and item.name != phrase.head for item in things):
            return unsure(f"there {_be(things)} {self._some(things)}")
        if low == 0:
            return Answer("none", Truth.NO)
        colours = [word for word in phrase.modifiers if base_colour(word)]
        detail = "" if colours or low > 5 else _colour_counts(things)
        return Answer(f"{count_noun(low, ' '.join((*colours, _noun(phrase, things))))}{detail}")

    def _answer_colour(self, question: Question) -> Answer:
        phrase = question.claims[0].subject
        extreme = self._extreme(phrase)
        things = [extreme] if extreme else self.subjects(phrase)
        coloured = [item for item in things if item.colours]
        if not coloured:
            return unsure("I cannot make out its colour" if things else "I cannot find that in my picture")
        values = list(dict.fromkeys(join_list(item.colours[:2]) for item in coloured))
        name = coloured[0].name
        if len(coloured) == 1:
            return Answer(f"the {name} is {values[0]}")
        if len(values) == 1:
            return Answer(f"the {pluralise(name)} are {values[0]}")
        if phrase.definite and not phrase.plural and not phrase.is_bare:  # which of them is meant?
            return unsure(f"I see {self._some(things)}")
        return Answer(join_list(_count_words([join_list(item.colours[:2]) for item in coloured])))

    def _answer_place(self, question: Question) -> Answer:
        phrase = question.claims[0].subject
        things = self.subjects(phrase) or self.subjects(replace(phrase, links=(), places=()))
        if not things:
            return unsure("I cannot find that in my picture")
        if len(things) == 1:
            item = things[0]
            support = self.scene.by_id.get(item.support)
            side = self.side(item) or "there, but I cannot say where"
            rest = f", on the {self._level(support)}{support.name}" if support else ""
            return Answer(f"the {item.name} is {side}{rest}")
        places: dict[str, int] = {}
        for item in things:
            places[self.side(item)] = places.get(self.side(item), 0) + 1
        if len(places) == 1:
            return Answer(f"they are {next(iter(places))}")
        return Answer(join_list([f"{count_word(number)} {place}" for place, number in places.items()]))

    def _answer_what(self, question: Question) -> Answer:
        """Answer "what is on the table", "what do you see on the left", "which room is it"."""
        asks_for = question.asks_for
        if asks_for in ("room", "place") and self._category_words():
            return Answer(self._category_words())
        claim = question.claims[0] if question.claims else Claim("exists", Phrase())
        subject = claim.subject
        if asks_for in (*SUPPORTS, *words_of("side_nouns")) and (target := subject.link_target("on") or subject).head:
            if target.link_target("of"):  # "on which side of the bed"
                return unsure(self._nearest(claim))
            return self._answer_place(Question("place", (Claim("exists", target),)))  # "on which shelf is the globe"
        links, places = (*claim.links, *subject.links), (*claim.places, *subject.places)
        if extreme := self._extreme(_superlative_phrase(question)):
            return Answer(f"it is {add_article(self.phrase(extreme))}")
        if not (links or places or asks_for or (subject.modifiers and not subject.head)):
            return self._describe(subject) if subject.head else self._answer_more(question)
        return self._name_all(Phrase(asks_for, subject.modifiers, links=links, places=places))

    def _name_all(self, phrase: Phrase) -> Answer:
        """Name the things that a phrase means."""
        matches = self.scene.matches(phrase)
        things = [item for item, fit in matches if fit.is_yes and (item.box or phrase.head) and not item.is_part]
        if not things:
            return unsure("I see nothing there that I could name" if phrase.links or phrase.places else "")
        return Answer(f"I see {self.group(things[:6])}")

    def _extreme(self, phrase: Phrase) -> SceneThing | None:
        """Return "the largest object", "the leftmost thing"."""
        keys = {
            "left": lambda item: item.x,
            "right": lambda item: -item.x,
            "large": lambda item: -item.size,
            "small": lambda item: item.size,
        }
        words = [word for word in (*phrase.places, *phrase.modifiers) if word in keys]
        is_any = not phrase.head or generic_kind(phrase.head) == "thing"
        if not phrase.definite or phrase.plural or not (is_any or self.scene.is_complete) or len(words) != 1:
            return None
        others = [word for word in phrase.modifiers if word not in words]
        things = [
            item for item, fit in self.scene.matches(Phrase(phrase.head, tuple(others))) if fit.is_yes and item.box
        ]
        annotated = [item for item in things if words[0] in item.words]
        return min(annotated or things, key=keys[words[0]], default=None)

    def _describe(self, phrase: Phrase) -> Answer:
        """Describe the things that a phrase names, with what is on them."""
        things = self.subjects(phrase)
        on_them = [other for other in self.scene.things if other.support in {item.id for item in things}]
        if not things:
            return unsure("I cannot find that in my picture")
        text = f"there {_be(things)} {self._some(things)}{self._shared_place(things)}"
        return Answer(f"{text}, with {self.group(on_them[:5])} on it" if on_them else text)

    def _answer_kind(self, question: Question) -> Answer:
        phrase = question.claims[0].subject
        things = self.subjects(phrase)
        table = {"material": "materials", "shape": "shapes", "size": "sizes", "pattern": "patterns"}.get(
            question.asks_for
        )
        if is_room(phrase.head) or phrase.head == "room":
            return Answer(f"it is {add_article(self.scene.category or 'room')}")
        table_words = LEXICON.categories(table) if table else {}
        words = [word for item in things for word in item.words if table is None or word in table_words]
        if not things or not words:
            return unsure(f"I see {self._some(things)}" if things and things[0].box else "")
        words_said = [MATERIALS.get(word, word) if self.scene.is_complete else word for word in dict.fromkeys(words)]
        if question.asks_for == "material":
            return Answer(
                f"the {things[0].name} is made of {join_list([SUBSTANCES.get(word, word) for word in words_said])}"
            )
        return Answer(f"the {things[0].name} is {join_list(words_said[:3])}")

    def _answer_more(self, question: Question) -> Answer:
        """Name things that a description would leave out, else the largest."""
        return Answer(f"I see {self.group(self.things_by_size()[:4])}") if self.scene.things else unsure("")

    def things_by_size(self) -> list[SceneThing]:
        """Return one clear thing of each name, the largest first."""
        things = sorted((item for item in self.scene.things if item.is_clear), key=lambda item: item.size)
        return sorted({item.name: item for item in things}.values(), key=lambda item: -item.size)


def _superlative_phrase(question: Question) -> Phrase:
    """Return "the smallest cube" for "which cube is the smallest"."""
    subjects = [claim.subject for claim in question.claims]
    words = dict.fromkeys(word for subject in subjects for word in subject.modifiers)
    places = tuple(place for subject in subjects for place in subject.places)
    head = question.asks_for or next((subject.head for subject in subjects if subject.head), "")
    is_definite = any(subject.definite for subject in subjects)
    is_plural = any(subject.plural for subject in subjects)
    return Phrase(head, tuple(words), places=places, definite=is_definite, plural=is_plural)


def counted_phrase(question: Question) -> Phrase:
    """Return what a question asks the number of."""
    phrase = replace(question.claims[0].subject, count=Count())
    for claim in question.claims[1:]:
        if claim.kind == "is":
            words = (*claim.attributes, *(claim.object.modifiers if claim.object else ()))
            phrase = replace(
                phrase,
                modifiers=(*phrase.modifiers, *words),
                places=(*phrase.places, *claim.places),
                links=(*phrase.links, *claim.links),
            )
        elif claim.kind == "exists" and claim.subject.definite:  # "how many hooks does the rack have"
            phrase = replace(phrase, links=(*phrase.links, Link("on", claim.subject)))
    return phrase


def _colour_counts(things: Sequence[SceneThing]) -> str:
    """Return " (one red and two blue)" for things of several colours, else ""."""
    colours = [item.colours[0] for item in things if len(item.colours) == 1]
    is_mixed = len(colours) == sum(item.number for item in things) and len(set(colours)) > 1
    return f" ({join_list(_count_words(colours))})" if is_mixed else ""


def unsure(detail: str) -> Answer:
    """Return the answer that it cannot be said, with what is known."""
    return Answer(f"{UNSURE}; {detail}" if detail else UNSURE, Truth.UNKNOWN)


def attribute_kind(word: str) -> bool:
    """Return whether what a thing looks like is told by its other attributes, as with colours and materials."""
    return base_colour(word) is not None or word in LEXICON.table("materials") or word in LEXICON.table("sizes")


def _is_after(word: str) -> bool:
    return word in STATES or word.split(" ")[0] in ("with", "full", "of", "in")


def _is_about(claim: Claim, other: Claim) -> bool:
    return claim.subject.head == other.subject.head or claim.subject.pronoun


def _be(things: Sequence[SceneThing]) -> str:
    return "is" if len(things) == 1 and not things[0].is_part else "are" if len(things) > 1 else "is"


def _phrase_words(phrase: Phrase) -> str:
    """Return a phrase as it was meant, without its number."""
    places = f" on the {' '.join(phrase.places)}" if phrase.places else ""
    links = "".join(f" {link.relation} the {link.phrase.head}" for link in phrase.links if link.phrase.head)
    head = pluralise(phrase.head) if phrase.plural else phrase.head
    return f"{' '.join((*phrase.modifiers, head))}{places}{links}"


def _subject_words(claim: Claim) -> str:
    return "it is" if claim.subject.pronoun or not claim.subject.head else f"the {claim.subject.head} is"


def _noun(phrase: Phrase, things: Sequence[SceneThing]) -> str:
    """Return the noun that the asker used, or the name of the things."""
    names = {item.name for item in things}
    return next(iter(names)) if len(names) == 1 else phrase.head or "thing"


def _plural_phrase(phrase: str, number: int) -> str:
    head, _, after = phrase.partition(" with ")
    return f"{count_word(number)} {pluralise(head)}{f' with {after}' if after else ''}"


def _count_words(words: Iterable[str]) -> list[str]:
    counts: dict[str, int] = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return [f"{count_word(number)} {word}" for word, number in counts.items()]
