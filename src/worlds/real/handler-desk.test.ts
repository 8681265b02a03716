import { expect, it } from 'vitest'
import type { FetchResult } from './fetch-result.ts'
import { HandlerDesk } from './handler-desk.ts'

it('passes content to the handler, and neither redirects nor errors nor content that is not taken', async () => {
  const handled: number[] = []
  const desk = new HandlerDesk({
    handle: ({ id }) => {
      handled.push(id)
      return Promise.resolve({ items: '', itemCount: 0, added: [] })
    },
  })
  const results: Partial<FetchResult>[] = [
    { status: 200 },
    { status: 200, rejected: true },
    { status: 200, location: 'http://a.example/' },
    { status: 404 },
    { status: 0, failure: 'timeout' },
    { status: 203 },
  ]
  const done: number[] = []
  await new Promise<void>((resolve) => {
    for (const [id, result] of results.entries()) {
      desk.handled({ ...result, id } as FetchResult, false, (each) => {
        done.push(each.id)
        if (done.length === results.length) resolve()
      })
    }
  })
  expect(handled).toEqual([0, 5])
  expect(done).toEqual([0, 1, 2, 3, 4, 5])
})
