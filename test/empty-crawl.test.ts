/** A crawl that was killed before it recorded anything can be read by every command, and started or resumed. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { settingsOf } from '../src/crawler/options/crawl-settings.ts'
import { CrawlFolder } from '../src/crawler/record/crawl-folder.ts'
import { logIn } from '../src/crawler/record/record-folder.ts'
import { SegmentLog } from '../src/crawler/record/segment-log.ts'
import { rankward } from './command-line.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const url = 'http://127.0.0.1:1/'

/** Killed before its record was opened, and after. */
const stages = ['before', 'after'] as const

beforeAll(async () => {
  for (const stage of stages) {
    const out = join(folder, stage)
    const crawl = await CrawlFolder.create(out, { options: settingsOf({ seeds: [url, `${url}a`], out }) })
    if (stage === 'before') continue
    mkdirSync(crawl.record)
    await (await SegmentLog.open(logIn(crawl.record))).close()
  }
})

describe.each(stages)('a crawl killed %s its record was opened', (stage) => {
  const out = join(folder, stage)
  it.each([
    ['status', [], /Nothing is recorded yet/],
    ['export', ['--to', join(folder, `${stage}-export`), '--format', 'parquet,tsv,edges'], /0 pages known/],
    ['search', ['solar', 'energy'], /0 pages|No page/i],
    ['explain', [url], /Never seen|not found|unknown/i],
    ['report', ['--out', join(folder, `${stage}.html`)], /0 pages/],
    ['duplicates', [], /0 pages/],
  ])('is read by %s', async (command, args, expected) => {
    const { stdout, stderr, exitCode } = await rankward([command, out, ...args])
    expect(stderr).not.toContain('internal error')
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(expected)
  })

  it('is refused by simulate in one line: there is no page', async () => {
    const { stderr, exitCode } = await rankward(['simulate', out, '--strategy', 'opic'])
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/^rankward: This graph is empty[^\n]*\n$/)
  })
})
