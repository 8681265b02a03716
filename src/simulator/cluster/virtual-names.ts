/** The pages of one shard in a simulation: nodes of the stored web, numbered as the shard discovers them. */
import type { PageNames } from '../../cluster/protocol/page-names.ts'
import { awaySite } from '../../engine/world.ts'
import type { ByteReader } from '../../lib/byte-reader.ts'
import { ByteReader as Reader } from '../../lib/byte-reader.ts'
import { ByteWriter } from '../../lib/byte-writer.ts'
import { FingerprintTable, unseen } from '../../lib/fingerprint-table.ts'
import { GrowingUint32 } from '../../lib/growing-array.ts'
import { hashId } from '../../lib/hash.ts'
import type { StateCodec } from '../../lib/state.ts'

/** What all shards of a simulated crawl share. */
export interface SharedWeb {
  readonly seeds: readonly number[]
  readonly siteOf: Uint32Array
  /** The shard that owns each site. */
  readonly shardOfSite: Uint32Array
}

/** High words of the fingerprints: what the low word numbers. */
const node = 0
const home = 1

export class VirtualNames implements PageNames {
  readonly #web: SharedWeb
  readonly #shard: number
  readonly #numbers = new FingerprintTable()
  /** The node of each page, or the shard of a home. */
  readonly #low = new GrowingUint32()
  readonly #kinds = new GrowingUint32()
  /** The number of each page's site in this shard. */
  readonly #sites = new GrowingUint32()
  readonly #siteNumbers = new Map<number, number>()

  constructor(web: SharedWeb, shard: number) {
    this.#web = web
    this.#shard = shard
  }

  get known(): number {
    return this.#numbers.count
  }

  addSeed(seed: number): void {
    this.#add(this.#web.seeds[seed], node)
  }

  addHome(shard: number): void {
    this.#add(shard, home)
  }

  nodeOf(page: number): number {
    return this.#low.array[page]
  }

  /** The page of a node; a node not seen before becomes the next page. */
  pageOf(ofNode: number): number {
    const page = this.#numbers.find(hashId(ofNode, node), ofNode)
    return page === unseen ? this.#add(ofNode, node) : page
  }

  ownerOf(page: number): number {
    const low = this.#low.array[page]
    return this.#kinds.array[page] === home ? low : this.#web.shardOfSite[this.#web.siteOf[low]]
  }

  siteOf(page: number): number {
    return this.#sites.array[page]
  }

  write(page: number, into: ByteWriter): void {
    into.varint(this.#low.array[page])
  }

  read(from: ByteReader): number {
    return this.pageOf(from.varint())
  }

  since(page: number): Uint8Array {
    const bytes = new ByteWriter()
    for (let i = page; i < this.known; i++) {
      bytes.byte(this.#kinds.array[i])
      bytes.varint(this.#low.array[i])
    }
    return Uint8Array.from(bytes.view())
  }

  restore(names: Uint8Array): void {
    const reader = new Reader(names)
    while (!reader.isAtEnd) {
      const kind = reader.byte()
      this.#add(reader.varint(), kind)
    }
  }

  transfer(state: StateCodec): void {
    state.section('virtual names', 1)
    this.#numbers.transfer(state)
    state.growing(this.#low)
    state.growing(this.#kinds)
    state.growing(this.#sites)
    if (!state.isReading) return
    this.#siteNumbers.clear()
    for (let page = 0; page < this.known; page++) {
      if (this.siteOf(page) !== awaySite)
        this.#siteNumbers.set(this.#web.siteOf[this.nodeOf(page)], this.siteOf(page))
    }
  }

  #add(low: number, kind: number): number {
    const page = this.#numbers.add(hashId(low, kind), low)
    for (const array of [this.#low, this.#kinds, this.#sites]) array.ensure(page)
    this.#low.array[page] = low
    this.#kinds.array[page] = kind
    this.#sites.array[page] =
      this.ownerOf(page) === this.#shard && kind === node ? this.#siteNumber(low) : awaySite
    return page
  }

  #siteNumber(ofNode: number): number {
    const site = this.#web.siteOf[ofNode]
    const number = this.#siteNumbers.get(site) ?? this.#siteNumbers.size
    this.#siteNumbers.set(site, number)
    return number
  }
}
