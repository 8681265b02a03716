import { expect, it } from 'vitest'
import { seededRandom } from '../../../lib/random.ts'
import { restoreState, savedState } from '../../../lib/state.ts'
import { ByteWriter } from '../../../lib/byte-writer.ts'
import { decodeRequisites, encodeRequisite } from './requisite-record.ts'
import { RequisiteQueue, type RequisiteEvent, type RequisiteOutcome } from './requisite-queue.ts'

const seed = Number(process.env['SEED'] ?? 1)
const outcomes: RequisiteOutcome[] = [
  {
    startMs: 1e12,
    durationMs: 5,
    status: 200,
    bytes: 10,
    contentType: 'image/png',
    warc: { thread: 1, serial: 2, offset: 3, length: 4 },
  },
  { startMs: 1e12, durationMs: 5, status: 302, bytes: 0, location: 'http://a.example/x' },
  { startMs: 1e12, durationMs: 5, status: 404, bytes: 3, error: 'http-404' },
  { startMs: 1e12, durationMs: 5, status: 0, bytes: 0, error: 'timeout' },
  { startMs: 1e12, durationMs: 0, status: 0, bytes: 0, error: 'robots' },
]

/** What waits, by host, in order. */
function waitingOf(queue: RequisiteQueue): Record<string, string[]> {
  const all: Record<string, string[]> = {}
  for (let host = 0; host < queue.hostCount; host++) {
    const urls: string[] = []
    while (queue.firstOf(host) !== undefined) {
      urls.push(queue.urlOf(queue.firstOf(host)!))
      queue.settle(host, outcomes[0])
    }
    if (urls.length > 0) all[queue.nameOf(host)] = urls
  }
  return all
}

/** The events as they are read back from a record. */
function recorded(events: readonly RequisiteEvent[]): RequisiteEvent[] {
  const bytes = new ByteWriter()
  for (const event of events) encodeRequisite(bytes, event)
  return [...decodeRequisites(bytes.view())]
}

it(`a queue restored from its events, or from a snapshot and later events, is the same (seed ${seed})`, () => {
  const random = seededRandom(seed, 1)
  const events: RequisiteEvent[] = []
  const queue = new RequisiteQueue((event) => events.push(event))
  let snapshot: { bytes: Uint8Array[]; events: number } | undefined
  for (let step = 0; step < 4000; step++) {
    const host = random.below(Math.max(1, queue.hostCount))
    if (queue.hostCount > 0 && random.below(3) === 0 && queue.firstOf(host) !== undefined)
      queue.settle(host, outcomes[random.below(outcomes.length)])
    else {
      const url = `http://${random.below(20)}.example/${random.below(300)}.png`
      queue.add({ url, page: random.below(50), depth: random.below(12) }, 2000)
    }
    if (step === 2500) snapshot = { bytes: savedState([queue]), events: events.length }
  }
  expect(recorded(events)).toEqual(events)
  const { dropped, ...counts } = queue.counts
  expect(counts.known).toBeLessThanOrEqual(2000)
  expect(dropped).toBeGreaterThan(0)
  expect(counts.fetched + counts.failed + counts.refused + counts.waiting).toBe(counts.known)
  const replayed = new RequisiteQueue()
  for (const event of recorded(events)) replayed.replay(event)
  replayed.rebuild()
  const restored = new RequisiteQueue()
  restoreState([restored], snapshot!.bytes)
  for (const event of recorded(events.slice(snapshot!.events))) restored.replay(event)
  restored.rebuild()
  for (const other of [replayed, restored]) expect(other.counts).toMatchObject(counts)
  const waiting = waitingOf(queue)
  expect(waitingOf(replayed)).toEqual(waiting)
  expect(waitingOf(restored)).toEqual(waiting)
})

it('knows each file once, and a chain of nine style sheets ends', () => {
  const queue = new RequisiteQueue()
  expect(queue.add({ url: 'http://a.example/1', page: 0, depth: 0 }, 10)).toBe(0)
  expect(queue.add({ url: 'http://a.example/1', page: 1, depth: 0 }, 10)).toBeUndefined()
  expect(queue.add({ url: 'http://a.example/2', page: 0, depth: 9 }, 10)).toBeUndefined()
  queue.settle(0, outcomes[0])
  expect(queue.add({ url: 'http://a.example/1', page: 2, depth: 0 }, 10)).toBeUndefined()
  expect(queue.counts).toMatchObject({ known: 1, fetched: 1, dropped: 1, waiting: 0 })
})

it('a requisite that failed for a temporary reason waits again after a resume, others do not', () => {
  const events: RequisiteEvent[] = []
  const queue = new RequisiteQueue((event) => events.push(event))
  outcomes.forEach((outcome, i) => {
    queue.add({ url: `http://a.example/${i}`, page: 0, depth: 0 }, 10)
    queue.settle(0, outcome)
  })
  const resumed = new RequisiteQueue((event) => events.push(event))
  for (const event of recorded(events)) resumed.replay(event)
  expect(resumed.counts).toEqual(queue.counts)
  resumed.retryFailed()
  resumed.rebuild()
  expect(resumed.counts).toMatchObject({ fetched: 2, failed: 1, refused: 1, waiting: 1 })
  expect(resumed.urlOf(resumed.firstOf(0)!)).toBe('http://a.example/3')
  resumed.settle(0, outcomes[0])
  // A later resume reads both outcomes.
  const last = new RequisiteQueue()
  for (const event of recorded(events)) last.replay(event)
  expect(last.counts).toEqual(resumed.counts)
  last.retryFailed()
  expect(last.counts).toMatchObject({ fetched: 3, waiting: 0 })
})
