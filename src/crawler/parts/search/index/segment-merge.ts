/** Merges segments into one, without documents that are no longer needed. One term at a time is in memory. */
import type { FileEnd } from './index-file.ts'
import { setImmediate as turn } from 'node:timers/promises'
import { documentRow, GrowingDocuments } from './documents.ts'
import { Postings } from './postings.ts'
import type { SegmentReader, TermEntry } from './segment-reader.ts'
import { SegmentWriter } from './segment-writer.ts'

const termsAtOnce = 2048
const dropped = -1

interface Source {
  readonly segment: SegmentReader
  readonly entries: Iterator<TermEntry>
  /** From the documents of the segment to those of the new one. */
  readonly numbers: Int32Array
  next: TermEntry | undefined
}

/** Writes a segment with the documents for which `isNeeded`; returns its length. */
export async function mergeSegments(
  segments: readonly SegmentReader[],
  isNeeded: (segment: number, document: number) => boolean,
  path: string,
): Promise<FileEnd> {
  const documents = new GrowingDocuments()
  const sources = segments.map((segment, i): Source => {
    const numbers = new Int32Array(segment.documents.count).fill(dropped)
    for (let document = 0; document < numbers.length; document++) {
      if (isNeeded(i, document)) numbers[document] = documents.add(documentRow(segment.documents, document))
    }
    const entries = segment.entries()
    return { segment, entries, numbers, next: nextOf(entries) }
  })
  const writer = new SegmentWriter(path, documents.view())
  try {
    const part = new Postings()
    const whole = new Postings()
    for (let done = 0; ; done++) {
      if (done % termsAtOnce === 0) await turn()
      const term = firstTerm(sources)
      if (term === undefined) return writer.finish()
      whole.clear()
      for (const source of sources) {
        const { segment, entries, numbers, next } = source
        if (next === undefined || !next.term.equals(term)) continue
        segment.read(next, true, part)
        append(part, numbers, whole)
        source.next = nextOf(entries)
      }
      if (whole.count > 0) writer.add(term, whole)
    }
  } catch (error) {
    writer.abandon()
    throw error
  }
}

function nextOf(entries: Iterator<TermEntry>): TermEntry | undefined {
  const { done, value } = entries.next()
  return done === true ? undefined : value
}

function firstTerm(sources: readonly Source[]): Buffer | undefined {
  let first: Buffer | undefined
  for (const { next } of sources)
    if (next !== undefined && (first === undefined || next.term.compare(first) < 0)) first = next.term
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
