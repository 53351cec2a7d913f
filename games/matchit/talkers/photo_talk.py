"""Talking about a photo-like picture: what to say of it, to answer, to ask, and to decide.

The talker knows the description of its own picture only. Whatever the partner says becomes claims (`photo_read`), each
weighed against the own picture (`photo_scene`): the sum of what does not fit decides. To ask, it looks for what was not
said yet of what is easily seen, doubts first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from games.matchit.talkers import photo_words as vocabulary
from games.matchit.talkers.photo_read import Claims, PhotoQuery, heard, queries
from games.matchit.talkers.photo_scene import NOWHERE, SIZEABLE, WHICH, Place, Scene, Thing, ThingMention, scene_of
from games.matchit.talkers.photo_words import BACKGROUND, COLOURS, MANY
from games.matchit.talkers.utterances import Decision, Utterance
from games.matchit.words import READ, count_word, listed

ENOUGH = 0.7
"""So much must speak against two pictures being the same before the talker says they differ."""
ECHO = 0.7
"""What asking for a list is worth that the partner has asked for too: it is a little dull to throw it back."""
HINT = 2.0
"""What a question is worth about a thing that the partner has asked about: it may have seen a difference there."""
TOLD_GROUPS = 10
"""Groups of things that a description tells of."""
LISTED = 9
"""Groups of things that a list tells of."""
SIDES = ("on the left", "in the middle", "on the right")


@dataclass(frozen=True)
class Group:
    """Things of one name that stand in the same third of the picture, or on the same thing."""

    things: tuple[Thing, ...]
    column: int
    support: Thing | None

    @property
    def size(self) -> float:
        """How much of the picture they take, what is on something counting more: that is where pictures differ."""
        return sum(thing.size * thing.visible for thing in self.things) + (0.02 if self.support else 0.0)


@dataclass(frozen=True)
class Facet:
    """Something that may be told of one's things: whether there are such, how many, their colour, their place."""

    name: str
    what: str
    weight: float
    question: str
    covers: tuple[tuple[str, str], ...] = ()
    """For a question that asks for a list: what of it may be told."""


