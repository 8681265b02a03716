/** The entry of a fetch thread: the worker's port on one side, a FetchThread on the other. */
import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadSettings, ToThread } from '../messages.ts'
import { FetchThread } from './fetch-thread.ts'

const port = parentPort!
const thread = new FetchThread(workerData as ThreadSettings, (message, transfer) => {
  port.postMessage(message, transfer)
})
port.on('message', (message: ToThread) => {
  thread.take(message)
  if (message.kind === 'close') port.close()
})
