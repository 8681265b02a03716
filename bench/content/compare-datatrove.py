"""Compares the quality numbers of `rankward dataset` with datatrove's, on texts and words written by the benchmark `content`.

    npm run bench -- content --pages 1000 --web uci-ics --quality-texts texts.jsonl
    python bench/content/compare-datatrove.py texts.jsonl

Both get the same words and sentences, so that formulas and limits are compared, not tokenizers. Needs the packages datatrove and numpy.
"""
import json
import sys

import datatrove.pipeline.filters.c4_filters as c4
import datatrove.pipeline.filters.fineweb_quality_filter as fineweb
import datatrove.pipeline.filters.gopher_quality_filter as gopher
import datatrove.pipeline.filters.gopher_repetition_filter as repetition
from datatrove.data import Document

current = {}
for module in (gopher, repetition, fineweb):
    module.split_into_words = lambda text, language=None: current["words"]
c4.split_into_sentences = lambda text, language=None: [""] * current["sentences"].get(text, 1)

filters = {
    "gopher": gopher.GopherQualityFilter(),
    "gopher-repetition": repetition.GopherRepetitionFilter(),
    "c4": c4.C4QualityFilter(),
    "fineweb": fineweb.FineWebQualityFilter(),
}
same = {name: 0 for name in filters}
total = 0
for line in open(sys.argv[1]):
    page = json.loads(line)
    current = page
    total += 1
    for name, each in filters.items():
        verdict = each.filter(Document(text=page["text"], id=""))
        reason = verdict[1] if isinstance(verdict, tuple) else (None if verdict else "failed")
        if reason == page["failures"].get(name):
            same[name] += 1
        else:
            print(name, page["url"], "datatrove:", reason, "rankward:", page["failures"].get(name))
print(f"{total} texts; the same verdict and reason:", same)
