/** The crawler: the engine over the real web, as a library sees it. `src/crawler/session/` has the parts put together. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CrawlFolder } from './record/crawl-folder.ts'
import type { Crawl, CrawledPage, CrawlOptions, CrawlProgress, CrawlTotals } from './options/crawl-options.ts'
import type { StopOptions } from './options/crawl-options.ts'
import type { RecrawlOptions, ResumeOptions } from './options/crawl-options.ts'
import { checkRecrawlOptions, checkResumeOptions, checkStopOptions } from './options/option-checks.ts'
import { PageStream } from './session/page-stream.ts'
import { openingProgress } from './session/opening-progress.ts'
import { readSecrets } from './session/request-secrets.ts'
import { CrawlSession } from './session/session.ts'
import { openWatch } from './session/watching.ts'
import type { SessionOptions } from './session/session-options.ts'
import { settingsOf, type CrawlSettings } from './options/crawl-settings.ts'
import { refreshSettings, resumedSettings } from './options/resumed-settings.ts'
import { checkInlineCode, inlineCodeOf } from '../engine/user-code/inline-code.ts'
import { RankwardError } from '../lib/errors.ts'
import { workBeside } from './parts/all-parts.ts'

export type { CrawlFreshness } from './options/crawl-freshness.ts'
export type { Crawl, CrawledPage, CrawlEvent, CrawlOptions, CrawlProgress } from './options/crawl-options.ts'
export type { CrawlCoverage, CrawlTotals, StopOptions } from './options/crawl-options.ts'
export type { RecrawlOptions, ResumeOptions } from './options/crawl-options.ts'

/** A new crawl. It begins when it is run or iterated. */
export function crawl(options: CrawlOptions): Crawl {
  const settings = settingsOf(options)
  return new RealCrawl(options, async () => {
    const secrets = readSecrets(settings)
    const { out, trust, historicalScores, replaceable } = options
    const path = out ?? mkdtempSync(join(tmpdir(), 'rankward-'))
    const folder = await CrawlFolder.create(path, { options: settings, trust, historicalScores, replaceable })
    const inline = inlineCodeOf(options)
    const isKept = out !== undefined
    return { folder, settings, secrets, isResumed: false, isKept, given: options, inline }
  })
}

/** Continues a crawl that has ended, was stopped or was killed. */
export function resumeCrawl(options: ResumeOptions): Crawl {
  checkResumeOptions(options)
  return new RealCrawl(options, () => reopened(options, (before) => resumedSettings(before, options)))
}

/** Fetches the pages of a crawl again, each once, and new pages that they link to. `pages` and `seconds` limit this run. */
export function recrawl(options: RecrawlOptions): Crawl {
  checkRecrawlOptions(options)
  const { pages, seconds } = options
  return new RealCrawl(options, () => ({
    ...reopened(options, (before) => refreshSettings(before, options)),
    refresh: { pages, seconds },
  }))
}

/** Opens the folder of a crawl for a session whose settings follow from the earlier ones. */
function reopened(
  options: ResumeOptions | RecrawlOptions,
  settingsAfter: (before: CrawlSettings) => CrawlSettings,
): Opened {
  const folder = openedFolder(options.out)
  const before = folder.file.options
  const inline = inlineCodeOf(options)
  checkInlineCode(folder.path, before, inline)
  const settings = settingsAfter(before)
  const secrets = readSecrets(settings, (name) => options[name as keyof typeof options] !== undefined)
  folder.use(settings)
  return { folder, settings, secrets, isResumed: true, isKept: true, given: options, inline }
}

/** Passes failures to `onError` as well. */
function eventsOf({ onEvent, onError }: RunOptions): RunOptions['onEvent'] {
  if (onError === undefined) return onEvent
  return (event) => {
    onEvent?.(event)
    if (event.kind === 'failed') onError({ url: event.url, error: event.error })
  }
}

