import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { FactWriter } from '../../engine/fact-writer.ts'
import { verdicts } from '../../engine/recrawl-policy.ts'
import { noSite } from '../../engine/world.ts'
import { restoreState, savedState } from '../../lib/state.ts'
import { CrawlRecord } from './crawl-record.ts'
import type { FoundRecord } from './found-record.ts'
import type { LookRecord } from './look-record.ts'
import type { OutcomeRecord, WarcPlace } from './outcome-record.ts'
import { RecordIndex } from './record-index.ts'
import { RecordWriter } from './record-writer.ts'
import { SegmentFiles } from './segment-files.ts'
import { SegmentLog } from './segment-log.ts'

const folder = temporaryFolder()
let folders = 0
const newFolder = (): string => join(folder, `record-${folders++}`)

const word = fc.nat({ max: 0xffffffff })
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('text/html', 'robots', 'http-404'),
)
const optional = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined })
const words = (length: number): fc.Arbitrary<Uint32Array> =>
  fc.array(word, { minLength: length, maxLength: length }).map((list) => Uint32Array.from(list))

const outcomes: fc.Arbitrary<OutcomeRecord> = fc.record({
  startMs: fc.nat({ max: 2 ** 45 }),
  durationMs: fc.nat(),
  status: fc.nat({ max: 999 }),
  score: fc.double({ noNaN: true }),
  order: fc.nat(),
  bytes: fc.nat({ max: 2 ** 40 }),
  attempts: optional(fc.integer({ min: 2 })),
  contentType: optional(text),
  title: optional(text),
  error: optional(text),
  failureText: optional(text),
  truncated: optional(fc.constantFrom('length', 'time', 'disconnect', 'unspecified')),
  miscoded: optional(fc.constantFrom('not-coded', 'damaged', 'still-coded')),
  noindex: optional(fc.constant(true)),
  canonical: optional(fc.webUrl()),
  location: optional(fc.webUrl()),
  etag: optional(text),
  lastModified: optional(
    fc.oneof(
      text,
      fc.constantFrom('Sun, 06 Nov 1994 08:49:37 GMT', 'Thu, 01 Jan 1970 00:00:00 GMT', 'sun, 6 nov 94'),
    ),
  ),
  duplicateOf: optional(word),
  sameText: optional(fc.constant(true)),
  nearDuplicateOf: optional(word),
  similarity: optional(fc.double({ noNaN: true })),
  sketch: optional(words(10)),
  relevance: optional(fc.double({ noNaN: true })),
  hot: optional(fc.constant(true)),
  links: optional(fc.nat()),
  outside: optional(fc.integer({ min: 1 })),
  tooDeep: optional(fc.integer({ min: 1 })),
  shape: optional(word),
  prints: optional(words(4)),
  warc: optional(
    fc.record({
      thread: fc.nat({ max: 64 }),
      serial: fc.nat(),
      offset: fc.nat({ max: 2 ** 40 }),
      length: fc.nat({ max: 2 ** 32 }),
      id: fc.oneof(fc.uuid(), fc.string()),
    }),
  ),
})

const sites = ['example.org', 'example.org:8080', '[::1]:81', 'xn--bcher-kva.example']
const urls = fc
  .tuple(
    fc.constantFrom('http', 'https'),
    fc.nat({ max: sites.length - 1 }),
    fc.webPath(),
    fc.nat({ max: 300 }),
  )
  .map(([scheme, site, path, depth]): FoundRecord => ({
    url: `${scheme}://${sites[site]}${path || '/'}`,
    site,
    parent: undefined,
    depth: Math.min(depth, 255),
  }))

const writerIn = async (path: string): Promise<RecordWriter> => new RecordWriter(await SegmentLog.open(path))

const defined = (record: object): object =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))

