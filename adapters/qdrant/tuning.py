"""How a Qdrant server keeps collections: shards, copies, what lies in memory."""

from dataclasses import dataclass, replace
from typing import Any, Literal

from qdrant_client import models

from core.domain.documents import PUBLIC

Preset = Literal["small", "large", "cluster"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """`shards` are fixed when a collection is made, of the public one; others are small and get one, as each
    shard counts for itself how rare a word is. Of `replicas` copies of each shard, as many as `confirmed`
    have to be written before a write counts, so that any of them may be read: asking most of them and
    comparing, as a server offers, drops what they score differently in the last digit. With `is_quantised`,
    searches go through vectors of 4 bits a dimension in memory, and the best few are scored again with the
    originals, which lie on the disk."""

    shards: int = 1
    replicas: int = 1
    confirmed: int = 1
    is_quantised: bool = False

    @property
    def originals(self) -> models.Memory | None:
        """Where vectors lie as they were sent; None: where the server puts them."""
        return models.Memory.COLD if self.is_quantised else None

    @property
    def search(self) -> models.SearchParams:
        """How dense vectors are searched: along more of the graph than the server would, and of vectors in
        few bits twice as many as asked for are scored again."""
        again = models.QuantizationSearchParams(rescore=True, oversampling=2.0) if self.is_quantised else None
        return models.SearchParams(hnsw_ef=_EF, quantization=again)

    def of_new_collection(self, collection: str) -> dict[str, Any]:
        """Arguments of `create_collection`."""
        return {
            "shard_number": self.shards if collection == PUBLIC else 1,
            "replication_factor": self.replicas,
            "write_consistency_factor": self.confirmed,
            "quantization_config": _QUANTISED if self.is_quantised else None,
            "strict_mode_config": STRICT,
        }

    def changes(self, found: models.CollectionConfig) -> dict[str, Any]:
        """Arguments of `update_collection` for one that is kept otherwise; none if nothing differs."""
        params, changes = found.params, dict[str, Any]()
        if (params.replication_factor, params.write_consistency_factor) != (self.replicas, self.confirmed):
            changes["collection_params"] = models.CollectionParamsDiff(
                replication_factor=self.replicas, write_consistency_factor=self.confirmed
            )
        if (found.quantization_config is not None) != self.is_quantised:
            changes["quantization_config"] = _QUANTISED if self.is_quantised else models.Disabled.DISABLED
            memory = models.Memory.COLD if self.is_quantised else models.Memory.CACHED
            vectors = params.vectors if isinstance(params.vectors, dict) else {}
            changes["vectors_config"] = {name: models.VectorParamsDiff(memory=memory) for name in vectors}
        if found.strict_mode_config is None or not found.strict_mode_config.enabled:
            changes["strict_mode_config"] = STRICT
        return changes


STRICT = models.StrictModeConfig(
    enabled=True,
    unindexed_filtering_retrieve=False,
    unindexed_filtering_update=False,
    max_timeout=120,
    search_max_oversampling=4.0,
    search_max_batchsize=64,
    upsert_max_batchsize=1000,
    condition_max_size=2000,
)
"""Refused by the server: filters on fields without an index, and requests larger than ours ever are."""

_QUANTISED = models.TurboQuantization(
    turbo=models.TurboQuantQuantizationConfig(
        bits=models.TurboQuantBitSize.BITS4, memory=models.Memory.PINNED
    )
)

_EF = 256
"""Neighbours that a search keeps; with the server's 100 it found 90 to 93 of the best 100 of 30,000."""

PRESETS: dict[Preset, Tuning] = {
    "small": Tuning(),
    "large": Tuning(is_quantised=True),
    "cluster": Tuning(shards=12, replicas=2, confirmed=2, is_quantised=True),
}


def tuning_of(preset: Preset, *, shards: int = 0, replicas: int = 0) -> Tuning:
    """A preset, with other numbers of shards and copies where they are not 0; all copies confirm a write up
    to two."""
    chosen = PRESETS[preset]
    copies = replicas or chosen.replicas
    return replace(chosen, shards=shards or chosen.shards, replicas=copies, confirmed=min(2, copies))
