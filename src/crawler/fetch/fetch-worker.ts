/** The entry point of a fetch thread: connects the worker's port with a FetchThread. */
import { parentPort } from 'node:worker_threads'
import type { ThreadSettings, ThreadStart, ToThread } from '../world/messages.ts'
import { packMessage } from '../world/result-message.ts'
import { loadArchive, loadReaders } from '../parts/readers.ts'
import { FetchThread } from './fetch-thread.ts'

const port = parentPort!
let starting: Promise<FetchThread> | undefined
let thread: FetchThread | undefined
/** The crawl that is served, by a number of its own; 0 if none is. Messages about earlier ones are not sent. */
let served = 0
let crawls = 0

async function start(settings: ThreadSettings): Promise<FetchThread> {
  const crawl = (served = ++crawls)
  // Readers of parts are loaded on demand; messages in the meantime wait.
  const readers = await loadReaders(settings.parts)
  const openArchive = await loadArchive(settings)
  thread = new FetchThread(
    settings,
    // Also called before there is a thread: the archive of an earlier session may be damaged.
    (message, transfer) => {
      if (served === crawl) port.postMessage(packMessage(message), transfer)
    },
    openArchive,
    readers,
  )
  return thread
}

/** After `close`, the thread waits for another crawl, and keeps nothing of this one: settings, secrets, tables, connections. */
function take(to: FetchThread, message: ToThread): void {
  to.take(message)
  if (message.kind !== 'close') return
  thread = starting = undefined
  served = 0
}

port.on('message', (message: ThreadStart | ToThread) => {
  if (message.kind === 'start') starting = start(message.settings)
  else if (thread !== undefined) take(thread, message)
  // Undefined after `close`: there is nothing left to abort.
  else void starting?.then((started) => take(started, message))
})
