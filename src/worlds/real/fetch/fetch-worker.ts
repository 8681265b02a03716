/** The entry point of a fetch thread: connects the worker's port with a FetchThread. */
import { parentPort } from 'node:worker_threads'
import type { ThreadSettings, ThreadStart, ToThread } from '../messages.ts'
import { loadStemmer } from '../../../text/stem.ts'
import { Topic } from '../../../topic/topic.ts'
import { packMessage } from '../result-message.ts'
import { FetchThread } from './fetch-thread.ts'

const port = parentPort!
let starting: Promise<FetchThread> | undefined
let thread: FetchThread | undefined

async function start(settings: ThreadSettings): Promise<FetchThread> {
  const { topic } = settings
  // Stemmers are loaded on demand; messages in the meantime wait.
  const stem = topic?.language === undefined ? undefined : await loadStemmer(topic.language)
  const started: FetchThread = new FetchThread(
    settings,
    (message, transfer) => {
      if (thread === started) port.postMessage(packMessage(message), transfer)
    },
    topic && new Topic(topic, stem),
  )
  return (thread = started)
}

/** After `close`, the thread waits for another crawl, and keeps nothing of this one: settings, secrets, tables, connections. */
function take(to: FetchThread, message: ToThread): void {
  to.take(message)
  if (message.kind === 'close') thread = starting = undefined
}

port.on('message', (message: ThreadStart | ToThread) => {
  if (message.kind === 'start') starting = start(message.settings)
  else if (thread !== undefined) take(thread, message)
  // Undefined after `close`: there is nothing left to abort.
  else void starting?.then((started) => take(started, message))
})
