import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectRefusal, rankward, rankwardJson } from '../../test/command-line.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { explain, type Explanation } from '../crawler/read/explanation.ts'
import { smallCrawl, type SmallCrawl } from '../crawler/read/export/small-crawl.cases.ts'
import { httpFaults } from '../web/http/http-fault.ts'
import { explanationText } from '../crawler/read/explanation-text.ts'

const folder = temporaryFolder()
let made: SmallCrawl

const text = async (url: string): Promise<string> => explanationText('crawl', await explain(made.folder, url))
const page = (number: number): Promise<string> => text(made.urls[number])

beforeAll(async () => {
  made = await smallCrawl(join(folder, 'crawl'))
})

describe('rankward explain', () => {
  it('tells of a page that was fetched how it was found, scored and archived', async () => {
    const { stdout, exitCode } = await rankward(['explain', 'crawl', made.urls[4]], folder)
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^Fetched at .* UTC, as page \d+ of the crawl: 200, text\/html/m)
    expect(stdout).toMatch(/^Found +2 links from a seed, at .* UTC when \d pages had an outcome, by$/m)
    expect(stdout).toMatch(/→ http:\S+\/p\/1\.html\n.*→ http:\S+\/p\/4\.html/)
    expect(stdout).toMatch(/^Score +[\d.]+ when it was selected, by exact-rankmass/m)
    expect(stdout).toMatch(/^Waited .*other pages? (?:was|were) requested meanwhile/m)
    expect(stdout).toMatch(/^Archive +warc\/rankward-0-00000\.warc\.gz, [\d,]+ bytes from byte [\d,]+ on$/m)
    expect(stdout).not.toMatch(/undefined|NaN/)
  })

  it('names every fault of a response that was read in spite of them', async () => {
    const explanation = await explain(made.folder, made.urls[4])
    const outcome = { ...explanation.outcome!, faults: httpFaults }
    const told = explanationText('crawl', { ...explanation, outcome })
    expect(told).toMatch(/not valid HTTP, but read \(lines end with LF alone; .*Content-Length beside chunks/)
    for (const fault of httpFaults) expect(told).not.toContain(fault)
  })

  it('tells why a page was never fetched', async () => {
    expect(await page(9)).toMatch(
      /robots\.txt of its site disallows it\.\n.*"Disallow: \/p\/9\.html\$" for all crawlers/,
    )
    expect(await page(8)).toMatch(/^Requested at .*: 404, .*without success \(http-404\), in 1 attempt\.$/m)
    expect(await page(20)).toMatch(
      /^Not fetched yet: the crawl stopped at the page budget while it waited with \d/m,
    )
    expect(await page(20)).toMatch(/^Next +rankward resume crawl$/m)
    expect(await page(12)).toMatch(
      /^Never seen, and out of scope.*\nThe scope is the hosts of the seeds \(http/m,
    )
  })

  it('suggests similar URLs for an unknown URL', async () => {
    expect(await text(`${made.urls[0]}x`)).toMatch(
      /^Never seen: no link to it was followed\. It would be in scope\.$/m,
    )
    expect(await text(`${made.urls[1]}/`)).toContain(`Did you mean ${made.urls[1]} ?`)
  })

  it('has the same in JSON', async () => {
    const told = await rankwardJson<Explanation>(['explain', 'crawl', made.urls[4]], folder)
    expect(told).toEqual(JSON.parse(JSON.stringify(await explain(made.folder, made.urls[4]))))
  })

  it('refuses an invalid URL in one line', async () => {
    expectRefusal(await rankward(['explain', 'crawl', 'about'], folder), 2, /"about" cannot be explained/)
  })
})
