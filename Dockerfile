# syntax=docker/dockerfile:1
# The image holds the bot and the packaged models; it needs no network but the stores it is pointed to.

FROM python:3.13-slim-bookworm AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /src
COPY requirements.txt requirements-build.txt ./
RUN python -m venv /opt/fundstelle \
    && /opt/fundstelle/bin/pip install --require-hashes -r requirements.txt \
    && python -m venv /opt/build \
    && /opt/build/bin/pip install --require-hashes -r requirements-build.txt
COPY . .
RUN /opt/build/bin/pip wheel --no-deps --no-build-isolation --wheel-dir /dist . \
    && /opt/fundstelle/bin/pip install --no-deps /dist/*.whl

FROM python:3.13-slim-bookworm
LABEL org.opencontainers.image.title="Fundstelle" \
    org.opencontainers.image.licenses="AGPL-3.0-or-later"
RUN useradd --system --create-home --uid 10001 fundstelle \
    && install --directory --owner fundstelle --group fundstelle --mode 0750 /data
COPY --from=build /opt/fundstelle /opt/fundstelle
ENV PATH=/opt/fundstelle/bin:$PATH PYTHONUNBUFFERED=1 FUNDSTELLE_DATA=/data
USER fundstelle
WORKDIR /data
VOLUME /data
HEALTHCHECK --interval=30s --timeout=10s --start-period=120s --retries=3 \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8471/readyz', timeout=5)"]
ENTRYPOINT ["fundstelle"]
CMD ["serve"]
