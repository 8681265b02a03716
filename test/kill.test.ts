/**
 * kill -9 at any moment loses no recorded page: not from the record, not from the archive, and none of them is
 * fetched again. What the crawl did is counted at the server. `FULL=1` kills 50 times, 20 otherwise.
 */
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../src/lib/random.ts'
import { captures } from './support/archive-check.ts'
import { expectEnd, KilledCrawl } from './support/killed-crawl.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const killSeed = Number(process.env['SEED'] ?? 1)

describe('a crawl that is killed', () => {
  const kills = process.env['FULL'] === undefined ? 20 : 50
  const crawled = new KilledCrawl(join(folder, 'fifty'), 2500, { warcBytesMax: 60_000, threads: 1 })
  beforeAll(() => crawled.open(40))
  afterAll(() => crawled.close())

  it(`${kills} times, at moments drawn with seed ${killSeed}, ends as if it had not been`, async () => {
    const random = seededRandom(killSeed, 9)
    for (let kill = 0; kill < kills; kill++) {
      // Some die before their first group, some while it is written, some after it. On a busy machine the first has no page.
      const groups = random.below(3)
      await crawled.killed({ groups, requests: random.below(groups === 0 ? 30 : 10) })
    }
    const progress = crawled.kept.map(({ pages }) => pages.size)
    expect(new Set(progress).size, 'kills fell between groups').toBeGreaterThan(3)
    expect(progress.at(-1)).toBeLessThan(crawled.reachable)
    await expectEnd(crawled)
    const files = new Set(captures(crawled.out).map(({ file }) => file))
    expect(files.size).toBeGreaterThan(10)
  })
})

describe('a crawl that is killed in its first moments', () => {
  const crawled = new KilledCrawl(join(folder, 'first'), 150, {})
  beforeAll(() => crawled.open(5))
  afterAll(() => crawled.close())

  it('before anything is recorded starts over', async () => {
    for (const delayMs of [1, 20, 50, 80, 120, 160, 200]) await crawled.killedEarly(delayMs)
    await crawled.killed({})
    const running = crawled.start()
    const [exitCode] = (await once(running, 'exit')) as [number]
    expect(exitCode).toBe(0)
    await expectEnd(crawled)
  })
})

describe('a crawl that begins a WARC file with every page', () => {
  const crawled = new KilledCrawl(join(folder, 'rotating'), 700, { warcBytesMax: 1 })
  beforeAll(() => crawled.open(10))
  afterAll(() => crawled.close())

  it('can be killed between two of them', async () => {
    const random = seededRandom(killSeed, 10)
    for (let kill = 0; kill < 6; kill++) {
      await crawled.killed({ groups: kill % 2, requests: random.below(30) })
    }
    await expectEnd(crawled)
    const all = captures(crawled.out)
    expect(new Set(all.map(({ file }) => file)).size).toBe(all.length)
  })
})
