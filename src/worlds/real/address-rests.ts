/**
 * When each address may be asked again, where many sites share one. An address that is busy is free a gap from now at
 * the earliest.
 */
export class AddressRests {
  readonly #gapSeconds: number
  /** Infinity stands for busy. */
  readonly #freeAt = new Map<string, number>()
  readonly #now: () => number
  #sweepAt = 1024

  constructor(gapSeconds: number, now: () => number) {
    this.#gapSeconds = gapSeconds
    this.#now = now
  }

  freeAt(address: string): number {
    if (this.#gapSeconds === 0) return 0
    const freeAt = this.#freeAt.get(address) ?? 0
    return freeAt === Infinity ? this.#now() + this.#gapSeconds : freeAt
  }

  occupy(address: string, now: number): void {
    if (this.#gapSeconds === 0) return
    if (this.#freeAt.size >= this.#sweepAt) this.#sweep(now)
    this.#freeAt.set(address, Infinity)
  }

  release(address: string, end: number): void {
    if (this.#gapSeconds > 0) this.#freeAt.set(address, end + this.#gapSeconds)
  }

  /** Forgets addresses that have rested. */
  #sweep(now: number): void {
    for (const [address, freeAt] of this.#freeAt) if (freeAt <= now) this.#freeAt.delete(address)
    this.#sweepAt = Math.max(1024, 2 * this.#freeAt.size)
  }
}
