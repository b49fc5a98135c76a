#!/usr/bin/env bash
# The weights of the reader and of the encoder of questions from a library and question sets; see README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
library=$1
shift
python=${PYTHON:-.venv/bin/python}
torch=${TORCH:-build/training/bin/python}
work=${WORK:-build/reader}
mkdir -p "$work"
"$python" -m training.candidates --library "$library" --out "$work/rows.jsonl" --questions "$@"
extra=()
if [[ -n ${SQUAD_DE:-} && -n ${SQUAD_EN:-} ]]; then
    "$python" -m training.squad --out "$work/squad.jsonl" --sets "de=$SQUAD_DE" "en=$SQUAD_EN"
    extra=(--extra "$work/squad.jsonl")
fi
[[ -n ${JUDGED:-} ]] && extra+=(--judged "$JUDGED")
OMP_NUM_THREADS=1 "$torch" -m training.train --rows "$work/rows.jsonl" "${extra[@]}" --kept-back "${KEPT_BACK:-0}" \
    --epochs "${EPOCHS:-4}" --out "$work/network.pt"
"$torch" -m training.export --network "$work/network.pt" --out adapters/embedding/data/reader.npz
"$python" -m training.smoothing --rows "$work/rows.jsonl" --weights adapters/embedding/data/reader.npz
"$python" -m training.passages --library "$library" --out "$work/passages.npz" --questions "$@"
OMP_NUM_THREADS=1 "$torch" -m training.questions --rows "$work/passages.npz" --kept-back "${KEPT_BACK:-0}" \
    --out "$work/questions.pt"
"$torch" -m training.export --network "$work/questions.pt" --out adapters/embedding/data/questions.npz
