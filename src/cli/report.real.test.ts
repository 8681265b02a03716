import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectRefusal, rankward, rankwardJson } from '../../test/command-line.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { xmlElements } from '../../test/xml-checker.ts'
import { crawl, type CrawlTotals } from '../crawler/crawler.ts'
import { bestSeed } from '../webgraph/reachability.ts'
import { syntheticGraph } from '../webgraph/synthetic/synthetic-graph.ts'
import { serveWeb } from '../webgraph/served/served-web.ts'

const folder = temporaryFolder()
const out = join(folder, 'a crawl')
let totals: CrawlTotals

beforeAll(async () => {
  const web = syntheticGraph({ pages: 100, sites: 4, seed: 2 })
  const served = await serveWeb(web)
  const seeds = [served.urlOf(bestSeed(web.graph).seed)]
  try {
    totals = await crawl({
      seeds,
      out,
      scope: 'any',
      wait: 0,
      allowPrivate: true,
      threads: 1,
      pages: 30,
    }).run()
  } finally {
    await served.close()
  }
})

describe('rankward report DIR', () => {
  it('writes the page of a crawl into its folder, and its data beside it', async () => {
    const { report, files, pages, coverage } = await rankwardJson<Record<string, string[]>>(['report', out])
    expect(report).toBe(join(out, 'report.html'))
    expect(files).toContain(join(out, 'report-coverage.csv'))
    expect({ pages, coverage }).toEqual({ pages: totals.pages, coverage: totals.coverage })
    const html = readFileSync(join(out, 'report.html'), 'utf8')
    expect(html).toContain(totals.headline)
    const shown = html.replaceAll(/<script[^]*?<\/script>/g, '')
    expect(/\bundefined\b|\bNaN\b|\[object/.exec(shown)?.[0]).toBeUndefined()
    const svgs = html.match(/<svg [^]*?<\/svg>/g) ?? []
    expect(svgs.length).toBeGreaterThan(12)
    for (const svg of svgs) xmlElements(svg)
    const curve = readFileSync(join(out, 'report-coverage.csv'), 'utf8').trimEnd().split('\r\n')
    expect(curve.at(-1)).toBe(`guaranteed,${totals.pages},${100 * totals.coverage.guaranteed}`)
  })

  it('writes it where --out says', async () => {
    const { stdout, stderr, exitCode } = await rankward(['report', out, '--out', 'there/it.html'], folder)
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
    expect(stdout).toMatch(
      /^30 pages; \d+ data files beside the report\nReport: file:\/\/.*\/there\/it\.html\n$/,
    )
    expect(readFileSync(join(folder, 'there/it.html'), 'utf8')).toContain('it-coverage.csv')
  })

  it('a folder without a crawl, or more than one, gets one line', async () => {
    mkdirSync(join(folder, 'empty'))
    writeFileSync(join(folder, 'runs.json'), '{}')
    expectRefusal(await rankward(['report', 'empty'], folder), 2, /empty holds no crawl/)
    expectRefusal(await rankward(['report', 'runs.json', out], folder), 2, /one crawl or/)
  })
})
