# Ludens without extras, for a server. Build: docker build -t ludens .   Run: see compose.yaml and docs/operating.md.
# The data folder /data is the only place that must be writable; /tmp may be a tmpfs.
FROM python:3.11-slim AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /app
RUN python -m venv /venv
COPY . .
# editable: Ludens runs from its folder, where games, instances and pictures are. Tests of libraries are left out, and
# only what a server imports is compiled: 0.4 instead of 0.6 GB.
RUN /venv/bin/pip install --no-compile -c constraints.txt -e . \
    && /venv/bin/pip uninstall -y pip setuptools \
    && find /venv -type d -name tests -prune -exec rm -rf {} + \
    && /venv/bin/python -c "import app, ui.server.app, ui.server.shell, scipy.stats, matplotlib.pyplot" \
    && /venv/bin/python -m compileall -q app.py cli engine games players ui

FROM python:3.11-slim
RUN useradd --uid 10001 --no-create-home --home-dir /tmp ludens && install -d -o ludens -g ludens -m 0700 /data
COPY --from=build /venv /venv
COPY --from=build /app /app
WORKDIR /data
ENV PATH=/venv/bin:$PATH \
    HOME=/tmp GRADIO_TEMP_DIR=/tmp/gradio MPLCONFIGDIR=/tmp/matplotlib \
    PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 \
    LUDENS_DB=/data/ludens.db LUDENS_HOST=0.0.0.0 LUDENS_PORT=7860 LUDENS_LOG_FORMAT=json
USER ludens
VOLUME /data
EXPOSE 7860
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:7860/healthz', timeout=4)"]
ENTRYPOINT ["ludens"]
CMD ["serve"]
