"""What whoever runs a server can ask it: figures in Prometheus' format, and an id for every request."""

from types import SimpleNamespace

import httpx
from prometheus_client.parser import text_string_to_metric_families

from engine.core.events import Event, Kind
from tests.ui.guests import Guest
from ui.server.metrics import Metrics
from ui.server.traffic import ServerLoadMonitor

LABELS = {
    "ludens_model_calls_total": {"model": "gpt"},
    "ludens_model_tokens_total": {"direction": "in"},
    "ludens_player_faults_total": {"code": "rate_limited"},
}


def figures(url: str, **headers: str) -> dict[tuple, float]:
    """Return all figures by name and labels."""
    answer = httpx.get(f"{url}/metrics", headers=headers)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    families = text_string_to_metric_families(answer.text)
    return {(sample.name, *sample.labels.values()): sample.value for family in families for sample in family.samples}


def test_figures_tell_what_happens(server):
    house = server()
    before = figures(house.url)
    assert before["ludens_tables", "open"] == before["ludens_people",] == 0
    with Guest(house.url) as guest, guest.socket("/ws/lobby"):
        pid = guest.sit()
        with guest.seat(pid) as seat:
            seat.reply("a ring")
            assert guest.move(pid, 999, {"text": "x"}).status_code == 409
            during = figures(house.url)
    assert during["ludens_tables", "open"] == during["ludens_people",] == during["ludens_people_seats",] == 1
    assert during["ludens_sockets", "seat"] == during["ludens_sockets", "lobby"] == 1
    assert during["ludens_moves_total", "accepted"] == during["ludens_moves_total", "late"] == 1
    assert during["ludens_commit_seconds_count",] > 0 and during["ludens_event_loop_lag_seconds_count",] > 0
    while figures(house.url)["ludens_people",]:
        pass


def test_figures_count_what_models_do():
    server = SimpleNamespace(
        tables=SimpleNamespace(table_by_episode={}), quotas=SimpleNamespace(count_people_seats=lambda: 0)
    )
    metrics = Metrics(server, ServerLoadMonitor())
    reply = {
        "ask": 1,
        "text": "secret",
        "meta": {"model": "gpt", "tokens_in": 30, "tokens_out": 4, "attempts": 2},
    }
    scripted = {"ask": 2, "text": "secret", "meta": {"seconds": 0.1}}
    fault = {"ask": 3, "cause": "secret", "code": "rate_limited"}
    kinds = (
        (Kind.REPLY, reply),
        (Kind.REPLY, scripted),
        (Kind.FAULT, fault),
        (Kind.FAULT, {"ask": 4, "cause": "secret"}),
    )
    metrics.record_events([Event(kind, "A", data) for kind, data in kinds])
    values = {name: metrics.registry.get_sample_value(name, labels) for name, labels in LABELS.items()}
    assert values == {"ludens_model_calls_total": 2, "ludens_model_tokens_total": 30, "ludens_player_faults_total": 1}
    assert metrics.registry.get_sample_value("ludens_player_faults_total", {"code": "other"}) == 1


def test_figures_are_for_the_owner_or_this_machine(server):
    house = server()
    assert httpx.get(f"{house.url}/metrics").status_code == 200
    for header in ("x-forwarded-for", "via", "forwarded"):
        assert httpx.get(f"{house.url}/metrics", headers={header: "127.0.0.1"}).status_code == 403
    admin = house.output().split("/a/")[1].split()[0]
    for options in (("--host", "0.0.0.0"), ("--public-url", "https://play.example"), ("--trusted-proxy", "10.0.0.1")):
        public = server(None, None, *options)
        assert httpx.get(f"{public.url}/metrics").status_code == 403, options
        assert httpx.get(f"{public.url}/metrics", headers={"authorization": f"Bearer {admin}"}).status_code == 403
        own = public.output().split("/a/")[1].split()[0]
        assert figures(public.url, authorization=f"Bearer {own}")
        public.stop()


def test_every_answer_has_an_id(server):
    house = server(None, None, "--trusted-proxy", "127.0.0.1")
    ids = {httpx.get(house.url + path).headers["x-request-id"] for path in ("/", "/healthz", "/nowhere", "/api/lobby")}
    assert len(ids) == 4
    proxied = httpx.get(f"{house.url}/healthz", headers={"x-request-id": "from-the-proxy-1"})
    assert proxied.headers["x-request-id"] == "from-the-proxy-1"
    crooked = httpx.get(f"{house.url}/healthz", headers={"x-request-id": "a b\tc"})
    assert crooked.headers["x-request-id"] not in ("a b\tc", *ids)
