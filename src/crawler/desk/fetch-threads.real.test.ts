import { expect, it } from 'vitest'
import { httpServer, settings } from '../fetch/fetch-thread.cases.ts'
import { FetchThreads } from './fetch-threads.ts'

it('a thread starts with its first request', async () => {
  const base = await httpServer((_request, response) => void response.end('A page.'))
  const each = [0, 1, 2].map((thread) => settings({ thread }))
  let threads: FetchThreads | undefined
  const thread = new Promise<number>((received, broken) => {
    const ignored = (): void => {}
    threads = new FetchThreads(each, {
      received: (_result, number) => received(number),
      broken,
      slow: ignored,
      kept: ignored,
      wake: ignored,
    })
  })
  expect([...(await threads!.sync()).keys()]).toEqual([0])
  const requests = [{ id: 1, purpose: 'page', url: `${base}/` }] as const
  threads!.fetch(2, { site: 2, address: '127.0.0.1', requests })
  threads!.flush()
  expect(await thread).toBe(2)
  expect(new Set((await threads!.sync()).keys())).toEqual(new Set([0, 2]))
  await threads!.close()
})
