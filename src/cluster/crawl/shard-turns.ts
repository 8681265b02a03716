/**
 * Turns at addresses, as one shard takes them: at those that other workers may use too, the cluster decides first. A shard
 * that ends gives back the addresses of its requests in flight. If parts request files of any host, hosts have turns as addresses have. Times are those of the shard's clock; the rests have those of the worker.
 */
import type { AddressRests, AddressTurns } from '../../crawler/desk/address-rests.ts'
import type { SharedAddresses } from '../protocol/shared-addresses.ts'

interface ShardTurnsOptions {
  /** Of all shards of this worker. */
  readonly rests: AddressRests
  /** Undefined without a gap between requests to an address. */
  readonly shared: SharedAddresses | undefined
  readonly sharesAddresses: boolean
  readonly sharesHosts: boolean
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

  /** The address, and the host after a space. */
  placeOf(address: string, host: string): string {
    return this.#options.sharesHosts ? `${address} ${host}` : address
  }

  turn(place: string, site: string): number {
    const { rests, shared, now, aheadSeconds, sharesAddresses } = this.#options
    const [address, host] = place.split(' ')
    const hostSeconds = host === undefined ? 0 : (shared?.waitFor(hostKey(host)) ?? 0)
    if (hostSeconds > 0) return now() + hostSeconds + aheadSeconds
    const waitSeconds = sharesAddresses ? (shared?.waitFor(address) ?? 0) : 0
    if (waitSeconds > 0) rests.hold(address, now() + waitSeconds)
    return rests.turn(address, site) + aheadSeconds
  }

  occupy(place: string, now: number): void {
    const [address, host] = place.split(' ')
    this.#occupied.add(place)
    const { shared, sharesAddresses } = this.#options
    if (sharesAddresses) shared?.began(address)
    if (host !== undefined) shared?.began(hostKey(host))
    this.#options.rests.occupy(address, now - this.#options.aheadSeconds)
  }

  release(place: string, end: number): void {
    const [address, host] = place.split(' ')
    this.#occupied.delete(place)
    const { shared, sharesAddresses } = this.#options
    if (sharesAddresses) shared?.ended(address)
    if (host !== undefined) shared?.ended(hostKey(host))
    this.#options.rests.release(address, end - this.#options.aheadSeconds)
  }

  close(): void {
    const { now, aheadSeconds } = this.#options
    for (const place of this.#occupied) this.release(place, now() + aheadSeconds)
  }
}

/** Unlike every address. */
function hostKey(host: string): string {
  return `host ${host}`
}
