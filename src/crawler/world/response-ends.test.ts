import { describe, expect, it } from 'vitest'
import { ResponseEnds } from './response-ends.ts'

/** The clock of the crawl runs with the seconds that pass; the system clock is off and may be set. */
function clocks(offMs: number) {
  const clock = { seconds: 5000, offMs }
  const systemMs = (): number => 1000 * clock.seconds + clock.offMs
  const ends = new ResponseEnds(() => clock.seconds, systemMs)
  /** A response that takes 2 s and arrives 0.5 s later. */
  const arrive = (meanwhile: () => void = () => {}): number => {
    const startMs = systemMs()
    clock.seconds += 2.5
    meanwhile()
    return ends.endOf({ startMs, durationMs: 2000 }) - clock.seconds
  }
  return { clock, arrive }
}

describe('the end of a response', () => {
  it.each([0, -3000, 40_000, -86_400_000])(
    'is before its arrival by its delay, also if the system clock is off by %d ms',
    (offMs) => {
      const { arrive } = clocks(offMs)
      expect([arrive(), arrive()]).toEqual([-0.5, -0.5])
    },
  )

  it.each([-3000, -200, 200, 3000, 86_400_000])(
    'is its arrival if the system clock is set by %d ms meanwhile',
    (byMs) => {
      const { clock, arrive } = clocks(0)
      const set = (): void => {
        clock.offMs += byMs
      }
      expect([arrive(), arrive(set), arrive()]).toEqual([-0.5, 0, -0.5])
    },
  )
})
