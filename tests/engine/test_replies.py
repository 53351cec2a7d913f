"""Reply formats, property by property: whatever arrives, a parser gives a value or one of the documented errors."""

import json
import random
import re
import string

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from engine.core.replies import (
    FORMAT_BY_KIND,
    AmbiguousReply,
    EitherFormat,
    JsonObject,
    NotAllowed,
    NotInFormat,
    OneOf,
    PickedAlternative,
    ReplyFormat,
    Tagged,
    Text,
    Violation,
    build_format,
    either,
    json_object,
    one_of,
    register,
    thought,
)

# every code point there is, lone surrogates and controls included
ANY = st.text(st.characters(exclude_categories=()), max_size=60)
LINE = ANY.map(lambda s: " ".join(s.split()))
NAMES = st.text(string.ascii_letters + "éß-", min_size=1, max_size=8)
TAGS = st.text(string.ascii_uppercase + "+ .*", min_size=1, max_size=8).filter(lambda s: s == s.strip())

TEXTS = st.builds(
    Text, label=LINE, lines=st.sampled_from([1, 4]), optional=st.booleans(), private=st.booleans(), title=LINE
)


@st.composite
def choices(draw) -> OneOf:
    options = draw(st.lists(NAMES, min_size=1, max_size=5, unique_by=str.casefold))
    aliases = draw(st.lists(st.tuples(NAMES, st.sampled_from(options)), max_size=2))
    taken = {option.casefold() for option in options}
    return OneOf(
        tuple(options),
        tuple((alias, value) for alias, value in aliases if alias.casefold() not in taken),
        labels=tuple(draw(st.sampled_from([(), tuple(f"Choose {option}" for option in options)]))),
        any_case=draw(st.booleans()),
        full_stop=draw(st.booleans()),
    )


LEAVES = TEXTS | choices()
TAGGED = st.builds(Tagged, TAGS, LEAVES, st.booleans())
OBJECTS = st.dictionaries(st.text(min_size=1, max_size=6), LEAVES, min_size=1, max_size=4).map(
    lambda d: JsonObject(tuple(d.items()))
)


@st.composite
def eithers(draw) -> EitherFormat:
    """Alternatives that cannot be mistaken for one another: tags of which none begins another."""
    tags = draw(st.lists(st.sampled_from(["ASK", "DECIDE", "GIVE UP", "X.Y"]), min_size=2, max_size=3, unique=True))
    return either(**{tag.lower(): Tagged(tag, draw(LEAVES)) for tag in tags})


FORMATS = LEAVES | TAGGED | OBJECTS | eithers()
HOSTILE = [
    "",
    " ",
    "\0",
    "\ud800",
    "\udfff VOTE: ada",
    "VOTE: \ud800",
    "\u202eda :ETOV",
    "\N{PILE OF POO}" * 1000,
    "a" * 100_000,
    "VOTE: " + "ada " * 25_000,
    "[" * 100_000,
    '{"a":' * 50_000,
    '{"thought": "", "speak": ' + "9" * 5000 + "}",
    '{"thought": NaN, "speak": "x"}',
    '{"speak": "a", "speak": "b", "thought": ""}',
    '```json\n{"thought": "", "speak": "x"}\n```',
    "<script>alert(1)</script>",
    "\r\n\u2028\u2029\x85\x1c",
    "ada\0",
    "ADA.",
    "ada bob",
]
FIXED: list[ReplyFormat] = [
    Text(),
    Text(lines=1, optional=True),
    one_of("ada", "bob"),
    Tagged("VOTE", one_of("ada", "bob")),
    Tagged("SAY", Text(lines=1), any_case=True),
    json_object(thought=thought(), speak=Text(), name=one_of("ada", "bob")),
    either(vote=Tagged("VOTE", one_of("ada", "bob")), say=Tagged("SAY", Text())),
]


