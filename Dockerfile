# syntax=docker/dockerfile:1
# The image holds the bot and the packaged models; it needs no network but the stores and chats it is pointed to.
# `docker build .` makes the usual image; `docker build --target full .` one that reads office documents, too.

FROM debian:bookworm-slim@sha256:88200866dfff7ea7f5cbcb6ec7c8a701889efe6fe859fe64d6990e4b07ea4171 AS base
ENV DEBIAN_FRONTEND=noninteractive LANG=C.UTF-8
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates python3 python3-venv tzdata \
    && rm -rf /var/lib/apt/lists/*

FROM base AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /src
COPY requirements.txt requirements-build.txt ./
# What has no wheel (atomicwrites) is built by tools whose hashes are checked as well.
RUN python3 -m venv /opt/fundstelle \
    && /opt/fundstelle/bin/pip install --require-hashes --only-binary :all: -r requirements-build.txt \
    && /opt/fundstelle/bin/pip install --require-hashes --only-binary :all: --no-binary atomicwrites \
        --no-build-isolation -r requirements.txt
COPY . .
RUN /opt/fundstelle/bin/pip wheel --no-deps --no-build-isolation --wheel-dir /dist . \
    && /opt/fundstelle/bin/pip install --no-deps /dist/*.whl \
    && /opt/fundstelle/bin/pip uninstall --yes hatchling setuptools \
    && /opt/fundstelle/bin/python -m compileall -q /opt/fundstelle

FROM base AS runtime
LABEL org.opencontainers.image.title="Fundstelle" \
    org.opencontainers.image.licenses="AGPL-3.0-or-later"
RUN apt-get update \
    && apt-get install --yes --no-install-recommends tesseract-ocr tesseract-ocr-deu tesseract-ocr-eng \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --system --create-home --uid 10001 fundstelle \
    && install --directory --owner fundstelle --group fundstelle --mode 0700 /data
COPY --from=build /opt/fundstelle /opt/fundstelle
ENV PATH=/opt/fundstelle/bin:$PATH PYTHONUNBUFFERED=1 FUNDSTELLE_DATA=/data
WORKDIR /data
VOLUME /data
HEALTHCHECK --interval=30s --timeout=10s --start-period=120s --retries=3 \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8471/readyz', timeout=5)"]
ENTRYPOINT ["fundstelle"]
CMD ["serve"]

FROM runtime AS full
RUN apt-get update \
    && apt-get install --yes --no-install-recommends fonts-dejavu-core fonts-liberation \
        libreoffice-calc-nogui libreoffice-impress-nogui libreoffice-writer-nogui \
    && rm -rf /var/lib/apt/lists/*
USER fundstelle

FROM runtime AS usual
USER fundstelle
