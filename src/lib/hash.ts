/**
 * The hashes behind all generated values (docs/theory/semantics.md S7): sites of webs without URLs, page sizes,
 * samples. They depend only on the original id, so that two implementations generate the same values.
 */

/**
 * The finaliser of MurmurHash3: a bijection of 32-bit numbers in which every input bit affects every output
 * bit.
 */
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
