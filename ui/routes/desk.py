"""The downloads of the desk; its page is Gradio's (`ui/desk`)."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from pathlib import Path

from fastapi import APIRouter
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response

from engine.storage.database import StoreError
from ui.live.refusal import Refusal
from ui.routes.dependencies import AsciiJson, Browser, ServerDependency

router = APIRouter(default_response_class=AsciiJson)


@router.get("/desk/export/{name}")
async def send_export(name: str, server: ServerDependency, browser: Browser) -> Response:
    """Return the export of a study as a zip file, without identifiers."""
    if not server.links.is_admin(browser):
        raise Refusal(403, "Only the owner of this server may do this.")
    export_folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="ludens-export-"))
    cleanup_task = BackgroundTask(shutil.rmtree, export_folder, ignore_errors=True)
    try:
        zip_path = await server.study_manager.export_study(name, export_folder)
    except StoreError as error:
        await cleanup_task()
        raise Refusal(404, str(error)) from None
    except BaseException:
        await cleanup_task()
        raise
    return FileResponse(zip_path, filename=zip_path.name, background=cleanup_task)
