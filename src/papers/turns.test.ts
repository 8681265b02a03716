import { expect, it } from 'vitest'
import { Turns } from './trials.ts'

it('runs no more at a time than there are turns, in order, and also after failures', async () => {
  const turns = new Turns(2)
  const started: number[] = []
  let running = 0
  let most = 0
  const work = async (i: number): Promise<number> => {
    started.push(i)
    most = Math.max(most, ++running)
    for (let wait = 0; wait < 3 - (i % 3); wait++) await Promise.resolve()
    running--
    if (i % 4 === 0) throw new Error(`${i} failed`)
    return i
  }
  const results = await Promise.allSettled(Array.from({ length: 9 }, (_, i) => turns.run(() => work(i))))
  expect(most).toBe(2)
  expect(started).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  expect(results.map(({ status }, i) => (status === 'rejected' ? -1 : i))).toEqual([
    -1, 1, 2, 3, -1, 5, 6, 7, -1,
  ])
})