def parses(form: ReplyFormat, text: str) -> bool:
    """Whether a format accepts a text. Anything but the documented errors passes through and fails the test."""
    try:
        json.dumps(plain(form.parse(text)))
    except (NotInFormat, AmbiguousReply) as error:
        assert str(error)
        return False
    return True


def plain(value):
    return [value.name, value.value] if isinstance(value, PickedAlternative) else value


def fill(form: dict, rng: random.Random, text: str) -> dict[str, str]:
    """Fill in a form as a person would: what is described is all that is known."""
    if "either" in form:
        chosen = rng.choice(form["either"])
        return {"form": chosen["name"], **fill(chosen, rng, text)}
    values = {}
    for field in form["fields"]:
        if field["kind"] == "choice":
            values[field["name"]] = rng.choice(field["options"])["value"]
        else:
            values[field["name"]] = "" if field["optional"] and rng.random() < 0.5 else text
    return values


@given(FORMATS, ANY)
def test_a_parser_raises_nothing_but_the_documented_errors(form, text):
    parses(form, text)
    shown = form.show(text)
    assert shown and all(isinstance(part.text, str) for part in shown)


@pytest.mark.parametrize("form", FIXED, ids=lambda form: form.kind)
@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_replies(form, text):
    parses(form, text)
    form.show(text)


@given(FORMATS, st.randoms(use_true_random=False))
def test_a_sample_always_parses(form, rng):
    form.parse(form.sample(rng))


@given(FORMATS)
def test_a_declaration_survives_json_and_gives_the_format_back(form):
    again = build_format(json.loads(json.dumps(form.declaration())))
    assert again == form
    assert again.declaration() == form.declaration()
    assert (again.words(), again.describe_form(), again.pattern(), again.schema()) == (
        form.words(),
        form.describe_form(),
        form.pattern(),
        form.schema(),
    )


@given(FORMATS, st.randoms(use_true_random=False), st.text(string.ascii_letters + " ,é🙂ש", min_size=1))
def test_a_filled_form_composes_a_reply_that_parses(form, rng, text):
    assume(any(map(str.isalnum, text)))
    assert form.compose_reply(fill(form.describe_form(), rng, text)) is not None
    form.parse(form.compose_reply(fill(form.describe_form(), rng, text)))


@given(TEXTS, ANY)
@example(Text(), "\ud800 x \0")
def test_what_is_typed_is_what_arrives_but_for_space_around_it(form, text):
    assume(parses(form, text))
    value = form.parse(form.compose_reply({"text": text}))
    assert value == text.strip()
    assert Tagged("SAY", form).parse(Tagged("SAY", form).compose_reply({"text": text})) == text.strip()
    member = json_object(thought=thought(), speak=form)
    assert member.parse(member.compose_reply({"thought": text, "speak": text})) == {
        "thought": text.strip(),
        "speak": value,
    }


@given(choices(), st.sampled_from(["", " ", "\n"]))
def test_every_option_and_alias_is_accepted(form, space):
    for option in form.options:
        assert form.parse(space + option + space) == option
        if form.full_stop:
            assert form.parse(option + ".") == option
    for alias, value in form.aliases:
        assert form.parse(alias) in (value, *[v for a, v in form.aliases if a.casefold() == alias.casefold()])


@given(st.data(), FORMATS)
@settings(max_examples=60)
def test_what_the_pattern_matches_is_well_formed(data, form):
    pattern = form.pattern()
    assume(pattern)
    text = data.draw(st.from_regex(re.compile(pattern), fullmatch=True))
    form.parse(text)


@given(FORMATS, st.randoms(use_true_random=False))
def test_a_sample_matches_the_pattern(form, rng):
    pattern = form.pattern()
    assert pattern is None or re.fullmatch(pattern, form.sample(rng))


