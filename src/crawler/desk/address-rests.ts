/**
 * When each address may be requested again, if many sites share it. Sites that are early queue up and take
 * turns: the first in the queue is due when the address is free, each one behind it a gap later. A site that
 * misses its turn loses its place a gap after another site has found the address free. Constant time per
 * call.
 */
import { addressFreeAt, addressTurn } from '../../engine/politeness.ts'

/** Places in the queue older than this are dropped: their sites have no pages left. */
const staleSeconds = 3600

/** The part that requests use. */
export interface AddressTurns extends Pick<AddressRests, 'turn' | 'occupy' | 'release'> {
  /** What a host at this address takes turns of, in place of the address alone. */
  placeOf?(address: string, host: string): string
}

export class AddressRests {
  readonly #gapSeconds: number
  readonly #lines = new Map<string, Line>()
  readonly #now: () => number
  #sweepAt = 1024

  constructor(gapSeconds: number, now: () => number) {
    this.#gapSeconds = gapSeconds
    this.#now = now
  }

  /** When this site may request the address: at once if not after now; otherwise it is queued until then. */
  turn(address: string, site: string): number {
    const line = this.#lines.get(address)
    if (this.#gapSeconds === 0 || line === undefined) return 0
    const now = this.#now()
    const isFree = line.freeAt <= now
    if (isFree) this.#dropAbsent(line, site, now)
    const [first] = line.waiting.keys()
    if (isFree && (first === undefined || first === site)) {
      line.waiting.delete(site)
      return 0
    }
    const place = line.waiting.get(site) ?? { number: line.next++, dueAt: 0, absentSince: undefined }
    line.waiting.set(site, place)
    const ahead = first === undefined ? 0 : place.number - line.waiting.get(first)!.number
    place.absentSince = undefined
    place.dueAt = addressTurn({ freeAt: line.freeAt, now, ahead, waitPerAddress: this.#gapSeconds })
    return place.dueAt
  }

  /** The address must not be requested before this time, whatever this table knows. Sites are queued as usual. */
  hold(address: string, until: number): void {
    const line = this.#lines.get(address)
    if (line === undefined) this.#lines.set(address, { freeAt: until, waiting: new Map(), next: 0 })
    else line.freeAt = Math.max(line.freeAt, until)
  }

  occupy(address: string, now: number): void {
    if (this.#gapSeconds === 0) return
    if (this.#lines.size >= this.#sweepAt) this.#sweep(now)
    const line = this.#lines.get(address)
    if (line === undefined) this.#lines.set(address, { freeAt: Infinity, waiting: new Map(), next: 0 })
    else line.freeAt = Infinity
  }

  release(address: string, end: number): void {
    const line = this.#lines.get(address)
    if (line !== undefined) line.freeAt = addressFreeAt(end, this.#gapSeconds)
  }

  /**
   * Called when this site finds the address free: sites ahead of it that have been absent for a gap lose
   * their place.
   */
  #dropAbsent({ waiting }: Line, site: string, now: number): void {
    for (const [other, place] of waiting) {
      if (other === site || place.dueAt > now) return
      place.absentSince ??= now
      if (now - place.absentSince < this.#gapSeconds) return
      waiting.delete(other)
    }
  }

  /** Drops addresses that have rested and that no site has requested or waited for recently. */
  #sweep(now: number): void {
    for (const [address, { freeAt, waiting }] of this.#lines) {
      if (freeAt + (waiting.size === 0 ? 0 : staleSeconds) <= now) this.#lines.delete(address)
    }
    this.#sweepAt = Math.max(1024, 2 * this.#lines.size)
  }
}

interface Line {
  /** Infinity if the address is busy. */
  freeAt: number
  /** By site, the next in the queue first. */
  readonly waiting: Map<string, Place>
  /** The number of the next place. */
  next: number
}

interface Place {
  readonly number: number
  dueAt: number
  /** Since when the site has missed its turn. */
  absentSince: number | undefined
}
