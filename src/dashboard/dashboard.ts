/**
 * The dashboard of one crawl: the server with its sources. `openDashboard` starts it, for a crawl of this process (`session`)
 * or for a folder.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { basename, resolve } from 'node:path'
import type { ControlEntry } from '../crawl/crawl-control.ts'
import type { CrawlSession } from '../crawl/session.ts'
import { shownSettings } from '../crawl/crawl-control.ts'
import { RankwardError } from '../lib/errors.ts'
import type { CrawlEvent } from '../options/crawl-options.ts'
import type { DashboardAddress } from '../options/dashboard-address.ts'
import { version } from '../options/version.ts'
import { findEntry } from '../strategies/index.ts'
import type { CrawlFolder } from '../record/crawl-folder.ts'
import { Access } from './access.ts'
import { ApiFailure } from './api-failure.ts'
import type { CrawlInfo } from './api/index.ts'
import { budgetsOf, control, controlState } from './control-requests.ts'
import { LiveSource, RecordedSource, type CrawlSource } from './crawl-source.ts'
import { EventStreams } from './event-streams.ts'
import { ErrorCounts, metricsText } from './metrics.ts'
import { ReaderThread } from './reader-thread.ts'
import type { ArchivedText } from './reader/archive-queries.ts'
import { sendArchivedPage, sendArchivedText, sendJson } from './responses.ts'
import { DashboardServer } from './server.ts'
import { SettledPages } from './settled-pages.ts'
import { SharedAnswers } from './shared-answers.ts'
import { builtPage, staticFiles } from './static-files.ts'
import { openingProgress } from '../crawl/opening-progress.ts'

const sampleMs = 1000
/** The reader thread of a running crawl ends after this time without requests. */
const idleMs = 60_000
const seedsShown = 20
const tokenCharsMin = 16

export interface DashboardOptions {
  readonly folder: CrawlFolder
  readonly address: DashboardAddress
  /** The session, if this process runs the crawl. */
  readonly session?: CrawlSession | undefined
  /** A file with the token; by default a token is drawn. */
  readonly tokenFile?: string | undefined
  /** Further names of the server. */
  readonly names?: readonly string[] | undefined
  /** An internal error, for the log. */
  readonly onProblem?: ((what: string) => void) | undefined
  /** Folder of the built page. */
  readonly page?: string | undefined
}

export async function openDashboard(options: DashboardOptions): Promise<Dashboard> {
  const token =
    options.tokenFile === undefined ? randomBytes(24).toString('base64url') : tokenIn(options.tokenFile)
  const dashboard = new Dashboard(options, token)
  await dashboard.open()
  return dashboard
}

function tokenIn(path: string): string {
  let token
  try {
    token = readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new RankwardError(
      'FILE_UNREADABLE',
      `Cannot read the token file ${path}: ${(error as Error).message}.`,
      {
        cause: error,
      },
    )
  }
  if (token.length >= tokenCharsMin && /^[!-~]+$/.test(token)) return token
  throw new RankwardError(
    'USAGE',
    `The token in ${path} must have at least ${tokenCharsMin} printable ASCII characters without spaces.`,
  )
}

export class Dashboard {
  readonly token: string
  readonly #options: DashboardOptions
  readonly #source: CrawlSource
  readonly #live: LiveSource | undefined
  readonly #reader: ReaderThread
  readonly #server: DashboardServer
  readonly #streams = new EventStreams()
  readonly #settled = new SettledPages()
  readonly #answers = new SharedAnswers()
  readonly #errors = new ErrorCounts()
  readonly #requests = new Map<string, number>()
  #access: Access
  #port = 0
  #timer: NodeJS.Timeout | undefined
  #isSampling = false

