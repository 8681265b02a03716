/** The entry point of a fetch thread: connects the worker's port with a FetchThread. */
import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadSettings, ToThread } from '../messages.ts'
import { loadStemmer } from '../../../text/stem.ts'
import { Topic } from '../../../topic/topic.ts'
import { packMessage } from '../result-message.ts'
import { FetchThread } from './fetch-thread.ts'

const port = parentPort!
const settings = workerData as ThreadSettings
const { topic } = settings
// Stemmers are loaded on demand; messages in the meantime wait at the port.
const stem = topic?.language === undefined ? undefined : await loadStemmer(topic.language)
const thread = new FetchThread(
  settings,
  (message, transfer) => port.postMessage(packMessage(message), transfer),
  topic && new Topic(topic, stem),
)
port.on('message', (message: ToThread) => {
  thread.take(message)
  if (message.kind === 'close') port.close()
})
