import { expect, it } from 'vitest'
import { settingsOf } from '../options/crawl-settings.ts'
import type { CrawlFolder } from '../record/crawl-folder.ts'
import type { PageTable } from '../world/page-table.ts'
import { crawlStrategy } from './crawl-engine.ts'

it('draws other random numbers on every shard', async () => {
  const settings = settingsOf({ seeds: ['http://a.example/'], strategy: 'random', seed: 7 })
  const scoreOn = async (number?: number): Promise<number> => {
    const shard = number === undefined ? undefined : { number, shards: 3, weights: [1] }
    const folder = { file: { shard, options: settings }, readScores: () => undefined }
    const strategy = await crawlStrategy(settings, {} as PageTable, folder as unknown as CrawlFolder)
    return strategy.discovered(0, 0)
  }
  const scores = await Promise.all([0, 1, 2].map((shard) => scoreOn(shard)))
  expect(new Set(scores).size).toBe(3)
  expect(await scoreOn(1)).toBe(scores[1])
  expect(await scoreOn()).toBe(scores[0])
})
