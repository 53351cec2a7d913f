"""The page of the desk: a study is chosen, its panels are kept up to date, and buttons act on it.

`mount_desk` builds it as a Gradio app of its own. It checks no rights: `ui/server/desk_door.py` lets only the owner of
the server in. Events run without Gradio's queue, so the page holds no connection open.
"""

from __future__ import annotations

import asyncio
import warnings
from collections import OrderedDict
from collections.abc import Sequence
from html import escape
from typing import Any

import gradio as gr
from fastapi import FastAPI
from gradio.routes import App
from starlette.routing import Mount

from engine.core.events import to_json
from engine.storage.database import StoreError
from engine.storage.ids import now_ms
from engine.studies.overview import Overview, ParticipantRow
from engine.studies.study_file import BadStudy
from ui.desk.actions import PARTICIPANT_ACTIONS, Action
from ui.desk.panels import PANEL_BY_TITLE, PanelView, format_clock_time, grid
from ui.live.refusal import Refusal
from ui.live.study_desk import StudyManager
from ui.server import shell

REFRESH_SECONDS = 1.0
"""Seconds between two updates of an open page."""
MAX_SESSIONS = 50
"""Open pages whose last values are known; others are sent everything."""
EVENT_OPTIONS: dict[str, Any] = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
DESK_PAGE_CSS = """
.gradio-container { width: 100%; max-width: min(1280px, 100vw) !important }
.gradio-container { margin: 0 auto !important; padding: 0 !important }
.gradio-container .main, .gradio-container main, .gradio-container main > .column { max-width: 100%; min-width: 0 }
.gradio-container .table-wrap { max-width: 100%; overflow-x: auto }
.gradio-container .main { padding: 12px !important }
.desk-head { display: flex; align-items: baseline; justify-content: space-between; gap: 1rem }
.desk-head h1 { font-size: 1.6rem; margin: 0 }
#desk-said:not(:has(p)) { display: none }
#desk-said p { margin: 0; padding: 0.5rem 0.8rem; border-left: 4px solid var(--primary-600) }
#desk-said .problem { border-color: var(--error-border-color); color: var(--error-text-color) }
.gradio-container .table-wrap, .gradio-container .table-wrap * { font-family: var(--font) }
.gradio-container .table-wrap td { font-variant-numeric: tabular-nums }
.gradio-container .selection-button { display: none }
.dark button.selected[role="tab"] { color: var(--primary-200) }
.figures { display: flex; flex-wrap: wrap; gap: 0.4rem 1.6rem; margin: 0; font-variant-numeric: tabular-nums }
.figures div { display: flex; flex-direction: column-reverse }
.figures dd { margin: 0; font-size: 1.5rem; line-height: 1.2; color: var(--body-text-color) }
.figures dt { font-size: 0.85rem; color: var(--body-text-color-subdued) }
.figures .none dd { color: var(--body-text-color-subdued) }
.state { display: inline-block; padding: 0.1rem 0.6rem; border-radius: 1rem }
.state { border: 1px solid var(--border-color-primary) }
.state.open, .state.pilot { background: var(--primary-600); border-color: var(--primary-600); color: #fffdf9 }
footer { display: none !important }
"""


def mount_desk(study_manager: StudyManager, path: str) -> tuple[FastAPI, App]:
    """Return an app with the desk at a path, and Gradio's app in it. Takes about a second: call it in a thread."""
    outer_app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    with shell.suppress_app_building():
        page_blocks = StudyDeskPage(study_manager).build_page().queue(default_concurrency_limit=None, max_size=20)
    # the page's own events do not use the queue
    page_blocks._queue.sleep_when_free = page_blocks._queue.progress_update_sleep_when_free = 0.1
    theme = shell.make_theme().set(block_border_width="1px", layout_gap="12px")
    with warnings.catch_warnings(action="ignore"):
        gr.mount_gradio_app(
            outer_app,
            page_blocks,
            path=path,
            max_file_size="1kb",
            css=DESK_PAGE_CSS,
            **(shell.shell() | {"theme": theme}),
        )
    [gradio] = [route.app for route in outer_app.routes if isinstance(route, Mount) and isinstance(route.app, App)]
    page_blocks.app = gradio
    page_blocks.has_launched = True  # a mounted app otherwise skips Gradio's check of file paths
    return outer_app, gradio


