/**
 * A simulated crawl rests as a real one does: a few pages are crawled over HTTP, and again in the virtual world with the durations that
 * were measured. The rests are read from what each world reported to the engine, so a busy machine changes both alike.
 */
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { crawl } from '../src/crawler/crawler.ts'
import { CrawlFolder } from '../src/crawler/record/crawl-folder.ts'
import { pageRecords } from './support/crawl-records.ts'
import { pageWith, serveSmall } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { timedCrawl } from './timed-crawl.ts'

const folder = temporaryFolder()
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

interface Visit {
  readonly page: number
  readonly tookSeconds: number
  readonly restSeconds: number
}

/** The visits of a real crawl of one site, a page a connection. */
async function realVisits(name: string, waits: Waits): Promise<Visit[]> {
  const small = await serveSmall({
    '127.9.0.1': {
      '/robots.txt': { body: `User-agent: *\nCrawl-delay: ${waits.crawlDelay}\n` },
      '/': pageWith('start', '/a', '/b'),
      '/a': { body: 'a', afterMs: 60 },
      '/b': 'b',
    },
  })
  closing.push(() => small.close())
  const out = join(folder, name)
  const { wait, waitFactor } = waits
  const options = { wait, waitFactor, waitPerAddress: 0, allowPrivate: true, threads: 1, warc: false }
  await crawl({ ...options, seeds: [small.url('127.9.0.1/')], out, strategy: 'breadth-first' }).run()
  const freeAt = new Map<number, number>()
  const record = await CrawlFolder.open(out).readRecord()
  let last = -1
  await record.replay({
    fetched: (page) => {
      last = page
    },
    closed: (_site, at) => {
      if (last >= 0) freeAt.set(last, at)
      last = -1
    },
  })
  record.close()
  const records = await pageRecords(out)
  return records.map(({ page, outcome }) => ({
    page,
    tookSeconds: outcome!.durationMs / 1000,
    restSeconds: freeAt.get(page)! - (outcome!.startMs + outcome!.durationMs) / 1000,
  }))
}

interface Waits {
  readonly wait: number
  readonly waitFactor: number
  readonly crawlDelay: number
}

/** The rest of one page of that duration in the virtual world. */
async function virtualRest(tookSeconds: number, { wait, waitFactor, crawlDelay }: Waits): Promise<number> {
  const { connections, completions } = await timedCrawl({
    lists: [[]],
    waitSeconds: wait,
    waitFactor,
    crawlDelays: Float64Array.of(crawlDelay),
    network: {
      pageBytes: Float64Array.of(0),
      latencies: Float64Array.of(tookSeconds),
      speeds: Float64Array.of(1000),
    },
  })
  return connections[0].freeAt - completions[0][1]
}

describe('both worlds rest for the same time after a download of the same duration', () => {
  it.each([
    ['wait', { wait: 0.05, waitFactor: 0, crawlDelay: 0 }],
    ['crawl-delay', { wait: 0.01, waitFactor: 1, crawlDelay: 0.2 }],
    ['wait-factor', { wait: 0.001, waitFactor: 5, crawlDelay: 0 }],
    ['crawl-delay-too-long', { wait: 0.02, waitFactor: 2, crawlDelay: 100_000 }],
  ])('%s', async (name, waits) => {
    const visits = (await realVisits(name, waits)).filter(({ restSeconds }) => !Number.isNaN(restSeconds))
    expect(visits).toHaveLength(name === 'crawl-delay-too-long' ? 1 : 3)
    for (const { tookSeconds, restSeconds } of visits) {
      // The record has whole milliseconds.
      const tolerance = 0.001 * (2 + waits.waitFactor)
      expect(Math.abs((await virtualRest(tookSeconds, waits)) - restSeconds)).toBeLessThan(tolerance)
    }
  })
})
