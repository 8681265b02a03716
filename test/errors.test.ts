import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { errorCodes } from '../src/lib/errors.ts'

it('docs/errors.md explains every error code, and no other', () => {
  const page = readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8')
  const documented = [...page.matchAll(/^## `([A-Z_]+)`/gm)].map((match) => match[1])
  expect(documented.toSorted()).toEqual(Object.keys(errorCodes).toSorted())
})
