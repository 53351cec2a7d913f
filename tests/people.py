"""People in a log without anybody at a browser: what programs played, stored once more as if a person had sat there."""

from dataclasses import replace

from engine.core.events import Event, Kind
from engine.core.start import EpisodeStart
from engine.storage.ids import make_id
from engine.storage.store import Store


def seated(store: Store, episode: str, at: int, *, watched: bool = False, **note) -> str:
    """Store an episode once more as if a person had sat at A; return its id."""
    start, *log = store.events(episode)
    people = {"A": {"informed": False, "seen_before": None, "practice": False, **note}}
    data = {**start.data, "seats": {**start.data["seats"], "A": "person"}, "people": people}
    seen = [Event(Kind.WATCHED, None, {}, n=1, time=at)] if watched else []
    events = [replace(start, data=data, time=at), *seen]
    events += [replace(event, n=event.n + len(seen)) for event in log]
    return store.import_episode(EpisodeStart.model_validate(data), events, key=None, origin="web", episode=make_id(at))[
        0
    ]
