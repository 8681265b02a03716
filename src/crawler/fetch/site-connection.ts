/**
 * The requests of one connection to one site, sent one after the other: never two at once, even for different
 * origins (http and https are one site). If no connection can be opened, the remaining requests fail with the
 * same result without being sent.
 */
import type { FetchConnection } from '../world/messages.ts'
import type { FetchRequest } from '../../web/http/http-request.ts'
import type { HttpResponse } from '../../web/http/exchange.ts'
import type { HttpClient } from '../../web/http/http-client.ts'

export interface CompletedRequest {
  readonly site: number
  readonly request: FetchRequest
  readonly response: HttpResponse
  /** The address that responded, if known. */
  readonly address: string | undefined
  /** True for the last request of its connection. */
  readonly last: boolean
}

export class SiteConnection {
  readonly #client: HttpClient
  readonly #connection: FetchConnection
  readonly #onCompleted: (completed: CompletedRequest) => void
  #next = 0
  #isAborted = false

  constructor(
    client: HttpClient,
    connection: FetchConnection,
    onCompleted: (completed: CompletedRequest) => void,
  ) {
    this.#client = client
    this.#connection = connection
    this.#onCompleted = onCompleted
  }

  get requests(): readonly FetchRequest[] {
    return this.#connection.requests
  }

  sendNext(): void {
    const { address, port, proxy, channel, requests } = this.#connection
    if (this.#next === requests.length) return
    const at = this.#next++
    this.#client.send(requests[at], { address, port, proxy, channel }, (response, respondedFrom) => {
      this.#complete(at, response, respondedFrom)
      if (this.#isAborted || !response.wasSent) this.#failRest(response)
      else this.sendNext()
    })
  }

  /** Sends no further request. The client aborts those in flight. */
  abort(): void {
    this.#isAborted = true
  }

  /** The request could not be sent, and neither could the remaining ones. */
  #failRest(response: HttpResponse): void {
    const { requests } = this.#connection
    const rest = this.#isAborted ? { ...response, ...aborted } : response
    while (this.#next < requests.length) this.#complete(this.#next++, rest, undefined)
  }

  #complete(at: number, response: HttpResponse, address: string | undefined): void {
    const { site, requests } = this.#connection
    this.#onCompleted({ site, request: requests[at], response, address, last: at === requests.length - 1 })
  }
}

const aborted: Partial<HttpResponse> = {
  failure: 'aborted',
  failureText: 'stopped',
  wasSent: false,
  status: 0,
  headers: [],
  head: undefined,
  faults: undefined,
  body: Buffer.alloc(0),
  broken: undefined,
  truncated: undefined,
}
