/** Crawls so regular that their time is a formula. t is a page's latency and transfer. */
import { describe, expect, it } from 'vitest'
import { timedCrawl, type TimedRecord } from '../../../test/timed-crawl.ts'

const pages = 12
const waitSeconds = 10
const latency = 1
const speed = 500
const bytes = 1000
const t = latency + bytes / speed

function crawlOf(
  sites: number,
  setting: { connections: number; waitSeconds: number; bandwidth?: number },
): Promise<TimedRecord> {
  const fast = setting.bandwidth !== undefined
  return timedCrawl({
    lists: Array.from({ length: pages }, () => []),
    seeds: Array.from({ length: pages }, (_, page) => page),
    sites: Array.from({ length: pages }, (_, page) => page % sites),
    network: {
      pageBytes: new Float64Array(pages).fill(bytes),
      latencies: new Float64Array(sites).fill(fast ? 0 : latency),
      speeds: new Float64Array(sites).fill(fast ? 1e9 : speed),
    },
    ...setting,
  })
}

/** When the last site could be asked again. */
const freeAgain = ({ connections }: TimedRecord): number =>
  Math.max(...connections.map(({ freeAt }) => freeAt))

describe('under the virtual clock', () => {
  it('one site and n pages take n · (w + t)', async () => {
    const record = await crawlOf(1, { connections: 1, waitSeconds })
    expect(freeAgain(record)).toBeCloseTo(pages * (waitSeconds + t), 9)
  })

  it('two connections and two sites take half of that', async () => {
    const record = await crawlOf(2, { connections: 2, waitSeconds })
    expect(freeAgain(record)).toBeCloseTo((pages * (waitSeconds + t)) / 2, 9)
  })

  it.each([1, 3, 12])(
    'transfers that the link binds take all bytes over B, with %i connections',
    async (connections) => {
      const { log } = await crawlOf(pages, { connections, waitSeconds: 0, bandwidth: 700 })
      expect(log.end).toBeCloseTo((pages * bytes) / 700, 9)
    },
  )
})
