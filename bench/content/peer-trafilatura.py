"""Trafilatura on the annotated pages of WCXB, with the score of its authors: F1 by page type, and CPU time per page.

    brotli -dc ../shared/data/content/wcxb-dev.jsonl.br | python bench/content/peer-trafilatura.py [every]

`every` takes each n-th page only. Needs the package trafilatura.
"""
import collections
import json
import re
import sys
import time

import trafilatura


def f1(found, expected):
    one = collections.Counter(re.findall(r"\w+", found.lower()))
    other = collections.Counter(re.findall(r"\w+", expected.lower()))
    if not one and not other:
        return 1.0
    hits = sum((one & other).values())
    return 2 * hits / (sum(one.values()) + sum(other.values()))


def main():
    every = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    scores = collections.defaultdict(list)
    seconds = 0.0
    for number, line in enumerate(sys.stdin):
        if number % every:
            continue
        page = json.loads(line)
        start = time.process_time()
        try:
            text = trafilatura.extract(page["html"], url=page["url"] or None) or ""
        except Exception:
            text = ""
        seconds += time.process_time() - start
        scores[page["type"]].append(f1(text, page["content"]))
    everything = [score for each in scores.values() for score in each]
    for name, each in sorted(scores.items()) + [("all", everything)]:
        print(f"{name:15} {len(each):5} {sum(each) / len(each):.3f}")
    print(f"{1000 * seconds / len(everything):.1f} ms of CPU per page")


main()
