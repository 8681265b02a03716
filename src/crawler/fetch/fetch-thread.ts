/**
 * A fetch thread: fetches, reads and archives pages for the main thread (messages.ts). Results are sent
 * together, once a turn of the event loop: a message costs as much as reading a small page.
 *
 *   take(fetch) ─▶ SiteConnection ─▶ HttpClient ─▶ CompletedRequest ─▶ ResultReader ─▶ FetchResult
 *   take(keep)  ─▶ Archive ─▶ kept
 *
 * Reading also waits for the turn, after the HTTP client's callbacks have returned, so that an error here is
 * not mistaken for a broken connection.
 */
import type { PartReader } from '../parts/part-reader.ts'
import type { FetchResult } from '../world/fetch-result.ts'
import type {
  FetchConnection,
  FromThread,
  Kept,
  MadeDocument,
  ThreadSettings,
  ToThread,
} from '../world/messages.ts'
import { noArchive, notKept, type Archive, type OpenArchive } from './archive.ts'
import { giveBack } from '../../web/http/body-bytes.ts'
import { HttpClient } from '../../web/http/http-client.ts'
import { ResultReader } from './result-reader.ts'
import { type CompletedRequest, SiteConnection } from './site-connection.ts'

/** `transfer` is memory in the message that may be transferred instead of copied. */
type Post = (message: FromThread, transfer: ArrayBuffer[]) => void

export class FetchThread {
  readonly #post: Post
  readonly #client: HttpClient
  readonly #reader: ResultReader
  readonly #archive: Archive | undefined
  readonly #connections = new Set<SiteConnection>()
  #completed: CompletedRequest[] = []
  #kept: Kept[] = []
  #turn: NodeJS.Immediate | undefined

  constructor(
    settings: ThreadSettings,
    post: Post,
    openArchive?: OpenArchive,
    parts?: readonly PartReader[],
  ) {
    this.#post = post
    this.#client = new HttpClient(settings, (ids) => this.#post({ kind: 'slow', ids }, []))
    this.#reader = new ResultReader(settings, parts)
    this.#archive = openArchive?.((broken) => this.#post({ kind: 'broken', ...broken }, []))
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
        this.#postSoon()
        break
      case 'read':
        this.#postResults()
        this.#post({ kind: 'results', results: message.documents.map((one) => this.#readMade(one)) }, [])
        break
      case 'sync':
        this.#sync(message.number)
        break
      case 'abort':
        this.#abort(message.ids)
        break
      case 'cut':
        this.#client.cut(message.id)
        break
      case 'close':
        this.#close()
    }
  }

  #abort(ids: ReadonlySet<number> | undefined): void {
    if (ids === undefined) {
      for (const connection of this.#connections) connection.abort()
      this.#client.abort()
      return
    }
    for (const connection of this.#connections) {
      if (!connection.requests.some(({ id }) => ids.has(id))) continue
      connection.abort()
      for (const { id } of connection.requests) this.#client.cut(id)
    }
  }

  #connect(connection: FetchConnection): void {
    const made = new SiteConnection(this.#client, connection, (completed) => {
      if (completed.last) this.#connections.delete(made)
      this.#completed.push(completed)
      this.#postSoon()
    })
    this.#connections.add(made)
    made.sendNext()
  }

  #sync(number: number): void {
    this.#postResults()
    const end = this.#archive ? this.#archive.sync() : noArchive
    if (end) this.#post({ kind: 'synced', number, end }, [])
  }

  #close(): void {
    for (const connection of this.#connections) connection.abort()
    this.#client.destroy()
    this.#postResults()
    this.#archive?.close()
    this.#post({ kind: 'closed' }, [])
  }

  #postSoon(): void {
    this.#turn ??= setImmediate(() => this.#postResults())
  }

  #postResults(): void {
    clearImmediate(this.#turn)
    this.#turn = undefined
    const completed = this.#completed
    const kept = this.#kept
    this.#completed = []
    this.#kept = []
    if (kept.length > 0) this.#post({ kind: 'kept', kept }, [])
    if (completed.length === 0) return
    const results = completed.map((one) => this.#read(one))
    const transfer = results.flatMap(({ body }) => (body ? [body.buffer as ArrayBuffer] : []))
    this.#post({ kind: 'results', results }, transfer)
  }

  #readMade({ request, of, site, startMs, status, html, headers, links }: MadeDocument): FetchResult {
    const body = Buffer.from(html)
    this.#archive?.attach(of, body)
    const response = {
      startMs,
      durationMs: 0,
      status,
      failure: undefined,
      wasSent: true,
      reason: '',
      headers: headers.map((text) => Buffer.from(text, 'latin1')),
      head: undefined,
      body,
    }
    return this.#reader.read({ site, request, response, address: undefined, last: true }, links).result
  }

  #read(completed: CompletedRequest): FetchResult {
    const { result, payloadDigest } = this.#reader.read(completed)
    if (this.#archive && payloadDigest !== undefined) {
      const sent = this.#client.sentHead(completed.request)
      this.#archive.hold(result.id, { completed, sent, contentType: result.contentType, payloadDigest })
    } else giveBack(completed.response.body)
    return result
  }
}
