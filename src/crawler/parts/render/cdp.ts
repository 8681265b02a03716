/**
 * The Chrome DevTools Protocol over a pipe: JSON messages that end with a zero byte. One connection carries the sessions of all targets
 * (tabs, frames, workers) of a browser.
 */
import type { Readable, Writable } from 'node:stream'

export type CdpParams = Readonly<Record<string, unknown>>
type Listener = (params: CdpParams, session: string | undefined) => void

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: CdpParams
  readonly result?: CdpParams
  readonly error?: { readonly message: string }
  readonly sessionId?: string
}

interface Pending {
  readonly resolve: (result: CdpParams) => void
  readonly reject: (error: Error) => void
}

/** The browser, or the target of the session, has gone. */
export class CdpGone extends Error {}

export class Cdp {
  readonly #to: Writable
  readonly #pending = new Map<number, Pending>()
  readonly #listeners = new Map<string, Listener>()
  #chunks: Buffer[] = []
  #nextId = 1
  #isOver = false
  /** Called once, when the browser has closed the pipe. */
  onEnd: (() => void) | undefined

  constructor(to: Writable, from: Readable) {
    this.#to = to
    from.on('data', (chunk: Buffer) => this.#receive(chunk))
    from.on('close', () => this.#end())
    from.on('error', () => this.#end())
    // A write after the end of the browser: `close` follows.
    to.on('error', () => {})
  }

  /** One listener per event of the protocol, for all sessions. */
  on(method: string, listener: Listener): void {
    this.#listeners.set(method, listener)
  }

  send(method: string, params: CdpParams = {}, session?: string): Promise<CdpParams> {
    if (this.#isOver) return Promise.reject(new CdpGone(`${method}: the browser has ended`))
    const id = this.#nextId++
    const message =
      session === undefined ? { id, method, params } : { id, method, params, sessionId: session }
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      this.#to.write(`${JSON.stringify(message)}\0`)
    })
  }

  /** Sends a command whose failure does not matter: its target may have gone. */
  post(method: string, params: CdpParams = {}, session?: string): void {
    this.send(method, params, session).catch(() => {})
  }

  #receive(chunk: Buffer): void {
    let start = 0
    for (;;) {
      const end = chunk.indexOf(0, start)
      if (end < 0) break
      this.#chunks.push(chunk.subarray(start, end))
      const text = Buffer.concat(this.#chunks).toString()
      this.#chunks = []
      start = end + 1
      this.#take(JSON.parse(text) as Message)
    }
    if (start < chunk.length) this.#chunks.push(chunk.subarray(start))
  }

  #take({ id, method, params = {}, result = {}, error, sessionId }: Message): void {
    if (id === undefined) {
      if (method !== undefined) this.#listeners.get(method)?.(params, sessionId)
      return
    }
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    if (error === undefined) pending?.resolve(result)
    else pending?.reject(new CdpGone(error.message))
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const { reject } of this.#pending.values()) reject(new CdpGone('the browser has ended'))
    this.#pending.clear()
    this.onEnd?.()
  }
}