/** The folder of a crawl that can be continued. */
function openedFolder(path: string): CrawlFolder {
  const folder = CrawlFolder.open(path)
  if (folder.file.shard === undefined) return folder
  throw new RankwardError(
    'USAGE',
    `${path} is a copy of one shard of a crawl on a cluster: \`rankward cluster worker\` continues it.`,
  )
}

interface Opened extends Pick<
  SessionOptions,
  'folder' | 'settings' | 'secrets' | 'isResumed' | 'given' | 'inline' | 'refresh'
> {
  /** Whether its folder stays when it has ended. */
  readonly isKept: boolean
}

/** Options that need no folder. */
type RunOptions = Pick<
  CrawlOptions,
  'signal' | 'onEvent' | 'onError' | 'dashboard' | 'dashboardToken' | 'dashboardNames' | 'log' | 'logLevel'
>

class RealCrawl implements Crawl {
  readonly totals: Promise<CrawlTotals>
  readonly #options: RunOptions
  readonly #open: () => Opened | Promise<Opened>
  #hasBegun = false
  #session: CrawlSession | undefined
  #settle: { resolve(totals: CrawlTotals): void; reject(error: unknown): void } | undefined
  #stopEarly: { now: boolean } | undefined

  constructor(options: RunOptions, open: () => Opened | Promise<Opened>) {
    this.#options = options
    this.#open = open
    this.totals = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
    // Awaiting it is optional: a rejection without a handler must not end the process.
    this.totals.catch(() => {})
  }

  run(): Promise<CrawlTotals> {
    return this.#run(undefined)
  }

  [Symbol.asyncIterator](): AsyncIterator<CrawledPage> {
    const stream = new PageStream(() => this.stop({ now: true }))
    this.#run(stream).then(
      () => stream.end(),
      (error: unknown) => stream.end(error),
    )
    return stream
  }

  stop(options: StopOptions = {}): void {
    checkStopOptions(options)
    const { now = false } = options
    if (this.#session === undefined) this.#stopEarly = { now }
    else this.#session.stop(now)
  }

  progress(): CrawlProgress {
    if (!this.#hasBegun) throw new RankwardError('USAGE', 'The crawl has not begun.')
    return this.#session?.progress() ?? openingProgress
  }

  async #run(stream: PageStream | undefined): Promise<CrawlTotals> {
    if (this.#hasBegun) {
      throw new RankwardError('USAGE', 'A crawl is run or iterated once. Begin another for more.')
    }
    this.#hasBegun = true
    try {
      const { isKept, ...opened } = await this.#open()
      const beside = isKept ? workBeside(opened.folder.path, opened.settings) : []
      let totals
      try {
        totals = await this.#sessionOf(opened, stream)
        // An interrupted crawl ends at once.
        if (totals.stoppedBecause !== 'interrupted')
          for (const work of beside) totals = { ...totals, ...(await work.finish()) }
      } finally {
        for (const work of beside) await work.stop()
        if (!isKept) rmSync(opened.folder.path, { recursive: true, force: true })
      }
      const given = isKept ? totals : { ...totals, folder: undefined, warcFiles: [] }
      this.#settle?.resolve(given)
      return given
    } catch (error) {
      this.#settle?.reject(error)
      throw error
    }
  }

  async #sessionOf(opened: Omit<Opened, 'isKept'>, stream: PageStream | undefined): Promise<CrawlTotals> {
    const { signal } = this.#options
    const given = { ...this.#options, onEvent: eventsOf(this.#options) }
    const watch = await openWatch(given, opened.folder)
    const onEvent = watch?.onEvent ?? given.onEvent
    const session = new CrawlSession({ ...opened, stream, onEvent, onControl: watch?.onControl })
    this.#session = session
    if (this.#stopEarly !== undefined) session.stop(this.#stopEarly.now)
    const stop = (): void => session.stop(true)
    if (signal?.aborted === true) stop()
    signal?.addEventListener('abort', stop, { once: true })
    try {
      await watch?.open(session)
      const totals = await session.run()
      await watch?.ended(totals)
      return totals
    } finally {
      signal?.removeEventListener('abort', stop)
      await watch?.close()
    }
  }
}
