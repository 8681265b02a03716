/** Merges segments into one, without documents that are no longer needed. One term at a time is in memory. */
import { setImmediate as turn } from 'node:timers/promises'
import { GrowingColumns, rowAt } from '../columns.ts'
import { Postings } from './postings.ts'
import { documentColumns, readPostings, writeSegment } from './segment.ts'
import type { SegmentEnd, SegmentReader, TermEntry } from './segment.ts'

const termsAtOnce = 2048
const dropped = -1

interface Source {
  readonly entries: Iterator<TermEntry>
  /** From the documents of the segment to those of the new one. */
  readonly numbers: Int32Array
  next: TermEntry | undefined
}

/** Writes a segment with the documents for which `isNeeded`. */
export async function mergeSegments(
  segments: readonly SegmentReader[],
  isNeeded: (segment: number, document: number) => boolean,
  path: string,
): Promise<SegmentEnd> {
  const documents = new GrowingColumns(documentColumns)
  const sources = segments.map((segment, i): Source => {
    const columns = segment.documents()
    const numbers = new Int32Array(segment.end.documents).fill(dropped)
    for (let document = 0; document < numbers.length; document++)
      if (isNeeded(i, document)) numbers[document] = documents.add(rowAt(columns, document))
    const entries = segment.entries()
    return { entries, numbers, next: nextOf(entries) }
  })
  const part = new Postings()
  const whole = new Postings()
  return writeSegment(path, documents, async (add) => {
    for (let done = 0; ; done++) {
      if (done % termsAtOnce === 0) await turn()
      const term = firstTerm(sources)
      if (term === undefined) return
      whole.clear()
      for (const source of sources) {
        if (source.next?.term !== term) continue
        append(readPostings(source.next, true, part), source.numbers, whole)
        source.next = nextOf(source.entries)
      }
      if (whole.count > 0) add(term, whole)
    }
  })
}

function nextOf(entries: Iterator<TermEntry>): TermEntry | undefined {
  const { done, value } = entries.next()
  return done === true ? undefined : value
}

function firstTerm(sources: readonly Source[]): string | undefined {
  let first: string | undefined
  for (const { next } of sources)
    if (next !== undefined && (first === undefined || next.term < first)) first = next.term
  return first
}

function append(part: Postings, numbers: Int32Array, whole: Postings): void {
  let at = 0
  for (let i = 0; i < part.count; i++) {
    const title = part.titleCounts.array[i]
    const text = part.textCounts.array[i]
    const document = numbers[part.documents.array[i]]
    const end = at + title + text
    if (document !== dropped) {
      whole.add(document, title, text)
      for (; at < end; at++) whole.addPosition(part.positions.array[at])
    }
    at = end
  }
}
