/**
 * The log of a crawl: one JSON object per line (pino). Secrets are replaced before a line is written: the values of request
 * headers, passwords of proxies and URLs, and tokens.
 */
import { destination, pino, type Logger } from 'pino'
import type { ControlEntry } from '../../crawler/session/crawl-control.ts'
import { RankwardError } from '../../lib/errors.ts'
import { clientSettings } from '../../crawler/parts/all-parts.ts'
import type { CrawlEvent } from '../../crawler/options/crawl-options.ts'
import type { CrawlSettings } from '../../crawler/options/crawl-settings.ts'
import { shownSettings } from '../../crawler/session/crawl-control.ts'
import type { LogLevel } from '../../crawler/options/running-options.ts'
import { version } from '../../crawler/options/version.ts'

/** Shorter secrets would also replace ordinary words. */
const secretCharsMin = 4

type Stream = ReturnType<typeof destination>

export class CrawlLog {
  readonly #log: Logger
  readonly #stream: Stream
  readonly #secrets: string[]

  private constructor(log: Logger, stream: Stream, secrets: string[]) {
    this.#log = log
    this.#stream = stream
    this.#secrets = secrets
  }

  /** Appends to this file. */
  static open(path: string, level: LogLevel, settings: CrawlSettings): CrawlLog {
    let stream: Stream
    try {
      // Writes are synchronous: a slow disk slows the crawl down, and no lines accumulate.
      stream = destination({ dest: path, append: true, sync: true })
    } catch (error) {
      const reason = (error as Error).message
      throw new RankwardError('FILE_UNWRITABLE', `The log ${path} cannot be written (${reason}).`, {
        cause: error,
      })
    }
    const secrets: string[] = []
    const base = { pid: process.pid, version }
    const log = pino({ level, base, timestamp: pino.stdTimeFunctions.isoTime }, stream)
    const crawlLog = new CrawlLog(log, stream, secrets)
    for (const [, value] of settings.headers) crawlLog.hide(value)
    for (const proxy of clientSettings(settings).proxies ?? []) crawlLog.#hideUrl(proxy)
    crawlLog.#write('info', 'start', { settings: shownSettings(settings) })
    return crawlLog
  }

  /** Replaces this text from now on wherever it appears. */
  hide(secret: string): void {
    if (secret.length >= secretCharsMin) this.#secrets.push(secret)
  }

  event(event: CrawlEvent): void {
    const { kind, ...rest } = event
    this.#write(levelOf(event), kind, rest)
  }

  control(entry: ControlEntry): void {
    this.#write('info', 'control', entry)
  }

  end(totals: object): void {
    this.#write('info', 'end', totals)
  }

  problem(what: string): void {
    this.#write('error', 'problem', { what })
  }

  close(): void {
    this.#stream.end()
  }

  #hideUrl(url: string): void {
    try {
      const { username, password } = new URL(url)
      this.hide(decodeURIComponent(username))
      this.hide(decodeURIComponent(password))
    } catch {
      // Not a URL: there is nothing to hide.
    }
  }

  #write(level: LogLevel, message: string, fields: object): void {
    if (!this.#log.isLevelEnabled(level)) return
    this.#log[level](this.#clean(fields) as object, message)
  }

  #clean(value: unknown): unknown {
    if (typeof value === 'string') return this.#cleanText(value)
    if (Array.isArray(value)) return value.map((each) => this.#clean(each))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.#clean(each)]))
  }

  #cleanText(text: string): string {
    const withoutUsers = text.replace(/(\b[a-z][a-z\d+.-]*:\/\/)[^\s/?#@]+@/gi, '$1[redacted]@')
    return this.#secrets.reduce((clean, secret) => clean.replaceAll(secret, '[redacted]'), withoutUsers)
  }
}

function levelOf(event: CrawlEvent): LogLevel {
  // Something has failed, and the crawl continues.
  if ('why' in event) return 'warn'
  switch (event.kind) {
    case 'page':
    case 'redirect':
    case 'look':
    case 'failed':
      return 'debug'
    case 'clock-behind':
    case 'out-of-reach':
    case 'waiting':
      return 'warn'
    default:
      return 'info'
  }
}
