"""What the scripted players know: some true sentences for every word, from vague to telling, written for Ludens.

The first text of a pair is true of two related words and gives little away; the text of each word is true of it alone.
A player does not learn which words are related: it looks up its own word and gets vague and telling sentences.
"""

from __future__ import annotations

from functools import cache, lru_cache

from games.common.words import find_mention, normalise, plural

RELATED_WORDS: tuple[tuple[str, dict[str, str]], ...] = (
    (
        "Many people own one. It has a screen. You can take it with you. It needs charging. You touch it with"
        " a finger. "
        "It takes photographs.",
        {
            "ipad": "It is good for drawing. I like to read comics on it in bed. It is too large for a pocket. "
            "Children watch films on it in the car. It is a tablet with a display of ten inches.",
            "iphone": "It rings. It fits into a pocket. People hold it to the ear. It has a number that you can call. "
            "You send text messages with it all day.",
        },
    ),
    (
        "It makes music. It is made of wood. It has strings. You play it with both hands. You can sing to it. "
        "It has a long neck.",
        {
            "guitar": "There is an electric kind of it. It has six strings. Rock bands have one. "
            "You hear it at campfires. Flamenco needs it.",
            "lute": "It is rarely heard today. Its back is round like half a pear. Minstrels played it. "
            "It was loved in the Renaissance. The head of its neck is bent back.",
        },
    ),
    (
        "It is a well-known name. It comes from Germany. It has four wheels. Managers like it. It is expensive. "
        "You see it on the motorway.",
        {
            "BMW": "It comes from Munich. Its grille looks like two kidneys. Its sign is blue and white. "
            "It makes motorbikes, too. Its name is three letters.",
            "BENZ": "It has a star on the bonnet. It comes from Stuttgart. Many taxis are of that make. "
            "Its founder built one of the first cars. It is named after an engineer called Carl.",
        },
    ),
    (
        "You find it on a face. It is made of hair. It can be thick or thin. Some people trim it. Its colour differs. "
        "Babies have little of it.",
        {
            "eyebrow": "Women have it, too. Everybody has two. You raise it when you are surprised. "
            "People pluck it with tweezers. It keeps sweat from running down the forehead.",
            "beard": "It is mostly men who have it. It grows on the chin. You can shave it off. "
            "Santa has a long white one. Barbers look after it.",
        },
    ),
    (
        "You can eat it. It is small. It is sweet. It is a fruit. It is healthy. Children like it. It begins "
        "on a vine.",
        {
            "grape": "It is juicy. Wine is made of it. It may be green or dark blue. It grows in bunches. "
            "It has a smooth skin that bursts when you bite.",
            "raisins": "They are dry and wrinkled. You find them in cakes. They keep for months. "
            "Muesli has them. The sun has taken their water.",
        },
    ),
    (
        "It is an animal. It lives near the sea. It swims well. It eats fish. It has whiskers. It likes to "
        "lie on rocks.",
        {
            "sea lion": "It has ears that you can see. It walks on its flippers. It barks loudly. "
            "It balances balls in a show. It is often seen at piers in California.",
            "seal": "It has no outer ears. On land it crawls on its belly. Its young are white and fluffy. "
            "It lives on ice. Polar bears hunt it.",
        },
    ),
    (
        "He is a hero. You know him from films. He wears a mask. He first stood in a comic. He has a secret. "
        "He fights crime.",
        {
            "spider man": "He climbs up walls. He swings between houses. He shoots webs. He is a student and a "
            "photographer. His suit is red and blue.",
            "batman": "He is very rich. He drives a black car. He lives in Gotham. His butler is called Alfred. "
            "The Joker is his enemy.",
        },
    ),
    (
        "It is a brand. People who do sports wear it. You can put it on your feet. It sells shirts, too. "
        "Football players advertise it. It is known everywhere.",
        {
            "nike": "It is American. Its sign is a swoosh. It is named after a goddess. It tells you to just do it. "
            "Michael Jordan had shoes made by it.",
            "adidas": "It is German. It has three stripes. It was founded by a man called Adolf. "
            "Its brother is Puma. Its old sign is a leaf.",
        },
    ),
    (
        "You drink it. It is white. It goes well with coffee. You keep it in the fridge. It has protein. "
        "You can pour it over cereals.",
        {
            "milk": "It comes from an animal. Cheese is made of it. Babies need it. A cow gives it. "
            "Butter and cream are won from it.",
            "soy milk": "It comes from a plant. Vegans drink it. It is made of beans. Tofu begins with it. "
            "It is good for those who cannot take lactose.",
        },
    ),
    (
        "It takes you from place to place. It has two wheels. You sit on it. It can be fast. You should wear a helmet. "
        "You need no parking garage for it.",
        {
            "motorcycle": "It is loud. It needs petrol. Some gangs ride it. It has an exhaust pipe. "
            "Harley is a famous make of it.",
            "electromobile": "It is quiet. It has a battery. You plug it in at night. It makes no fumes. "
            "Its motor needs no petrol at all.",
        },
    ),
    (
        "It is an animal. It is dangerous. It is a large cat. It hunts. You can see it in a zoo. It has sharp teeth.",
        {
            "tiger": "It has stripes. It lives in Asia. It likes to swim. It lives alone. Its fur is orange and black.",
            "lion": "It lives in a family. It lives in Africa. It has a mane. It is called a king. "
            "It roars on the savannah.",
        },
    ),
)

_DULL = frozenset(
    normalise(
        "a an the it its is are was were be been of in on at to for from with and or but by as that this "
        "these those there you your he him his they them their i my me we can could may might do does did has "
        "have had not no some any many most much very too also often mostly rarely well like likes one two "
        "who which what when where how about into up out off over all more than then so such just people "
        "person thing things somebody something word mine would will know think say see find make makes made "
        "use used get"
    ).split()
)
_ENDINGS = ("ing", "ies", "ed", "es", "s", "y", "e")


@cache
def sentences(word: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the vague sentences of a word and its telling ones, the less telling first; both empty if unknown."""
    for vague, telling_by_word in RELATED_WORDS:
        for name, telling_sentences in telling_by_word.items():
            if normalise(name) == normalise(word):
                return _split_words(vague), _split_words(telling_sentences)
    return (), ()


def _split_words(text: str) -> tuple[str, ...]:
    return tuple(f"{sentence.strip()}." for sentence in text.split(".") if sentence.strip())


def keywords(text: str) -> frozenset[str]:
    """Return the stems of a text's telling words."""
    return frozenset(_stem(word) for word in normalise(text).split() if word not in _DULL)


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


@cache
def vocabulary(word: str) -> frozenset[str]:
    """Return the stems that speak for a word."""
    vague, telling_sentences = sentences(word)
    return keywords(" ".join((*vague, *telling_sentences)))


@cache
def words() -> tuple[str, ...]:
    """Return all words with sentences."""
    return tuple(name for _, telling_by_word in RELATED_WORDS for name in telling_by_word)


@lru_cache(maxsize=4096)
def fit(word: str, text: str) -> float:
    """Return how well a description fits a word: 1 well, 0.25 unclear, down to -3 where it fits another word better.

    A player who names the word itself does not have it, since that is forbidden: -6.
    """
    if find_mention(text, (normalise(word), plural(normalise(word)), normalise(word).replace(" ", ""))):
        return -6.0
    stems = keywords(text)
    stem_hits = len(stems & vocabulary(word))
    most_hits = max(len(stems & vocabulary(name)) for name in words())
    if most_hits > stem_hits:
        return max(-3.0, -0.75 * (most_hits - stem_hits))
    return min(1.0, 0.25 + 0.375 * stem_hits)
