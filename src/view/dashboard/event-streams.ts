/**
 * Server-sent events to many clients, in bounded memory. Every client has at most `bufferMax` bytes under way. While a
 * client does not read, the newest event of each name waits for it and older ones are dropped; a client that does not read
 * for a minute is disconnected.
 */
import type { ServerResponse } from 'node:http'
import type { LiveEvents } from './api/index.ts'

const bufferMax = 256 * 1024
const stalledMsMax = 60_000
const heartbeatMs = 15_000

interface Client {
  readonly response: ServerResponse
  /** Newest events that could not be sent, by name. */
  readonly waiting: Map<string, string>
  stalledSinceMs: number | undefined
}

export class EventStreams {
  readonly #clients = new Set<Client>()
  readonly #now: () => number
  #heartbeat: NodeJS.Timeout | undefined

  /** `now`: milliseconds, monotonic. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  get count(): number {
    return this.#clients.size
  }

  /** Bytes and characters that are kept for all clients. */
  get bufferedBytes(): number {
    let sum = 0
    for (const { response, waiting } of this.#clients) {
      sum += response.writableLength
      for (const event of waiting.values()) sum += 2 * event.length
    }
    return sum
  }

  /** Adds a client whose headers have been sent. */
  add(response: ServerResponse): void {
    const client: Client = { response, waiting: new Map(), stalledSinceMs: undefined }
    this.#clients.add(client)
    response.on('drain', () => this.#drained(client))
    response.on('close', () => this.#remove(client))
    response.on('error', () => this.#remove(client))
    this.#heartbeat ??= setInterval(() => this.#beat(), heartbeatMs).unref()
  }

  send<Name extends keyof LiveEvents>(name: Name, body: LiveEvents[Name], only?: ServerResponse): void {
    if (this.#clients.size === 0) return
    // JSON has no line ends, so that no text can begin another event.
    const event = `event: ${name}\ndata: ${JSON.stringify(body)}\n\n`
    for (const client of this.#clients) {
      if (only === undefined || client.response === only) this.#offer(client, name, event)
    }
  }

  /** Disconnects all clients. */
  close(): void {
    clearInterval(this.#heartbeat)
    this.#heartbeat = undefined
    for (const { response } of this.#clients) response.end()
    this.#clients.clear()
  }

  #offer(client: Client, name: string, event: string): void {
    const { response, waiting } = client
    const { writableLength } = response
    if (waiting.size === 0 && (writableLength === 0 || writableLength + event.length <= bufferMax)) {
      response.write(event)
      return
    }
    client.stalledSinceMs ??= this.#now()
    if (this.#now() - client.stalledSinceMs > stalledMsMax) this.#drop(client)
    else waiting.set(name, event)
  }

  #drained(client: Client): void {
    client.stalledSinceMs = undefined
    for (const event of client.waiting.values()) client.response.write(event)
    client.waiting.clear()
  }

  /** Proxies close connections without traffic. */
  #beat(): void {
    for (const client of this.#clients) {
      const { stalledSinceMs, response } = client
      if (stalledSinceMs === undefined) response.write(':\n\n')
      else if (this.#now() - stalledSinceMs > stalledMsMax) this.#drop(client)
    }
  }

  #drop(client: Client): void {
    this.#remove(client)
    client.response.destroy()
  }

  #remove(client: Client): void {
    this.#clients.delete(client)
    if (this.#clients.size > 0) return
    clearInterval(this.#heartbeat)
    this.#heartbeat = undefined
  }
}
