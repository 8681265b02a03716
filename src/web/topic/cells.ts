/**
 * Hashes words to numbers below 2^16, for tables whose size does not grow with the web. Two words share a
 * cell with probability 1 in 65,536, which only blurs an estimate.
 */
import { fmix32 } from '../../lib/hash.ts'

export const cellCount = 1 << 16

/** `salt` separates namespaces: words of texts and tokens of URLs. */
export function cellOf(word: string, salt = 0): number {
  let hash = 0x811c9dc5 ^ salt
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  return fmix32(hash) & (cellCount - 1)
}
