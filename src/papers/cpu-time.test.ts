import { expect, it } from 'vitest'
import { computingSeconds } from './trials.ts'

it('the computing time is processor time, not the time that passed while other experiments ran', () => {
  expect(computingSeconds({ cpuSeconds: 2, seconds: 5 })).toBe(2)
  expect(computingSeconds({ cpuSeconds: undefined, seconds: 5 })).toBe(5)
})
