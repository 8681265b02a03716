import { expect, it } from 'vitest'
import { engineOf } from '../../test/timed-crawl.ts'

it('a page put last twice comes after one put last once, and is not put last again', () => {
  // Four pages of one site, taken one at a time.
  const engine = engineOf({ lists: [[], [], [], []], sites: [0, 0, 0, 0], connections: 1 })
  for (let page = 0; page < 4; page++) engine.seed(0)
  let now = 0
  const taken: number[] = []
  const take = (): number => {
    engine.dispatchAt(now++)
    const [page] = engine.pages.underWay()
    taken.push(page)
    return page
  }
  const putLast = new Map([
    [0, 2],
    [1, 1],
  ])
  while (engine.waitingCount > 0) {
    const page = take()
    const left = putLast.get(page) ?? 0
    if (left > 0) engine.postponed(page, 'last')
    else engine.failed(page, 'failed')
    putLast.set(page, left - 1)
    engine.closed(0, now)
  }
  expect(taken).toEqual([0, 1, 2, 3, 0, 1, 0])
  expect([0, 1, 2].map((page) => engine.pages.isDemoted(page))).toEqual([true, true, false])
  expect([0, 1, 2].map((page) => engine.pages.mayDemote(page))).toEqual([false, true, true])
})