class PhotoTalker:
    """The scripted partner's sense for a room, an everyday scene, a scene of objects, or a photo."""

    def __init__(self, description: Mapping[str, Any], rng: Random) -> None:
        self.scene: Scene = scene_of(description)
        self.known = self.scene.lexicon
        self.rng = rng

    # ------------------------------------------------------------------ describing
    def describe(self) -> str:
        """Describe the picture in a few short sentences: what kind of place, what stands where, what lies on what."""
        if not self.scene.front and self.scene.captions:
            return " ".join(self.scene.captions)[:READ]
        if self.scene.strict:
            return self._describe_objects()
        first = self._first()
        groups = sorted(self._groups(), key=lambda group: -group.size)
        said = [*first]
        told = groups[:TOLD_GROUPS]
        for column, side in enumerate(SIDES):
            here = [group for group in told if group.support is None and group.column == column]
            if here:
                said.append(f"{_capital(side)} there {_are(here[0].things)} {listed([some(g.things) for g in here])}.")
        unplaced = [group for group in told if group.support is None and group.column < 0]
        if unplaced:
            said.append(f"There {_are(unplaced[0].things)} {listed([some(group.things) for group in unplaced])}.")
        for name in _unique([support.said for support in self._supports(told)]):
            here = [group for group in told if group.support and group.support.said == name]
            if len(self._supports(here)) > 2:
                here = [group for group in groups if group.support and group.support.said == name]
            supports = self._supports(here)
            if len(supports) > 2:
                things = [thing for group in here for thing in group.things]
                said.append(f"On the {vocabulary.plural(name)} there {_are(things)} {listed(grouped(things))}.")
                continue
            for support in supports:
                on = [some(group.things) for group in here if group.support == support]
                first_on = next(group.things for group in here if group.support == support)
                said.append(f"On the {self._one_name(support)} there {_are(first_on)} {listed(on)}.")
        walls = [thing for thing in self.scene.things if thing.name in ("wall", "floor") and thing.words]
        for thing in {thing.name: thing for thing in reversed(walls)}.values():
            said.append(f"The {thing.said} is {thing.words[0]}.")
        return " ".join(said) or "There is not much in my picture."

    def _first(self) -> list[str]:
        category = self.scene.category
        if not category:
            return []
        start = self.rng.choice(("It is", "This is", "I see"))
        return [f"{start} {vocabulary.article(category)}."]

    def _describe_objects(self) -> str:
        things = sorted(self.scene.front, key=lambda thing: thing.x)
        if not things:
            return "There is nothing in my picture."
        count = f"There {_be(len(things))} {_counted(len(things), 'object')}."
        names = listed([vocabulary.article(thing.phrase) for thing in things])
        return f"{count} From left to right: {names}." if len(things) > 1 else f"{count} It is {names}."

    def _groups(self) -> list[Group]:
        found: dict[tuple[str, str, int], list[Thing]] = {}
        for thing in self.scene.front:
            if not thing.clear:
                continue
            support = self.scene.supports.get(thing.id, "")
            if support and self.scene.by_id.get(support) and self.scene.by_id[support].name in BACKGROUND:
                support = ""
            column = -1 if support in self.scene.by_id or thing.box is None else min(2, int(thing.x * 3))
            found.setdefault((thing.name, support, column), []).append(thing)
        return [
            Group(tuple(things), column, self.scene.by_id.get(support))
            for (_, support, column), things in found.items()
        ]

    def _supports(self, told: Iterable[Group]) -> list[Thing]:
        found: dict[str, Thing] = {}
        for group in told:
            if group.support:
                found.setdefault(group.support.id, group.support)
        return list(found.values())

    def _one_name(self, thing: Thing) -> str:
        """The name of a thing, with a colour or place where there are several such."""
        same = [one for one in self.scene.front if one.name == thing.name]
        if len(same) == 1:
            return thing.said
        if self.scene.strict:
            return thing.phrase
        hues = [word for word in thing.words if vocabulary.colour(word)][:1]
        if hues and sum(hues[0] in one.words for one in same) == 1:
            return f"{hues[0]} {thing.said}"
        if not thing.box:
            return thing.said
        across, down = (max(at) - min(at) for at in ([one.x for one in same], [one.y for one in same]))
        ways = ("left", "right") if across >= down else ("upper", "lower")
        which = next((way for way in ways if thing == min(same, key=WHICH[way])), "")
        return f"{which} {thing.said}".strip()

    # ------------------------------------------------------------------ answering
    def answer(self, question: str) -> str:
        """Answer what is asked about the own picture; say so where the question is not understood."""
        answers = [self._answer(query) for query in queries(question, self.known)]
        text = " ".join(" ".join(_capital(one).split()) + "." for one in dict.fromkeys(answers))
        if len(question) > READ:
            text = f"I only read the first {READ} characters of that. {text}"
        return text

    def _answer(self, query: PhotoQuery) -> str:
        match query.kind:
            case "mine":
                return "I cannot tell what you see; ask me about what is in my picture"
            case "count":
                return self._count(query)
            case "colour":
                return listed([self._colour(one) for one in query.mentions[:3]])
            case "colours":
                return self._colours()
            case "material":
                return listed([self._material(one) for one in query.mentions]) or self._lost()
            case "size":
                return listed([self._look(one) for one in query.mentions]) or self._lost()
            case "where":
                return ". ".join(_capital(self._where(one)) for one in query.mentions)
            case "describe":
                return "; ".join(self._look(one) for one in query.mentions)
            case "list":
                return self._list(query)
            case "most":
                return self._most(query)
            case "room":
                return self._room()
            case "is room":
                return self._is_room(query.rooms)
            case "check":
                return "; ".join(dict.fromkeys(self._check(one) for one in query.mentions[:3]))
            case "more":
                return self._more()
        return self._lost()

    def _lost(self) -> str:
        start = self.rng.choice(("Sorry, I do not understand that", "I am not sure what you mean"))
        return f"{start}; what I can say: {self._more()}"

    def _more(self) -> str:
        """A fact that a description leaves out, or any."""
        groups = sorted(self._groups(), key=lambda group: -group.size)
        if not groups:
            return "there is not much to see"
        group = self.rng.choice(groups[TOLD_GROUPS : TOLD_GROUPS + 4] or groups[:4])
        return f"there {_are(group.things)} {some(group.things)} {self._at(group)}"

    def _at(self, group: Group) -> str:
        return self._place(group.things[0])

    def _place(self, thing: Thing) -> str:
        support = self.scene.by_id.get(self.scene.supports.get(thing.id, ""))
        if support and support.name not in BACKGROUND:
            return f"on the {self._one_name(support)}"
        if thing.box is None:
            return ""
        x, y = self.scene.at(thing)
        side = SIDES[min(2, int(x * 3))]
        if self.scene.strict:
            return side + (" at the back" if y < 0.3 else " at the front" if y > 0.7 else "")
        return side

    def _found(self, said: ThingMention, most: float = 0.35) -> list[Thing]:
        """The things that a question means: those named so; those that look alike only if there are none."""
        plain = replace(said, low=1, high=MANY, exact=False)
        every = [thing for thing in self.scene.among(plain, most) if self.scene.name_apart(thing, said.names) == 0]
        exact = [thing for thing in every if thing.name in said.names] or every
        exact.sort(key=lambda thing: thing.x)
        if said.which and len(exact) > 1:
            return [min(exact, key=WHICH[said.which])]
        return exact

    def _named(self, said: ThingMention) -> list[Thing]:
        """The things of a name, whatever else was said of them."""
        return self._found(ThingMention(said.names)) if said.names else []

    def _count(self, query: PhotoQuery) -> str:
        if not query.mentions:
            things = [thing for thing in self.scene.front if thing.clear or self.scene.strict]
            if query.place or (query.relation and query.said.others):
                return self._list(PhotoQuery("list", tuple(query.said.others[:1]), query.place, query.relation))
            return f"I count {_counted(len(things), 'object')}"
        said = replace(query.mentions[0], low=1, high=MANY, exact=False)
        things = self._found(said)
        things = [thing for thing in things if thing.clear] or things
        if not things:
            return self._none(said)
        noun = self._noun(said, len(things))
        places = _unique([self._place(thing) for thing in things])
        return f"there {_be(len(things))} {_count_word(len(things))} {noun}" + (
            f" {places[0]}" if len(places) == 1 else ""
        )

    def _noun(self, said: ThingMention, count: int = 1) -> str:
        """`red cushions`, `thing on the left`: a mention in words."""
        own = [thing.said for thing in self._named(said)[:1]]
        named = said.names and own and vocabulary.canonical(own[0]) == said.names[0]
        name = own[0] if named else said.names[0] if said.names else "object"
        if count != 1:
            name = vocabulary.plural(name)
        return " ".join([*_before(said), name])

    def _none(self, said: ThingMention) -> str:
        """Say that there is no such thing, and what comes nearest."""
        named = self._named(said)
        if named and not said.bare:
            if said.relation and said.other and not self._named(said.other):
                return f"there is no {self._noun(replace(said.other))} in my picture"
            facts = [f"the {self._one_name(thing)} is {self._how(thing, said)}" for thing in named[:3]]
            return f"there is no such {said.names[0]}: {listed(facts)}" if facts else "there is none"
        near = [t for t in self.scene.front if said.names and 0 < self.scene.name_apart(t, said.names) < 1 and t.clear]
        if near and said.names[0] not in ("object",):
            extra = f", but {listed(_unique([vocabulary.article(t.phrase) for t in near])[:2])}"
            return f"there is no {self._noun(said)}{extra}"
        if not said.names:
            return f"there is no {' '.join([*_before(said), 'object'])}" if _before(said) else "there is nothing"
        return f"there is no {self._noun(said)} in my picture"

    def _how(self, thing: Thing, said: ThingMention) -> str:
        """What of a thing a question was about: its colour, its material, where it is."""
        facts = []
        if said.colours or said.attributes:
            facts.append(listed(list(thing.words)) or "of no colour that I could name")
        if said.place or said.relation or not facts:
            facts.append(self._place(thing) or "somewhere in the picture")
        return ", ".join(facts)

    def _colour(self, said: ThingMention) -> str:
        things = self._found(replace(said, colours=())) or self._named(said)
        if not things:
            return self._none(replace(said, colours=()))
        seen = [(thing, [word for word in thing.words if vocabulary.colour(word)]) for thing in things]
        seen = [(thing, hues) for thing, hues in seen if hues]
        if not seen:
            return f"I cannot name the colour of the {things[0].said}"
        if len(seen) == 1:
            return f"the {self._one_name(things[0])} is {listed(seen[0][1])}"
        counts = Counter(listed(hues) for _, hues in seen)
        if len(counts) == 1:
            return f"the {vocabulary.plural(seen[0][0].said)} are {listed(seen[0][1])}"
        (first, n), *rest = counts.items()
        name = seen[0][0].said if n == 1 else vocabulary.plural(seen[0][0].said)
        told = [f"{count_word(n)} {name} {_be(n)} {first}", *(f"{count_word(m)} {_be(m)} {hues}" for hues, m in rest)]
        return listed(told)

    def _colours(self) -> str:
        found = [hue for hue in COLOURS if any(hue == own for thing in self.scene.front for _, own in thing.colours)]
        if self.scene.strict:
            count = [(hue, sum(hue == own for t in self.scene.front for _, own in t.colours)) for hue in found]
            return f"I see {listed([f'{count_word(n)} {hue} {_thing(n)}' for hue, n in count])}"
        return f"I see {listed(found)}" if found else "no colour stands out"

    def _material(self, said: ThingMention) -> str:
        things = self._found(replace(said, attributes=frozenset())) or self._named(said)
        if not things:
            return self._none(said)
        kinds = ("wooden", "metal", "rubber", "glass", "leather", "stone", "ceramic", "fabric", "wicker", "brick")
        told = [
            f"the {self._one_name(thing)} is {listed([word for word in thing.words if word in kinds])}"
            for thing in things[:4]
            if set(kinds) & set(thing.words)
        ]
        return listed(told) or f"I cannot tell what the {things[0].said} is made of; it is {self._look_of(things[0])}"

    def _look_of(self, thing: Thing) -> str:
        return listed(list(thing.words)) if thing.words else self._place(thing) or "plain"

    def _look(self, said: ThingMention) -> str:
        """All about the things of a name: how they look, where they are, what is on them."""
        things = self._found(said)
        if not things:
            return self._none(said)
        told = []
        for thing in things[:4]:
            on = [one for one in self.scene.upon(thing) if one.clear]
            upon = f", with {listed(grouped(on))} on it" if on else ""
            told.append(f"{vocabulary.article(thing.phrase)} {self._place(thing)}{upon}")
        return f"there {_are(things)} {listed(told)}"

    def _where(self, said: ThingMention) -> str:
        things = self._found(replace(said, place=NOWHERE, relation="", other=None))
        if not things:
            return self._none(replace(said, place=NOWHERE, relation="", other=None))
        told = [f"the {self._one_name(thing)} is {self._whereabouts(thing)}" for thing in things[:4]]
        return ". ".join(map(_capital, told))

    def _whereabouts(self, thing: Thing) -> str:
        """`on the table, on the left`: the place in full."""
        found = self._place(thing)
        if thing.id in self.scene.supports and thing.box:
            return found if found in SIDES else f"{found}, {SIDES[min(2, int(thing.x * 3))]}"
        if not found:
            return "there, but I cannot say where"
        beside = self._beside(thing)
        return f"{found}, left of the {self._one_name(beside)}" if beside else found

    def _beside(self, thing: Thing) -> Thing | None:
        """A large thing to the right of it, to say where it is by."""
        if thing.box is None:
            return None
        right = [
            o for o in self.scene.front
            if o.size > SIZEABLE and o.x - thing.x > 0.12 and o.id not in self.scene.supports and o.name != thing.name
        ]  # fmt: skip
        return min(right, key=lambda o: o.x, default=None)

    def _list(self, query: PhotoQuery) -> str:
        if query.mentions and query.relation:
            return self._beside_of(query.mentions[0], query.relation)
        things = [t for t in self.scene.front if (t.clear or self.scene.strict) and self._is_at(t, query.place)]
        where_ = said_place(query.place, self.scene.strict)
        if not things:
            return f"there is nothing special {where_}"
        things.sort(key=lambda thing: -thing.size)
        groups = grouped(things)
        told = [*groups[:LISTED], *(["more"] if len(groups) > LISTED else [])]
        return f"{where_} there {_are(things)} {listed(told)}"

    def _is_at(self, thing: Thing, place: Place) -> bool:
        x, y = self.scene.at(thing)
        return all(not thirds or min(2, int(at * 3)) in thirds for at, thirds in ((x, place.columns), (y, place.rows)))

    def _beside_of(self, said: ThingMention, relation: str) -> str:
        """What is on, under, left of, next to … a thing."""
        subjects = self._found(said) or self._named(said)
        if not subjects:
            return self._none(said)
        told = []
        for subject in subjects[:3]:
            others = self._others(subject, relation)
            way = {"left": "left of", "right": "right of", "before": "in front of", "near": "next to"}.get(
                relation, relation
            )
            what = f"{way} the {self._one_name(subject)}"
            told.append(
                f"{what} there {_are(others)} {listed(grouped(others))}" if others else f"there is nothing {what}"
            )
        return "; ".join(told)

    def _others(self, subject: Thing, relation: str) -> list[Thing]:
        scene = self.scene
        if relation in ("on", "in"):
            return [one for one in scene.upon(subject) if one.clear or one.size > SIZEABLE / 6]
        if relation == "between":
            return []
        found = [o for o in scene.front if o.id != subject.id and o.clear and scene.surely_stands(o, relation, subject)]
        if relation in ("left", "right", "near") and not scene.strict:
            found.sort(key=lambda o: abs(o.x - subject.x) + abs(o.y - subject.y))
            return found[:4]
        return found

    def _most(self, query: PhotoQuery) -> str:
        things = self._found(query.mentions[0]) if query.mentions else list(self.scene.front)
        things = [thing for thing in things if thing.box] or list(self.scene.front)
        if not things:
            return "there is nothing"
        keys = {
            "big": lambda t: -t.size,
            "tiny": lambda t: t.size,
            "left": lambda t: t.x,
            "right": lambda t: -t.x,
            "front": lambda t: -(t.box[3] if t.box else 0),
            "back": lambda t: t.box[3] if t.box else 0,
        }
        thing = min(things, key=keys[query.word])
        return f"that is {vocabulary.article(thing.phrase)} {self._place(thing)}"

    def _room(self) -> str:
        if self.scene.strict:
            return "it is no room: a few objects on a plain floor"
        if self.scene.category:
            return f"it is {vocabulary.article(self.scene.category)}"
        groups = sorted(self._groups(), key=lambda group: -group.size)[:3]
        return f"I cannot name the place; I see {listed([some(group.things) for group in groups])}"

    def _is_room(self, rooms: Sequence[str]) -> str:
        own = self.scene.category
        if own is None:
            return f"I cannot tell; {self._room()}" if not self.scene.strict else f"no, {self._room()}"
        fits = min(vocabulary.rooms_apart(room, own) for room in rooms)
        if fits == 0:
            return f"yes, it is {vocabulary.article(own)}"
        return f"{'no' if fits >= 1 else 'not quite'}, it is {vocabulary.article(own)}"

    def _check(self, said: ThingMention) -> str:
        """Answer whether there is, or is so, what is mentioned."""
        if not said.names and said.empty:
            return self._lost()
        things = self._found(said)
        if not said.high:  # `is there no cat?`
            return f"no, there is none" if not things else f"yes, there {_are(things)} {some(things)}"  # noqa: F541
        if not things:
            faint = [thing for thing in self._named(said) if not thing.clear]
            return (
                f"no, {self._none(said)}"
                if not (faint and said.bare)
                else f"yes, but hardly to be seen: {self._where(said)}"
            )
        if said.exact and len(things) != said.low:
            return f"no, there {_be(len(things))} {_count_word(len(things))} {self._noun(said, len(things))}"
        where_ = _unique([self._place(thing) for thing in things])
        there = f" {where_[0]}" if len(where_) == 1 else ""
        return f"yes, there {_are(things)} {listed(grouped(things))}{there}"

    # ------------------------------------------------------------------ listening
    def _claims(self, history: Sequence[Utterance]) -> Claims:
        """All claims of the partner: in its description, and in answers to my questions."""
        found = Claims()
        asked: PhotoQuery | None = None
        for entry in history:
            if entry.speaker == "me":
                if entry.kind == "question":
                    asked = queries(entry.text, self.known)[0]
            elif entry.kind == "description":
                found += heard(entry.text, self.known)
            elif entry.kind == "answer":
                found += heard(entry.text, self.known, asked)
        return found

    def doubts(self, claims: Claims) -> dict[tuple[str, ...], float]:
        """How much speaks against the two pictures being the same, by what was spoken of."""
        found: dict[tuple[str, ...], float] = {}

        def weigh(about: tuple[str, ...], weight: float) -> None:
            if weight > 0:
                found[about] = max(found.get(about, 0.0), weight)

        if not self.scene.front:
            return found
        for said in claims.mentions:
            weigh(said.names or ("",), self.scene.against(said))
        for room, positive, hedged in claims.rooms:
            weigh(("room",), (0.6 if hedged else 1.0) * self._room_against(room, positive))
        for each in claims.together:
            weigh(each[0].names, self.scene.together(each))
        for order in claims.order:
            weigh(("order",), self._order_against(order))
        for query, mentions in claims.whole:
            for thing, weight in self._left_out(query, mentions):
                weigh((thing.name,), weight)
        return found

    def _room_against(self, room: str, positive: bool) -> float:
        own = self.scene.category
        if self.scene.strict:
            return 1.0 if positive else 0.0
        if own is None:
            return 0.0
        apart = vocabulary.rooms_apart(room, own)
        return (1.2 if apart >= 1 else apart) if positive else (1.0 if apart == 0 else 0.0)

    def _order_against(self, order: Sequence[ThingMention]) -> float:
        """How far things named from left to right are from standing so: the best way to take each for one of mine."""
        free = [thing for thing in self.scene.front if thing.box]
        at: list[float] = []
        for said in order:
            mine = [thing for thing in free if self.scene.apart(thing, replace(said, place=NOWHERE)) < 0.2]
            if mine:
                last = at[-1] if at else 0.0
                after = [thing for thing in mine if thing.x >= last - 0.02] or mine
                best = min(after, key=lambda thing: thing.x)
                free.remove(best)
                at.append(best.x)
        back = max((a - b for i, a in enumerate(at) for b in at[i + 1 :]), default=0.0)
        return 1.0 if back > 0.06 else 0.4 if back > 0.025 else 0.0

    def _left_out(self, query: PhotoQuery, told: Sequence[ThingMention]) -> list[tuple[Thing, float]]:
        """My things that should have been in a list and were not."""
        found = []
        whole = query.relation in ("on", "in")
        mine = [thing for thing in self.scene.front if thing.clear and self._in_list(thing, query)]
        for thing in mine:
            named = [one for one in told if self.scene.name_apart(thing, one.names) < 1]
            exactly = [one for one in named if self.scene.name_apart(thing, one.names) == 0]
            number = sum(other.name == thing.name for other in mine)
            if not named:
                big = thing.size >= SIZEABLE or (thing.id in self.scene.supports and thing.size >= SIZEABLE / 2)
                found.append((thing, 1.0 if big and whole else 0.7 if big else 0.4))
            elif whole and exactly and 1 < number <= 4 and number > _number(exactly):
                found.append((thing, 1.0))
        return found

    def _in_list(self, thing: Thing, query: PhotoQuery) -> bool:
        if query.mentions:
            plain = replace(query.mentions[0], low=1, high=MANY)
            subjects = [one for one in self.scene.things if self.scene.surely(one, plain)]
            near = query.relation in ("near", "left", "right", "between", "with")
            return not near and any(self.scene.surely_stands(thing, query.relation, subject) for subject in subjects)
        return bool(query.place) and self.scene.surely_at(thing, query.place)

    # ------------------------------------------------------------------ asking and deciding
    def ask(self, history: Sequence[Utterance]) -> str:
        """Ask about what is in doubt, else about what is easily seen and was not said yet."""
        claims = self._claims(history)
        asked = {entry.text for entry in history if entry.speaker == "me" and entry.kind == "question"}
        theirs = {entry.text for entry in history if entry.speaker == "partner" and entry.kind == "question"}
        doubts = self.doubts(claims)
        told = self._told(claims)
        facets = [facet for facet in self._facets() if facet.question not in asked]
        open_ = [f for f in facets if not f.covers and (f.what != "there" or (f.name, "there") not in told)]
        doubtful = [facet for facet in open_ if 0 < doubts.get((facet.name,), 0) < ENOUGH]
        if doubtful and sum(doubts.values()) < ENOUGH:
            return max(doubtful, key=lambda facet: facet.weight).question
        gains: dict[str, float] = {}
        for facet in facets:
            if facet.covers:
                gain = facet.weight * sum(known not in told for known in facet.covers) + 0.05
            else:
                gain = facet.weight if (facet.name, facet.what) not in told else 0.0
            factor = ECHO if facet.covers else HINT
            gains[facet.question] = gain * (factor if facet.question in theirs else 1)
        best = max(gains.values(), default=0.0)
        if best < 0.04:
            return self.rng.choice(("What else do you see?", "Is there anything special in your picture?"))
        return self.rng.choice([question for question, gain in gains.items() if gain >= 0.85 * best])

    def _told(self, claims: Claims) -> set[tuple[str, str]]:
        """What of my things the partner has told already."""
        found: set[tuple[str, str]] = set()
        for said in claims.mentions:
            for thing in self.scene.front:
                if not said.names or self.scene.name_apart(thing, said.names) > 0:
                    continue
                found.add((thing.name, "there"))
                if said.exact or not said.high:
                    found.add((thing.name, "count"))
                if said.colours or not said.high:
                    found.add((thing.name, "colour"))
                if said.place or said.relation or not said.high:
                    found.add((thing.name, "place"))
        if claims.order:
            found |= {(thing.name, "place") for thing in self.scene.front}
        return found

    def _facets(self) -> list[Facet]:
        """All that could be asked, weighed by how easily it is seen and how often similar pictures differ in it."""
        found = []
        groups = self._groups()
        for name in dict.fromkeys(thing.name for group in groups for thing in group.things):
            things = [thing for thing in self.scene.front if thing.name == name and thing.clear]
            seen = min(0.35, max(thing.size for thing in things) ** 0.5) + 0.15
            seen += 0.1 if any(thing.id in self.scene.supports for thing in things) else 0.0
            said = things[0].said
            many = vocabulary.plural(said)
            found.append(Facet(name, "there", seen, f"Is there {vocabulary.article(said)} in your picture?"))
            if len(things) <= 6:
                found.append(
                    Facet(name, "count", seen * (0.75 if len(things) > 1 else 0.3), f"How many {many} do you see?")
                )
            if any(thing.colours for thing in things):
                one = f"What colour is the {said}?" if len(things) == 1 else f"What colour are the {many}?"
                found.append(Facet(name, "colour", seen * 0.6, one))
            one = f"Where is the {said}?" if len(things) == 1 else f"Where are the {many}?"
            found.append(Facet(name, "place", seen * 0.6, one))
        for support in self._supports(groups):
            if sum(thing.name == support.name for thing in self.scene.front) == 1:
                covers = self._open([group.things[0] for group in groups if group.support == support])
                found.append(Facet(support.name, "list", 0.28, f"What is on the {support.said}?", covers))
        for column, side in enumerate(SIDES):
            place = Place(columns=frozenset({column}))
            covers = self._open([thing for thing in self.scene.front if thing.clear and self._is_at(thing, place)])
            found.append(Facet(side, "list", 0.12, f"What do you see {side}?", covers))
        if self.scene.strict:
            for row, side in ((2, "at the front"), (0, "at the back")):
                place = Place(rows=frozenset({row}))
                rows = tuple((f"{thing.id}", side) for thing in self.scene.front if self._is_at(thing, place))
                found.append(Facet(side, "list", 0.3, f"What is {side}?", rows[:3] or ((side, side),)))
        return found

    def _open(self, things: Sequence[Thing]) -> tuple[tuple[str, str], ...]:
        return tuple(dict.fromkeys((thing.name, what) for thing in things for what in ("there", "count")))

    def decide(self, history: Sequence[Utterance]) -> Decision:
        """Decide `different` when enough of what the partner said does not fit the own picture."""
        return "different" if sum(self.doubts(self._claims(history)).values()) >= ENOUGH else "same"


