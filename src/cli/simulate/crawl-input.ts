/** `simulate` of a crawl folder without a strategy: the crawl again, with and without patience. Would patience have paid? */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { lastOnly, patienceText } from '../../engine/patience.ts'
import type { CrawlSetting } from '../../crawler/read/export/crawl-setting.ts'
import { certainPercent, durationText, fixed, grouped, percentText, plural } from '../../lib/amounts.ts'
import type { SimulateOptions } from '../../simulator/options/simulate-options.ts'
import type { SimulateResult } from '../../simulator/simulator.ts'
import type { Web } from '../../webgraph/web.ts'
import { bold, dim, table } from '../terminal.ts'
import type { SimulateCliOptions } from './options.ts'

/** What is compared if the crawl had no patience itself: the default of crawls that guarantee a coverage. */
const patienceDefault = 0.03

/** True if the simulation takes its options from the crawl. */
export function isAsCrawled(
  files: readonly string[],
  { strategy, recrawlPolicy }: SimulateCliOptions,
): boolean {
  const [file, ...others] = files
  const isChosen = strategy !== undefined || recrawlPolicy !== undefined
  return !isChosen && others.length === 0 && existsSync(join(file, 'crawl.json'))
}

export async function readCrawlSetting(folder: string, web: Web): Promise<CrawlSetting> {
  // Loaded late: only crawl folders need the record's readers.
  const { crawlSetting } = await import('../../crawler/read/export/crawl-setting.ts')
  return crawlSetting(folder, web)
}

/** Options that are given take the place of those of the crawl. */
export function asCrawled(setting: CrawlSetting, given: SimulateOptions): SimulateOptions {
  const { strategy, damping, coverage, patience, time, seeds, pageBytes, latencies, speeds } = setting
  const end = given.pages === undefined ? { coverage } : {}
  const taken = { strategies: [strategy], damping, ...end, seeds, pageBytes, latencies, speeds }
  const values = Object.entries(given).filter(([, value]) => value !== undefined)
  return {
    ...taken,
    patience: [0, patience <= lastOnly ? patienceDefault : patience],
    ...Object.fromEntries(values),
    time: { ...time, ...given.time },
  }
}

/** What the crawl did, and its simulations with and without patience. */
export function asCrawledText({ made, patience, time }: CrawlSetting, { runs }: SimulateResult): string[] {
  const goal = runs[0]?.options['coverage'] as number | undefined
  if (goal === undefined) return []
  const needed = runs.map((run) => ({
    patience: run.patience ?? (run.options['patience'] as number | undefined) ?? 0,
    downloads: run.rankMass?.downloadsGuaranteed[goal] ?? null,
    seconds: run.rankMass?.secondsGuaranteed?.[goal] ?? null,
  }))
  const without = needed.find((each) => each.patience === 0)
  const rows = needed.map(({ patience: share, downloads, seconds }) =>
    downloads === null || seconds === null
      ? [patienceText(share), 'never', '–', '–', '–']
      : [
          patienceText(share),
          grouped(downloads),
          durationText(seconds),
          without?.downloads ? percentText(downloads / without.downloads) : '–',
          without?.seconds ? fixed(seconds / without.seconds, 2) : '–',
        ],
  )
  const right = (title: string): { title: string; align: 'right' } => ({ title, align: 'right' })
  const proved = made.coverage === undefined ? '' : ` and proved ${certainPercent(made.coverage)}`
  return [
    `${bold('Would patience have paid?')} Until ${percentText(goal)} of the importance of the known pages is proven:`,
    table(
      [
        right('patience'),
        right('downloads'),
        right('time'),
        right('downloads, relative'),
        right('time, relative'),
      ],
      rows,
    ),
    `The crawl itself fetched ${plural(made.pages, 'page')} in ${durationText(made.seconds)}${proved}, with patience ${patienceText(patience)}, ${plural(time.connections, 'connection')} and a wait of ${durationText(time.wait)}.`,
    dim(
      'In the simulation, pages that the crawl did not fetch have no links: what they lead to is not known.',
    ),
    '',
  ]
}