class StudyDeskPage:
    """The components of the desk and what happens with them."""

    def __init__(self, study_manager: StudyManager) -> None:
        self._study_manager = study_manager
        self._views: list[PanelView] = []
        self._sent_texts: OrderedDict[str, list[str]] = OrderedDict()
        """What each open page shows, by its session, as JSON by output."""

    def build_page(self) -> Any:
        """Lay out the page."""
        with gr.Blocks(title="Desk · Ludens", analytics_enabled=False) as page_blocks:
            gr.HTML('<div class="desk-head"><h1>Desk</h1><a href="/">To the lobby</a></div>')
            with gr.Row(equal_height=False):
                self._study_dropdown = gr.Dropdown(
                    label="Study", choices=[], allow_custom_value=True, scale=2, min_width=220
                )
                with gr.Column(min_width=220):
                    self._state_html = gr.HTML("")
            with gr.Row():
                self._pause_button = gr.Button("Pause", size="sm", min_width=90)
                self._resume_button = gr.Button("Open", size="sm", min_width=90)
                self._close_button = gr.Button("Close", size="sm", min_width=90)
                self._test_button = gr.Button("Test participation", size="sm", min_width=150)
                self._export_button = gr.Button("Download the export", size="sm", min_width=150, link="#")
            self._notice_box = gr.HTML("", elem_id="desk-said")
            self._figures_html = gr.HTML("")
            with gr.Tabs():
                for panel_number, (panel_title, build_panel) in enumerate(PANEL_BY_TITLE.items()):
                    with gr.Tab(panel_title):
                        self._views += build_panel(self._study_manager)
                    if panel_number == 0:
                        with gr.Tab("Participants"):
                            self._lay_out_participants()
            self._connect_events(page_blocks)
        return page_blocks

    def _lay_out_participants(self) -> None:
        column_headings = ["participant", "state", "step", "idle", "games", "score", "flags"]
        column_widths = [120, 115, 220, 80, 85, 75, 300]
        self._people_table = grid(column_headings, "Participants", column_widths, max_height=420, show_search="search")
        self._views.append(PanelView(self._people_table, list_participants))
        with gr.Column():
            self._person_dropdown = gr.Dropdown(
                label="Participant", info="Choose here or in the table.", choices=[], allow_custom_value=True
            )
            self._person_summary = gr.Markdown("")
            self._action_radio = gr.Radio(
                [action.title for action in PARTICIPANT_ACTIONS], value=PARTICIPANT_ACTIONS[0].title, label="Action"
            )
            first_action = PARTICIPANT_ACTIONS[0]
            self._explanation = gr.Markdown(first_action.explanation)
            self._text_box = gr.Textbox(label=first_action.text_label, max_length=first_action.max_length, lines=2)
            self._choice_dropdown = gr.Dropdown(label="Choose", choices=[], allow_custom_value=True, visible=False)
            self._perform_button = gr.Button(first_action.button_label, variant="primary", size="md", interactive=False)

    def _connect_events(self, page_blocks: gr.Blocks) -> None:
        page_outputs = [
            self._study_dropdown,
            self._state_html,
            self._figures_html,
            self._pause_button,
            self._resume_button,
            self._close_button,
            self._export_button,
        ]
        page_outputs += [
            self._person_dropdown,
            self._person_summary,
            self._perform_button,
            *(view.component for view in self._views),
        ]
        page_inputs: list[Any] = [self._study_dropdown, self._person_dropdown]
        refresh_options = {"fn": self._update_page, "inputs": page_inputs, "outputs": page_outputs, **EVENT_OPTIONS}
        page_blocks.load(**refresh_options)
        gr.Timer(REFRESH_SECONDS).tick(**refresh_options, trigger_mode="once")
        self._study_dropdown.input(**refresh_options)
        self._person_dropdown.change(**refresh_options)
        self._people_table.select(self._select_person, self._study_dropdown, self._person_dropdown, **EVENT_OPTIONS)
        form_outputs: list[Any] = [self._explanation, self._text_box, self._choice_dropdown, self._perform_button]
        self._action_radio.change(
            self._show_action, [self._study_dropdown, self._action_radio], form_outputs, **EVENT_OPTIONS
        )
        form_inputs: list[Any] = [
            self._study_dropdown,
            self._person_dropdown,
            self._action_radio,
            self._text_box,
            self._choice_dropdown,
        ]
        self._perform_button.click(
            self._perform_action, form_inputs, [self._notice_box, self._text_box], **EVENT_OPTIONS
        ).then(**refresh_options)
        for button, new_state in (
            (self._pause_button, "paused"),
            (self._resume_button, ""),
            (self._close_button, "closed"),
        ):
            button.click(
                self._make_state_setter(new_state), self._study_dropdown, self._notice_box, **EVENT_OPTIONS
            ).then(**refresh_options)
        self._test_button.click(self._start_test, self._study_dropdown, self._notice_box, **EVENT_OPTIONS)

    # ------------------------------------------------------------------ what is shown
    async def _update_page(self, chosen_study: str | None, pseudonym: str | None, request: gr.Request) -> list[Any]:
        """Return what every component shows now; what the page has already is skipped."""
        names = self._study_manager.list_study_names()
        study_name = chosen_study if chosen_study in names else next(iter(names), None)
        try:
            overview = await self._study_manager.read_overview(study_name) if study_name else None
        except (StoreError, BadStudy) as error:
            return self._skip_unchanged_values(
                request, [gr.update(choices=names, value=study_name), problem_html(str(error))]
            )
        if overview is None:
            message_html = "<p>There is no study on this server yet. <code>ludens study add FILE</code> adds one.</p>"
            return self._skip_unchanged_values(request, [gr.update(choices=[], value=None), message_html])
        # in a thread: players must not wait while hundreds of rows are laid out
        return await asyncio.to_thread(self._show_study, overview, names, pseudonym, request)

    def _show_study(
        self, overview: Overview, study_names: Sequence[str], pseudonym: str | None, request: gr.Request
    ) -> list[Any]:
        person = overview.find_participant(pseudonym)
        can_open_study = overview.state not in ("open", "pilot")
        pseudonyms = [participant.pseudonym for participant in overview.participants]
        output_values = [
            gr.update(choices=study_names, value=overview.name),
            describe_state(overview),
            describe_figures(overview),
            gr.update(interactive=not can_open_study),
            gr.update(value="Open" if overview.state == "draft" else "Resume", interactive=can_open_study),
            gr.update(interactive=overview.state not in ("closed", "draft")),
            gr.update(link=f"/desk/export/{overview.name}"),
            gr.update(choices=pseudonyms, value=person.pseudonym if person else None),
            describe_participant(person),
            gr.update(interactive=person is not None),
            *(view.compute_value(overview) for view in self._views),
        ]
        return self._skip_unchanged_values(request, output_values)

    def _skip_unchanged_values(self, request: gr.Request, output_values: Sequence[Any]) -> list[Any]:
        """Return values with those skipped that the page of a request shows already."""
        output_count = 10 + len(self._views)
        session_key = str(request.session_hash)
        output_texts = [to_json(make_comparable_value(new_value)) for new_value in output_values]
        last_texts = self._sent_texts.pop(session_key, [])
        self._sent_texts[session_key] = output_texts
        if len(self._sent_texts) > MAX_SESSIONS:
            self._sent_texts.popitem(last=False)
        sent_texts = [*last_texts, *[None] * output_count][: len(output_texts)]
        new_values = [
            gr.skip() if new_text == sent_text else new_value
            for new_value, new_text, sent_text in zip(output_values, output_texts, sent_texts, strict=True)
        ]
        return [*new_values, *[gr.skip()] * (output_count - len(new_values))]

    # ------------------------------------------------------------------ one participant
    def _select_person(self, _: str | None, event: gr.SelectData) -> Any:
        return event.row_value[0] if event.row_value else gr.skip()

    async def _show_action(self, study_name: str | None, action_title: str) -> list[Any]:
        action = find_action(action_title)
        choices: list[tuple[str, str]] = []
        if action.list_choices and study_name:
            choices = action.list_choices(self._study_manager, await self._study_manager.read_overview(study_name))
        max_length = action.max_length or None
        return [
            action.explanation,
            gr.update(
                visible=bool(action.text_label), label=action.text_label or "Text", max_length=max_length, value=""
            ),
            gr.update(visible=bool(choices), choices=choices, value=choices[0][1] if choices else None),
            gr.update(value=action.button_label),
        ]

    async def _perform_action(
        self, study_name: str, pseudonym: str | None, action_title: str, action_text: str | None, choice: str | None
    ) -> tuple[str, Any]:
        action, overview = find_action(action_title), await self._study_manager.read_overview(study_name)
        person = overview.find_participant(pseudonym)
        if person is None:
            return problem_html("Choose a participant first."), gr.skip()
        try:
            success_text = await action.perform_action(
                self._study_manager, overview, person, (choice if action.list_choices else action_text) or ""
            )
        except (Refusal, StoreError) as error:
            return describe_error(error), gr.skip()
        return success_html(success_text), ""

    # ------------------------------------------------------------------ the whole study
    def _make_state_setter(self, study_state: str) -> Any:
        async def set_state(study_name: str | None) -> str:
            if not study_name:
                return problem_html("Choose a study first.")
            try:
                if study_state:
                    await self._study_manager.set_study_state(study_name, study_state)
                    return success_html(f"{study_name} is {study_state}.")
                return success_html(f"{study_name} is {await self._study_manager.resume_study(study_name)}.")
            except (Refusal, StoreError) as error:
                return describe_error(error)

        return set_state

    async def _start_test(self, study_name: str | None, request: gr.Request) -> str:
        if not study_name:
            return problem_html("Choose a study first.")
        try:
            assert request.request
            test_path = await self._study_manager.start_test(study_name, request.request.scope["state"]["browser"])
        except (Refusal, StoreError, BadStudy) as error:
            return describe_error(error)
        link_html = f'<a href="{escape(test_path)}" target="_blank" rel="noopener">Take part in the test</a>'
        return f'<p role="status">A test participation is ready; it never counts. {link_html}</p>'


