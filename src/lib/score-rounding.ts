/**
 * Scores as they are compared (docs/semantics.md S8): the mantissa rounded to 30 bits, so that scores equal in exact arithmetic
 * tie whatever the order of the additions behind them. Half of bit 22's weight is added to the 64-bit pattern and the
 * low 22 bits are cleared. The rounding is monotone: sorting first and rounding afterwards gives the same order.
 *
 * The pattern is taken through two views of the same eight bytes, without BigInt: less than 10 ns a score.
 */
const double = new Float64Array(1)
const words = new Uint32Array(double.buffer)

/** Which of the two words holds the low bits: the first, except on a big-endian machine. */
const low = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 0 : 1
const high = 1 - low

export function roundScore(score: number): number {
  double[0] = score
  const sum = words[low] + 0x20_0000
  if (sum > 0xffff_ffff) words[high]++
  words[low] = sum & 0xffc0_0000
  return double[0]
}
