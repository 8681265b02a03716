/**
 * How the crawl in a folder was made, for a simulation of the web that it knows: its seeds, strategy, connections and wait, and the sizes and
 * durations of its responses. So the simulator answers what the same crawl would have cost with another setting.
 */
import { findEntry } from '../../../engine/strategies/index.ts'
import type { Web } from '../../../webgraph/web.ts'
import { CrawlFolder } from '../../record/crawl-folder.ts'
import { outsideUrl } from '../../world/page-table.ts'
import { status } from '../status.ts'

export interface CrawlSetting {
  /** Of the crawl if it guarantees a coverage; otherwise exact-rankmass. */
  readonly strategy: string
  readonly damping: number
  /** The coverage that the crawl has proven, in whole percent and at most 0.99; 0.9 if it has proven none. */
  readonly coverage: number
  readonly patience: number
  readonly time: {
    readonly connections: number
    readonly wait: number
    readonly waitFactor: number
    readonly perConnection: number
  }
  /** Pages of the web. */
  readonly seeds: readonly number[]
  /** By page; NaN where not known. */
  readonly pageBytes: Float64Array
  /** By site: the mean duration of its responses in seconds; NaN where not known. The transfer is part of it. */
  readonly latencies: Float64Array
  /** So high that transfers take no time. */
  readonly speeds: Float64Array
  /** What the crawl itself did. `coverage` is undefined if it has proven none. */
  readonly made: { readonly pages: number; readonly seconds: number; readonly coverage: number | undefined }
}

const coverageDefault = 0.9

/** `web` is that of the crawl in this folder (crawl-web.ts). */
export async function crawlSetting(path: string, web: Web): Promise<CrawlSetting> {
  const folder = CrawlFolder.open(path)
  const { options } = folder.file
  const guarantees = findEntry(options.strategy)?.guarantees === true
  const { progress } = status(path)
  const proven = guarantees ? progress?.guaranteed : undefined
  return {
    strategy: guarantees ? options.strategy : 'exact-rankmass',
    damping: options.damping,
    coverage: proven !== undefined && proven >= 0.01 ? goalOf(proven) : coverageDefault,
    patience: options.patience,
    time: {
      connections: options.made.connections,
      wait: options.wait,
      waitFactor: options.waitFactor,
      perConnection: options.perConnection,
    },
    ...(await responsesOf(folder, web)),
    made: { pages: progress?.pages ?? 0, seconds: progress?.seconds ?? 0, coverage: proven },
  }
}

/** A little less than was proven: near 1 most downloads prove next to nothing. */
const goalOf = (proven: number): number => Math.min(0.99, Math.floor(100 * proven + 1e-9) / 100)

const bytesPerSecond = 1e12

async function responsesOf(
  folder: CrawlFolder,
  web: Web,
): Promise<Pick<CrawlSetting, 'seeds' | 'pageBytes' | 'latencies' | 'speeds'>> {
  const seeds: number[] = []
  const pageBytes = new Float64Array(web.graph.pages).fill(NaN)
  const seconds = new Float64Array(web.sites.count)
  const responses = new Uint32Array(web.sites.count)
  const record = await folder.readRecord()
  try {
    let page = 0
    for (const [{ url, parent }, outcome] of record.pages()) {
      if (url === outsideUrl) continue
      if (parent === undefined) seeds.push(page)
      if (outcome !== undefined && outcome.status > 0) {
        const site = web.sites.ofPage[page]
        pageBytes[page] = outcome.bytes
        seconds[site] += outcome.durationMs / 1000
        responses[site]++
      }
      page++
    }
  } finally {
    record.close()
  }
  const latencies = seconds.map((sum, site) => (responses[site] === 0 ? NaN : sum / responses[site]))
  const speeds = latencies.map((each) => (Number.isNaN(each) ? NaN : bytesPerSecond))
  return { seeds, pageBytes, latencies, speeds }
}
