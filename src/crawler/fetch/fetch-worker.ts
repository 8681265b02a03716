/** The entry point of a fetch thread: connects the worker's port with a FetchThread. */
import { parentPort } from 'node:worker_threads'
import type { ThreadLoad, ThreadModule, ThreadSettings, ThreadStart, ToThread } from '../world/messages.ts'
import { packMessage } from '../world/result-message.ts'
import type { ArchiveModule } from '../parts/archiving.ts'
import type { PartReader, ReaderModule } from '../parts/part-reader.ts'
import type { OpenArchive } from './archive.ts'
import { FetchThread } from './fetch-thread.ts'

const port = parentPort!
let starting: Promise<FetchThread> | undefined
let thread: FetchThread | undefined
/** The crawl that is served, by a number of its own; 0 if none is. Messages about earlier ones are not sent. */
let served = 0
let crawls = 0

async function start(settings: ThreadSettings): Promise<FetchThread> {
  const crawl = (served = ++crawls)
  // Modules of parts are loaded on demand; messages in the meantime wait.
  const readers = await Promise.all((settings.parts ?? []).map(loadReader))
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

/** A module that cannot be loaded fails the crawl that needs it. */
function load(modules: readonly string[]): void {
  for (const module of modules) import(module).catch(() => {})
}

async function loadReader({ module, settings }: ThreadModule): Promise<PartReader> {
  const reading = (await import(module)) as ReaderModule
  return reading.makeReader(settings)
}

/** Undefined if responses are not archived. */
async function loadArchive(settings: ThreadSettings): Promise<OpenArchive | undefined> {
  const { archive } = settings
  if (archive === undefined) return undefined
  const archiving = (await import(archive.module)) as ArchiveModule
  return (onBroken) => archiving.makeArchive(archive.settings, settings, onBroken)
}

/** After `close`, the thread waits for another crawl, and keeps nothing of this one: settings, secrets, tables, connections. */
function take(to: FetchThread, message: ToThread): void {
  to.take(message)
  if (message.kind !== 'close') return
  thread = starting = undefined
  served = 0
}

port.on('message', (message: ThreadLoad | ThreadStart | ToThread) => {
  if (message.kind === 'load') load(message.modules)
  else if (message.kind === 'start') starting = start(message.settings)
  else if (thread !== undefined) take(thread, message)
  // Undefined after `close`: there is nothing left to abort.
  else void starting?.then((started) => take(started, message))
})
