/** The event stream of the server. It reconnects by itself; views subscribe to single events. */
import type { LiveEvents, Now, SettledPage } from '../api/index.ts'
import { addressOf } from './client.ts'

/** refused: the server responds, but not with another event stream. */
export type Connection = 'connecting' | 'connected' | 'lost' | 'refused'

type Listener<Body> = (body: Body) => void

const names = ['now', 'point', 'pages', 'control', 'crawl'] as const satisfies (keyof LiveEvents)[]
const newestMax = 20
const retryMsMax = 15_000

export class Live {
  #source: EventSource | undefined
  #retryMs = 1000
  readonly #listeners = new Map<string, Set<Listener<never>>>()
  readonly #connectionListeners = new Set<(connection: Connection) => void>()
  connection: Connection = 'connecting'
  /** The newest one, by event or request. */
  now: Now | undefined
  /** The newest settled pages. */
  newest: readonly SettledPage[] = []

  open(): void {
    this.#source?.close()
    const source = new EventSource(addressOf('events'))
    this.#source = source
    source.addEventListener('open', () => {
      this.#retryMs = 1000
      this.#setConnection('connected')
    })
    source.addEventListener('error', () => {
      this.#setConnection('lost')
      // The browser reconnects by itself, except after a response with an error status.
      if (source.readyState !== EventSource.CLOSED) return
      void this.#askWhy()
      setTimeout(() => source === this.#source && this.open(), this.#retryMs)
      this.#retryMs = Math.min(retryMsMax, 2 * this.#retryMs)
    })
    for (const name of names) {
      source.addEventListener(name, ({ data }: MessageEvent<string>) => this.#deliver(name, JSON.parse(data)))
    }
  }

  /** Until the returned function is called. */
  on<Name extends keyof LiveEvents>(name: Name, listener: Listener<LiveEvents[Name]>): () => void {
    const listeners = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, listeners)
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  onConnection(listener: (connection: Connection) => void): void {
    this.#connectionListeners.add(listener)
  }

  #deliver(name: keyof LiveEvents, body: unknown): void {
    if (name === 'now') this.now = body as Now
    if (name === 'pages') {
      this.newest = [...(body as LiveEvents['pages']).newest, ...this.newest].slice(0, newestMax)
    }
    for (const listener of this.#listeners.get(name) ?? []) listener(body as never)
  }

  /** An event source does not tell the status: is the server away, or does it refuse another stream? */
  async #askWhy(): Promise<void> {
    const ended = new AbortController()
    const response = await fetch(addressOf('events'), { signal: ended.signal }).catch(() => undefined)
    ended.abort()
    const isRefused = response !== undefined && [429, 503].includes(response.status)
    if (isRefused && this.connection === 'lost') this.#setConnection('refused')
  }

  #setConnection(connection: Connection): void {
    if (this.connection === connection) return
    this.connection = connection
    for (const listener of this.#connectionListeners) listener(connection)
  }
}
