/**
 * Runs a task of the simulator: in this thread, or in another one. Loading the code takes a thread longer than a crawl of a
 * few thousand pages, so a thread that ran a small task is kept for a while and runs further ones.
 */
import { Worker } from 'node:worker_threads'
import { RankwardError, type ErrorCode } from '../lib/errors.ts'
import { threadOptions, workerEntry } from '../lib/worker-entry.ts'
import { runTask, type SimulationTask, type TaskResult } from './task.ts'
import type { SimulationReport, ThreadTask } from './simulation-worker.ts'

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

interface ThreadOptions {
  /** What runs there, for error messages. */
  readonly name: string
  /** Use a kept thread, and keep it. Not for code of the user, which may have a state of its own. */
  readonly isShared: boolean
}

export async function runInThread(
  task: SimulationTask,
  { name, isShared }: ThreadOptions,
  watch: Watch,
): Promise<TaskResult> {
  const thread =
    (isShared ? reusedThread() : undefined) ??
    new Worker(workerEntry(import.meta.url, './simulation-worker'), threadOptions(process))
  let isDone = false
  try {
    const result = await resultOf(thread, { ...task, stop: watch.stop }, name, watch.progress)
    isDone = true
    return result
  } finally {
    if (isDone && isShared) keep(thread)
    else void thread.terminate()
  }
}

/** Sends the task to the thread. Only these listeners are removed again: a `Worker` has some of its own. */
function resultOf(
  thread: Worker,
  task: ThreadTask,
  name: string,
  progress: Watch['progress'],
): Promise<TaskResult> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void => {
      forget()
      reject(error)
    }
    const exited = (code: number): void =>
      failed(new Error(`the thread of ${name} ended early, with code ${code}`))
    const reported = (report: SimulationReport): void => {
      if (report.kind === 'progress') return progress(report.crawled)
      if (report.kind === 'failed') return failed(remade(report))
      forget()
      resolve(report.result)
    }
    const forget = (): void => void thread.off('error', failed).off('exit', exited).off('message', reported)
    thread.on('error', failed).on('exit', exited).on('message', reported)
    thread.postMessage(task)
  })
}

/** Threads without a task, and what takes each off the list. They do not keep the process alive, and end if no task arrives. */
const kept = new Map<Worker, () => void>()
const keptMs = 2000

function keep(thread: Worker): void {
  const timer = setTimeout(() => {
    take()
    void thread.terminate()
  }, keptMs)
  const take = (): void => {
    kept.delete(thread)
    clearTimeout(timer)
    thread.off('exit', take)
  }
  kept.set(thread, take)
  thread.on('exit', take)
  timer.unref()
  thread.unref()
}

function reusedThread(): Worker | undefined {
  const [first] = kept
  if (first === undefined) return undefined
  const [thread, take] = first
  take()
  thread.ref()
  return thread
}

/** Recreates an error that was passed from a thread. */
function remade({ code, message, stack }: Extract<SimulationReport, { kind: 'failed' }>): Error {
  const error = code === undefined ? new Error(message) : new RankwardError(code as ErrorCode, message)
  error.stack = stack
  return error
}
