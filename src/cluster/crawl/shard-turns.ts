/**
 * Turns at addresses, as one shard takes them: at those that other workers may use too, the cluster decides first. A shard
 * that ends gives back the addresses of its requests in flight. Times are those of the shard's clock; the rests have those of the worker.
 */
import type { AddressRests, AddressTurns } from '../../crawler/desk/address-rests.ts'
import type { SharedAddresses } from '../protocol/shared-addresses.ts'

interface ShardTurnsOptions {
  /** Of all shards of this worker. */
  readonly rests: AddressRests
  /** Undefined without a gap between requests to an address. */
  readonly shared: SharedAddresses | undefined
  /** Of the worker. */
  readonly now: () => number
  /** The clock of the shard is so far ahead of that of the worker. */
  readonly aheadSeconds: number
}

export class ShardTurns implements AddressTurns {
  readonly #options: ShardTurnsOptions
  readonly #occupied = new Set<string>()

  constructor(options: ShardTurnsOptions) {
    this.#options = options
  }

  turn(address: string, site: string): number {
    const { rests, shared, now, aheadSeconds } = this.#options
    const waitSeconds = shared?.waitFor(address) ?? 0
    if (waitSeconds > 0) rests.hold(address, now() + waitSeconds)
    return rests.turn(address, site) + aheadSeconds
  }

  occupy(address: string, now: number): void {
    this.#occupied.add(address)
    this.#options.shared?.began(address)
    this.#options.rests.occupy(address, now - this.#options.aheadSeconds)
  }

  release(address: string, end: number): void {
    this.#occupied.delete(address)
    this.#options.shared?.ended(address)
    this.#options.rests.release(address, end - this.#options.aheadSeconds)
  }

  close(): void {
    const { now, aheadSeconds } = this.#options
    for (const address of this.#occupied) this.release(address, now() + aheadSeconds)
  }
}
