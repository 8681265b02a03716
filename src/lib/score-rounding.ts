/**
 * Scores rounded for comparison (docs/theory/semantics.md S8): the mantissa is rounded to 30 bits, so that scores
 * that are equal in exact arithmetic tie, regardless of the order of additions. Half of bit 22's weight is
 * added to the 64-bit pattern and the low 22 bits are cleared. The rounding is monotone: sorting before or
 * after rounding gives the same order.
 *
 * The pattern is read through two views of the same eight bytes, without BigInt: less than 10 ns per score.
 */
const double = new Float64Array(1)
const words = new Uint32Array(double.buffer)

/** Index of the word with the low bits: 0, or 1 on a big-endian machine. */
const low = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 0 : 1
const high = 1 - low

export function roundScore(score: number): number {
  double[0] = score
  const sum = words[low] + 0x20_0000
  if (sum > 0xffff_ffff) words[high]++
  words[low] = sum & 0xffc0_0000
  return double[0]
}