def _number(told: Sequence[ThingMention]) -> int:
    """How many things of one name a list tells of; many where that is left open, as in `cushions`."""
    if any(one.low > 1 and not one.exact for one in told):
        return MANY
    return max([one.low for one in told if one.exact] + [sum(not one.exact for one in told)])


# ---------------------------------------------------------------------- words
def some(things: Sequence[Thing]) -> str:
    """`a red cushion`, `two red cushions`, `three cushions (two red, one blue)`."""
    if len(things) == 1:
        return vocabulary.article(things[0].phrase)
    phrases = _unique([thing.phrase for thing in things])
    if vocabulary.is_plural(things[0].said):
        return listed(phrases)
    if len(phrases) == 1:
        return f"{_count_word(len(things))} {_many(things[0])}"
    hues = [listed([w for w in thing.words if vocabulary.colour(w)]) for thing in things]
    if all(hues) and len(set(hues)) > 1:
        each = ", ".join(f"{_count_word(hues.count(hue))} {hue}" for hue in _unique(hues))
        return f"{_count_word(len(things))} {vocabulary.plural(things[0].said)} ({each})"
    return f"{_count_word(len(things))} {vocabulary.plural(things[0].said)}"


def _many(thing: Thing) -> str:
    """The phrase of a thing in the plural: `red cushions`, `vases with white flowers`."""
    said, many = thing.said, vocabulary.plural(thing.said)
    return thing.phrase.replace(f" {said}", f" {many}", 1) if f" {said}" in thing.phrase else thing.phrase.replace(
        said, many, 1
    )  # fmt: skip


