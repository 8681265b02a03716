/**
 * A crawl that is resumed from a snapshot and the groups after it has the state of one that is replayed whole, byte for byte, whatever the
 * strategy and the frontier. A snapshot that cannot be used costs time and nothing else.
 */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openState, statefulParts, type RecordedState } from '../src/crawler/session/crawl-state.ts'
import { CrawlSession } from '../src/crawler/session/session.ts'
import { resumeCrawl } from '../src/crawler/crawler.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { savedState, type Stateful } from '../src/lib/state.ts'
import type { CrawlOptions } from '../src/crawler/options/crawl-options.ts'
import { settingsOf } from '../src/crawler/options/crawl-settings.ts'
import { CrawlFolder } from '../src/crawler/record/crawl-folder.ts'
import { newCounts } from '../src/crawler/record/tally.ts'
import { type ServedWeb, serveWeb } from '../src/webgraph/served/served-web.ts'
import { fetchedUrls } from './support/crawl-records.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const web = syntheticGraph({ pages: 600, sites: 12, seed: 5, linksPerPage: 8 })
let served: ServedWeb
let count = 0

beforeAll(async () => {
  served = await serveWeb(web, { keepAccesses: false, latencyMs: 45 })
})
afterAll(() => served.close())

/** Runs a crawl with a snapshot every few groups; returns its folder. */
async function crawled(options: Partial<CrawlOptions>): Promise<string> {
  const out = join(folder, String(count++))
  const seeds = [served.urlOf(bestSeed(web.graph).seed)]
  const settings = settingsOf({
    seeds,
    out,
    scope: 'any',
    wait: 0,
    allowPrivate: true,
    connections: 6,
    threads: 1,
    pages: 250,
    ...options,
  })
  const opened = await CrawlFolder.create(out, { options: settings })
  const session = new CrawlSession({
    folder: opened,
    settings,
    isResumed: false,
    stream: undefined,
    onEvent: undefined,
    snapshotBytes: 1,
  })
  await session.run()
  return out
}

async function opened(out: string): Promise<RecordedState> {
  const crawl = CrawlFolder.open(out)
  const state = await openState({
    folder: crawl,
    settings: crawl.file.options,
    counts: newCounts(),
    onTaken: () => {},
    onOutOfReach: () => {},
  })
  await state.log.close()
  return state
}

const bytesOf = (state: RecordedState): Buffer =>
  Buffer.concat(savedState([...statefulParts(state), state.record.index]))

/** The parts in which two states differ, by name. */
function differences(one: RecordedState, other: RecordedState): string[] {
  const partsOf = (state: RecordedState): Stateful[] => [...statefulParts(state), state.record.index]
  return partsOf(one).flatMap((part, i) => {
    const bytes = Buffer.concat(savedState([part]))
    return bytes.equals(Buffer.concat(savedState([partsOf(other)[i]]))) ? [] : [part.constructor.name]
  })
}

const snapshotsOf = (out: string): string[] =>
  readdirSync(join(out, 'record', 'snapshots'))
    .toSorted()
    .map((name) => join(out, 'record', 'snapshots', name))

/** A copy of the crawl, to be damaged. */
function copyOf(out: string): string {
  const copy = join(folder, String(count++))
  cpSync(out, copy, { recursive: true })
  return copy
}

describe('a state restored from a snapshot and the groups after it is that of a full replay', () => {
  it.each<Pick<CrawlOptions, 'strategy' | 'frontier' | 'topic'>>([
    { strategy: 'exact-rankmass', frontier: 'two-level' },
    { strategy: 'rankmass', frontier: 'mercator' },
    { strategy: 'windowed-rankmass', frontier: 'two-level' },
    { strategy: 'opic', frontier: 'webbase' },
    { strategy: 'pagerank', frontier: 'two-level' },
    { strategy: 'larger-sites-first', frontier: 'two-level' },
    { strategy: 'random', frontier: 'mercator' },
    { strategy: 'learned-topic', frontier: 'two-level', topic: 'solar energy' },
  ])('$strategy, $frontier', async (options) => {
    const out = await crawled(options)
    const snapshots = snapshotsOf(out)
    expect(snapshots.length).toBeGreaterThan(0)
    const restored = await opened(out)
    expect(restored.restoredFrom).toBeGreaterThan(0)
    const replayed = copyOf(out)
    for (const path of snapshotsOf(replayed)) rmSync(path)
    const whole = await opened(replayed)
    expect(whole.restoredFrom).toBe(0)
    // Both have claimed a segment of their own; the index of the record does not depend on it.
    expect(differences(restored, whole)).toEqual([])
  })
})

describe('a snapshot that cannot be used', () => {
  let out: string
  beforeAll(async () => {
    // Latency bounds its speed: it takes at least seven groups, with a snapshot after most of them.
    out = await crawled({ strategy: 'opic', pages: 500 })
  })

  const damages: { what: string; damage: (path: string) => void }[] = [
    { what: 'is torn', damage: (path) => writeFileSync(path, readFileSync(path).subarray(0, 5000)) },
    {
      what: 'is damaged',
      damage(path) {
        const bytes = readFileSync(path)
        bytes[bytes.length >> 1] ^= 1
        writeFileSync(path, bytes)
      },
    },
    { what: 'is empty', damage: (path) => writeFileSync(path, '') },
  ]

  it.each(damages)(
    'because it $what is passed over for the one before it, and then for the log',
    async ({ damage }) => {
      const expected = bytesOf(await opened(copyOf(out)))
      const one = copyOf(out)
      const snapshots = snapshotsOf(one)
      expect(snapshots.length).toBe(2)
      const [older, newest] = snapshots
      damage(newest)
      const fallback = await opened(one)
      expect(String(fallback.restoredFrom).padStart(10, '0')).toBe(older.match(/\d{10}/)![0])
      expect(bytesOf(fallback).equals(expected)).toBe(true)
      damage(older)
      const whole = await opened(one)
      expect(whole.restoredFrom).toBe(0)
      expect(bytesOf(whole).equals(expected)).toBe(true)
    },
  )

  it('because it is that of another crawl is passed over', async () => {
    const other = await crawled({ strategy: 'opic' })
    const mixed = copyOf(out)
    for (const path of snapshotsOf(mixed)) rmSync(path)
    for (const path of snapshotsOf(other))
      cpSync(path, join(mixed, 'record', 'snapshots', path.split('/').at(-1)!))
    expect((await opened(mixed)).restoredFrom).toBe(0)
  })

  it('does not keep a crawl from going on to its end, each page once', async () => {
    const copy = copyOf(out)
    damages[1].damage(snapshotsOf(copy).at(-1)!)
    const before = new Set(await fetchedUrls(copy))
    const totals = await resumeCrawl({ out: copy, pages: 560 }).run()
    expect(totals.pages).toBe(560)
    const after = await fetchedUrls(copy)
    expect(new Set(after).size).toBe(after.length)
    expect(after.length).toBeGreaterThan(before.size)
  })
})
