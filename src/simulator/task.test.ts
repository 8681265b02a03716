import { expect, it } from 'vitest'
import { syntheticGraph } from '../webgraph/synthetic/synthetic-graph.ts'
import { webOf } from '../webgraph/web.ts'
import { prepareWeb } from './simulated-web.ts'
import { runTask } from './task.ts'

const { graph, sites } = syntheticGraph({ pages: 400, sites: 8, seed: 5 })
const web = webOf({ graph, givenSites: sites })

it('a speed-up is the ratio of two whole crawls: without one of them there is none', async () => {
  const simulated = await prepareWeb(web, { seeds: [0], damping: 0.85 })
  const options = { strategy: 'opic', time: { connections: 8, wait: 1 }, speedUp: true }
  /** The factor, and how often the crawls looked whether to stop, if they stop at the given time. */
  const speedUp = async (stopAt: number): Promise<{ factor: number | undefined; looks: number }> => {
    let looks = 0
    const { judgement } = await runTask({ web: simulated, options }, { stopped: () => ++looks >= stopAt })
    return { factor: judgement.time?.speedUp, looks }
  }
  const { factor, looks } = await speedUp(Infinity)
  expect(factor).toBeGreaterThan(1)
  expect(looks).toBeGreaterThan(4)
  expect((await speedUp(1)).factor).toBeUndefined()
  // In the crawl with one connection.
  expect((await speedUp(looks)).factor).toBeUndefined()
})
