"""Writes the tokenizer files of multilingual-e5-small in the form that fastembed loads."""

import json
from pathlib import Path

from adapters.embedding.e5_file import UnigramVocabulary

MAX_TOKENS = 512

# The SentencePiece normaliser of XLM-RoBERTa: NFKC but for these, which vanish or become a space.
# Soft hyphens stay.
_DROPPED = "[\x01-\x08\x0b\x0e-\x1f\x7f\x8f\x9f]"
_SPACES = "[\t\n\x0c\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]"


def write_tokenizer(vocabulary: UnigramVocabulary, folder: Path) -> None:
    """Write tokenizer.json, tokenizer_config.json, special_tokens_map.json and config.json."""
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    pieces = list(zip(vocabulary.pieces, vocabulary.scores, strict=True))
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=vocabulary.unk, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Replace(Regex(_DROPPED), ""),
            normalizers.Replace(Regex(_SPACES), " "),
            normalizers.NFKC(),
            normalizers.Replace(Regex(" {2,}"), " "),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="\u2581", prepend_scheme="always")
    bos, eos, pad = (vocabulary.pieces[i] for i in (vocabulary.bos, vocabulary.eos, vocabulary.pad))
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{bos} $A {eos}", special_tokens=[(bos, vocabulary.bos), (eos, vocabulary.eos)]
    )
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    _write_json(folder / "tokenizer_config.json", {"model_max_length": MAX_TOKENS, "pad_token": pad})
    _write_json(folder / "special_tokens_map.json", {})
    _write_json(folder / "config.json", {"pad_token_id": vocabulary.pad})


def _write_json(path: Path, values: dict[str, object]) -> None:
    path.write_text(json.dumps(values), encoding="utf-8")
