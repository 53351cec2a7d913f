"""The words about photo-like pictures: things, colours, materials, kinds of rooms, and what means the same.

Which things there are is data: the names, attributes and categories in the descriptions of the shipped pictures. What
stands here is how people say them (`SAME`), what a general word takes in (`KINDS`) and what looks so much alike that
one may be called the other (`ALIKE`). `words` splits a text into what `photo_read` reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, NamedTuple

from games.common import pictures
from games.matchit.words import READ, one_slip

MANY = 99
"""No upper limit."""

COLOURS = tuple("red orange yellow green blue purple pink brown black white grey beige cyan".split())

_COLOUR_WORDS: dict[str, str] = {
    "grey": "gray greyish grayish silver silvery",
    "purple": "violet lilac lavender mauve purplish",
    "beige": "cream ivory tan sand sandy creamy offwhite eggshell",
    "yellow": "gold golden mustard yellowish ochre",
    "dark blue": "navy indigo",
    "cyan": "turquoise teal aqua aquamarine",
    "red": "crimson scarlet reddish ruby",
    "dark red": "maroon burgundy",
    "dark green": "olive",
    "light green": "lime mint",
    "pink": "magenta rose fuchsia salmon pinkish",
    "blue": "bluish azure",
    "green": "greenish emerald",
    "brown": "brownish chestnut chocolate",
    "orange": "copper terracotta amber orangey",
    "white": "whitish",
    "black": "blackish ebony",
}
_HUES = {old: hue for hue, olds in _COLOUR_WORDS.items() for old in olds.split()}
_NEAR = frozenset(
    frozenset(pair.split("/"))
    for pair in (
        "beige/white beige/yellow beige/brown beige/grey beige/pink beige/orange grey/white grey/black orange/red "
        "orange/brown orange/yellow brown/red brown/black pink/purple pink/red purple/blue cyan/blue cyan/green "
        "grey/blue brown/yellow grey/brown green/yellow orange/pink"
    ).split()
)
"""Colours that two people may name differently for the same thing."""

SAME: dict[str, str] = {
    "sofa": "couch settee loveseat divan",
    "tv": "television telly tvs",
    "night table": "nightstand,bedside table,night stand,bedside cabinet",
    "wardrobe": "armoire,clothes cupboard",
    "cupboard": "cabinet",
    "chest of drawers": "dresser,drawers,drawer chest,bureau,commode",
    "bookcase": "bookshelf,book shelf,book case,bookshelves",
    "fridge": "refrigerator,icebox,freezer",
    "stove": "cooker,hob,oven",
    "bathtub": "tub,bath,bath tub",
    "toilet": "loo,lavatory",
    "sink": "basin,washbasin,wash basin,washbowl",
    "tap": "faucet",
    "computer": "pc,desktop",
    "laptop": "notebook computer,",
    "screen": "monitor,computer screen",
    "picture": "painting,poster,photograph,picture frame,artwork,framed picture,wall picture,wall art",
    "plant": "potted plant,houseplant,house plant,pot plant,shrub",
    "rug": "carpet,mat",
    "curtain": "drape,curtains",
    "pillow": "",
    "cushion": "throw pillow,sofa cushion",
    "bin": "trash can,garbage can,trash bin,dustbin,waste bin,rubbish bin,wastebasket,waste basket,trashcan",
    "mug": "coffee mug,coffee cup,tea cup,teacup",
    "cat": "kitty,kitten",
    "dog": "puppy,doggy",
    "person": "man,woman,boy,girl,child,human,people,lady,guy",
    "bicycle": "bike,cycle",
    "motorbike": "motorcycle,scooter",
    "car": "automobile,vehicle",
    "lamp": "light,lampshade",
    "floor lamp": "standing lamp,stand lamp,floor light",
    "table lamp": "desk lamp,bedside lamp,reading lamp",
    "ceiling lamp": "pendant lamp,hanging lamp,pendant light,ceiling light,chandelier,hanging light,overhead light",
    "stairs": "staircase,stairway,steps,stair",
    "washing machine": "washer,clothes washer",
    "tumble dryer": "dryer,drier,clothes dryer",
    "sphere": "orb",
    "blackboard": "chalkboard,chalk board",
    "window": "",
    "mirror": "looking glass,",
    "blanket": "duvet,quilt,comforter,bedspread,throw,plaid",
    "desk": "writing table,work desk",
    "treadmill": "running machine,",
    "exercise bike": "stationary bike,",
    "dumbbell": "dumbell,weight,hand weight",
    "pew": "church bench,",
    "crib": "cot,baby bed,cradle",
    "plane": "airplane,aeroplane,aircraft",
    "worktop": "counter,countertop,counter top,work surface,kitchen counter",
}
"""One name for one thing: the name used here, and how else people say it (commas part names of several words)."""

KINDS: dict[str, str] = {
    "lamp": "ceiling lamp,floor lamp,table lamp,wall lamp,candle,lantern,spotlight,light",
    "plant": "cactus,flower,tree,palm,fern,bush,hanging plant,vine,seedling",
    "flower": "tulip,rose,bouquet",
    "seat": "chair,armchair,stool,bench,sofa,pew,office chair",
    "animal": "cat,dog,bird,fish,horse,rabbit,parrot,hamster,cow,sheep,duck,mouse,teddy bear",
    "pet": "cat,dog,bird,fish,rabbit,parrot,hamster",
    "fruit": "apple,banana,orange fruit,pear,lemon,grape,melon,strawberry",
    "toy": "teddy bear,ball,toy car,doll,blocks,rocking horse,train,kite",
    "container": "box,basket,crate,bin,bucket,jar,barrel",
    "instrument": "piano,guitar,drum,violin,trumpet,cello,drum kit,keyboard",
    "furniture": "table,chair,sofa,bed,cupboard,wardrobe,desk,bookcase,shelf,armchair,stool,chest of drawers,bench",
    "screen": "tv,laptop,computer,screen",
    "computer": "laptop,screen",
    "dish": "plate,bowl,cup,mug,pot,pan,glass",
    "drink": "bottle,cup,mug,glass,can,jug",
    "cube": "box,block,square block",
    "sphere": "ball,globe",
    "cylinder": "barrel,drum,tube,tin",
    "cone": "pyramid",
    "vehicle": "car,bicycle,motorbike,bus,truck,toy car,train,boat,van,tractor",
    "tool": "hammer,saw,drill,wrench,screwdriver,pliers,vice,spade,rake,shovel",
    "machine": "washing machine,tumble dryer,coffee machine,treadmill,sewing machine",
    "curtain": "blind,shower curtain",
}
"""What a general word takes in, beside everything whose name ends in it."""

ALIKE: tuple[str, ...] = (
    "basket,box,bin,crate,bucket,container,barrel,suitcase,chest,case",
    "chair,armchair,stool,seat,bench,office chair",
    "sofa,armchair,bench,seat,bed",
    "table,desk,worktop,counter,bench,workbench,coffee table,night table,stand,side table",
    "lamp,light,candle,lantern",
    "picture,mirror,window,tv,screen,whiteboard,blackboard,map,sign,notice board",
    "cupboard,wardrobe,shelf,bookcase,chest of drawers,sideboard,cabinet,locker,rack,shelves,night table,worktop",
    "plant,tree,flower,palm,bush",
    "rug,towel,cloth,blanket,tablecloth,bath mat",
    "bottle,vase,jar,cup,mug,glass,jug,pot,bowl,can,flask,bucket,candle",
    "cushion,pillow,blanket",
    "book,magazine,notebook,newspaper,paper,folder,box,laptop",
    "plate,bowl,dish,tray,saucer",
    "tv,screen,computer,laptop",
    "washing machine,tumble dryer,dishwasher,oven,stove,machine",
    "fridge,cupboard,locker",
    "bathtub,pool,shower",
    "sink,toilet,bathtub",
    "curtain,blind,shower curtain,cloth",
    "cat,dog,animal,teddy bear",
    "fruit,apple,orange fruit,ball,lemon,pear,tomato",
    "clock,watch,picture",
    "stairs,ladder",
    "cube,cuboid,box",
    "cylinder,cone,barrel",
    "door,wardrobe,window",
)
"""Things that one may take for another, in a small picture or by habit of speech."""

ROOMS: dict[str, str] = {
    "living room": "lounge,sitting room,livingroom,front room,family room,parlour,parlor",
    "bathroom": "bath room,washroom,restroom,shower room",
    "bedroom": "bed room,sleeping room",
    "study": "office,home office,work room",
    "dining room": "diningroom,dining area",
    "corridor": "hallway,hall,passage",
    "nursery": "kids room,children room,childrens room,baby room,playroom,child room",
    "laundry": "laundry room,utility room,washhouse",
    "gym": "fitness room,fitness studio,weight room",
    "classroom": "school room,lecture room",
    "meeting room": "conference room,board room",
    "café": "cafe,coffee shop,coffeehouse",
    "swimming pool": "indoor pool,pool hall",
    "storage room": "storeroom,store room,warehouse,basement,attic,storage",
    "shop": "store,supermarket,grocery store,boutique",
    "cinema": "movie theater,movie theatre,theatre,theater",
    "church": "chapel,cathedral",
    "workshop": "tool shed,shed",
    "garage": "carport",
    "kitchen": "kitchenette",
    "restaurant": "diner",
    "staircase": "stairwell,stair hall",
    "wine cellar": "cellar",
    "greenhouse": "glasshouse,hothouse,conservatory",
    "balcony": "terrace,patio",
    "hospital room": "hospital,ward,sickroom,patient room",
    "street": "road",
    "beach": "seaside,seashore",
    "garden": "yard,backyard,park",
}
"""Kinds of rooms and places as people call them."""

NEAR_ROOMS: tuple[str, ...] = (
    "study,library,meeting room,classroom,living room",
    "living room,dining room,library,music room",
    "dining room,kitchen,café,restaurant,meeting room",
    "café,bar,restaurant,shop",
    "garage,workshop,storage room",
    "storage room,wine cellar,laundry,shop,workshop",
    "corridor,staircase",
    "nursery,bedroom,hospital room",
    "balcony,garden,greenhouse",
    "laundry,bathroom,kitchen",
    "cinema,church,classroom",
    "music room,library",
    "bar,wine cellar",
    "library,shop",
)
"""Places that one may take for another."""

_ATTRIBUTES: dict[str, str] = {
    "wooden": "wood timber oak pine",
    "metal": "metallic shiny steel iron aluminium aluminum chrome brass glossy reflective",
    "rubber": "matte matt dull plastic unshiny",
    "glass": "glassy",
    "large": "big huge tall giant bigger larger",
    "small": "little tiny mini smaller",
    "open": "opened",
    "closed": "shut",
    "lit": "glowing burning on_lit",
    "unlit": "off",
    "round": "circular oval",
    "striped": "stripy stripes",
    "leather": "",
    "fabric": "cloth_made textile",
    "square": "",
    "full": "",
    "empty": "",
    "stone": "marble granite",
    "ceramic": "porcelain",
    "brick": "",
    "tiled": "",
    "checked": "chequered checkered",
    "patterned": "",
    "framed": "",
    "wicker": "woven",
    "made": "",
}
OPPOSITES: tuple[tuple[frozenset[str], float], ...] = (
    (frozenset({"large", "small"}), 0.4),
    (frozenset({"open", "closed"}), 1.0),
    (frozenset({"lit", "unlit"}), 1.0),
    (frozenset({"full", "empty"}), 0.7),
    (frozenset({"round", "square", "rectangular"}), 0.7),
    (frozenset({"wooden", "metal", "rubber", "glass", "leather", "fabric", "stone", "ceramic", "wicker"}), 0.6),
    (frozenset({"striped", "checked", "plain"}), 0.7),
)
"""Attributes of which a thing has one, and how much it says when two disagree (in photos; 1 in object scenes)."""

SOLIDS = frozenset("cube sphere cylinder cone ring torus cuboid pyramid prism".split())
"""Names of which a scene of objects consists."""

BACKGROUND = frozenset("wall floor ceiling ground background surface sky room shadow".split())

_MORE = (
    "horse bird fish elephant giraffe zebra lion tiger bear cow sheep duck rabbit umbrella guitar piano violin drum "
    "boat bus truck train airport tree mountain river kite skateboard surfboard hat shoe boot bag backpack phone "
    "book magazine newspaper bottle vase cup glass bowl plate fork knife spoon pan pot kettle toaster microwave apple "
    "banana pear lemon cake bread pizza sandwich table chair armchair stool bench bed desk shelf box basket candle "
    "clock door towel soap toothbrush shower fireplace keyboard mouse printer ladder hammer saw drill bucket broom "
    "fan radiator statue teddy_bear doll ball balloon flag sign map key pen pencil scissors camera coffee_table "
    "side_table dining_table office_chair flower cactus tv_stand sideboard whiteboard dishwasher radio speaker "
    "rocking_horse ironing_board iron dumbbell barbell treadmill yoga_mat altar cross projector trolley shopping_cart "
    "barrel wine_bottle wine_rack wine_glass tray teapot jar jug coat jacket shirt microphone music_stand "
    "suitcase hospital_bed curtain pool table_tennis billiard_table tyre wheel tent hammock fence railing tomato "
    "carrot watch orange_fruit cuboid torus ring pyramid"
).split()
"""Things that people name and a picture might have, beside those in the shipped descriptions."""

_IRREGULAR = {
    "shelves": "shelf",
    "knives": "knife",
    "men": "man",
    "women": "woman",
    "children": "child",
    "people": "person",
    "persons": "person",
    "leaves": "leaf",
    "mice": "mouse",
    "dice": "die",
    "feet": "foot",
    "loaves": "loaf",
    "oranges": "orange fruit",
}
NUMBERS = {
    word: n
    for n, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve thirteen".split())
} | {"single": 1, "both": 2, "pair": 2, "couple": 2, "dozen": 12, "twenty": 20, "fifteen": 15}

_STOP = frozenset(
    "a an the and or but not no none any some is are was were be been being am i you he she we they it its there here "
    "this that these those my your our their his her me him them us what which who where when why how do does did has "
    "have had can could would will shall should may might must of in on at to from with without for by as up down out "
    "off over under between behind below above near next beside front back left right middle center centre top bottom "
    "side corner part half one ones other others another else same different only just also too very quite really "
    "rather much many more most less least few several lot lots all each every whole entire something anything nothing "
    "everything thing things kind type sort look looks looking like seem seems see sees seen show shows shown showing "
    "stand stands standing sit sits sitting lie lies lying hang hangs hanging lean leans leaning place placed places "
    "located photo photos picture image view scene shot room area space shape colour color coloured colored material "
    "size number count made long short high low wide narrow far close closer big small large little nice cosy cozy "
    "modern old new bright dark light well maybe perhaps probably think believe guess sure know yes yeah no nope ok "
    "okay please tell describe then than so if because while whereas however towards against along across around "
    "about exactly approximately roughly almost nearly bit little pretty plain simple normal first second third last "
    "main object objects item items visible hidden partly partially completely fully mostly clearly anyone somebody "
    "wearing holding facing resting filled covered covering containing contains including includes people though "
    "position find spot notice visible call called named foreground background distance horizon edge end rear "
    "sense since seen scenes house home world use used using right-hand left-hand hi hello thanks great good fine "
    "three eight seven thirty forty mine yours ours theirs looks feel feels feeling style styled decor decorated "
    "tone toned warm cold sunny daylight lighting illuminated natural outside inside indoor indoors outdoor outdoors "
    "arranged arrangement set sets pile stack row line rows group bunch total alltogether altogether plus "
    "mostly rendered render computer-generated 3d three-dimensional grey-ish happen happening".split()
)
"""Words that name nothing, and that no slip of spelling is looked for in."""


_TOKEN = re.compile(r"\d+|[^\W\d_]+|[.,;:!?()\n]")


class Word(NamedTuple):
    """A piece of a text: a thing's name, a colour, an attribute, a number, a kind of room, or any other word."""

    kind: Literal["name", "colour", "attribute", "number", "room", "word"]
    value: str
    raw: str
    plural: bool = False


