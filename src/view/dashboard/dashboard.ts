/** The dashboard of one crawl: the server, the event streams, and the source that has the crawl. `openDashboard` starts it. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ControlEntry } from '../../crawler/session/crawl-control.ts'
import { RankwardError } from '../../lib/errors.ts'
import type { CrawlEvent } from '../../crawler/options/crawl-options.ts'
import type { DashboardAddress } from '../../crawler/options/dashboard-address.ts'
import { version } from '../../crawler/options/version.ts'
import { stopPhrases } from '../../crawler/wording/crawl-end.ts'
import { Access } from './access.ts'
import { ApiFailure } from './api-failure.ts'
import {
  endpoints,
  type ControlName,
  type ControlRequests,
  type ControlResult,
  type CrawlInfo,
  type ReadingName,
} from './api/index.ts'
import type { CrawlSource } from './crawl-source.ts'
import { EventStreams } from './event-streams.ts'
import { metricsText } from '../../crawler/metric-table.ts'
import { metricTable } from './metrics.ts'
import { sendArchivedPage, sendArchivedText, sendJson } from './responses.ts'
import { DashboardServer } from './server.ts'
import { SettledPages } from './settled-pages.ts'
import { SharedAnswers } from './shared-answers.ts'
import { builtPage, staticFiles } from './static-files.ts'

const sampleMs = 1000
const tokenCharsMin = 16

/** Why an endpoint does not respond for the crawl. */
const absent = {
  record: 'A crawl on a cluster has no such view: its pages are on its workers.',
  cluster: 'The crawl runs on one machine: it has no workers and no shards.',
} as const

interface DashboardOptions {
  /** Closed with the dashboard. */
  readonly source: CrawlSource
  readonly address: DashboardAddress
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
  readonly #server: DashboardServer
  readonly #streams = new EventStreams()
  readonly #settled = new SettledPages()
  readonly #answers = new SharedAnswers()
  readonly #requests = new Map<string, number>()
  #access: Access
  #port = 0
  #timer: NodeJS.Timeout | undefined
  #isSampling = false
  /** As viewers know it. */
  #phase: string | undefined

  constructor(options: DashboardOptions, token: string) {
    this.#options = options
    this.#source = options.source
    this.token = token
    this.#access = this.#accessOf(0)
    this.#server = new DashboardServer({
      access: () => this.#access,
      files: staticFiles(options.page ?? builtPage()),
      read: (...request) => this.#read(...request),
      control: (name, body) => this.#control(name, body),
      metrics: (request) => this.#metrics(request),
      isReady: () => this.#source.isReady(),
      onResponse: (status) => this.#count(status),
      onProblem: options.onProblem ?? (() => {}),
    })
  }

  async open(): Promise<void> {
    const { host, port } = this.#options.address
    this.#port = await this.#server.listen(host, port)
    this.#access = this.#accessOf(this.#port)
    this.#timer = setInterval(() => void this.#sample(), sampleMs).unref()
    await this.#sample()
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

  /** The source has changed, for example because the crawl has ended: viewers are informed now. */
  async changed(): Promise<void> {
    await this.#sample()
    this.#streams.send('crawl', {})
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#streams.close()
    await this.#server.close()
    await this.#source.close()
  }

  #accessOf(port: number): Access {
    const { address, names = [] } = this.#options
    return new Access({ host: address.host, port, token: this.token, names })
  }

  #count(status: number): void {
    const name = `${Math.floor(status / 100)}xx`
    this.#requests.set(name, (this.#requests.get(name) ?? 0) + 1)
  }

  async #sample(): Promise<void> {
    if (this.#isSampling) return
    this.#isSampling = true
    try {
      const sample = await this.#source.sample(this.#streams.count > 0)
      const pages = this.#settled.take()
      if (pages !== undefined) this.#streams.send('pages', pages)
      if (sample !== undefined) this.#streams.send('now', sample.now)
      if (sample?.point !== undefined) this.#streams.send('point', sample.point)
      if (sample !== undefined && this.#streams.count > 0) await this.#checkPhase()
    } catch (error) {
      this.#options.onProblem?.(String((error as Error).stack))
    } finally {
      this.#isSampling = false
    }
  }

  /** A crawl of other processes may begin, stop or end. */
  async #checkPhase(): Promise<void> {
    const { isRunning, stoppedBecause } = await this.#source.info()
    const phase = JSON.stringify([isRunning, stoppedBecause])
    if (this.#phase !== undefined && this.#phase !== phase) this.#streams.send('crawl', {})
    this.#phase = phase
  }

  async #read(
    name: ReadingName,
    url: URL,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { of, form } = endpoints[name]
    if (of !== 'any' && of !== this.#source.kind) throw new ApiFailure('not-found', absent[of])
    if (form === 'events') return this.#stream(response)
    if (form === 'json') return sendJson(response, await this.#json(name, url, request))
    const archived = await this.#source.archived([...url.searchParams])
    return form === 'text' ? sendArchivedText(response, archived) : sendArchivedPage(response, archived)
  }

  async #json(name: ReadingName, { search, searchParams }: URL, request: IncomingMessage): Promise<string> {
    switch (name) {
      case 'crawl':
        return JSON.stringify(await this.#info(request))
      case 'now':
        return JSON.stringify(await this.#source.now())
      case 'control':
        return JSON.stringify(await this.#source.controlState())
      default:
        return this.#answers.get(`${name}${search}`, () => this.#source.answer(name, [...searchParams]))
    }
  }

  async #stream(response: ServerResponse): Promise<void> {
    const now = await this.#source.now()
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' })
    this.#streams.add(response)
    this.#streams.send('now', now, response)
  }

  async #control(name: ControlName, body: unknown): Promise<ControlResult> {
    const control = name.slice('control/'.length) as keyof ControlRequests
    const entry = await this.#source.control(control, body)
    this.#answers.clear()
    return { entry, state: await this.#source.controlState() }
  }

  async #info(request: IncomingMessage): Promise<CrawlInfo> {
    const { isControllable, ...info } = await this.#source.info()
    return {
      ...info,
      endText: Object.entries(stopPhrases).find(([reason]) => reason === info.stoppedBecause)?.[1],
      version,
      access: { control: isControllable, hasToken: this.#access.hasToken(request) },
    }
  }

  async #metrics({ headers }: IncomingMessage): Promise<{ type: string; text: string }> {
    const measured = {
      ...(await this.#source.measured()),
      version,
      clients: this.#streams.count,
      bufferedBytes: this.#streams.bufferedBytes,
      requests: this.#requests,
    }
    return metricsText(metricTable, measured, headers.accept)
  }
}
