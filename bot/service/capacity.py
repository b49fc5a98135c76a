"""What a library of a given size takes: memory, disk, nodes, processes, connections, hours of embedding,
network.

Everything follows from measured constants, each with its day and script, and a few estimates. Beyond the
measured sizes it is extrapolated in proportion, which the result says.
"""

import math
from dataclasses import dataclass
from typing import Literal

MOST_PASSAGES = 50_000_000
MEASURED_PASSAGES = 100_000
"""The largest measured index (`benchmarks/search_scale.py`)."""

MEASURED_QUESTIONS_PER_HOUR = 2_500
"""The highest measured number of answers an hour on two cores (`benchmarks/chats.py`)."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A measured `value` in `unit`, the day it was measured and where it comes from."""

    value: float
    unit: str
    day: str
    source: str


_REAL = "23 programmes of 2,138 pages, ingested with the packaged encoders"

CONSTANTS = {
    "passages_per_page": Constant(2.3, "passages", "2026-11-29", _REAL),
    "windows_per_passage": Constant(3.75, "windows", "2026-11-29", _REAL),
    "database_per_passage": Constant(4_530, "bytes", "2026-11-29", _REAL),
    "originals_per_passage": Constant(5_480, "bytes", "2026-11-29", _REAL),
    "embedded_index_per_passage": Constant(15_000, "bytes", "2026-11-29", _REAL),
    "embedded_memory_per_passage": Constant(3_000, "bytes", "2026-11-22", "benchmarks/search_scale.py"),
    "process_memory": Constant(1.1e9, "bytes", "2026-11-22", "benchmarks/sizing.py"),
    "answer_cpu": Constant(0.41, "s", "2026-11-29", "benchmarks/many_documents.py, 500 documents"),
    "ingested_per_cpu_second": Constant(8.8, "passages", "2026-11-22", "benchmarks/ingestion.py, 3.81 pages"),
    "request_to_qdrant": Constant(20_000, "bytes", "2026-11-29", "tests/qdrant/test_wire.py, at most"),
}

_DIMENSIONS = 384 + 512
_WINDOW_DIMENSIONS = 512
_LINKS = 3 * 2 * 16 * 4
"""Bytes of graphs: three spaces, twice `m` links of four bytes (Qdrant's word, not measured)."""

_LEXICAL = 60 * 8
"""Bytes of 60 terms with their weights."""

_KEYS = 700
"""Bytes of a point's payload fields and their indexes in memory (an estimate, not measured)."""

_REQUESTS, _REPLY = 8, 15_000
"""Requests to Qdrant for a question without other wordings, and bytes of each reply (100 scored points)."""

_FROM_DATABASE = 300_000
"""Bytes read for an answer: 100 passages and their neighbours (an estimate, not measured)."""

_CONNECTIONS = 16
"""Maximum size of the database's pool (5 kept, 10 more), and one connection that listens."""

_BUSY = 0.5
"""Share of a core that an even load may take, so that peaks of twice the load are still handled."""

_NODE_MEMORY, _NODE_USE = 64e9, 0.7


@dataclass(frozen=True, slots=True, kw_only=True)
class Capacity:
    """What is needed. Sizes in GB (10^9 bytes). `preset` is the one for `[qdrant]`, "embedded" for none.
    `extrapolated` names the values beyond the measured sizes."""

    passages: int
    pages: int
    questions_per_hour: int
    preset: Literal["embedded", "small", "large", "cluster"]
    qdrant_nodes: int
    qdrant_memory_gb: float
    qdrant_disk_gb: float
    database_disk_gb: float
    originals_disk_gb: float
    processes: int
    processes_memory_gb: float
    connections: int
    embedding_core_hours: float
    network_mbit_s: float
    extrapolated: tuple[str, ...]


def capacity(passages: int, questions_per_hour: int) -> Capacity:
    """The capacity for `passages` (1 to `MOST_PASSAGES`) and a number of questions an hour."""
    value = {name: constant.value for name, constant in CONSTANTS.items()}
    preset, copies = _preset(passages)
    vectors = _DIMENSIONS + value["windows_per_passage"] * _WINDOW_DIMENSIONS
    originals = 2 * vectors
    in_memory = {
        "embedded": value["embedded_memory_per_passage"],
        "small": originals + _LINKS + _LEXICAL + _KEYS,
    }.get(preset, vectors / 2 + _LINKS + _LEXICAL + _KEYS)
    on_disk = {
        "embedded": value["embedded_index_per_passage"],
        "small": originals + _LINKS + _LEXICAL + _KEYS,
    }.get(preset, originals + vectors / 2 + _LINKS + _LEXICAL + _KEYS)
    memory = passages * in_memory * copies
    nodes = math.ceil(memory / (_NODE_MEMORY * _NODE_USE)) if preset != "embedded" else 0
    cores = questions_per_hour * value["answer_cpu"] / 3600 / _BUSY
    processes = max(1, math.ceil(cores))
    if processes > 1:
        processes += 2  # one for the platforms, one that reads documents
    per_question = _REQUESTS * (value["request_to_qdrant"] + _REPLY) + _FROM_DATABASE
    return Capacity(
        passages=passages,
        pages=round(passages / value["passages_per_page"]),
        questions_per_hour=questions_per_hour,
        preset=preset,
        qdrant_nodes=max(3, nodes) if preset == "cluster" else nodes,
        qdrant_memory_gb=_gb(memory),
        qdrant_disk_gb=_gb(2 * passages * on_disk * copies),  # optimising takes as much again
        database_disk_gb=_gb(2 * passages * value["database_per_passage"]),  # indexes, old versions, log
        originals_disk_gb=_gb(passages * value["originals_per_passage"]),
        processes=processes,
        processes_memory_gb=_gb(processes * value["process_memory"]),
        connections=processes * _CONNECTIONS,
        embedding_core_hours=round(passages / value["ingested_per_cpu_second"] / 3600, 1),
        network_mbit_s=round(questions_per_hour / 3600 * per_question * 8 / 1e6, 2),
        extrapolated=tuple(_extrapolated(passages, questions_per_hour)),
    )


def _preset(passages: int) -> tuple[Literal["embedded", "small", "large", "cluster"], int]:
    """The preset of the index, and the number of copies."""
    if passages <= 200_000:
        return "embedded", 1
    if passages <= 2_000_000:
        return "small", 1
    return ("large", 1) if passages <= 10_000_000 else ("cluster", 2)


def _extrapolated(passages: int, questions_per_hour: int) -> list[str]:
    found = ["memory", "disk", "nodes"] if passages > MEASURED_PASSAGES else []
    return found + (["processes", "network"] if questions_per_hour > MEASURED_QUESTIONS_PER_HOUR else [])


def _gb(size: float) -> float:
    return round(size / 1e9, 2)
