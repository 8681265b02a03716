import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import type { OutcomeRecord } from './records.ts'
import { CrawlStore } from './store.ts'

const folder = temporaryFolder()
let stores = 0
const newPath = (): string => join(folder, `store-${stores++}`)

const outcome: OutcomeRecord = { at: 5, ms: 6, status: 200, score: 0.5, order: 1, bytes: 7 }
const ends = new Map([[0, { serial: 1, length: 99 }]])

async function listed<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

describe('the store of a crawl', () => {
  it('answers at any moment: before, during and after a group is written, and when it is opened again', async () => {
    const path = newPath()
    const store = await CrawlStore.open(path)
    const seed = { url: 'https://example.org/', parent: undefined, depth: 0 }
    const child = { url: 'https://example.org/ü?x', parent: 0, depth: 1 }
    const robots = { at: 1, status: 200, text: 'User-agent: *' }
    const check = (from: CrawlStore): void => {
      expect(from.found(0)).toEqual(seed)
      expect(from.found(1)).toEqual(child)
      expect(from.outcome(0)).toEqual(outcome)
      expect(from.outcome(1)).toBeUndefined()
      expect(from.readRobots('https://example.org')).toEqual(robots)
      expect(from.readRobots('https://example.com')).toBeUndefined()
    }
    store.putFound(0, seed)
    store.putFound(1, child)
    store.putOutcome(0, outcome)
    store.putSite(0, 'example.org')
    store.writeRobots('https://example.org', robots)
    check(store)
    store.closeGroup()
    check(store)
    await store.commit(Uint8Array.of(1, 2, 3), ends, { pages: 1 })
    check(store)
    await store.close()
    const again = await CrawlStore.open(path)
    check(again)
    expect(await listed(again.foundPages())).toEqual([seed, child])
    expect(await listed(again.outcomes())).toEqual([[0, outcome]])
    expect(await listed(again.sites())).toEqual(['example.org'])
    expect(await again.warcEnds()).toEqual(ends)
    expect(await again.totals()).toEqual({ pages: 1 })
    await again.close()
  })

  it('completes a record of the group under way before it is written', async () => {
    const store = await CrawlStore.open(newPath())
    store.putOutcome(3, outcome)
    store.closeGroup()
    store.putOutcome(4, outcome)
    store.completeOutcome(3, { warc: [0, 0, 1, 2, 'id'] })
    store.completeOutcome(4, { warc: [0, 0, 3, 4, 'id2'] })
    await store.commit(Uint8Array.of(1), ends, {})
    expect(store.outcome(3)?.warc).toEqual([0, 0, 1, 2, 'id'])
    expect(store.outcome(4)?.warc).toEqual([0, 0, 3, 4, 'id2'])
    await store.close()
  })

  it('gives groups of facts back in order, and what was never committed not at all', async () => {
    const path = newPath()
    const store = await CrawlStore.open(path)
    for (let i = 0; i < 300; i++) {
      store.closeGroup()
      await store.commit(Uint8Array.of(i & 255, i >> 8), ends, {})
    }
    store.putFound(0, { url: 'http://lost/', parent: undefined, depth: 0 })
    await store.close()
    const again = await CrawlStore.open(path)
    const groups = await listed(again.facts())
    expect(groups.map(([low, high]) => low + 256 * high)).toEqual(Array.from({ length: 300 }, (_, i) => i))
    expect(await listed(again.foundPages())).toEqual([])
    await again.close()
  })

  it('is open in one process at a time, and says so', async () => {
    const path = newPath()
    const store = await CrawlStore.open(path)
    await expect(CrawlStore.open(path)).rejects.toThrow('is in use by another process')
    await store.close()
  })

  it('says what is wrong where a page has lost its URL', async () => {
    const store = await CrawlStore.open(newPath())
    expect(() => store.found(7)).toThrow('page 7 has no URL')
    await store.close()
  })
})
