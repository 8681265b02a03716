import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectRefusal, rankward, rankwardJson } from '../../test/command-line.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import type { ExportResult } from '../crawler/read/export/export.ts'
import { smallCrawl, type SmallCrawl } from '../crawler/read/export/small-crawl.cases.ts'

const folder = temporaryFolder()
let made: SmallCrawl

beforeAll(async () => {
  made = await smallCrawl(join(folder, 'crawl'))
})

describe('rankward export', () => {
  it('writes Parquet into the crawl’s folder by default, and lists the files', async () => {
    const { stdout, stderr, exitCode } = await rankward(['export', 'crawl'], folder)
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
    expect(stdout).toMatch(/^crawl\/export\/pages\.parquet +19 pages +[\d.]+ kB$/m)
    expect(stdout).toMatch(/^crawl\/export\/links\.parquet +\d+ links +[\d.]+ (?:kB|bytes)$/m)
    expect(stdout).toMatch(/3 links to pages outside the crawl are left out\.$/m)
  })

  it('writes an edge list that simulates as the folder does', async () => {
    const exported = await rankwardJson<ExportResult>(
      ['export', 'crawl', '--format', 'edges', '--to', 'web.tsv.gz'],
      folder,
    )
    expect(exported).toMatchObject({ folder: 'crawl', linksOutside: 3, pages: made.totals.known })
    expect(exported.files.map(({ path }) => path)).toEqual(['web.tsv.gz', 'web.urls.txt.gz'])
    const simulated = async (...web: string[]): Promise<unknown> => {
      const result = await rankwardJson(
        ['simulate', ...web, '--strategy', 'exact-rankmass,breadth-first', '--seeds', '0'],
        folder,
      )
      const timed = /"(?:file|seconds|\w*Seconds|\w*PerSecond|\w*Bytes)": ?[^,}]+,?/g
      return JSON.stringify(result).replaceAll(timed, '')
    }
    expect(await simulated('crawl')).toBe(await simulated('web.tsv.gz', '--urls', 'web.urls.txt.gz'))
  })

  it('a crawl’s folder is a graph for the other commands too', async () => {
    const info = await rankwardJson(['graph', 'info', 'crawl'], folder)
    expect(info).toMatchObject({ pages: made.totals.known, sites: 1 })
    const { top } = await rankwardJson<{ top: { url: string }[] }>(['graph', 'pagerank', 'crawl'], folder)
    expect(made.urls).toContain(top[0].url)
    expect(await rankwardJson(['graph', 'convert', 'crawl', 'web.rwg'], folder)).toMatchObject({
      pages: made.totals.known,
    })
    expectRefusal(await rankward(['graph', 'info', 'crawl', '--urls', 'x'], folder), 2, /leave out --urls/)
  })

  it.each([
    [['--raw-cells'], /--raw-cells\) is for tables in TSV and CSV/],
    [['--raw-cells', '--to', 'a.jsonl'], /--raw-cells\) is for tables in TSV and CSV/],
    [['--raw-cells', '--to', 'a.wacz'], /--raw-cells\) is for tables in TSV and CSV/],
    [['--raw-cells', '--to', '-', '--format', 'jsonl'], /--raw-cells\) is for tables in TSV and CSV/],
    [['--overwrite', '--to', '-'], /--overwrite\) is for files/],
  ])('refuses options without an effect: %j', async (args, why) => {
    expectRefusal(await rankward(['export', 'crawl', ...args], folder), 2, why)
  })

  it('takes --raw-cells if one of the formats has cells', async () => {
    const args = ['export', 'crawl', '--to', 'cells', '--format', 'parquet,csv', '--raw-cells']
    expect((await rankward(args, folder)).exitCode).toBe(0)
  })

  it('is shown by status, which has no progress to show', async () => {
    expect((await rankward(['status', 'crawl'], folder)).exitCode).toBe(0)
    expectRefusal(await rankward(['status', 'crawl', '--progress'], folder), 2, /unknown option '--progress'/)
  })

  it('refuses impossible options in one line', async () => {
    expectRefusal(await rankward(['export', 'nowhere'], folder), 2, /nowhere holds no crawl/)
    expectRefusal(
      await rankward(['export', 'crawl', '--format', 'xml'], folder),
      2,
      /"xml" is not an export format/,
    )
  })
})
