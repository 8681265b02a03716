import { describe, expect, it } from 'vitest'
import { FetchRate } from './fetch-rate.ts'

describe('the rate of a crawl', () => {
  const rates = (
    perDay: number | undefined,
    states: [known: number, waiting: number, hasRoom?: boolean][],
    crawledCount = 1,
  ): number[] => {
    const given: number[] = []
    const engine = {
      known: 0,
      waitingCount: 0,
      pages: { crawledCount },
      rate: (each: number) => void given.push(each),
    }
    const rate = new FetchRate(engine, perDay)
    for (const [known, waiting, hasRoom = true] of states) {
      Object.assign(engine, { known, waitingCount: waiting })
      rate.update(hasRoom)
    }
    return given
  }

  it('is the given one, and set once', () => {
    expect(
      rates(500, [
        [1, 1],
        [900, 30],
        [9000, 0],
      ]),
    ).toEqual([500])
  })

  it('is one fetch of each known page in 30 days and one of each new page a minute without a rate', () => {
    expect(rates(undefined, [[3000, 0]])).toEqual([100])
    expect(rates(undefined, [[3000, 2]])).toEqual([100 + 2 * 1440])
    expect(rates(undefined, [[3000, 2, false]])).toEqual([100])
  })

  it('is at least one fetch a second without a rate until the first page is fetched', () => {
    const states: [number, number][] = [
      [1, 1],
      [1, 0],
      [300, 300],
    ]
    expect(rates(undefined, states, 0)).toEqual([86_400, 10 + 300 * 1440])
    expect(rates(500, states, 0)).toEqual([500])
  })

  it('is set anew only after it has moved by a quarter', () => {
    expect(
      rates(undefined, [
        [3000, 0],
        [3300, 0],
        [3600, 0],
        [3900, 0],
        [4200, 0],
      ]),
    ).toEqual([100, 130])
  })
})