class Lexicon(NamedTuple):
    """Phrases (tuples of words) with what they mean."""

    phrases: dict[tuple[str, ...], Word]
    singles: frozenset[str]
    longest: int
    names: frozenset[str]


@lru_cache(maxsize=8)
def lexicon(extra: tuple[str, ...] = ()) -> Lexicon:
    """The words known: those of the shipped pictures, the tables above, and `extra` names of one's own picture."""
    names, attributes, rooms = _shipped()
    phrases: dict[tuple[str, ...], Word] = {}
    for room in [*ROOMS, *rooms]:
        for said in (room, *ROOMS.get(room, "").split(",")):
            if said:
                phrases[tuple(said.split())] = Word("room", room, said)
    for attribute in [*_ATTRIBUTES, *sorted(attributes)]:
        if len(attribute.split()) == 1 and colour(attribute) is None:
            for said in (attribute, *_ATTRIBUTES.get(attribute, "").split()):
                phrases[(said,)] = Word("attribute", attribute, said)
    for hue in COLOURS:
        phrases[(hue,)] = Word("colour", hue, hue)
    for hue, olds in _COLOUR_WORDS.items():
        for said in olds.split():
            phrases[(said,)] = Word("colour", hue, said)
    for name in [
        *KINDS,
        "wall",
        "floor",
        "ceiling",
        "ground",
        "sky",
        "surface",
        "shadow",
        *(n.replace("_", " ") for n in _MORE),
        *SAME,
        *sorted(names),
        *extra,
    ]:
        word = Word("name", canonical(name), name)
        phrases.setdefault(_tokens(name), word)
        phrases.setdefault(_tokens(plural(name)), word._replace(plural=not is_plural(name)))
    for name, olds in SAME.items():
        for said in _parts(olds):
            phrases.setdefault(tuple(said.split()), Word("name", name, said))
    known = frozenset(word.value for word in phrases.values() if word.kind == "name")
    singles = frozenset(phrase[0] for phrase in phrases if len(phrase) == 1 and len(phrase[0]) >= 5)
    return Lexicon(phrases, singles, max(map(len, phrases)), known)


