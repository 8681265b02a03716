import { describe, expect, it } from 'vitest'
import { savedState } from '../lib/state.ts'
import { engineOf, type TimedSetting } from '../../test/timed-crawl.ts'
import type { Engine } from './engine.ts'
import { readFacts } from './fact-reader.ts'
import { FactWriter } from './fact-writer.ts'

const sites = [0, 1, 2, 3]
const setting: TimedSetting = { lists: [[], [], [], []], sites, connections: 4 }

/** Four seeds are taken: two fail for a temporary reason, one as an error for good, and robots.txt forbids one. */
function failing(facts?: FactWriter): Engine {
  const engine = engineOf({ ...setting, pagesMax: 4, ...(facts === undefined ? {} : { facts }) })
  for (const site of sites) engine.seed(site)
  engine.dispatchAt(0)
  engine.failed(0, 'unreachable')
  engine.failed(1, 'temporary')
  engine.failed(2, 'robots')
  engine.failed(3, 'failed')
  for (const site of sites) engine.closed(site, 0)
  return engine
}

describe('a page that failed for a temporary reason', () => {
  it('waits again, and is taken again within the same budget', () => {
    const engine = failing()
    expect([engine.waitingCount, engine.pages.failedCount]).toEqual([0, 4])
    engine.retry(0)
    engine.retry(1)
    expect([engine.waitingCount, engine.pages.failedCount]).toEqual([2, 2])
    expect(sites.map((page) => engine.pages.failureOf(page))).toEqual([
      undefined,
      undefined,
      'robots',
      'failed',
    ])
    engine.dispatchAt(1)
    expect(engine.pages.underWay()).toEqual([0, 1])
  })

  it('waits again too when its facts are read back', () => {
    const facts = new FactWriter()
    const engine = failing(facts)
    engine.retry(1)
    engine.retry(0)
    engine.dispatchAt(1)
    const again = engineOf({ ...setting, pagesMax: 4 })
    readFacts(facts.takeBytes(), again)
    expect(Buffer.concat(savedState([again])).equals(Buffer.concat(savedState([engine])))).toBe(true)
    expect(again.pages.underWay()).toEqual([0, 1])
  })

  it('may be retried once, and a page that failed for good may not', () => {
    const engine = failing()
    for (const page of [2, 3]) expect(() => engine.retry(page)).toThrow('failed permanently')
    engine.retry(0)
    expect(() => engine.retry(0)).toThrow('failed permanently')
  })
})
