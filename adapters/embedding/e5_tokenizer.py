"""Writes the tokenizer of multilingual-e5-small."""

from pathlib import Path

from adapters.embedding.e5_file import UnigramVocabulary
from adapters.embedding.unigram import write_unigram

MAX_TOKENS = 512

# The SentencePiece normaliser of XLM-RoBERTa: NFKC but for these, which vanish or become a space.
# Soft hyphens stay.
_DROPPED = "[\x01-\x08\x0b\x0e-\x1f\x7f\x8f\x9f]"
_SPACES = "[\t\n\x0c\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]"


def write_tokenizer(vocabulary: UnigramVocabulary, folder: Path) -> None:
    """Write tokenizer.json."""
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    pieces = list(zip(vocabulary.pieces, vocabulary.scores, strict=True))
    tokenizer = Tokenizer(models.Unigram([pieces[vocabulary.unk]], unk_id=0, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Replace(Regex(_DROPPED), ""),
            normalizers.Replace(Regex(_SPACES), " "),
            normalizers.NFKC(),
            normalizers.Replace(Regex(" {2,}"), " "),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="\u2581", prepend_scheme="always")
    bos, eos = (vocabulary.pieces[i] for i in (vocabulary.bos, vocabulary.eos))
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{bos} $A {eos}", special_tokens=[(bos, vocabulary.bos), (eos, vocabulary.eos)]
    )
    write_unigram(tokenizer, pieces, folder)
