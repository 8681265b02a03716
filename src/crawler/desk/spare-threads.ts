/**
 * Spare fetch threads. Some start before the settings of a crawl are complete: they load their code while the main thread
 * loads its own. Others are left by a crawl that has ended, and are kept for five seconds, since loading the code takes longer
 * than fetching a hundred pages. A spare thread does not keep the process alive.
 */
import { Worker } from 'node:worker_threads'
import { threadOptions, workerEntry } from '../../lib/worker-entry.ts'
import type { ThreadLoad } from '../world/messages.ts'

/** How long threads of an ended crawl are kept. Tests change it, so as not to depend on the speed of the machine. */
export const spareTime = { idleMs: 5000 }

const spare: Worker[] = []
/** Timers that end the threads of ended crawls. */
const endings = new WeakMap<Worker, NodeJS.Timeout>()

/** Starts threads for the next crawl of this process, until there are this many spare ones. All of these load the modules. */
export function startThreads(count: number, modules: readonly string[] = []): void {
  while (spare.length < count) keep(newThread())
  if (modules.length === 0) return
  for (const worker of spare) worker.postMessage({ kind: 'load', modules } satisfies ThreadLoad)
}

/** Keeps a thread whose crawl has ended for the next crawl. */
export function giveBackThread(worker: Worker): void {
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event)
  keep(worker)
  const end = (): void => {
    remove(worker)
    void worker.terminate()
  }
  endings.set(worker, setTimeout(end, spareTime.idleMs).unref())
}

function keep(worker: Worker): void {
  worker.unref()
  // A thread that has ended is not used; the next one reports the error to the crawl.
  for (const event of ['error', 'exit']) worker.once(event, () => remove(worker))
  spare.push(worker)
}

function remove(worker: Worker): void {
  const index = spare.indexOf(worker)
  if (index >= 0) spare.splice(index, 1)
}

/** A thread without settings (`ThreadStart`): a spare one, or a new one. */
export function takeThread(): Worker {
  const worker = spare.shift()
  if (worker === undefined) return newThread()
  clearTimeout(endings.get(worker))
  for (const event of ['error', 'exit']) worker.removeAllListeners(event)
  worker.ref()
  return worker
}

function newThread(): Worker {
  return new Worker(workerEntry(import.meta.url, '../fetch/fetch-worker'), threadOptions(process))
}
