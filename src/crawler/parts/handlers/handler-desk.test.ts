import { expect, it } from 'vitest'
import type { FetchResult } from '../../world/fetch-result.ts'
import { HandlerDesk } from './handler-desk.ts'

it('passes new content to the handler, and all results on in their order', async () => {
  const handled: number[] = []
  const desk = new HandlerDesk({
    handle: (page) => {
      handled.push(page)
      return Promise.resolve({ items: '', itemCount: 0, added: [] })
    },
  })
  const done: number[] = []
  await new Promise<void>((resolve) => {
    for (const [page, isNewContent] of [true, false, false, true].entries()) {
      desk.handled(page, {} as FetchResult, isNewContent, () => {
        done.push(page)
        if (done.length === 4) resolve()
      })
    }
  })
  expect(handled).toEqual([0, 3])
  expect(done).toEqual([0, 1, 2, 3])
})
