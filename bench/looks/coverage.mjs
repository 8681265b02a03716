// Replays the record of a crawl: the coverage that it guaranteed, and the exact value for the links as last fetched (S70), at some moments
// of the crawl. The exact one follows from the facts alone, without the engine. `node coverage.mjs CRAWL [MOMENTS]` prints a table.
import { pathToFileURL } from 'node:url'

const built = (path) => import(`../../dist/${path}.js`)

export async function coverageOver(path, moments = 300) {
  const { CrawlFolder } = await built('crawler/record/crawl-folder')
  const { crawlEngine } = await built('crawler/replay/crawl-engine')
  const { recordedPages } = await built('crawler/replay/recorded-pages')
  const { KnownCrawl, knownFacts } = await built('crawler/read/model/known-crawl')
  const { heldMass } = await built('crawler/read/held-mass')
  const { trustOf } = await built('engine/mass/mass-walk')
  const folder = CrawlFolder.open(path)
  const record = await folder.readRecord()
  const trust = trustOf(folder)
  const engine = await crawlEngine({ folder, pages: recordedPages(record) })
  const known = new KnownCrawl()
  let all = 0
  await record.replay({ looked: () => all++ })
  const every = Math.ceil(all / moments)
  const rows = []
  let looks = 0
  await record.replay(engine, knownFacts(known), {
    looked() {
      if (++looks % every !== 0) return
      const exact = heldMass(known.pages, known.links, trust).share
      rows.push({ looks, pages: known.pages.crawledCount, guaranteed: engine.strategy.coverage(), exact })
    },
  })
  record.close()
  return rows
}

/** How far the guarantee is below the exact value, as a share of it; negative: above. */
export function gapOf(rows) {
  const gaps = rows.map(({ guaranteed, exact }) => 1 - guaranteed / exact)
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
  return { moments: gaps.length, mean, least: Math.min(...gaps), largest: Math.max(...gaps) }
}

if (pathToFileURL(process.argv[1]).href === import.meta.url) {
  const rows = await coverageOver(process.argv[2], Number(process.argv[3] ?? 300))
  const step = Math.ceil(rows.length / 20)
  for (const { looks, pages, guaranteed, exact } of rows.filter((_, i) => i % step === step - 1))
    console.log(`| ${looks} | ${pages} | ${guaranteed.toFixed(4)} | ${exact.toFixed(4)} |`)
  console.log(gapOf(rows))
}
