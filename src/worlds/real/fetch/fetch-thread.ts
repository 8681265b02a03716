/**
 * A fetch thread: asks, reads and archives what main tells it to (messages.ts). What came and what was kept is told
 * once a turn of the event loop, all together: a message costs as much as reading a small page.
 *
 *   take(fetch) ─▶ SiteConnection ─▶ HttpClient ─▶ arrivals ─▶ ArrivalReader ─▶ came
 *   take(keep)  ─▶ Archive ─▶ kept
 *
 * Reading waits for the turn as well: the HTTP client's callbacks are left before it, so that what goes wrong here
 * is not taken for a broken connection.
 */
import type { Topic } from '../../../topic/topic.ts'
import type { Came, FetchConnection, FromThread, Kept, ThreadSettings, ToThread } from '../messages.ts'
import { Archive, notKept } from './archive.ts'
import { ArrivalReader } from './arrival-reader.ts'
import { HttpClient } from './http-client.ts'
import { SiteConnection } from './site-connection.ts'
import type { Arrival } from './site-connection.ts'

/** `transfer` is memory in the message that may be handed over instead of being copied. */
export type Post = (message: FromThread, transfer: ArrayBuffer[]) => void

export class FetchThread {
  readonly #post: Post
  readonly #client: HttpClient
  readonly #reader: ArrivalReader
  readonly #archive: Archive | undefined
  readonly #connections = new Set<SiteConnection>()
  #arrivals: Arrival[] = []
  #kept: Kept[] = []
  #turn: NodeJS.Immediate | undefined

  constructor(settings: ThreadSettings, post: Post, topic?: Topic) {
    this.#post = post
    this.#client = new HttpClient(settings, (ids) => this.#post({ kind: 'slow', ids }, []))
    this.#reader = new ArrivalReader(settings, topic)
    this.#archive =
      settings.warc &&
      new Archive(settings.thread, settings.warc, (broken) => this.#post({ kind: 'broken', ...broken }, []))
  }

  take(message: ToThread): void {
    switch (message.kind) {
      case 'fetch':
        for (const connection of message.connections) this.#connect(connection)
        break
      case 'keep':
        for (const verdict of message.verdicts) {
          const kept = this.#archive ? this.#archive.keep(verdict) : notKept(verdict.id)
          if (kept) this.#kept.push(kept)
        }
        this.#tellSoon()
        break
      case 'sync':
        this.#sync(message.number)
        break
      case 'abort':
        for (const connection of this.#connections) connection.abort()
        this.#client.abort()
        break
      case 'cut':
        this.#client.cut(message.id)
        break
      case 'close':
        this.#close()
    }
  }

  #connect(connection: FetchConnection): void {
    const made = new SiteConnection(this.#client, connection, (arrival) => {
      if (arrival.last) this.#connections.delete(made)
      this.#arrivals.push(arrival)
      this.#tellSoon()
    })
    this.#connections.add(made)
    made.askNext()
  }

  #sync(number: number): void {
    this.#tell()
    const place = this.#archive ? this.#archive.sync() : { serial: -1, length: 0 }
    if (place) this.#post({ kind: 'synced', number, ...place }, [])
  }

  #close(): void {
    for (const connection of this.#connections) connection.abort()
    this.#client.destroy()
    this.#tell()
    this.#archive?.close()
    this.#post({ kind: 'closed' }, [])
  }

  #tellSoon(): void {
    this.#turn ??= setImmediate(() => this.#tell())
  }

  #tell(): void {
    clearImmediate(this.#turn)
    this.#turn = undefined
    const arrivals = this.#arrivals
    const kept = this.#kept
    this.#arrivals = []
    this.#kept = []
    if (kept.length > 0) this.#post({ kind: 'kept', kept }, [])
    if (arrivals.length === 0) return
    const came = arrivals.map((arrival) => this.#read(arrival))
    const transfer = came.flatMap(({ body }) => (body ? [body.buffer as ArrayBuffer] : []))
    this.#post({ kind: 'came', came }, transfer)
  }

  #read(arrival: Arrival): Came {
    const { came, contentType, payloadDigest } = this.#reader.read(arrival)
    if (this.#archive && payloadDigest !== undefined) {
      const { request, answer, address } = arrival
      this.#archive.hold(came.id, {
        url: request.url,
        address,
        request: this.#client.sentHead(request),
        answer,
        contentType,
        payloadDigest,
      })
    }
    return came
  }
}
