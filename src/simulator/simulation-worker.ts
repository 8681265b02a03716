/** A thread that runs simulations over shared memory, one at a time, and returns the evaluation of each. */
import { parentPort } from 'node:worker_threads'
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

const report = (message: SimulationReport): void => parentPort?.postMessage(message)

async function run({ stop, ...task }: ThreadTask): Promise<void> {
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
}

parentPort?.on('message', (task: ThreadTask) => void run(task))
