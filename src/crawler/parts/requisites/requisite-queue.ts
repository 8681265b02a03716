/**
 * The requisites of a crawl: the files that its pages need to look as they do (page-requisites.ts). Each is known once, by the
 * fingerprint of its URL, and numbered in the order of discovery. Those of one host wait in that order. The URL of a requisite is
 * dropped when it has an outcome, unless that is a temporary error; 26 bytes remain.
 *
 *   found ─▶ waiting ─▶ settled: fetched, failed, or not requested
 *               ▲──── resume ────┘ after a temporary error
 *
 * Finding and settling are events of the crawl's record, so that a resumed crawl continues with what waits. Waiting again is not:
 * every resume does it, and a requisite may be settled again.
 */
import { FingerprintTable, unseen } from '../../../lib/fingerprint-table.ts'
import { fingerprint } from '../../../lib/fingerprint.ts'
import { GrowingUint32, GrowingUint8 } from '../../../lib/growing-array.ts'
import type { StateCodec } from '../../../lib/state.ts'
import { isTemporary } from '../../world/outcome-policy.ts'
import { siteOf } from '../../../web/url/site.ts'

export interface FoundRequisite {
  readonly url: string
  /** The first page that uses it, itself or through a style sheet. */
  readonly page: number
  /** Style sheets and redirects between that page and this file. */
  readonly depth: number
}

/** The outcome of a requisite. */
export interface RequisiteOutcome {
  /** When the request was sent, in milliseconds of the epoch; without a request, the time of the decision. */
  readonly startMs: number
  readonly durationMs: number
  /** HTTP status; 0: there was no response. */
  readonly status: number
  readonly bytes: number
  /** `http-404`, `timeout`, `robots`, …; `page`: a page of the crawl has this URL. */
  readonly error?: string | undefined
  readonly contentType?: string | undefined
  readonly location?: string | undefined
  /** Its place in the archive; set when it is archived. */
  warc?: RequisitePlace | undefined
}

interface RequisitePlace {
  /** The worker that wrote the file, in a crawl on several machines. */
  readonly worker?: string | undefined
  readonly thread: number
  readonly serial: number
  readonly offset: number
  readonly length: number
}

export type RequisiteEvent =
  | { readonly kind: 'found'; readonly requisite: FoundRequisite }
  | { readonly kind: 'settled'; readonly number: number; readonly outcome: RequisiteOutcome }

export interface RequisiteCounts {
  readonly known: number
  readonly fetched: number
  /** Requested without success. */
  readonly failed: number
  /** Not requested: disallowed by robots.txt, unreachable, or a page of the crawl. */
  readonly refused: number
  readonly waiting: number
  /** Found when the budget of files was used up, or too deep; they are not remembered. */
  readonly dropped: number
  /** Of the bodies as transferred. */
  readonly bytes: number
}

/** A chain of style sheets that import the next one, or of redirects, ends here. */
const depthMax = 8

const waiting = 0
const fetched = 1
const failed = 2
const refused = 3

/** Requisites of a host that wait, in order. */
interface HostQueue {
  readonly name: string
  readonly numbers: number[]
  /** The first that waits. */
  first: number
}

export class RequisiteQueue {
  readonly #onEvent: ((event: RequisiteEvent) => void) | undefined
  readonly #seen = new FingerprintTable()
  readonly #words = new Uint32Array(2)
  readonly #pages = new GrowingUint32(64)
  readonly #depths = new GrowingUint8(64)
  readonly #states = new GrowingUint8(64)
  /** Empty once the requisite is settled, unless by a temporary error. */
  #urls: string[] = []
  #counts = [0, 0, 0, 0]
  #dropped = 0
  #bytes = 0
  readonly #hosts: HostQueue[] = []
  readonly #hostNumbers = new Map<string, number>()

  constructor(onEvent?: (event: RequisiteEvent) => void) {
    this.#onEvent = onEvent
  }

  get counts(): RequisiteCounts {
    return {
      known: this.#urls.length,
      fetched: this.#counts[fetched],
      failed: this.#counts[failed],
      refused: this.#counts[refused],
      waiting: this.#counts[waiting],
      dropped: this.#dropped,
      bytes: this.#bytes,
    }
  }

  /** Number of requisites that were requested. */
  get requested(): number {
    return this.#counts[fetched] + this.#counts[failed]
  }

  get bytes(): number {
    return this.#bytes
  }

  get waitingCount(): number {
    return this.#counts[waiting]
  }

  get known(): number {
    return this.#urls.length
  }

