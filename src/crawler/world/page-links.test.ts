import { expect, it } from 'vitest'
import { mergedDecision } from './page-links.ts'

it('drops what any part drops, and adds what all of them add', () => {
  const some = { dropped: Uint8Array.of(1, 0, 0), added: [['http://a.test/', 2]] } as const
  const other = { dropped: Uint8Array.of(0, 0, 1), added: [['http://b.test/', 1]] } as const
  const none = { added: [] }
  expect(mergedDecision([])).toBeUndefined()
  expect(mergedDecision([some])).toBe(some)
  expect(mergedDecision([some, none, other])).toEqual({
    dropped: Uint8Array.of(1, 0, 1),
    added: [...some.added, ...other.added],
  })
  expect(mergedDecision([none, none])).toEqual({ dropped: undefined, added: [] })
})