def grouped(things: Sequence[Thing]) -> list[str]:
    """Things in words, those of one name together."""
    names = _unique([thing.name for thing in things])
    return [some([thing for thing in things if thing.name == name]) for name in names]


def said_place(place: Place, deep: bool = False) -> str:
    """`on the left`, `at the top on the right`; `deep` pictures have a back and a front instead."""
    rows = {0: "at the back", 2: "at the front"} if deep else {0: "at the top", 2: "at the bottom"}
    rows[1] = "in the middle"
    said = [rows[min(place.rows)]] if place.rows else []
    return " ".join([*said, *([SIDES[min(place.columns)]] if place.columns else [])])


def _before(said: ThingMention) -> list[str]:
    return [*sorted(said.attributes), *(f"{shade} {hue}".strip() for shade, hue in said.colours)]


def _are(things: Sequence[Thing]) -> str:
    """`is` or `are`, as the first of the things listed by name wants it."""
    number = sum(thing.name == things[0].name for thing in things)
    return "are" if vocabulary.is_plural(things[0].said) else _be(number)


def _be(n: int) -> str:
    return "is" if n == 1 else "are"


def _count_word(n: int) -> str:
    return count_word(n) if n else "no"


def _counted(n: int, noun: str) -> str:
    return f"{_count_word(n)} {noun if n == 1 else vocabulary.plural(noun)}"


def _thing(n: int) -> str:
    return "thing" if n == 1 else "things"


def _unique(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(words))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
