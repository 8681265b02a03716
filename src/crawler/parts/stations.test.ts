import { expect, it } from 'vitest'
import type { FetchResult } from '../world/fetch-result.ts'
import { Stations, type Station } from './stations.ts'

const resultOf = (id: number): FetchResult => ({ id }) as FetchResult

/** Passes results through stations; returns their ids in the order in which they leave. */
function passed(stations: readonly Station[], count: number): Promise<number[]> {
  const left: number[] = []
  return new Promise((resolve, reject) => {
    const all = new Stations(stations)
    for (let page = 0; page < count; page++) {
      all.pass(
        { page, result: resultOf(page), isNewContent: () => page % 2 === 0 },
        ({ id }) => {
          left.push(id)
          if (left.length === count) resolve(left)
        },
        reject,
      )
    }
  })
}

it('results leave in their order, although a station works on several at once', async () => {
  const waiting: (() => void)[] = []
  const visited: number[] = []
  const station: Station = {
    stage: 'decide',
    visit({ page, result, isNewContent }) {
      visited.push(page)
      if (!isNewContent()) return undefined
      return new Promise((resolve) => {
        waiting.push(() => resolve(result))
        // The last one is done first.
        if (waiting.length === 3) for (const end of waiting.toReversed()) end()
      })
    },
  }
  expect(await passed([station], 6)).toEqual([0, 1, 2, 3, 4, 5])
  expect(visited).toEqual([0, 1, 2, 3, 4, 5])
})

it('a page is changed, then judged, then decided about, whatever the order of the parts', async () => {
  const visits: string[] = []
  const station = (stage: Station['stage']): Station => ({
    stage,
    visit({ result }) {
      visits.push(`${stage} ${result.id}`)
      return Promise.resolve(resultOf(result.id + 10))
    },
  })
  expect(await passed([station('decide'), station('change'), station('judge')], 1)).toEqual([30])
  expect(visits).toEqual(['change 0', 'judge 10', 'decide 20'])
})

it('a station that fails ends the crawl', async () => {
  const station: Station = { stage: 'judge', visit: () => Promise.reject(new Error('no thread')) }
  await expect(passed([station], 2)).rejects.toThrow('no thread')
})
