import { describe, expect, it } from 'vitest'
import { frontierOf, frontiers } from './frontiers/index.ts'
import { strategyOf } from './strategies/index.ts'
import { Engine } from './engine.ts'
import { savedState } from '../lib/state.ts'
import { readFacts } from './fact-reader.ts'
import { FactWriter } from './fact-writer.ts'
import type { World } from './world.ts'

const noLinks = new Uint32Array(0)

/** Eight sites with a page each, four connections, two of them for unproven sites. */
function engineOf(frontier: string, facts?: FactWriter): Engine {
  return new Engine({
    strategy: strategyOf('breadth-first', { damping: 0.85, webPages: 8, seed: 1 }),
    frontier: frontierOf(frontier, { connections: 8 }),
    connections: 4,
    unprovenMax: 2,
    ...(facts === undefined ? {} : { facts }),
  })
}

describe.each(frontiers.map(({ name }) => name))('connections to sites, by %s', (frontier) => {
  it('that are not proven are a part of all, slow ones count for none, and a replay decides the same', () => {
    const facts = new FactWriter()
    const engine = engineOf(frontier, facts)
    for (let site = 0; site < 8; site++) engine.seed(site)
    let now = 1
    const world: World = {
      now: () => now,
      fetch: () => {},
      deliver: () => {},
      wait: () => undefined,
    }
    const busy = (): number => {
      engine.dispatch(world)
      return engine.busySites.size
    }
    expect(busy()).toBe(2)
    const [first, second] = engine.busySites
    engine.proven(first)
    expect(busy()).toBe(3)
    // A slow connection leaves its place to another site.
    engine.slow(second)
    expect(busy()).toBe(4)
    engine.slow(first)
    expect(busy()).toBe(4)
    const pageOf = engine.pages.underWay().find((page) => engine.pages.siteOf(page) === first)!
    engine.fetched(pageOf, noLinks, 0, noLinks)
    engine.closed(first, 2)
    now = 3
    expect([busy(), engine.provenOnly]).toEqual([3, true])
    const again = engineOf(frontier)
    readFacts(facts.takeBytes(), again)
    expect(Buffer.concat(savedState([again])).equals(Buffer.concat(savedState([engine])))).toBe(true)
    expect([...again.busySites]).toEqual([...engine.busySites])
  })
})
