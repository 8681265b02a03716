import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import type { Verdict } from '../../engine/recrawl-policy.ts'
import { settingsOf } from '../options/crawl-settings.ts'
import { CrawlFolder } from '../record/crawl-folder.ts'
import { isNewVersion } from '../record/look-record.ts'
import { RecordWriter } from '../record/record-writer.ts'
import { SegmentFiles } from '../record/segment-files.ts'
import { SegmentLog } from '../record/segment-log.ts'
import { changes } from './changes.ts'

const folder = temporaryFolder()
let folders = 0
/** The first look is at this time; the others follow, a second apart. */
const beginMs = Date.UTC(2026, 0, 1)
const stepMs = 1000
const durationMs = 5
const urlOf = (page: number): string => `http://a.example/${page}`

/** `once`: fetched by a crawl that fetched every page once, so without a look; `error`: such a fetch that failed. */
interface Event {
  readonly page: number
  readonly verdict: Verdict | 'once' | 'error'
  /** True if a group of the record ends after it. */
  readonly isLast: boolean
}

const isFetch = ({ verdict }: Event): boolean => verdict === 'once' || verdict === 'error'
const isVersion = ({ verdict }: Event): boolean =>
  verdict === 'once' || (verdict !== 'error' && isNewVersion(verdict))
const isGone = ({ verdict }: Event): boolean => verdict === 'gone' || verdict === 'missing'

/** A crawl with these events, one a second. */
async function crawlOf(events: readonly Event[], pages: number): Promise<string> {
  const path = join(folder, `crawl-${folders++}`)
  const options = settingsOf({ seeds: [urlOf(0)] })
  const { log } = await CrawlFolder.create(path, { options })
  const writer = new RecordWriter(await SegmentLog.open(log, { isSynced: false }))
  writer.putSite('a.example')
  for (let page = 0; page < pages; page++)
    writer.putFound(page, { url: urlOf(page), site: 0, parent: undefined, depth: 0 })
  for (const [i, event] of events.entries()) {
    const { page, verdict } = event
    const startMs = beginMs + i * stepMs
    const response = { startMs, durationMs, status: 200 + (i % 100), bytes: 7, order: i }
    const error = verdict === 'error' ? 'http-404' : undefined
    if (isVersion(event) || isFetch(event)) writer.putOutcome(page, { ...response, score: 1, error })
    if (verdict !== 'once' && verdict !== 'error') writer.putLook(page, { ...response, verdict })
    if (!event.isLast && i < events.length - 1) continue
    vi.setSystemTime(startMs + durationMs)
    writer.closeGroup()
    await writer.commit(new Uint8Array(0), new Map(), {})
  }
  await writer.close()
  return path
}

async function listed(path: string, since?: Date): Promise<string[]> {
  const lines: string[] = []
  for await (const { change, url, at, status } of changes(path, { since }))
    lines.push(`${at} ${status} ${url} ${change}`)
  return lines
}

/** What happened to a page, from all that happened to it before. */
function naiveChange(events: readonly Event[], at: number): string | undefined {
  const event = events[at]
  const before = events.slice(0, at).filter(({ page }) => page === event.page)
  const seen = before.findLast((each) => isVersion(each) || isGone(each) || each.verdict === 'same')
  const isHeld = before.some(isVersion) && seen !== undefined && !isGone(seen)
  if (isVersion(event)) return isHeld ? 'changed' : 'new'
  return isGone(event) && isHeld ? 'gone' : undefined
}

/** Lines of the events from this one on. */
function naiveLines(events: readonly Event[], from: number): string[] {
  return events.flatMap(({ page }, i) => {
    const change = i < from ? undefined : naiveChange(events, i)
    const at = new Date(beginMs + i * stepMs + durationMs).toISOString()
    return change === undefined ? [] : [`${at} ${200 + (i % 100)} ${urlOf(page)} ${change}`]
  })
}

const verdict = fc.constantFrom<Verdict>('same', 'changed', 'gone', 'missing', 'failed', 'forbidden')
const begin = fc.constantFrom<Event['verdict']>('first', 'once', 'error')

/** The pages' events in any order; a page is looked at after it was fetched. */
const histories = fc
  .array(fc.record({ page: fc.nat(3), verdict, begin, isLast: fc.boolean() }), {
    minLength: 1,
    maxLength: 60,
  })
  .map((drawn) => {
    const held = new Set<number>()
    return drawn.map((event): Event => {
      const { page, isLast } = event
      if (held.has(page)) return { page, verdict: event.verdict, isLast }
      if (event.begin !== 'error') held.add(page)
      return { page, verdict: event.begin, isLast }
    })
  })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('the changes of a crawl', () => {
  it('are those that the whole history of each page shows, from any group on', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (events) => {
        const path = await crawlOf(events, 4)
        expect(await listed(path)).toEqual(naiveLines(events, 0))
        const ends = events.flatMap(({ isLast }, i) => (isLast ? [i + 1] : []))
        for (const from of ends.filter((_, i) => i % 3 === 0)) {
          // The groups closed later.
          const since = new Date(beginMs + (from - 1) * stepMs + durationMs + 1)
          expect(await listed(path, since)).toEqual(naiveLines(events, from))
        }
      }),
      seeded(40),
    )
  })

  it.each([
    ['from the beginning', 0],
    ['since a time', 300],
  ])('take a few reads a look, however many versions a page has, %s', async (_name, from) => {
    const looks = 1000
    const events = Array.from({ length: looks }, (_, i): Event => ({
      page: i % 2,
      verdict: i < 2 ? 'first' : i % 10 < 8 ? 'changed' : 'missing',
      isLast: i % 10 === 9,
    }))
    const path = await crawlOf(events, 2)
    const reads = vi.spyOn(SegmentFiles.prototype, 'at')
    const since = from === 0 ? undefined : new Date(beginMs + from * stepMs)
    expect(await listed(path, since)).toEqual(naiveLines(events, from))
    expect(reads.mock.calls.length).toBeLessThan(3 * looks)
  })
})
