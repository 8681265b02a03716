/** A thread that runs one simulation over shared memory and returns its evaluation. */
import { parentPort, workerData } from 'node:worker_threads'
import { judge, type JudgeOptions, type Judgement } from './judgement.ts'
import { runSimulation, type RunOptions } from './run.ts'
import type { SimulatedWeb } from './simulated-web.ts'

export interface SimulationTask {
  readonly web: SimulatedWeb
  readonly options: RunOptions & JudgeOptions & { readonly speedUp?: boolean | undefined }
  /** Non-zero: end the crawl and evaluate it as it is. */
  readonly stop: Int32Array
}

export type SimulationReport =
  | { readonly kind: 'progress'; readonly crawled: number }
  | {
      readonly kind: 'done'
      readonly judgement: Judgement
      readonly order: Uint32Array
      readonly scores: Float64Array
      /** When each page of the order was fetched; only in a timed run. */
      readonly times: Float64Array | undefined
      /** Of the crawl alone, without its evaluation. */
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

/** The speed-up over one connection, if requested: the crawl is run again with one. */
async function withSpeedUp(judgement: Judgement): Promise<Judgement> {
  if (options.speedUp !== true || judgement.time === undefined) return judgement
  const alone = await runSimulation(web, { ...options, time: { ...options.time, robots: 1 } })
  const speedUp = alone.time!.summary.total / judgement.time.total
  return { ...judgement, time: { ...judgement.time, speedUp } }
}

try {
  const start = process.hrtime.bigint()
  const run = await runSimulation(web, options, {
    progress: (crawled) => report({ kind: 'progress', crawled }),
    stopped: () => Atomics.load(stop, 0) !== 0,
  })
  const seconds = Number(process.hrtime.bigint() - start) / 1e9
  const { order, scores } = run
  const judgement = await withSpeedUp(await judge(web, run, options))
  report({ kind: 'done', judgement, order, scores, times: run.time?.seconds, seconds })
} catch (error) {
  const { code, message, stack = '' } = error as Error & { code?: string }
  report({ kind: 'failed', code, message, stack })
}
