import { describe, expect, it } from 'vitest'
import { savedState } from '../lib/state.ts'
import { engineOf, type TimedSetting } from '../../test/timed-crawl.ts'
import type { Engine } from './engine.ts'
import { readFacts } from './fact-reader.ts'
import { FactWriter } from './fact-writer.ts'

const setting: TimedSetting = { lists: [[], [], []], sites: [0, 1, 2], robots: 3 }

/** Three seeds are taken; one fails on its way, one as an error, one for good. */
function failing(facts?: FactWriter): Engine {
  const engine = engineOf({ ...setting, pagesMax: 3, ...(facts === undefined ? {} : { facts }) })
  for (const site of [0, 1, 2]) engine.seed(site)
  engine.dispatchAt(0)
  engine.failed(0, 'unreachable')
  engine.failed(1, 'failed')
  engine.failed(2, 'robots')
  for (const site of [0, 1, 2]) engine.closed(site, 0)
  return engine
}

describe('a page that failed for a temporary reason', () => {
  it('waits again, and is taken again within the same budget', () => {
    const engine = failing()
    expect([engine.waitingCount, engine.pages.failedCount]).toEqual([0, 3])
    engine.retry(0)
    engine.retry(1)
    expect([engine.waitingCount, engine.pages.failedCount]).toEqual([2, 1])
    expect([0, 1, 2].map((page) => engine.pages.failureOf(page))).toEqual([undefined, undefined, 'robots'])
    engine.dispatchAt(1)
    expect(engine.pages.underWay()).toEqual([0, 1])
  })

  it('waits again too when its facts are read back', () => {
    const facts = new FactWriter()
    const engine = failing(facts)
    engine.retry(1)
    engine.retry(0)
    engine.dispatchAt(1)
    const again = engineOf({ ...setting, pagesMax: 3 })
    readFacts(facts.takeBytes(), again)
    expect(Buffer.concat(savedState([again])).equals(Buffer.concat(savedState([engine])))).toBe(true)
    expect(again.pages.underWay()).toEqual([0, 1])
  })

  it('is the only kind that may be retried', () => {
    const engine = failing()
    expect(() => engine.retry(2)).toThrow('did not fail')
    engine.retry(0)
    expect(() => engine.retry(0)).toThrow('did not fail')
  })
})
