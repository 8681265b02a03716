import { expect, it } from 'vitest'
import '../src/simulator/run-kinds.ts'
import { runSimulation } from '../src/simulator/run.ts'
import { prepareWeb } from '../src/simulator/simulated-web.ts'
import { toCsr } from '../src/webgraph/csr-graph.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { webOf } from '../src/webgraph/web.ts'

it('each shard of a simulated crawl draws its own random numbers, as in a crawl', async () => {
  const made = syntheticGraph({ pages: 400, linksPerPage: 8 })
  const stored = webOf({ graph: toCsr(made.graph), givenSites: made.sites })
  const web = await prepareWeb(stored, { seeds: [bestSeed(stored.graph).seed], damping: 0.85 })
  const { scores } = await runSimulation(web, { strategy: 'random', cluster: { shards: 4 } })
  expect(scores.length).toBeGreaterThan(100)
  expect(new Set(scores).size).toBe(scores.length)
})
