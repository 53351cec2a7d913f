"""Choosing pairs of pictures by labels and visual similarity: thresholds, reproducibility, number of comparisons."""

from pathlib import Path
from random import Random

import pytest

from games.common.pairs import (
    MAX_DIFFERENT_JACCARD,
    MIN_JACCARD,
    LabelIndex,
    TooFewPairs,
    choose_pairs,
    find_different_pairs,
    find_similar_pairs,
)
from games.common.pictures import Library, PictureDescription, PictureObject, jaccard, labels
from games.common.similarity import ClipSimilarity, HashSimilarity, UnusableClipModel
from tests.games.data_sets import photo, visual_genome, write


class ConstantSimilarity:
    """A similarity that is the same for every pair, and that records the pairs."""

    name = "told"
    threshold = 0.8

    def __init__(self, value: float = 0.9) -> None:
        self.value = value
        self.asked: list[tuple[str, str]] = []

    def __call__(self, a: str, b: str) -> float:
        self.asked.append((a, b))
        return self.value


class DescribedLibrary(Library):
    """A library of descriptions without files, in small families that share most of their labels."""

    def __init__(self, number: int) -> None:
        super().__init__(Path("/nowhere"))
        self.described = {f"vg/{i:06}": self._made(i) for i in range(number)}

    @staticmethod
    def _made(i: int) -> PictureDescription:
        rng = Random(i)
        names = [f"thing {i // 4} {n}" for n in range(4)] + [f"thing {rng.randrange(10**6)}"]
        names += ["sky"] * (rng.random() < 0.5)
        things = tuple(PictureObject(id=f"{name} 1", name=name) for name in names)
        return PictureDescription(id=f"vg/{i:06}", kind="photo", width=64, height=48, objects=things)

    def description(self, id: str) -> PictureDescription:
        return self.described[id]


def test_pairs_keep_their_thresholds_and_no_picture_is_used_twice() -> None:
    library = DescribedLibrary(200)
    found = choose_pairs(LabelIndex(library, library.described), ConstantSimilarity(), 7, 10)
    used: list[str] = []
    for relation, pairs in found.items():
        assert len(pairs) == 10
        for pair in pairs:
            used += {pair.a, pair.b}
            index = jaccard(labels(library.description(pair.a)), labels(library.description(pair.b)))
            assert pair.jaccard == pytest.approx(index, abs=1e-4)
            if relation == "same":
                assert pair.a == pair.b
            elif relation == "similar":
                assert index > MIN_JACCARD and pair.similarity == 0.9
            else:
                assert index <= MAX_DIFFERENT_JACCARD and pair.similarity is None
    assert len(used) == len(set(used))


def test_pairs_depend_on_the_seed_alone() -> None:
    library = DescribedLibrary(200)
    first, again, other = (
        choose_pairs(LabelIndex(library, library.described), ConstantSimilarity(), seed, 5) for seed in (1, 1, 2)
    )
    assert first == again != other


def test_pairs_of_a_hundred_thousand_pictures_need_few_comparisons() -> None:
    library, asked = DescribedLibrary(6_000), ConstantSimilarity()
    known = LabelIndex(library, library.described)
    measured = 0
    plain_jaccard = known.jaccard

    def counted(i: int, j: int) -> float:
        nonlocal measured
        measured += 1
        return plain_jaccard(i, j)

    known.jaccard = counted  # type: ignore[method-assign]
    assert len(find_similar_pairs(known, asked, Random(0), 10)) == 10
    assert measured < 10_000 and len(asked.asked) < 100
    assert len(find_different_pairs(known, Random(0), 10)) == 10
    assert measured < 120_000


@pytest.mark.parametrize("value", [0.8, 0.3, 0.99])
def test_visually_different_or_identical_pictures_are_not_similar(value: float) -> None:
    library = DescribedLibrary(40)
    with pytest.raises(TooFewPairs) as caught:
        find_similar_pairs(LabelIndex(library, library.described), ConstantSimilarity(value), Random(0), 3)
    assert "0 of 3 pairs" in str(caught.value) and "--each 0" in str(caught.value) and "told" in str(caught.value)


