import { expect, it } from 'vitest'
import { ContentSeen } from './content-seen.ts'
import { Copies, noCopy } from './copies.ts'

it('a copy of a body leads to known pages alone; what says the same, or nearly, leads on', () => {
  const copies = new Copies(new ContentSeen(), undefined)
  expect(copies.leadsOn(noCopy)).toBe(true)
  expect(copies.leadsOn({ ...noCopy, duplicateOf: 3 })).toBe(false)
  expect(copies.leadsOn({ ...noCopy, duplicateOf: 3, isSameText: true })).toBe(true)
  expect(copies.leadsOn({ ...noCopy, nearDuplicateOf: 7, similarity: 0.95 })).toBe(true)
})
