"""The reader as a PyTorch module over the packaged encoder's weights: question and text read together.

The first token and the mean of all go into a small head whose output is the score; 0 is the score of
"none of them". Inputs are one row of tokens per pair, question first; `parts` says which of the two a token
belongs to.
"""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from adapters.embedding.e5_file import BLOCK, E5Model

FROZEN = 4
"""Lowest layers that stay as they are."""

DROPPED = 0.1
"""Share of what the reader's trained layers say that is left out while it learns."""

JOINED = 6
"""Layers below what tells question from text."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of token ids, padded with 1; `mask` and `parts` have the same shape (pairs, tokens)."""

    ids: NDArray[np.int64]
    mask: Tensor
    parts: Tensor

    @classmethod
    def of(cls, pairs: list[tuple[list[int], list[int]]]) -> "Batch":
        """Pairs of tokens of question and text, each with its special tokens."""
        longest = max(len(one) + len(other) for one, other in pairs)
        ids = np.ones((len(pairs), longest), np.int64)
        mask, parts = torch.zeros(len(pairs), longest), torch.zeros(len(pairs), longest, dtype=torch.long)
        for row, (one, other) in enumerate(pairs):
            ids[row, : len(one) + len(other)] = one + other
            mask[row, : len(one) + len(other)] = 1
            parts[row, len(one) :] = 1
        return cls(ids, mask, parts)


class Layer(nn.Module):
    """One post-norm transformer layer; `parts` of its name are those of the packaged file."""

    dropped = 0.0

    def __init__(self, model: E5Model, number: int) -> None:
        super().__init__()
        self.heads = model.heads
        for name in ("q", "k", "v", "ao", "fi", "fo"):
            setattr(self, name, _linear(model, f"l{number}.{name}"))
        for name in ("aln", "oln"):
            setattr(self, name, _norm(model, f"l{number}.{name}"))

    def forward(self, hidden: Tensor, mask: Tensor) -> Tensor:
        """Attention over the row, then the feed-forward part."""
        rows, tokens, width = hidden.shape
        split = (rows, tokens, self.heads, width // self.heads)
        parts = [part(hidden).view(split).transpose(1, 2) for part in (self.q, self.k, self.v)]
        context = functional.scaled_dot_product_attention(*parts, attn_mask=mask)
        hidden = self.aln(hidden + self._left(self.ao(context.transpose(1, 2).reshape(rows, tokens, width))))
        normed: Tensor = self.oln(hidden + self._left(self.fo(functional.gelu(self.fi(hidden)))))
        return normed

    def _left(self, said: Tensor) -> Tensor:
        return functional.dropout(said, self.dropped, self.training)


class Encoder(nn.Module):
    """The packaged encoder. Embeddings and the lowest `frozen` layers stay as they are."""

    def __init__(self, model: E5Model, frozen: int) -> None:
        super().__init__()
        self.frozen = frozen
        self.words = model.matrices["emb.word"]
        positions = (
            model.floats["emb.pos"].reshape(-1, model.hidden) + model.floats["emb.type"][: model.hidden]
        )
        self.register_buffer("positions", torch.from_numpy(positions.copy()), persistent=False)
        self.first = _norm(model, "emb.ln")
        self.layers = nn.ModuleList(Layer(model, number) for number in range(model.layers))
        for module in (self.first, *self.layers[:frozen]):
            module.requires_grad_(False)

    @property
    def device(self) -> torch.device:
        """Where it computes."""
        return self.first.weight.device

    def lower(self, batch: Batch, mask: Tensor) -> Tensor:
        """What the layers that stay make of the tokens."""
        with torch.no_grad():
            hidden = self.first(self._embedded(batch.ids) + self.positions[: batch.ids.shape[1]])
            for layer in self.layers[: self.frozen]:
                hidden = layer(hidden, mask)
        return hidden

    def _embedded(self, ids: NDArray[np.int64]) -> Tensor:
        known, place = np.unique(ids, return_inverse=True)
        values = self.words.values[known].astype(np.float32) - 8.0
        rows = torch.from_numpy(values * np.repeat(self.words.scales[known], BLOCK, axis=1))
        at = torch.from_numpy(place.reshape(ids.shape))
        return rows.to(self.device)[at.to(self.device)]


class Network(Encoder):
    """The whole reader."""

    def __init__(self, model: E5Model, frozen: int) -> None:
        super().__init__(model, frozen)
        for layer in self.layers[frozen:]:
            layer.dropped = DROPPED
        self.part = nn.Parameter(torch.zeros(2, model.hidden))
        self.inner = nn.Linear(2 * model.hidden, model.hidden)
        self.outer = nn.Linear(model.hidden, 1)

    def forward(self, batch: Batch) -> Tensor:
        """A score per row."""
        present = batch.mask.to(self.device)
        mask = present[:, None, None, :].bool()
        hidden = self.lower(batch, mask)
        for layer in self.layers[self.frozen : JOINED]:
            hidden = layer(hidden, mask)
        hidden = hidden + self.part[batch.parts.to(self.device)]
        for layer in self.layers[JOINED:]:
            hidden = layer(hidden, mask)
        mean = (hidden * present[..., None]).sum(1) / present.sum(1, keepdim=True)
        score: Tensor = self.outer(torch.tanh(self.inner(torch.cat([hidden[:, 0], mean], 1)))).squeeze(-1)
        return score.float()


def is_head(name: str) -> bool:
    """Whether a tensor of the reader is one that the encoder does not have."""
    return name.partition(".")[0] in ("part", "inner", "outer")


def _linear(model: E5Model, name: str) -> nn.Linear:
    weight = torch.from_numpy(model.matrices[f"{name}.w"].dense().copy())
    layer = nn.Linear(weight.shape[1], weight.shape[0])
    layer.weight.data, layer.bias.data = weight, torch.from_numpy(model.floats[f"{name}.b"].copy())
    return layer


def _norm(model: E5Model, name: str) -> nn.LayerNorm:
    norm = nn.LayerNorm(model.hidden, eps=model.epsilon)
    norm.weight.data = torch.from_numpy(model.floats[f"{name}.w"].copy())
    norm.bias.data = torch.from_numpy(model.floats[f"{name}.b"].copy())
    return norm