def test_too_few_pairs_are_reported_with_their_number_and_what_to_change() -> None:
    library = DescribedLibrary(8)
    known = LabelIndex(library, library.described)
    with pytest.raises(TooFewPairs, match="similar: 4 of 10 pairs") as caught:
        choose_pairs(known, ConstantSimilarity(), 0, 10)
    assert len(caught.value.pairs) == 4
    with pytest.raises(TooFewPairs, match=r"different: \d of 10 pairs"):
        find_different_pairs(known, Random(0), 10)


def test_pictures_with_few_labels_are_ignored() -> None:
    library = DescribedLibrary(8)
    library.described["vg/000000"] = library.description("vg/000000").model_copy(update={"objects": ()})
    assert "vg/000000" not in LabelIndex(library, library.described).ids


# ------------------------------------------------------------------ looks
@pytest.fixture
def library(tmp_path: Path) -> Library:
    """Return three photos: one, the same slightly brighter and smaller, and another."""
    from io import BytesIO

    from PIL import Image, ImageEnhance

    from games.common.datasets.register import DATASET_BY_NAME, register

    root = visual_genome(tmp_path / "vg", {1: {"a": []}, 2: {"b": []}, 4: {"c": []}}, (256, 192))
    image = Image.open(BytesIO(photo(1, (256, 192))))
    out = BytesIO()
    ImageEnhance.Brightness(image.transform(image.size, Image.Transform.AFFINE, (1, 0, 3, 0, 1, 2))).enhance(1.1).save(
        out, "JPEG"
    )
    write(root / "VG_100K" / "2.jpg", out.getvalue())
    register(DATASET_BY_NAME["visual-genome"], root, tmp_path / "imported")
    return Library(tmp_path / "none", tmp_path / "imported")


def test_hash_similarity_is_higher_for_a_changed_picture_than_for_another(library: Library) -> None:
    similarity = HashSimilarity(library)
    one, changed, other = library.ids()
    assert similarity(one, one) == 1
    assert similarity(one, changed) == similarity(changed, one) > 0.8 > similarity.threshold > similarity(one, other)
    assert "not CLIP" in similarity.name


def test_a_folder_without_a_model_is_reported(library: Library, tmp_path: Path) -> None:
    with pytest.raises(UnusableClipModel, match=r"config\.json"):
        ClipSimilarity(library, tmp_path)


@pytest.mark.slow
def test_clip_is_the_cosine_of_image_embeddings(library: Library, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="torch is an extra: make test-extras")
    transformers = pytest.importorskip("transformers", reason="transformers is an extra: make test-extras")
    torch.manual_seed(0)
    small = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = transformers.CLIPConfig(
        text_config=small, vision_config={**small, "image_size": 32, "patch_size": 8}, projection_dim=12
    )
    folder = tmp_path / "tiny-clip"
    transformers.CLIPModel(config).save_pretrained(folder, safe_serialization=True)
    size = {"height": 32, "width": 32}
    transformers.CLIPImageProcessor(size={"shortest_edge": 32}, crop_size=size).save_pretrained(folder)
    similarity = ClipSimilarity(library, folder)
    one, changed, other = library.ids()
    assert similarity(one, one) == pytest.approx(1, abs=1e-5)
    assert similarity(one, changed) == pytest.approx(similarity(changed, one), abs=1e-6)
    assert 0 <= similarity(one, other) < similarity(one, changed) <= 1
    assert similarity.name == "CLIP image cosine (tiny-clip)" and similarity.threshold == 0.8
    (folder / "model.safetensors").write_bytes(b"broken")
    with pytest.raises(UnusableClipModel, match="holds no CLIP model in safetensors"):
        ClipSimilarity(library, folder)