describe('the record of a crawl', () => {
  it('gives back every page and outcome as it was put, before and after it is durable', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(urls, optional(outcomes)), { maxLength: 30 }),
        fc.nat({ max: 4 }),
        async (pages, perGroup) => {
          const path = newFolder()
          const writer = await writerIn(path)
          sites.forEach((name) => writer.putSite(name))
          for (const [page, [found, outcome]] of pages.entries()) {
            const parent = page === 0 ? undefined : page - 1
            writer.putFound(page, { ...found, parent })
            if (outcome !== undefined) writer.putOutcome(page, outcome)
            if (perGroup > 0 && page % perGroup === 0) {
              writer.closeGroup()
              const end = { serial: 1, length: page, indexBytes: 2 * page, finished: [] }
              await writer.commit(new Uint8Array(0), new Map([[0, end]]), { page })
            }
            expect(writer.found(page)).toEqual({ ...found, parent })
            expect(defined(writer.outcome(page) ?? {})).toEqual(defined(outcome ?? {}))
          }
          writer.closeGroup()
          await writer.commit(new Uint8Array(0), new Map(), { pages: pages.length })
          await writer.close()
          const record = await CrawlRecord.open(path)
          expect(record.known).toBe(pages.length)
          expect(record.siteNames).toEqual(sites)
          expect(record.counts).toEqual({ pages: pages.length })
          const read = [...record.pages()]
          expect(read.map(([found]) => found.url)).toEqual(pages.map(([found]) => found.url))
          expect(read.map(([, outcome]) => defined(outcome ?? {}))).toEqual(
            pages.map(([, outcome]) => defined(outcome ?? {})),
          )
          record.close()
        },
      ),
      seeded(60),
    )
  })

  it('keeps all outcomes that a page ever had, the newest first', async () => {
    const path = newFolder()
    const writer = await writerIn(path)
    writer.putSite('a.example')
    for (let page = 0; page < 3; page++)
      writer.putFound(page, { url: `http://a.example/${page}`, site: 0, parent: undefined, depth: 0 })
    const outcome = (at: number): OutcomeRecord => ({
      startMs: at,
      durationMs: 1,
      status: 200,
      score: 0.5,
      order: at,
      bytes: 10,
    })
    for (let round = 0; round < 4; round++) {
      for (let page = 0; page < 3; page++) if (page !== 1) writer.putOutcome(page, outcome(10 * round + page))
      writer.closeGroup()
      await writer.commit(new Uint8Array(0), new Map(), {})
    }
    await writer.close()
    const record = await CrawlRecord.open(path)
    expect([...record.versions(2)].map(({ startMs }) => startMs)).toEqual([32, 22, 12, 2])
    expect([...record.versions(1)]).toEqual([])
    expect([...record.outcomes()].map(([page, { startMs }]) => [page, startMs])).toEqual([
      [0, 30],
      [2, 32],
    ])
    record.close()
  })

  it('keeps all looks at a page, the newest first, however they are spread over groups', async () => {
    const path = newFolder()
    let writer = await writerIn(path)
    writer.putSite('a.example')
    for (let page = 0; page < 3; page++)
      writer.putFound(page, { url: `http://a.example/${page}`, site: 0, parent: undefined, depth: 0 })
    const look = (startMs: number): LookRecord => ({
      verdict: verdicts[startMs % verdicts.length],
      startMs,
      durationMs: 1,
      status: 200,
      bytes: 10,
      order: startMs,
      ...(startMs % 2 === 0 ? { etag: `"${startMs}"`, conditional: true } : { error: 'timeout' }),
    })
    const put: LookRecord[] = []
    for (let round = 0; round < 6; round++) {
      // Several looks in one group, or none.
      for (let times = 0; times < round % 3; times++) {
        put.unshift(look(put.length))
        writer.putLook(2, put[0])
        writer.putLook(0, put[0])
        expect(writer.lastLook(2)).toEqual(put[0])
      }
      writer.closeGroup()
      await writer.commit(new Uint8Array(0), new Map(), {})
      expect(writer.lastLook(2)).toEqual(put[0])
      if (round !== 3) continue
      // The index is restored from a snapshot, and the log is continued in another segment.
      const saved = savedState([writer.index])
      await writer.close()
      const index = new RecordIndex()
      restoreState([index], saved)
      writer = new RecordWriter(await SegmentLog.open(path), index)
    }
    await writer.close()
    const record = await CrawlRecord.open(path)
    expect([...record.looks(2)]).toEqual(put)
    expect([...record.looks(0)]).toEqual(put)
    expect([...record.looks(1)]).toEqual([])
    const inOrder: LookRecord[] = []
    for await (const [page, each] of record.allLooks()) if (page === 2) inOrder.push(each)
    expect(inOrder).toEqual(put.toReversed())
    record.close()
  })

  it('adds the place in the archive to a look, and to the version that it found', async () => {
    const writer = await writerIn(newFolder())
    writer.putSite('a.example')
    writer.putFound(0, { url: 'http://a.example/', site: 0, parent: undefined, depth: 0 })
    const time = { startMs: 1, durationMs: 1, status: 200, bytes: 10, order: 1 }
    const warc = (offset: number): WarcPlace => ({ thread: 0, serial: 0, offset, length: 5, id: 'id' })
    writer.putOutcome(0, { ...time, score: 1 })
    writer.putLook(0, { ...time, verdict: 'changed' })
    writer.complete(0, warc(1))
    writer.closeGroup()
    writer.putLook(0, { ...time, verdict: 'same' })
    writer.complete(0, warc(2))
    await writer.commit(new Uint8Array(0), new Map(), {})
    expect(writer.outcome(0)?.warc).toEqual(warc(1))
    expect(writer.record.lastLook(0)?.warc).toEqual(warc(1))
    expect(writer.lastLook(0)?.warc).toEqual(warc(2))
    await writer.close()
  })

  it('of a crawl that was killed before its first group is empty and readable', async () => {
    const missing = await CrawlRecord.open(newFolder())
    expect(missing.known).toBe(0)
    expect([...missing.pages()]).toEqual([])
    await missing.replay({ seed: () => expect.unreachable() })
    const path = newFolder()
    const log = await SegmentLog.open(path)
    await log.close()
    expect((await CrawlRecord.open(path)).groups).toBe(0)
  })

  it('shows later groups to a reader that refreshes, and the old state to one that does not', async () => {
    const path = newFolder()
    const writer = await writerIn(path)
    const old = await CrawlRecord.open(path)
    const facts = new FactWriter()
    for (let page = 0; page < 20; page++) {
      if (page === 0) writer.putSite('a.example')
      writer.putFound(page, { url: `http://a.example/${page}`, site: 0, parent: undefined, depth: 0 })
      facts.seed(0)
      writer.closeGroup()
      await writer.commit(facts.takeBytes(), new Map(), { page })
      if (page === 9) await old.refresh()
    }
    expect(old.known).toBe(10)
    let seeds = 0
    await old.replay({ seed: () => seeds++ })
    expect(seeds).toBe(10)
    expect(old.found(9).url).toBe('http://a.example/9')
    await old.refresh()
    expect(old.known).toBe(20)
    await writer.close()
  })

  it('keeps robots.txt files, the outside page, settings and word tables', async () => {
    const path = newFolder()
    const writer = await writerIn(path)
    writer.putFound(0, { url: 'outside:', site: noSite, parent: undefined, depth: 255 })
    writer.writeRobots('http://a.example', { at: 5, status: 200, text: 'User-agent: *\nDisallow: /\u00ff' })
    writer.replace('words', (into) => into.raw(Uint8Array.of(9)))
    // In the same group: the last one counts.
    writer.replace('words', (into) => into.raw(Uint8Array.of(1, 2, 3)))
    writer.putSettings({ wait: 1 })
    writer.closeGroup()
    await writer.commit(new Uint8Array(0), new Map(), {})
    writer.putSettings({ wait: 2 })
    // In the same group: both count.
    writer.putSettings({ wait: 3 })
    writer.closeGroup()
    await writer.commit(new Uint8Array(0), new Map(), {})
    await writer.close()
    const record = await CrawlRecord.open(path)
    expect(record.found(0)).toEqual({ url: 'outside:', site: noSite, parent: undefined, depth: 255 })
    expect(record.robots('http://a.example')?.text).toBe('User-agent: *\nDisallow: /\u00ff')
    expect(record.robots('http://b.example')).toBeUndefined()
    expect(record.newest('words')).toEqual(Uint8Array.of(1, 2, 3))
    expect(record.settings.map(({ group, settings }) => [group, settings])).toEqual([
      [1, { wait: 1 }],
      [2, { wait: 2 }],
      [2, { wait: 3 }],
    ])
  })

  it('never gives a wrong URL or outcome where bytes are damaged after it was opened', async () => {
    const path = newFolder()
    const writer = await writerIn(path)
    writer.putSite('a.example')
    for (let page = 0; page < 20; page++) {
      writer.putFound(page, { url: `http://a.example/page-${page}`, site: 0, parent: undefined, depth: 0 })
      writer.putOutcome(page, {
        startMs: page,
        durationMs: 1,
        status: 200,
        score: 0.5,
        order: page,
        bytes: 10,
        title: `Page ${page}`,
      })
    }
    writer.closeGroup()
    await writer.commit(new Uint8Array(0), new Map(), {})
    await writer.close()
    const file = new SegmentFiles(path).path(1)
    const bytes = readFileSync(file)
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const record = await CrawlRecord.open(path)
        const changed = Buffer.from(bytes)
        changed[at % bytes.length] ^= flip
        writeFileSync(file, changed)
        try {
          for (let page = 0; page < 20; page++) {
            try {
              expect(record.found(page).url).toBe(`http://a.example/page-${page}`)
              expect(record.outcome(page)?.title).toBe(`Page ${page}`)
            } catch (error) {
              if ((error as { code?: string }).code !== 'FILE_UNREADABLE') throw error
            }
          }
        } finally {
          writeFileSync(file, bytes)
          record.close()
        }
      }),
      seeded(200),
    )
  })
})
