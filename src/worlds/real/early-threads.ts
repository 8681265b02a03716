/**
 * Fetch threads that wait for a crawl. Some start before its settings are complete: they load their code while the main thread
 * loads its own. Others have served a crawl that ended, and wait a moment for the next one, since loading the code takes longer
 * than fetching a hundred pages. A thread that waits does not keep the process alive.
 */
import { Worker } from 'node:worker_threads'
import { threadOptions, workerEntry } from '../../lib/worker-entry.ts'

/** Threads whose crawl has ended wait this long. */
const idleMs = 5000

const early: Worker[] = []
/** When threads that wait for a further crawl end. */
const endings = new WeakMap<Worker, NodeJS.Timeout>()

/** Starts threads for the next crawl of this process, so that this many wait for it. */
export function startThreads(count: number): void {
  while (early.length < count) wait(newThread())
}

/** A thread whose crawl has ended waits for another. */
export function giveBackThread(worker: Worker): void {
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event)
  wait(worker)
  const end = (): void => {
    remove(worker)
    void worker.terminate()
  }
  endings.set(worker, setTimeout(end, idleMs).unref())
}

function wait(worker: Worker): void {
  worker.unref()
  // A thread that has ended is not used; the next one reports the error to the crawl.
  for (const event of ['error', 'exit']) worker.once(event, () => remove(worker))
  early.push(worker)
}

function remove(worker: Worker): void {
  const index = early.indexOf(worker)
  if (index >= 0) early.splice(index, 1)
}

/** A thread that waits for its settings (`ThreadStart`): one of those started early, or a new one. */
export function takeThread(): Worker {
  const worker = early.shift()
  if (worker === undefined) return newThread()
  clearTimeout(endings.get(worker))
  for (const event of ['error', 'exit']) worker.removeAllListeners(event)
  worker.ref()
  return worker
}

function newThread(): Worker {
  return new Worker(workerEntry(import.meta.url, 'fetch/fetch-worker'), threadOptions(process.execArgv))
}
