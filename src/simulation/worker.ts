/** A thread that runs one simulation over shared memory and returns its evaluation. */
import { parentPort, workerData } from 'node:worker_threads'
import { runTask, type SimulationTask, type TaskResult } from './task.ts'

export interface ThreadTask extends SimulationTask {
  /** Not 0: end the crawl and judge what there is. */
  readonly stop: Int32Array
}

export type SimulationReport =
  | { readonly kind: 'progress'; readonly crawled: number }
  | { readonly kind: 'done'; readonly result: TaskResult }
  | {
      readonly kind: 'failed'
      readonly code: string | undefined
      readonly message: string
      readonly stack: string
    }

const { stop, ...task } = workerData as ThreadTask
const report = (message: SimulationReport): void => parentPort?.postMessage(message)

try {
  const result = await runTask(task, {
    progress: (crawled) => report({ kind: 'progress', crawled }),
    stopped: () => Atomics.load(stop, 0) !== 0,
  })
  report({ kind: 'done', result })
} catch (error) {
  const { code, message, stack = '' } = error as Error & { code?: string }
  report({ kind: 'failed', code, message, stack })
}
