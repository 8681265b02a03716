import { expect, it } from 'vitest'
import { syntheticGraph } from '../webgraph/synthetic/synthetic-graph.ts'
import { webOf } from '../webgraph/web.ts'
import { Trials } from './trials.ts'

const { graph, sites } = syntheticGraph({ pages: 300, sites: 6, seed: 2 })
const web = webOf({ graph, givenSites: sites })

function newTrials(signal?: AbortSignal): Trials {
  return new Trials({ web, about: 'a generated web', seed: 1, ...(signal === undefined ? {} : { signal }) })
}

it('experiments side by side share crawls', async () => {
  const trials = newTrials()
  const [one, other] = [trials.reporting(() => {}), trials.reporting(() => {})]
  const [[first], [opic, same]] = await Promise.all([
    one.run(['breadth-first'], {}),
    other.run(['opic', 'breadth-first'], {}),
  ])
  expect(same).toBe(first)
  expect(opic.order).not.toEqual(first.order)
})

it('a crawl that fails ends its own experiment only', async () => {
  const trials = newTrials()
  const failing = trials.run(['breadth-first', 'no-strategy', 'opic', 'no-strategy-either'], {})
  const others = trials.run(['opic', 'pagerank', 'random'], {})
  await expect(failing).rejects.toThrow(/no-strategy/)
  expect(await others).toHaveLength(3)
  expect(await trials.run(['backlink-count', 'opic'], {})).toHaveLength(2)
})

it('an interruption ends all experiments, also those that wait for a turn', async () => {
  const interruption = new AbortController()
  const trials = newTrials(interruption.signal)
  const strategies = ['breadth-first', 'opic', 'pagerank', 'random', 'rankmass', 'depth-first']
  const runs = [trials.run(strategies, {}), trials.run(['opic', 'backlink-count'], {})]
  interruption.abort()
  for (const { status } of await Promise.allSettled(runs)) expect(status).toBe('rejected')
})
