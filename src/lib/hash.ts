/**
 * The hashes from which everything made up is drawn (docs/semantics.md S7): sites without URLs, page sizes, samples.
 * They depend on the original id alone, so two implementations draw the same.
 */

/** The finaliser of MurmurHash3: a bijection of 32-bit numbers in which every input bit moves every output bit. */
export function fmix32(value: number): number {
  let h = value | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** h(id, salt): a 32-bit hash of a page id below 2^53. */
export function hashId(id: number, salt: number): number {
  const high = Math.floor(id / 0x1_0000_0000)
  return fmix32(fmix32((id >>> 0) + Math.imul(salt, 0x9e3779b9)) ^ high)
}

/** A hash as a number strictly between 0 and 1. */
export function unit(hash: number): number {
  return (hash + 0.5) / 0x1_0000_0000
}
