import { describe, expect, it } from 'vitest'
import { LookTokens } from './look-tokens.ts'

/** Uses all tokens that there are at this time; returns their number. */
function useAll(tokens: LookTokens, now: number): number {
  const before = tokens.used
  while (tokens.has(now)) tokens.use(now)
  return tokens.used - before
}

describe('the tokens of a crawl', () => {
  it.each([0, 1_800_000_000])(
    'are one at its start, and one second of its rate after a pause, from %d s',
    (start) => {
      const tokens = new LookTokens()
      tokens.rate(86_400 * 4)
      expect(useAll(tokens, start)).toBe(1)
      expect(useAll(tokens, start + 1)).toBe(4)
      expect(useAll(tokens, start + 1001)).toBe(4)
    },
  )
})
