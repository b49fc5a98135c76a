"""Writes the tokenizer of the Universal Sentence Encoder."""

import struct
from collections.abc import Iterator
from pathlib import Path

from adapters.embedding.unigram import write_unigram

MAX_TOKENS = 1024
"""The network has no limit of its own; this one bounds a step's time."""

_UNKNOWN, _BEGIN, _END = 0, 1, 2
_PIECES, _NORMALISER, _CHARACTER_MAP = 1, 3, 2
_PIECE_TEXT, _PIECE_SCORE = 1, 2


def write_tokenizer(sentencepiece: Path, folder: Path) -> None:
    """Turn a SentencePiece Unigram model file into tokenizer.json."""
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    pieces, character_map = _read_model(sentencepiece.read_bytes())
    tokenizer = Tokenizer(models.Unigram([pieces[_UNKNOWN]], unk_id=0, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Precompiled(character_map),
            normalizers.Strip(),
            normalizers.Replace(Regex(" {2,}"), " "),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="\u2581", prepend_scheme="always")
    begin, end = pieces[_BEGIN][0], pieces[_END][0]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{begin} $A {end}", special_tokens=[(begin, _BEGIN), (end, _END)]
    )
    write_unigram(tokenizer, pieces, folder)


def _read_model(data: bytes) -> tuple[list[tuple[str, float]], bytes]:
    """Pieces with log probabilities, and the normaliser's compiled character map.

    Schema: https://github.com/google/sentencepiece/blob/master/src/sentencepiece_model.proto
    """
    pieces: list[tuple[str, float]] = []
    character_map = b""
    for field, value in _fields(data):
        if field == _PIECES:
            parts = dict(_fields(value))
            (score,) = struct.unpack("<f", parts.get(_PIECE_SCORE, bytes(4)))
            pieces.append((parts[_PIECE_TEXT].decode("utf-8"), score))
        elif field == _NORMALISER:
            character_map = dict(_fields(value)).get(_CHARACTER_MAP, b"")
    return pieces, character_map


def _fields(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Fields of a protobuf message as (number, raw value).

    Wire format: https://protobuf.dev/programming-guides/encoding/
    """
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        match tag & 7:
            case 0:
                _, end = _varint(data, at)
            case 1:
                end = at + 8
            case 2:
                length, at = _varint(data, at)
                end = at + length
            case 5:
                end = at + 4
            case kind:
                raise ValueError(f"unknown protobuf wire type {kind}")
        yield tag >> 3, data[at:end]
        at = end


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
