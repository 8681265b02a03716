/**
 * The requests of one connection to one site, asked for one after the other: never two at once, whatever their origins
 * (a site is http and https alike). Where no connection comes about, the requests behind that one are told the same
 * without being tried.
 */
import type { FetchConnection, FetchRequest } from '../messages.ts'
import type { Answer } from './exchange.ts'
import type { HttpClient } from './http-client.ts'

export interface Arrival {
  readonly site: number
  readonly request: FetchRequest
  readonly answer: Answer
  /** The address that answered, where it is known. */
  readonly address: string | undefined
  /** Is it the last of its connection? */
  readonly last: boolean
}

export class SiteConnection {
  readonly #client: HttpClient
  readonly #connection: FetchConnection
  readonly #onArrival: (arrival: Arrival) => void
  #next = 0
  #isAborted = false

  constructor(client: HttpClient, connection: FetchConnection, onArrival: (arrival: Arrival) => void) {
    this.#client = client
    this.#connection = connection
    this.#onArrival = onArrival
  }

  askNext(): void {
    const { address, port, requests } = this.#connection
    if (this.#next === requests.length) return
    const at = this.#next++
    this.#client.ask(requests[at], { address, port }, (answer, answeredFrom) => {
      this.#arrived(at, answer, answeredFrom)
      if (this.#isAborted || !answer.wasSent) this.#failRest(answer)
      else this.askNext()
    })
  }

  /** What was not asked for yet will not be. The client ends what is under way. */
  abort(): void {
    this.#isAborted = true
  }

  /** The request could not be sent, and those that are left could not either. */
  #failRest(answer: Answer): void {
    const { requests } = this.#connection
    const rest: Answer = this.#isAborted ? { ...answer, ...abortedAnswer } : answer
    while (this.#next < requests.length) this.#arrived(this.#next++, rest, undefined)
  }

  #arrived(at: number, answer: Answer, address: string | undefined): void {
    const { site, requests } = this.#connection
    this.#onArrival({ site, request: requests[at], answer, address, last: at === requests.length - 1 })
  }
}

const abortedAnswer: Partial<Answer> = {
  failure: 'aborted',
  failureText: 'stopped',
  wasSent: false,
  status: 0,
  headers: [],
  head: undefined,
  faults: [],
  body: Buffer.alloc(0),
  broken: undefined,
  truncated: undefined,
}
