/**
 * Fetch threads that start before their settings are complete: they load their code while the main thread loads its own.
 * A thread that no crawl takes does not keep the process alive.
 */
import { Worker } from 'node:worker_threads'
import { threadOptions, workerEntry } from '../../lib/worker-entry.ts'

const early: Worker[] = []

/** Starts threads for the next crawl of this process, so that this many wait for it. */
export function startThreads(count: number): void {
  while (early.length < count) {
    const worker = newThread()
    worker.unref()
    // A thread that has ended is not used; the next one reports the error to the crawl.
    worker.once('error', () => early.splice(early.indexOf(worker), 1))
    early.push(worker)
  }
}

/** A thread that waits for its settings (`ThreadStart`): one of those started early, or a new one. */
export function takeThread(): Worker {
  const worker = early.shift()
  if (worker === undefined) return newThread()
  worker.removeAllListeners('error')
  worker.ref()
  return worker
}

function newThread(): Worker {
  return new Worker(workerEntry(import.meta.url, 'fetch/fetch-worker'), threadOptions(process.execArgv))
}
