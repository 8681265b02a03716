/** Simulations of webs that are large enough for a thread, one after the other: the thread is kept for the next one. */
import { expect, it } from 'vitest'
import { syntheticGraph } from '../src/graph/synthetic/synthetic-graph.ts'
import { webOf } from '../src/graph/web.ts'
import { simulate } from '../src/simulator.ts'

it('a thread that has run a simulation runs the next one', async () => {
  const { graph, sites } = syntheticGraph({ pages: 4000, sites: 20, seed: 1, linksPerPage: 10 })
  const web = webOf({ graph, givenSites: sites })
  expect(web.graph.links).toBeGreaterThan(20_000)
  const orders: number[][] = []
  for (let i = 0; i < 2; i++) {
    await simulate(web, {
      strategies: ['breadth-first'],
      pages: 50,
      onRun: (_result, { ids }) => orders.push([...ids]),
    })
  }
  expect(orders[1]).toHaveLength(50)
  expect(orders[1]).toEqual(orders[0])
})
