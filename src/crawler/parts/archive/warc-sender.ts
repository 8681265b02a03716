/**
 * Sends closed WARC files and their indexes to the archive (`--archive`), one at a time, and deletes local ones beyond a quota
 * (`archiveKeep`) once the archive has them. If the archive does not respond, files wait here, and the crawl continues until they
 * reach the quota.
 */
import { once } from 'node:events'
import { existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { bytesText, plural } from '../../../lib/amounts.ts'
import { namesIn } from '../../../lib/files/output-files.ts'
import { threadOptions, workerEntry } from '../../../lib/worker-entry.ts'
import { indexPathOf } from '../../../web/warc/cdxj.ts'
import { shownPlace } from '../../../web/store/store-address.ts'
import type { ArchivedFiles, ArchiveSending } from '../archiving.ts'
import { isWarcName, SentFiles, sentFile } from './sent-files.ts'

export interface SenderOptions {
  /** As recorded. */
  readonly place: string
  readonly crawlId: string
  /** The folder with the list of what was sent. */
  readonly folder: string
  /** The folder of the WARC files. */
  readonly warc: string
  /** Bytes of local WARC files; undefined: all are kept. */
  readonly keepBytes: number | undefined
  /** Whether a file in the folder is one of this crawl and will not change any more. Everything is closed at the end. */
  readonly isClosed: (name: string) => boolean
  /** Whether the place may be new: then it becomes that of this crawl. */
  readonly mayClaim?: boolean | undefined
  /** One line about an archive that does not respond, or does again. */
  readonly onNotice: (line: string) => void
}

interface LocalFile {
  readonly name: string
  readonly path: string
  readonly bytes: number
}

/** Between two looks at the folder. */
const lookMs = 1000
const pauseMsMax = 60_000
/** At the end, the archive is tried so often. */
const lastAttempts = 4

export class WarcSender implements ArchiveSending {
  readonly #options: SenderOptions
  readonly #sent: SentFiles
  #thread: Worker | undefined
  #running: Promise<void> | undefined
  #isStopped = false
  #isEnding = false
  #isReleased = false
  /** Failures in a row. */
  #failures = 0
  #count = 0
  #hasRoom = true
  #wake = (): void => {}
  readonly #roomWaits: (() => void)[] = []

  constructor(options: SenderOptions) {
    const { folder, crawlId: crawl, place: archive } = options
    this.#options = options
    this.#sent = new SentFiles(join(folder, sentFile), { crawl, archive })
  }

  /** Sends files from now on, as they are closed. */
  start(): this {
    this.#running ??= this.#run()
    return this
  }

  /** False while local files that the archive does not have fill the quota. */
  get hasRoom(): boolean {
    return this.#hasRoom
  }

  /** Resolves when there is room; undefined if there is now. */
  room(): Promise<void> | undefined {
    if (this.#hasRoom || this.#isReleased) return undefined
    return new Promise((resolve) => void this.#roomWaits.push(resolve))
  }

  /** A file was closed. It is sent at once, unless the archive did not respond lately; the quota counts it in any case. */
  closed(): void {
    this.#limit(this.#files())
    if (this.#failures === 0) this.#wake()
  }

  /** The crawl stops: from now on the quota holds nothing. */
  release(): void {
    this.#isReleased = true
    for (const resolve of this.#roomWaits.splice(0)) resolve()
  }

  /** All files are closed: sends the rest, as long as the archive responds. */
  async finish(): Promise<ArchivedFiles> {
    this.#isEnding = true
    this.#failures = 0
    this.start()
    this.#wake()
    await this.#running
    await this.stop()
    const { place } = this.#options
    const unsent = this.#files().filter((file) => !this.#isSent(file))
    if (unsent.length > 0) {
      const bytes = unsent.reduce((sum, file) => sum + file.bytes, 0)
      this.#options.onNotice(
        `${plural(unsent.length, 'WARC file')} (${bytesText(bytes)}) of ${this.#options.warc} could not be sent to ${shownPlace(place)}, and stay here.`,
      )
    }
    return { place: shownPlace(place), sent: this.#count, unsent: unsent.length }
  }

  /** Ends at once. A file that is being sent is sent again later. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#wake()
    await this.#thread?.terminate()
    await this.#running
    this.release()
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const files = this.#files()
      const next = files.find((file) => !this.#isSent(file) && this.#isClosed(file))
      this.#limit(files)
      if (next === undefined && this.#isEnding) return
      const isDone = next === undefined ? true : await this.#send(next)
      if (this.#isStopped || (!isDone && this.#isEnding && this.#failures >= lastAttempts)) return
      if (next === undefined || !isDone) await this.#pause()
    }
  }

  async #pause(): Promise<void> {
    const pauseMs = Math.min(lookMs * 2 ** Math.max(0, this.#failures - 1), pauseMsMax)
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pauseMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = () => {}
  }

  /** The WARC files of the folder, the oldest first. */
  #files(): LocalFile[] {
    const { warc } = this.#options
    const names = namesIn(warc).filter(isWarcName)
    const files = names.flatMap((name) => {
      const path = join(warc, name)
      const stat = statSync(path, { throwIfNoEntry: false })
      return stat === undefined ? [] : [{ name, path, bytes: stat.size, changedMs: stat.mtimeMs }]
    })
    return files.toSorted((a, b) => a.changedMs - b.changedMs)
  }

  #isSent({ name, bytes }: LocalFile): boolean {
    return this.#sent.has(name, bytes)
  }

  #isClosed({ name }: LocalFile): boolean {
    return this.#isEnding || this.#options.isClosed(name)
  }

  /** True once the archive has the file. The index goes first: whoever finds the WARC file finds it too. */
  async #send({ name, path, bytes }: LocalFile): Promise<boolean> {
    const index = indexPathOf(path)
    const error =
      (existsSync(index) ? await this.#sendOne(index, indexPathOf(name)) : undefined) ??
      (await this.#sendOne(path, name))
    // An answer that came before the end counts.
    if (error !== undefined && this.#isStopped) return false
    const { onNotice, place } = this.#options
    if (error !== undefined) {
      if (this.#failures++ === 0)
        onNotice(
          `The archive ${shownPlace(place)} takes no files: ${error} They are kept here, and sent when it does.`,
        )
      return false
    }
    if (this.#failures > 0) onNotice(`The archive ${shownPlace(place)} takes files again.`)
    this.#failures = 0
    this.#sent.add(name, bytes)
    this.#count++
    return true
  }

  /** Undefined if it was sent, otherwise the reason. */
  async #sendOne(path: string, name: string): Promise<string | undefined> {
    if (this.#isStopped) return 'it has stopped.'
    const thread = (this.#thread ??= this.#newThread())
    const ended = new AbortController()
    thread.postMessage({ path, name })
    const reply = await Promise.race([
      once(thread, 'message', { signal: ended.signal }).then(([message]) => message as { error?: string }),
      once(thread, 'exit', { signal: ended.signal }).then(() => ({ error: 'its thread has ended.' })),
    ])
      .catch((error: unknown) => ({ error: `${(error as Error).message}.` }))
      .finally(() => ended.abort())
    return reply.error
  }

  #newThread(): Worker {
    const { place, crawlId, mayClaim = false } = this.#options
    const thread = new Worker(workerEntry(import.meta.url, './send-worker'), {
      ...threadOptions(process),
      workerData: { place, crawlId, mayClaim: mayClaim && this.#sent.isEmpty },
    })
    // A thread that ends, such as for want of memory, is replaced for the next file.
    return thread.once('exit', () => void (this.#thread = undefined)).on('error', () => {})
  }

  /** Deletes the oldest files that the archive has, beyond the quota. The index of each stays. */
  #limit(files: readonly LocalFile[]): void {
    const { keepBytes = Infinity } = this.#options
    let bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    for (const file of files) {
      if (bytes <= keepBytes) break
      // A file that may be continued stays, also at the end.
      if (!this.#isSent(file) || !this.#options.isClosed(file.name)) continue
      rmSync(file.path)
      bytes -= file.bytes
    }
    // Files that are being written must become whole before they can be sent.
    this.#hasRoom = bytes <= keepBytes || !files.some((file) => !this.#isSent(file) && this.#isClosed(file))
    if (this.#hasRoom) for (const resolve of this.#roomWaits.splice(0)) resolve()
  }
}
