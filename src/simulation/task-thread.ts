/** Runs a task of the simulator: in this thread, or in one of its own. */
import { Worker } from 'node:worker_threads'
import { RankwardError, type ErrorCode } from '../lib/errors.ts'
import { workerEntry } from '../lib/worker-entry.ts'
import { runTask, type SimulationTask, type TaskResult } from './task.ts'
import type { SimulationReport, ThreadTask } from './worker.ts'

export interface Watch {
  /** Not 0 to stop. */
  readonly stop: Int32Array
  readonly progress: (crawled: number) => void
}

export async function runHere(task: SimulationTask, { stop, progress }: Watch): Promise<TaskResult> {
  // An interrupt between two runs is noticed.
  await new Promise(setImmediate)
  return runTask(task, { progress, stopped: () => Atomics.load(stop, 0) !== 0 })
}

export function runInThread(
  task: SimulationTask,
  name: string,
  { stop, progress }: Watch,
): Promise<TaskResult> {
  const workerData: ThreadTask = { ...task, stop }
  return new Promise((resolve, reject) => {
    const thread = new Worker(workerEntry(import.meta.url, './worker'), { workerData })
    thread.on('error', reject)
    thread.on('exit', (code) => reject(new Error(`the thread of ${name} ended early, with code ${code}`)))
    thread.on('message', (report: SimulationReport) => {
      if (report.kind === 'progress') progress(report.crawled)
      else if (report.kind === 'failed') reject(remade(report))
      else resolve(report.result)
    })
  })
}

/** Recreates an error that was passed from a thread. */
function remade({ code, message, stack }: Extract<SimulationReport, { kind: 'failed' }>): Error {
  const error = code === undefined ? new Error(message) : new RankwardError(code as ErrorCode, message)
  error.stack = stack
  return error
}
