import type { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { syntheticGraph } from '../webgraph/synthetic/synthetic-graph.ts'
import { webOf } from '../webgraph/web.ts'
import { prepareWeb, type SimulatedWeb } from './simulated-web.ts'
import type { TaskResult } from './task.ts'
import { runHere, runInThread } from './task-thread.ts'

const watch = { stop: new Int32Array(new SharedArrayBuffer(4)), progress: (): void => {} }
const { graph, sites } = syntheticGraph({ pages: 300, sites: 8, seed: 5 })
const web = webOf({ graph, givenSites: sites })

const started: Worker[] = []
const count = (worker: Worker): void => void started.push(worker)
beforeEach(() => void process.on('worker', count))
afterEach(async () => {
  process.off('worker', count)
  await Promise.all(started.splice(0).map((worker) => worker.terminate()))
})

async function prepared(): Promise<SimulatedWeb> {
  return prepareWeb(web, { seeds: [0], damping: 0.85, needsRankMass: true })
}

it('tasks that may share a thread run one after the other in one, with the results of this thread', async () => {
  const simulated = await prepared()
  const tasks = ['opic', 'exact-rankmass', 'opic', 'pagerank'].map((strategy) => ({
    web: simulated,
    options: { strategy, seed: 1 },
  }))
  const here: TaskResult[] = []
  for (const task of tasks) here.push(await runHere(task, watch))
  const there: TaskResult[] = []
  for (const task of tasks)
    there.push(await runInThread(task, { name: task.options.strategy, isShared: true }, watch))
  there.forEach(({ order, judgement }, i) => {
    expect(order).toEqual(here[i].order)
    expect(judgement.curve).toEqual(here[i].judgement.curve)
  })
  expect(started).toHaveLength(1)
})

it('a task that may not share gets a thread of its own', async () => {
  const task = { web: await prepared(), options: { strategy: 'opic', seed: 1 } }
  for (const name of ['first', 'second']) await runInThread(task, { name, isShared: false }, watch)
  expect(started).toHaveLength(2)
})

it('a task that fails is reported, and the next one gets a new thread', async () => {
  const simulated = await prepared()
  const run = (strategy: string): Promise<unknown> =>
    runInThread({ web: simulated, options: { strategy, seed: 1 } }, { name: strategy, isShared: true }, watch)
  await expect(run('no-such-strategy')).rejects.toThrow(/no-such-strategy/)
  await run('opic')
  expect(started).toHaveLength(2)
})

it('a web that was prepared before is not prepared again', async () => {
  const first = await prepared()
  const again = await prepareWeb(web, { seeds: [0], damping: 0.85, prepared: first, needsHistory: true })
  expect(again.pageRank).toBe(first.pageRank)
  expect(again.rankMass).toBeUndefined()
  const fresh = await prepareWeb(web, { seeds: [0], damping: 0.85, needsHistory: true })
  expect(again.history).toEqual(fresh.history)
  const { words: _, ...rest } = await prepareWeb(web, { seeds: [0], damping: 0.85, prepared: again })
  const { words: __, ...expected } = await prepareWeb(web, { seeds: [0], damping: 0.85 })
  expect(rest).toEqual(expected)
})