  constructor(options: DashboardOptions, token: string) {
    this.#options = options
    this.token = token
    const { folder, session, onProblem = () => {} } = options
    const settings = folder.file.options
    this.#reader = new ReaderThread({
      path: folder.path,
      idleMs: session === undefined ? Infinity : idleMs,
      onProblem,
    })
    this.#live = session && new LiveSource(session, this.#reader, settings)
    this.#source = this.#live ?? new RecordedSource(this.#reader, settings)
    this.#access = this.#accessOf(0)
    this.#server = new DashboardServer({
      access: () => this.#access,
      files: staticFiles(options.page ?? builtPage()),
      read: (...request) => this.#read(...request),
      control: (name, body) => this.#control(name, body),
      metrics: (request) => this.#metrics(request),
      isReady: () => this.#isReady(),
      onResponse: (status) => this.#count(status),
      onProblem,
    })
  }

  async open(): Promise<void> {
    const { host, port } = this.#options.address
    this.#port = await this.#server.listen(host, port)
    this.#access = this.#accessOf(this.#port)
    this.#timer = setInterval(() => void this.#sample(), sampleMs).unref()
    if (this.#live !== undefined) await this.#sample()
  }

  get url(): string {
    const { host } = this.#options.address
    const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
    return `http://${name}:${this.#port}/`
  }

  /** True if reading needs the token as well. */
  get needsToken(): boolean {
    return !this.#access.isOpen
  }

  /** An event of the crawl, to be shown within a second. */
  event(event: CrawlEvent): void {
    this.#settled.add(event)
  }

  controlled(entry: ControlEntry): void {
    this.#streams.send('control', entry)
    this.#streams.send('crawl', {})
  }

  /** The crawl has ended; the dashboard shows its last state until it is closed. */
  async ended(because: string | undefined): Promise<void> {
    this.#live?.ended(because)
    await this.#sample()
    this.#streams.send('crawl', {})
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#streams.close()
    this.#source.close()
    await this.#server.close()
    await this.#reader.close()
  }

  #accessOf(port: number): Access {
    const { address, names = [] } = this.#options
    return new Access({ host: address.host, port, token: this.token, names })
  }

  #isReady(): boolean {
    const { session } = this.#options
    return session === undefined || session.live !== undefined
  }

  #count(status: number): void {
    const name = `${Math.floor(status / 100)}xx`
    this.#requests.set(name, (this.#requests.get(name) ?? 0) + 1)
  }

  /** Without viewers, a recorded crawl is not read. */
  async #sample(): Promise<void> {
    const isWatched = this.#streams.count > 0
    if (this.#isSampling || (this.#live === undefined && !isWatched)) return
    this.#isSampling = true
    try {
      const { now, point } = await this.#source.sample(isWatched)
      const pages = this.#settled.take()
      if (pages !== undefined) this.#streams.send('pages', pages)
      this.#streams.send('now', now)
      if (point !== undefined) this.#streams.send('point', point)
    } catch (error) {
      this.#options.onProblem?.(String((error as Error).stack))
    } finally {
      this.#isSampling = false
    }
  }

  async #read(name: string, url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parameters = [...url.searchParams]
    switch (name) {
      case 'crawl':
        return sendJson(response, JSON.stringify(await this.#info(request)))
      case 'now':
        return sendJson(response, JSON.stringify(await this.#source.now()))
      case 'events':
        return this.#stream(response)
      case 'control':
        return sendJson(response, JSON.stringify(await this.#controlState()))
      case 'page/text':
        return sendArchivedText(response, await this.#archived(parameters))
      case 'page/archived':
        return sendArchivedPage(response, await this.#archived(parameters))
      case 'state':
      case 'givers':
        throw new ApiFailure('not-found', 'There is no such endpoint.')
      default: {
        const ask = (): Promise<string> =>
          this.#source.answer(name, parameters) ?? this.#reader.ask(name, parameters)
        return sendJson(response, await this.#answers.get(`${name}${url.search}`, ask))
      }
    }
  }

  async #archived(parameters: readonly (readonly [string, string])[]): Promise<ArchivedText> {
    return JSON.parse(await this.#reader.ask('page/text', parameters)) as ArchivedText
  }

  async #stream(response: ServerResponse): Promise<void> {
    if (this.#streams.isFull) throw new ApiFailure('busy', 'The dashboard has too many viewers.')
    const now = await this.#source.now()
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' })
    this.#streams.add(response)
    this.#streams.send('now', now, response)
  }

  async #control(name: string, body: unknown): Promise<object> {
    const entry = control(this.#options.session?.live, name, body)
    this.#answers.clear()
    return { entry, state: await this.#controlState() }
  }

  async #controlState(): Promise<object> {
    return controlState(this.#options.session?.live, this.#source.settings(), await this.#source.controls())
  }

  async #info(request: IncomingMessage): Promise<CrawlInfo> {
    const { folder, session } = this.#options
    const settings = this.#source.settings()
    const { strategy, seeds, recrawl, topic, traps, nearDuplicates, warc } = settings
    const entry = findEntry(strategy)
    const isRunning = await this.#source.isRunning()
    return {
      version,
      name: basename(resolve(folder.path)),
      startedAtMs: Date.parse(folder.file.startedAt),
      isLive: this.#source.isLive,
      isRunning,
      stoppedBecause: isRunning ? undefined : await this.#source.stoppedBecause(),
      strategy: { name: strategy, about: entry?.about },
      seeds: seeds.slice(0, seedsShown),
      seedCount: seeds.length,
      budgets: budgetsOf(settings),
      settings: withoutLists(shownSettings(settings)),
      has: {
        guarantee: (await this.#source.progress())?.guaranteed !== undefined,
        archive: warc,
        freshness: recrawl !== undefined,
        topic: topic !== undefined,
        traps,
        nearDuplicates: nearDuplicates !== undefined,
      },
      access: { control: session?.live !== undefined, hasToken: this.#access.hasToken(request) },
    }
  }

  async #metrics({ headers }: IncomingMessage): Promise<{ type: string; text: string }> {
    const progress = (await this.#source.progress()) ?? openingProgress
    const { user, system } = process.cpuUsage()
    const crawl = {
      version,
      startedAtMs: Date.parse(this.#options.folder.file.startedAt),
      isRunning: await this.#source.isRunning(),
      progress,
      now: await this.#source.now(),
      clients: this.#streams.count,
      bufferedBytes: this.#streams.bufferedBytes,
      requests: this.#requests,
      errors: this.#errors.read(progress.errors),
      cpuSeconds: this.#live === undefined ? undefined : (user + system) / 1e6,
    }
    return metricsText(crawl, headers.accept)
  }
}

/** Seeds are shown elsewhere, and may be very many. */
function withoutLists(settings: object): Record<string, unknown> {
  const { seeds: _, ...rest } = settings as Record<string, unknown>
  return rest
}
