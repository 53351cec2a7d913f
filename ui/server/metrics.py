"""Figures of a server in the text format of Prometheus. They name no person, no address and no game."""

from __future__ import annotations

from collections import Counter as Counts
from collections.abc import Iterator, Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from engine.core.events import Event, Kind
from engine.core.player import FaultCode
from engine.core.views import extract_usage
from ui.live.observing import Observer
from ui.live.server import LiveServer
from ui.server.traffic import ServerLoadMonitor

DURATION_BUCKETS_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
MOVE_OUTCOMES = {200: "accepted", 409: "late", 413: "refused", 422: "refused", 403: "not_yours"}
TOKEN_KINDS = ("in", "out")


class Metrics(Observer):
    """All figures; those that are counted as things happen, and those that are looked up when somebody asks."""

    def __init__(self, server: LiveServer, load_monitor: ServerLoadMonitor) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self.registry = CollectorRegistry()
        self.registry.register(_ServerStateCollector(server, load_monitor))
        self._moves = self._make_counter("ludens_moves", "Moves of people by outcome", "outcome")
        self._answer_counter = self._make_counter("ludens_http_responses", "Answers by status", "status")
        self._shed_requests = self._make_counter(
            "ludens_shed_requests", "Requests refused or kept out under load", "kind"
        )
        self._model_calls = self._make_counter(
            "ludens_model_calls", "Calls of models at tables of this server", "model"
        )
        self._tokens = self._make_counter("ludens_model_tokens", "Tokens of these calls", "direction")
        self._faults = self._make_counter("ludens_player_faults", "Faults of players by code", "code")
        self._backups = self._make_counter("ludens_backups", "Copies of the log by outcome", "outcome")
        self._last_backup_time = Gauge(
            "ludens_backup_time_seconds", "When the last copy was written", registry=self.registry
        )
        self._stored_updates = Counter("ludens_stored_advances", "Advances of games stored", registry=self.registry)
        self._commit_durations = self._new_histogram("ludens_commit_seconds", "Time of a transaction that stores games")
        self._lag = self._new_histogram("ludens_event_loop_lag_seconds", "How late the event loop runs what is due")
        load_monitor.event_loop_lag_callbacks.append(self._lag.observe)

    def render(self) -> bytes:
        """Return all figures as text."""
        return generate_latest(self.registry)

    # ------------------------------------------------------------------ what happens
    def record_events(self, events: Sequence[Event]) -> None:
        """Count calls, tokens and faults of players."""
        for event in events:
            if event.kind is Kind.FAULT:
                self._faults.labels(event.data.get("code") or FaultCode.OTHER.value).inc()
            if event.kind is Kind.REPLY and (usage := extract_usage(event.data["meta"])):
                if not usage.get("cached"):
                    self._model_calls.labels(str(usage["model"])[:80]).inc(usage.get("attempts", 1))
                for token_kind in TOKEN_KINDS:
                    self._tokens.labels(token_kind).inc(usage.get(f"tokens_{token_kind}") or 0)

    def record_commit(self, commit_duration_seconds: float, stored_update_count: int) -> None:
        """Count a transaction."""
        self._commit_durations.observe(commit_duration_seconds)
        self._stored_updates.inc(stored_update_count)

    def record_move(self, status: int) -> None:
        """Count a move by the status of its answer."""
        self._moves.labels(MOVE_OUTCOMES.get(status, "unavailable" if status >= 500 else "malformed")).inc()

    def count_answer(self, status: int) -> None:
        """Count an answer."""
        self._answer_counter.labels(str(status)).inc()

    def record_backup(self, is_written: bool) -> None:
        """Count a copy of the log."""
        self._backups.labels("written" if is_written else "failed").inc()
        if is_written:
            self._last_backup_time.set_to_current_time()

    def count_shed_request(self, request_kind: str) -> None:
        """Count a request that was refused under load."""
        self._shed_requests.labels(request_kind).inc()

    def _make_counter(self, metric_name: str, description: str, label_name: str) -> Counter:
        return Counter(metric_name, description, [label_name], registry=self.registry)

    def _new_histogram(self, metric_name: str, description: str) -> Histogram:
        return Histogram(metric_name, description, buckets=DURATION_BUCKETS_SECONDS, registry=self.registry)


class _ServerStateCollector(Collector):
    """What is looked up at each request for the figures."""

    def __init__(self, server: LiveServer, load_monitor: ServerLoadMonitor) -> None:
        self._server, self._load_monitor = server, load_monitor

    def describe(self) -> Iterator[Metric]:
        """Return nothing: the figures are known only when somebody asks."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """Yield tables, people, seats, sockets and the present lag."""
        status_counts = Counts(table.status for table in self._server.tables.table_by_episode.values())
        yield _labelled_metric(
            "ludens_tables",
            "Tables in memory",
            "state",
            {**dict.fromkeys(("open", "over", "stalled"), 0), **status_counts},
        )
        socket_counts = dict.fromkeys(("seat", "watch", "lobby"), 0)
        yield _labelled_metric(
            "ludens_sockets", "Open sockets", "kind", {**socket_counts, **self._load_monitor.open_socket_counts}
        )
        people_texts = "ludens_people", "Browsers with a seat's page open"
        yield GaugeMetricFamily(*people_texts, value=self._load_monitor.seated_browser_count)
        seats_texts = "ludens_people_seats", "Seats of people in open games"
        yield GaugeMetricFamily(*seats_texts, value=self._server.quotas.count_people_seats())
        lag_texts = "ludens_event_loop_lag_smoothed_seconds", "Lag of the event loop now, smoothed"
        yield GaugeMetricFamily(*lag_texts, value=self._load_monitor.event_loop_lag_seconds)


def _labelled_metric(metric_name: str, description: str, label_name: str, counts_by_value: dict[str, int]) -> Metric:
    metric_family = GaugeMetricFamily(metric_name, description, labels=[label_name])
    for label_value, label_count in sorted(counts_by_value.items()):
        metric_family.add_metric([label_value], label_count)
    return metric_family