def make_comparable_value(output_value: Any) -> Any:
    """Return what a component is to show as JSON; plots show data frames."""
    if isinstance(output_value, dict):
        return {field_name: make_comparable_value(inner_value) for field_name, inner_value in output_value.items()}
    return output_value.to_dict("list") if hasattr(output_value, "to_dict") else output_value


# ---------------------------------------------------------------------- words
def find_action(action_title: str) -> Action:
    """Return the action with a title."""
    return next(action for action in PARTICIPANT_ACTIONS if action.title == action_title)


def list_participants(overview: Overview) -> list[list[Any]]:
    """Return the rows of the table of participants: those who take part first, then by arrival."""
    sorted_people = sorted(overview.participants, key=lambda row: (row.idle_seconds is None, row.arrival_time))
    return [
        [
            row.pseudonym,
            row.state,
            row.step,
            describe_idle_time(row.idle_seconds),
            f"{row.games_played} of {row.games_planned}",
            "" if row.score is None else round(row.score),
            ", ".join(row.flag_texts),
        ]
        for row in sorted_people
    ]


def describe_idle_time(idle_seconds: int | None) -> str:
    """Return how long nothing came from a participant, in words that do not change every second."""
    if idle_seconds is None:
        return ""
    if idle_seconds < 60:
        return f"{idle_seconds // 10 * 10} s"
    return f"{idle_seconds // 60} min" if idle_seconds < 7200 else f"{idle_seconds // 3600} h"


