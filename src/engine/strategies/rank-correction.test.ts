import { expect, it } from 'vitest'
import { drawOf } from './corrected-pagerank.ts'

it('draws are spread evenly over pages found together', () => {
  for (const first of [0, 1000, 50_000_000]) {
    const tenths = new Array<number>(10).fill(0)
    for (let i = 0; i < 100; i++) tenths[Math.floor(10 * drawOf(first + i))]++
    for (const count of tenths) expect(Math.abs(count - 10)).toBeLessThanOrEqual(2)
  }
})

it('no draw is 0, however many pages there are', () => {
  // A Fibonacci number times the golden ratio is nearly an integer; from 102,334,155 on it is rounded to one.
  let [fibonacci, next] = [1, 2]
  while (fibonacci < 2 ** 32) {
    const draw = drawOf(fibonacci - 1)
    expect(draw, `page ${fibonacci - 1}`).toBeGreaterThan(0)
    expect(draw).toBeLessThan(1)
    ;[fibonacci, next] = [next, fibonacci + next]
  }
})