@lru_cache(maxsize=1)
def _shipped() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Names, attributes and categories in the descriptions of the shipped pictures."""
    names: set[str] = set()
    attributes: set[str] = set()
    rooms: set[str] = set()
    for id in pictures.LIBRARY.ids(set="ludens"):
        description = pictures.LIBRARY.description(id)
        names |= {thing.name.casefold() for thing in description.objects}
        attributes |= {attribute.casefold() for thing in description.objects for attribute in thing.attributes}
        if description.category:
            rooms.add(description.category.casefold())
    return frozenset(names), frozenset(attributes), frozenset(rooms)


def _parts(said: str) -> list[str]:
    return [part for part in (said.split(",") if "," in said or " " not in said else said.split()) if part]


@lru_cache(maxsize=1)
def _aliases() -> dict[str, str]:
    return {old: name for name, olds in SAME.items() for old in _parts(olds) if old not in SAME}


@lru_cache(maxsize=4096)
def canonical(name: str) -> str:
    """The one name used for a thing: `couch` is a sofa, `television` a tv."""
    name = name.casefold()
    one = next((form for form in _singulars(name)[1:] if form in _MORE), name) if is_plural(name) else name
    return _aliases().get(one, one)


@lru_cache(maxsize=1024)
def room_name(category: str) -> str:
    """The one name used for a kind of room: `office` is a study."""
    for room, olds in ROOMS.items():
        if category == room or category in olds.split(","):
            return room
    return category


@lru_cache(maxsize=1024)
def colour(attribute: str) -> tuple[str, str] | None:
    """An attribute as (shade, hue), such as ("dark", "blue") or ("", "red"); None when it is no colour."""
    *shade, hue = _HUES.get(attribute.casefold(), attribute.casefold()).split() or [""]
    if hue in COLOURS and shade in ([], ["dark"], ["light"], ["bright"], ["pale"], ["deep"]):
        return {"pale": "light", "deep": "dark", "bright": ""}.get("".join(shade), "".join(shade)), hue
    return None


def colours_apart(a: tuple[str, str], b: tuple[str, str], strict: bool) -> float:
    """How much it says when one names colour a and another sees b: 0 nothing, 1 that they see different things."""
    if a[1] == b[1]:
        return 0.4 if {a[0], b[0]} == {"dark", "light"} else 0.0
    near = frozenset({a[1], b[1]}) in _NEAR
    for x, y in ((a, b), (b, a)):
        near |= (x[0], y[1]) in (("dark", "black"), ("light", "white"))
    if not near:
        return 1.0
    rough = {a[1], b[1]} & {"cyan", "brown"} or {a[1], b[1]} == {"orange", "yellow"}
    return 0.9 if strict and not rough else 0.5 if strict else 0.4


@lru_cache(maxsize=1)
def _groups() -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for i, group in enumerate(ALIKE):
        for name in group.split(","):
            found.setdefault(name, set()).add(i)
    return {name: frozenset(groups) for name, groups in found.items()}


@lru_cache(maxsize=8192)
def names_apart(said: str, own: str) -> float:
    """0 when a name said may mean a thing of the own picture, about a half when it looks alike, else 1."""
    if said == own or own.endswith(f" {said}") or said.endswith(f" {own}") or own in KINDS.get(said, "").split(","):
        return 0.0
    if said in KINDS.get(own, "").split(","):
        return 0.0
    if any(own.endswith(f" {kind}") for kind in KINDS.get(said, "").split(",") if kind):
        return 0.0
    groups = _groups()
    heads = [{name, name.split()[-1]} for name in (said, own)]
    a, b = (frozenset().union(*(groups.get(name, frozenset()) for name in head)) for head in heads)
    both = " " in said and " " in own and said.split()[-1] == own.split()[-1] and said.split()[-1] != "machine"
    return 0.45 if a & b or both else 1.0


@lru_cache(maxsize=1024)
def rooms_apart(said: str, own: str) -> float:
    """0 for the same kind of room, about a half for one that may be taken for it, else 1."""
    if said == own or said.endswith(f" {own}") or own.endswith(f" {said}"):
        return 0.0
    return 0.4 if any({said, own} <= set(group.split(",")) for group in NEAR_ROOMS) else 1.0


def _tokens(text: str) -> tuple[str, ...]:
    """The words of a name, as those of a text are found."""
    return tuple(_TOKEN.findall(text.casefold().replace("'s", "").replace("'", "")))


def words(text: str, known: Lexicon) -> list[Word]:
    """Split the first READ characters of a text into words; phrases that mean one thing become one."""
    text = text[:READ].replace("’", "'").replace("`", "'").casefold()
    text = re.sub(r"n't\b", " not", text).replace("cannot", "can not")
    text = re.sub(r"\b(it|there|that|what|where|here|he|she|who)'s\b", r"\1 is", text)
    text = re.sub(r"\b(\w+)'(?:re|ve|m|ll|d)\b", r"\1", text).replace("'s", "").replace("'", "")
    text = re.sub(r"\b(dont|doesnt|isnt|arent|havent|hasnt|cant|wasnt)\b", "do not", text)
    found: list[Word] = []
    tokens = _TOKEN.findall(text)
    i = 0
    while i < len(tokens):
        taken = _phrase(tokens, i, known)
        if taken:
            length, word = taken
            found.append(word)
            i += length
        else:
            found.append(_single(tokens[i], known))
            i += 1
    return _shaded(found)


def _phrase(tokens: list[str], at: int, known: Lexicon) -> tuple[int, Word] | None:
    """The longest phrase known that begins here; its last word may be a plural."""
    for length in range(min(known.longest, len(tokens) - at), 0, -1):
        part = tokens[at : at + length]
        for last in _singulars(part[-1]):
            word = known.phrases.get((*part[:-1], *last.split()))
            if word:
                return length, word._replace(plural=word.plural or last != part[-1], raw=" ".join(part))
    return None


@lru_cache(maxsize=8192)
def _singulars(word: str) -> tuple[str, ...]:
    found = [word]
    if word in _IRREGULAR:
        found.append(_IRREGULAR[word])
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        found.append(word[:-1])
        if word.endswith("es"):
            found.append(word[:-2])
        if word.endswith("ies"):
            found.append(f"{word[:-3]}y")
    return tuple(found)


def _single(token: str, known: Lexicon) -> Word:
    if token.isdecimal():
        return Word("number", str(min(int(token[:4]), MANY - 1)), token)
    if token in NUMBERS:
        return Word("number", str(NUMBERS[token]), token)
    if token == "\n":
        return Word("word", ".", token)
    mended = _mended(token, known.singles) if len(token) >= 5 and token not in _STOP else None
    if mended:
        return known.phrases[(mended,)]._replace(raw=token, plural=token.endswith("s") and not mended.endswith("s"))
    return Word("word", token, token)


@lru_cache(maxsize=4096)
def _mended(token: str, singles: frozenset[str]) -> str | None:
    """The known word one slip of spelling away."""
    for form in _singulars(token):
        close = sorted(word for word in singles if word[0] == form[0] and one_slip(form, word))
        if close and form not in _STOP and len(form) >= 5:
            return close[0]
    return None


_BEFORE_LIGHT = frozenset("a the no any each lit another one some ceiling hanging wall".split())


def _shaded(found: list[Word]) -> list[Word]:
    """Join `dark blue` and `light green` to one colour."""
    made: list[Word] = []
    shades = {"dark": "dark", "light": "light", "pale": "light", "deep": "dark", "bright": "", "darker": "dark"}
    for word in found:
        last = made[-1].raw if made else ""
        if word.kind == "colour" and last in shades and " " not in word.value:
            before = made.pop()
            shade = shades[before.raw]
            made.append(word._replace(value=f"{shade} {word.value}".strip(), raw=f"{before.raw} {word.raw}"))
        else:
            if last == "light" and word.kind in ("attribute", "room", "name"):
                made[-1] = Word("word", "light", "light")  # `a light wooden floor`
            mass = word.raw == "light" and not (made and (made[-1].kind == "number" or last in _BEFORE_LIGHT))
            made.append(Word("word", "light", "light") if mass else word)
    return made


def is_plural(name: str) -> bool:
    """Whether a name is a plural already: stairs, wall bars, string of lights is not."""
    head = name.split(" of ")[0].split(" ")[-1]
    return len(head) > 3 and head.endswith("s") and not head.endswith(("ss", "us", "is"))


def plural(name: str) -> str:
    """More than one of a thing: shelves, boxes, wine glasses, strings of lights."""
    head, of, rest = name.partition(" of ")
    *before, last = head.split(" ")
    back = {one: many for many, one in _IRREGULAR.items() if many not in ("persons", "dice", "oranges")}
    if last in back:
        last = back[last]
    elif not is_plural(last):
        if last.endswith(("s", "x", "ch", "sh")):
            last += "es"
        elif last.endswith("y") and last[-2:-1] not in "aeiou":
            last = f"{last[:-1]}ies"
        else:
            last += "s"
    return " ".join([*before, last]) + of + rest


def article(words_: str) -> str:
    """The words with `a` or `an`; without, where they are a plural."""
    if is_plural(words_.split(" with ")[0]):
        return words_
    return f"an {words_}" if words_[:1] in "aeiou" and not words_.startswith(("uni", "use", "one")) else f"a {words_}"


def all_names(names: Iterable[str]) -> tuple[str, ...]:
    """Names sorted and once each: what `lexicon` takes as those of one's own picture."""
    return tuple(sorted(set(names)))
