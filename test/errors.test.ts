import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { errorCodes } from '../src/lib/errors.ts'

it('docs/reference/errors.md explains every error code, and no other', () => {
  const page = readFileSync(new URL('../docs/reference/errors.md', import.meta.url), 'utf8')
  const documented = [...page.matchAll(/^## `([A-Z_]+)`/gm)].map((match) => match[1])
  expect(documented.toSorted()).toEqual(Object.keys(errorCodes).toSorted())
})

it('docs/reference/errors.md has the exit code of every error that does not end with 1', () => {
  const page = readFileSync(new URL('../docs/reference/errors.md', import.meta.url), 'utf8')
  const usage = [...page.matchAll(/^## `([A-Z_]+)`\n((?:(?!^## )[^])*)/gm)]
    .filter(([, , text]) => text.includes('Exit code 2.'))
    .map(([, code]) => code)
  const expected = Object.entries(errorCodes).filter(([, { exitCode }]) => exitCode === 2)
  expect(usage.toSorted()).toEqual(expected.map(([code]) => code).toSorted())
})