  /** Adds a requisite; returns its host if it is new. At most `knownMax` are known. */
  add(requisite: FoundRequisite, knownMax: number): number | undefined {
    fingerprint(requisite.url, this.#words, 0)
    if (this.#seen.find(this.#words[0], this.#words[1]) !== unseen) return undefined
    if (this.known >= knownMax || requisite.depth > depthMax) {
      this.#dropped++
      return undefined
    }
    this.#onEvent?.({ kind: 'found', requisite })
    return this.#add(requisite)
  }

  #add({ url, page, depth }: FoundRequisite): number {
    fingerprint(url, this.#words, 0)
    const number = this.#seen.add(this.#words[0], this.#words[1])
    for (const array of [this.#pages, this.#depths, this.#states]) array.ensure(number)
    this.#pages.array[number] = page
    this.#depths.array[number] = depth
    this.#states.array[number] = waiting
    this.#urls.push(url)
    this.#counts[waiting]++
    return this.#enqueue(number)
  }

  #enqueue(number: number): number {
    const name = siteOf(this.#urls[number]) ?? ''
    const known = this.#hostNumbers.get(name)
    const host = known ?? this.#hosts.length
    if (known === undefined) {
      this.#hosts.push({ name, numbers: [], first: 0 })
      this.#hostNumbers.set(name, host)
    }
    this.#hosts[host].numbers.push(number)
    return host
  }

  get hostCount(): number {
    return this.#hosts.length
  }

  nameOf(host: number): string {
    return this.#hosts[host].name
  }

  /** The next requisite of a host; undefined: none waits. */
  firstOf(host: number): number | undefined {
    const queue = this.#hosts[host]
    return queue.first < queue.numbers.length ? queue.numbers[queue.first] : undefined
  }

  /** Moves the first requisite of a host to the end of its queue. */
  moveBack(host: number): void {
    const queue = this.#hosts[host]
    queue.numbers.push(queue.numbers[queue.first])
    this.#shift(queue)
  }

  urlOf(number: number): string {
    return this.#urls[number]
  }

  /** The page and depth of a file that this requisite names. */
  within(number: number): Pick<FoundRequisite, 'page' | 'depth'> {
    return { page: this.#pages.array[number], depth: this.#depths.array[number] + 1 }
  }

  /** The first requisite of its host has an outcome. */
  settle(host: number, outcome: RequisiteOutcome): void {
    const number = this.firstOf(host)!
    this.#shift(this.#hosts[host])
    this.#onEvent?.({ kind: 'settled', number, outcome })
    this.#settle(number, outcome)
  }

  #settle(number: number, { status, error, bytes }: RequisiteOutcome): void {
    const state = error === undefined ? fetched : status > 0 || wasRequested(error) ? failed : refused
    this.#counts[this.#states.array[number]]--
    this.#states.array[number] = state
    if (!isTemporary(error)) this.#urls[number] = ''
    this.#counts[state]++
    this.#bytes += bytes
  }

  #shift(queue: HostQueue): void {
    queue.first++
    if (queue.first < 1024 || 2 * queue.first < queue.numbers.length) return
    queue.numbers.splice(0, queue.first)
    queue.first = 0
  }

  /** Repeats a recorded change. `rebuild` must follow before anything is requested. */
  replay(event: RequisiteEvent): void {
    if (event.kind === 'found') this.#add(event.requisite)
    else this.#settle(event.number, event.outcome)
  }

  /** Requisites that failed for a temporary reason wait again. `rebuild` must follow. */
  retryFailed(): void {
    this.#urls.forEach((url, number) => {
      const state = this.#states.array[number]
      if (url === '' || state === waiting) return
      this.#counts[state]--
      this.#counts[waiting]++
      this.#states.array[number] = waiting
    })
  }

  /** Queues all requisites that wait, in the order of their numbers. */
  rebuild(): void {
    this.#hosts.length = 0
    this.#hostNumbers.clear()
    for (let number = 0; number < this.known; number++) {
      if (this.#states.array[number] === waiting) this.#enqueue(number)
    }
  }

  transfer(state: StateCodec): void {
    state.section('requisites', 1)
    this.#seen.transfer(state)
    state.growing(this.#pages)
    state.growing(this.#depths)
    state.growing(this.#states)
    this.#urls = [...state.texts(this.#urls)]
    this.#dropped = state.number(this.#dropped)
    this.#bytes = state.number(this.#bytes)
    this.#counts = [...state.array(Float64Array.from(this.#counts))]
    if (state.isReading) this.rebuild()
  }
}

/** Errors without a status after a request was sent. */
function wasRequested(error: string): boolean {
  return /^(?:timeout|reset|bad-http|headers-too-large|slow)$/.test(error)
}
