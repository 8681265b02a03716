/**
 * The names of a shard's pages in the messages between shards: the URL and the depth when a page is named first, its
 * fingerprint afterwards. A receiver applies the messages of a source in order, so it knows every fingerprint.
 *
 *   first (0) · depth (1) · URL      known (1) · fingerprint (8)
 */
import type { ByteReader } from '../../lib/byte-reader.ts'
import type { ByteWriter } from '../../lib/byte-writer.ts'
import { assert } from '../../lib/assert.ts'
import { GrowingUint16, GrowingUint8 } from '../../lib/growing-array.ts'
import type { StateCodec } from '../../lib/state.ts'
import type { PageTable } from '../../crawler/world/page-table.ts'
import type { PageNames } from '../protocol/page-names.ts'
import { shardOfUrl } from './cluster-crawl.ts'

const first = 0
const known = 1
const homeStart = 'home:'
const noBytes = new Uint8Array(0)

interface ShardNamesOptions {
  readonly pages: PageTable
  readonly shards: number
  readonly seeds: readonly string[]
}

export class ShardNames implements PageNames {
  readonly #options: ShardNamesOptions
  /** 1: a message has named the page by its URL. */
  readonly #named = new GrowingUint8(0)
  /** By page: 1 + the shard that owns it; 0 if it was not computed yet. */
  readonly #owners = new GrowingUint16(0)

  constructor(options: ShardNamesOptions) {
    this.#options = options
  }

  get known(): number {
    return this.#options.pages.known
  }

  addSeed(seed: number): void {
    this.#options.pages.addSeed(this.#options.seeds[seed])
  }

  addHome(shard: number): void {
    this.#options.pages.addHome(shard)
  }

  ownerOf(page: number): number {
    this.#owners.ensure(page)
    const computed = this.#owners.array[page]
    if (computed > 0) return computed - 1
    const url = this.#options.pages.url(page)
    const owner = url.startsWith(homeStart)
      ? Number(url.slice(homeStart.length))
      : shardOfUrl(url, this.#options.shards)
    this.#owners.array[page] = owner + 1
    return owner
  }

  siteOf(page: number): number {
    return this.#options.pages.found(page).site
  }

  write(page: number, into: ByteWriter): void {
    const { pages } = this.#options
    this.#named.ensure(page)
    if (this.#named.array[page] === 1) {
      into.byte(known)
      into.uint32(pages.low(page))
      into.uint32(pages.high(page))
      return
    }
    this.#named.array[page] = 1
    into.byte(first)
    into.byte(pages.depth(page))
    into.text(pages.url(page))
  }

  read(from: ByteReader): number {
    const { pages } = this.#options
    if (from.byte() === known) {
      const page = pages.find(from.uint32(), from.uint32())
      assert(page >= 0, 'a message names a page by its fingerprint that no message has named by its URL')
      return page
    }
    const depth = from.byte()
    return pages.addArrived(from.text(), depth)
  }

  /** Discovered pages are part of the record. */
  since(): Uint8Array {
    return noBytes
  }

  restore(): void {}

  /** The page table saves its own state. */
  transfer(state: StateCodec): void {
    state.section('shard names', 1)
    state.growing(this.#named)
  }
}