def describe_state(overview: Overview) -> str:
    """Return the title, state and version of a study as HTML."""
    return (
        f'<p>{escape(overview.title)}<br><span class="state {escape(overview.state)}">{escape(overview.state)}</span>'
        f" version {escape(overview.version)}</p>"
    )


def describe_figures(overview: Overview) -> str:
    """Return the counts of a study as HTML."""
    cells = overview.cells
    counts_by_label = {"arrived": overview.arrived_count, **overview.state_counts}
    games = {"games wanted": "wanted", "games done": "done", "in play": "in_play"}
    counts_by_label |= {count_label: sum(cell[count_key] for cell in cells) for count_label, count_key in games.items()}
    figure_texts = (
        f"<div{'' if count else ' class=none'}><dt>{escape(count_label.replace('_', ' '))}</dt><dd>{count}</dd></div>"
        for count_label, count in counts_by_label.items()
    )
    return f'<dl class="figures">{"".join(figure_texts)}</dl>'


def describe_participant(person: ParticipantRow | None) -> str:
    """Return what is known of the chosen participant, as Markdown."""
    if person is None:
        return "Nobody is chosen."
    flags_text = f" · {', '.join(person.flag_texts)}" if person.flag_texts else ""
    return (
        f"**{person.pseudonym}** · {person.state} · {person.step} · game {person.games_played} of"
        f" {person.games_planned} · arrived {format_clock_time(person.arrival_time)}{flags_text}"
    )


def describe_error(error: Exception) -> str:
    """Return why something was not done, as HTML."""
    reason = getattr(error, "why", None)
    return problem_html(f"{getattr(error, 'error', error)}{f' {reason}' if reason else ''}")


def success_html(success_text: str) -> str:
    """Return what was done, as HTML that screen readers read out."""
    return f'<p role="status">{escape(success_text)} <small>{format_clock_time(now_ms())}</small></p>'


def problem_html(problem_text: str) -> str:
    """Return what was not possible, as HTML that screen readers read out."""
    return f'<p role="alert" class="problem">{escape(problem_text)}</p>'