def test_the_three_faults_are_told_apart():
    assert (NotInFormat.fault, NotAllowed.fault, AmbiguousReply.fault) == ("format", "not allowed", "ambiguous")
    vote = Tagged("VOTE", one_of("ada", "bob"))
    for text, error in (("VOTE: ada or bob", AmbiguousReply), ("VOTE: cyd", NotInFormat), ("ada", NotInFormat)):
        with pytest.raises(error):
            vote.parse(text)
    with pytest.raises(AmbiguousReply):
        json_object(name=one_of("ada", "bob")).parse('{"name": "ada, bob"}')
    with pytest.raises(AmbiguousReply):
        either(a=Text(), b=one_of("x")).parse("x")
    assert issubclass(Violation, ValueError)


def test_tags_are_exact():
    form = Tagged("DESCRIPTION", Text())
    for text in ("description: x", "Description: x", "DESCRIPTION x", "Here: DESCRIPTION: x", "DESCRIPTION:", "x"):
        assert not parses(form, text), text
    for text in ("DESCRIPTION: x", "DESCRIPTION:x", "  DESCRIPTION:\nx\n\ny  "):
        assert parses(form, text), text
    assert Tagged("D", Text(), any_case=True).parse("d: x") == "x"


def test_json_replies_are_one_object_with_exactly_the_keys():
    form = json_object(thought=thought(), speak=Text())
    good = {"speak": "x", "thought": ""}
    assert form.parse(json.dumps(good)) == {"thought": "", "speak": "x"}
    for text in (
        "{}",
        '{"speak": "x"}',
        '{"speak": "x", "thought": "", "more": 1}',
        '{"speak": "", "thought": ""}',
        '{"speak": 1, "thought": ""}',
        '{"speak": null, "thought": ""}',
        '{"speak": "x", "speak": "y", "thought": ""}',
        '[{"speak": "x", "thought": ""}]',
        'Sure: {"speak": "x", "thought": ""}',
        '{"speak": "x", "thought": ""} ok',
        "{'speak': 'x', 'thought': ''}",
    ):
        assert not parses(form, text), text


def test_a_private_field_stays_private_wherever_it_is_shown():
    form = json_object(thought=thought(), speak=Text())
    text = form.compose_reply({"thought": "hidden", "speak": "open"})
    assert form.drop_private_fields(form.parse(text)) == {"speak": "open"}
    for one, sent in (
        (form, text),
        (Tagged("T", form), f"T: {text}"),
        (Tagged("NOTE", thought()), "NOTE: hidden"),
        (either(a=Tagged("T", form), b=Tagged("U", Text())), f"T: {text}"),
        (thought(), "hidden"),
    ):
        for part in one.show(sent):
            assert part.private == ("hidden" in part.text), (one, part)


def test_a_choice_that_could_never_be_sent_is_refused_when_it_is_made():
    for bad in ((), ("a", "A"), (" a",), ("a\n",), ("",)):
        with pytest.raises(ValueError, match=r"different|white space"):
            OneOf(bad)
    with pytest.raises(ValueError, match="labels"):
        OneOf(("a", "b"), labels=("A",))


def test_a_game_may_bring_a_format_of_its_own_once():
    @register
    class Loud(Text):
        kind = "loud-of-the-tests"

    try:
        assert build_format(json.loads(json.dumps(Loud().declaration()))) == Loud()
        with pytest.raises(ValueError, match="exists already"):
            register(type("Other", (Text,), {"kind": Loud.kind}))
    finally:
        del FORMAT_BY_KIND[Loud.kind]
    with pytest.raises(KeyError):
        build_format({"kind": "nobody knows this one"})


def test_a_field_that_came_later_changes_no_declaration_of_before():
    """Else an open episode could not go on after an update: its log would seem to be of other rules."""
    assert "suggestions" not in Text().declaration() and "barred" not in one_of("a", "b").declaration()
    told = Text(suggestions=(("Row", "row 1"),))
    assert build_format(json.loads(json.dumps(told.declaration()))) == told
