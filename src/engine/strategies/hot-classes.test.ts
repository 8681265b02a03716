import { expect, it } from 'vitest'
import { HotClasses } from './hot-expectation.ts'

const far = 4

it('before any page is fetched, the classes of links are in the order of near-hot', () => {
  const classes = new HotClasses()
  const odds = [
    classes.of(true, 1),
    classes.of(true, 2),
    classes.of(true, far),
    classes.of(false, 1),
    classes.of(false, 2),
    classes.of(false, far),
  ].map((number) => classes.oddsOf(number))
  expect(odds).toEqual(odds.toSorted((a, b) => b - a))
  expect(new Set(odds).size).toBe(6)
  expect(classes.of(true, 0)).toBe(classes.of(true, 1))
})

it('the order of the classes follows the pages fetched', () => {
  const classes = new HotClasses()
  const [near, mentioned] = [classes.of(false, 1), classes.of(true, far)]
  for (let i = 0; i < 20; i++) {
    classes.tried(near, i % 2 === 0)
    classes.tried(mentioned, false)
  }
  expect(classes.oddsOf(near)).toBeGreaterThan(classes.oddsOf(mentioned))
  // 10 of 20, and 0.05 of 8.
  expect(classes.oddsOf(near)).toBeCloseTo(Math.log(10.4 / 17.6), 12)
})
