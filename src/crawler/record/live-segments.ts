/** Which segments of a log count, and which of their groups. */
import type { SegmentHeader } from './segment.ts'

interface LiveSegment extends SegmentHeader {
  /** The number of the first group that does not count. */
  readonly end: number
}

/** Segments with groups that count. Groups of a segment from the first group of a later one on are void. */
export function liveSegments(headers: readonly SegmentHeader[]): LiveSegment[] {
  const live: LiveSegment[] = []
  let end = Infinity
  for (const header of headers.toReversed()) {
    if (header.first >= end) continue
    live.push({ ...header, end })
    end = header.first
  }
  return live.toReversed()
}

/**
 * Without the packed segments of a compaction that was killed before it put the first one into place: the others refer
 * to it.
 */
export function inPlace(headers: readonly SegmentHeader[]): SegmentHeader[] {
  const kept: SegmentHeader[] = []
  for (const header of headers) {
    const before = kept.at(-1)
    const isNext =
      before?.isPacked === true && before.writer === header.writer && before.segment === header.segment - 1
    if (!header.isPacked || header.first === 1 || isNext) kept.push(header)
  }
  return kept
}
