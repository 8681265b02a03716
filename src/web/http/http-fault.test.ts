import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { httpFaults } from './http-fault.ts'

it('every fault is in the documents, and in no other order', () => {
  const text = readFileSync(new URL('../../../docs/reference/crawl-output.md', import.meta.url), 'utf8')
  const start = text.indexOf('| fault |')
  const table = text.slice(start, text.indexOf('\n\n', start))
  expect([...table.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name)).toEqual(httpFaults)
})
