/**
 * Runs a task of the simulator: in this thread, or in another one. Loading the code takes a thread longer than a crawl of a
 * few thousand pages, so a thread that ran a small task is kept for a while and runs further ones.
 */
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

export interface ThreadOptions {
  /** What runs there, for error messages. */
  readonly name: string
  /** Use a kept thread, and keep it. Not for code of the user, which may have a state of its own. */
  readonly isShared: boolean
}

export async function runInThread(
  task: SimulationTask,
  { name, isShared }: ThreadOptions,
  { stop, progress }: Watch,
): Promise<TaskResult> {
  const thread =
    (isShared ? reusedThread() : undefined) ?? new Worker(workerEntry(import.meta.url, './worker'))
  try {
    const result = await new Promise<TaskResult>((resolve, reject) => {
      thread.on('error', reject)
      thread.on('exit', (code) => reject(new Error(`the thread of ${name} ended early, with code ${code}`)))
      thread.on('message', (report: SimulationReport) => {
        if (report.kind === 'progress') progress(report.crawled)
        else if (report.kind === 'failed') reject(remade(report))
        else resolve(report.result)
      })
      const message: ThreadTask = { ...task, stop }
      thread.postMessage(message)
    })
    unwatch(thread)
    if (isShared) keep(thread)
    else void thread.terminate()
    return result
  } catch (error) {
    unwatch(thread)
    void thread.terminate()
    throw error
  }
}

/** Removes our own listeners only: a thread without those of Node never delivers another message. */
function unwatch(thread: Worker): void {
  for (const event of ['error', 'exit', 'message']) thread.removeAllListeners(event)
}

/** Threads without a task, each with the timer that ends it. They do not keep the process alive. */
const kept: { readonly thread: Worker; readonly timer: NodeJS.Timeout }[] = []
const keptMs = 2000

function keep(thread: Worker): void {
  const timer = setTimeout(() => {
    kept.splice(
      kept.findIndex((each) => each.thread === thread),
      1,
    )
    void thread.terminate()
  }, keptMs)
  timer.unref()
  thread.unref()
  kept.push({ thread, timer })
}

function reusedThread(): Worker | undefined {
  const found = kept.pop()
  if (found === undefined) return undefined
  clearTimeout(found.timer)
  found.thread.ref()
  return found.thread
}

/** Recreates an error that was passed from a thread. */
function remade({ code, message, stack }: Extract<SimulationReport, { kind: 'failed' }>): Error {
  const error = code === undefined ? new Error(message) : new RankwardError(code as ErrorCode, message)
  error.stack = stack
  return error
}
