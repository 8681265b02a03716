/** A thread that runs one simulation over shared memory and answers with its judgement. */
import { parentPort, workerData } from 'node:worker_threads'
import { judge, type JudgeOptions, type Judgement } from './judgement.ts'
import { runSimulation, type RunOptions } from './run.ts'
import type { SimulatedWeb } from './simulated-web.ts'

export interface SimulationTask {
  readonly web: SimulatedWeb
  readonly options: RunOptions & JudgeOptions
  /** Not 0: end the crawl and judge what there is. */
  readonly stop: Int32Array
}

export type SimulationReport =
  | { readonly kind: 'progress'; readonly crawled: number }
  | {
      readonly kind: 'done'
      readonly judgement: Judgement
      readonly order: Uint32Array
      readonly scores: Float64Array
      /** Of the crawl alone, without judging it. */
      readonly seconds: number
    }
  | {
      readonly kind: 'failed'
      readonly code: string | undefined
      readonly message: string
      readonly stack: string
    }

const { web, options, stop } = workerData as SimulationTask
const report = (message: SimulationReport): void => parentPort?.postMessage(message)

try {
  const start = process.hrtime.bigint()
  const run = await runSimulation(web, options, {
    progress: (crawled) => report({ kind: 'progress', crawled }),
    stopped: () => Atomics.load(stop, 0) !== 0,
  })
  const seconds = Number(process.hrtime.bigint() - start) / 1e9
  const { order, scores } = run
  report({ kind: 'done', judgement: judge(web, run, options), order, scores, seconds })
} catch (error) {
  const { code, message, stack = '' } = error as Error & { code?: string }
  report({ kind: 'failed', code, message, stack })
}
