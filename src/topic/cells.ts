/**
 * Words as numbers below 2^16: for tables whose size does not grow with the web. Two words share a cell once in 65,536 times, which
 * blurs an estimate and breaks nothing.
 */
import { fmix32 } from '../lib/hash.ts'

export const cellCount = 1 << 16

/** `salt` tells apart what is not to be confused: the words of texts, and the tokens of URLs. */
export function cellOf(word: string, salt = 0): number {
  let hash = 0x811c9dc5 ^ salt
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  return fmix32(hash) & (cellCount - 1)
}
