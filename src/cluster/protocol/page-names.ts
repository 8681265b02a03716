/** What a shard needs of the names of its pages. */
import type { ByteReader } from '../../lib/byte-reader.ts'
import type { ByteWriter } from '../../lib/byte-writer.ts'
import type { StateCodec } from '../../lib/state.ts'

/** The names of a shard's pages: URLs in a real crawl, nodes of a stored web in a simulation. */
export interface PageNames {
  readonly known: number
  /** Adds a seed, by its index in the list of all seeds. */
  addSeed(seed: number): void
  /** Adds the page that stands for the seeds of another shard. */
  addHome(shard: number): void
  /** The shard that owns a page. */
  ownerOf(page: number): number
  /** The site of a page of this shard; `awaySite` for the others. */
  siteOf(page: number): number
  write(page: number, into: ByteWriter): void
  /** Reads a name; a page not known before becomes the next one. */
  read(from: ByteReader): number
  /** The names of the pages from this one on. */
  since(page: number): Uint8Array
  /** Adds the pages that `since` wrote. */
  restore(names: Uint8Array): void
  transfer(state: StateCodec): void
}
