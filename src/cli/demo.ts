import { Command } from 'commander'
import type { CrawlEvent, CrawlOptions } from '../crawler/options/crawl-options.ts'
import type { Graph } from '../webgraph/graph.ts'
import { pageRank } from '../webgraph/pagerank/pagerank.ts'
import { bestSeed } from '../webgraph/reachability.ts'
import { syntheticGraph } from '../webgraph/synthetic/synthetic-graph.ts'
import { serveWeb } from '../webgraph/served/served-web.ts'
import { checkNewFolder } from './crawl/checks.ts'
import { runCrawl } from './crawl/run.ts'
import { dashboardValue } from '../crawler/options/dashboard-address.ts'
import { numberBetween, numberFrom, parserOf, printJson, wholeNumber } from './options.ts'
import { agreeing, grouped, percentText, plural } from '../lib/amounts.ts'
import { fitted } from './terminal.ts'

const damping = 0.85

interface DemoOptions {
  readonly pages: number
  readonly sites: number
  readonly coverage: number
  readonly wait: number
  readonly seed: number
  readonly out: string
  readonly dashboard?: string
  readonly json?: boolean
  readonly progress?: boolean
}

/**
 * Serves a generated web on loopback addresses, crawls it over HTTP, and compares the guarantee with the true
 * importance.
 */
export function demoCommand(): Command {
  return new Command('demo')
    .description(
      'Serve a generated web on this machine, crawl it over HTTP, and compare the guarantee with the true importance',
    )
    .option('--pages <n>', 'pages of the web', wholeNumber({ min: 10, max: 1_000_000 }), 2000)
    .option(
      '--sites <n>',
      'number of hosts, each with its own address',
      wholeNumber({ min: 1, max: 1000 }),
      40,
    )
    .option('--coverage <x>', 'crawl until this much is guaranteed', numberBetween(0, 1), 0.95)
    .option('--wait <seconds>', 'between two requests to a host', numberFrom(0), 0.05)
    .option('--seed <x>', 'seed of the generated web', wholeNumber(), 1)
    .option('--out <folder>', 'the crawl’s folder; an earlier demo in it is replaced', 'out/demo')
    .option('--dashboard <[host:]port>', 'serve a dashboard while the crawl runs', parserOf(dashboardValue))
    .option('--json', 'print the totals as JSON, with the true importance')
    .option('--no-progress', 'show no progress')
    .addHelpText(
      'after',
      `
Examples:
  rankward demo
  rankward demo --pages 20000 --sites 200 --coverage 0.9 --wait 0`,
    )
    .action(run)
}

async function run(options: DemoOptions): Promise<void> {
  const { pages, sites, coverage, wait, out } = options
  await checkNewFolder(out)
  const web = syntheticGraph({ pages, sites, seed: options.seed })
  const { seed, reachable } = bestSeed(web.graph)
  const served = await serveWeb(web, { keepAccesses: false })
  const fetched: number[] = []
  const crawlOptions = (onEvent?: (event: CrawlEvent) => void): CrawlOptions => ({
    seeds: [served.urlOf(seed)],
    out,
    replaceable: true,
    scope: 'any',
    damping,
    coverage,
    wait,
    allowPrivate: true,
    contact: 'https://localhost/',
    dashboard: options.dashboard,
    onEvent(event) {
      if (event.kind === 'page') fetched.push(served.pageOf(event.url)!)
      onEvent?.(event)
    },
  })
  const { crawl } = await import('../crawler/crawler.ts')
  try {
    if (options.json === true) {
      const totals = await crawl(crawlOptions()).run()
      const truth = await heldOf(web.graph, seed, fetched)
      printJson({ ...totals, reachable, truth })
      return
    }
    const serving = `Serving ${plural(web.graph.pages, 'page')} on ${plural(web.sites.count, 'loopback host')}, port ${served.port}; ${grouped(reachable)} ${agreeing(reachable, 'is', 'are')} reachable from the seed.`
    process.stdout.write(`${fitted(serving)}\n\n`)
    await runCrawl({
      start: ({ onEvent }) => crawl(crawlOptions(onEvent)),
      isNew: true,
      subject: 'a generated web',
      folder: out,
      budgets: { coverage },
      progress: options.progress,
    })
  } finally {
    await served.close()
  }
  const held = await heldOf(web.graph, seed, fetched)
  const truth = `The web is generated, so its true importance is known: these ${grouped(fetched.length)} of ${plural(reachable, 'page')} hold ${percentText(held)} of the importance.`
  process.stdout.write(`\n${fitted(truth)}\n`)
}

/** The true RankMass of these pages. */
async function heldOf(graph: Graph, seed: number, pages: readonly number[]): Promise<number> {
  const trust = new Float64Array(graph.pages)
  trust[seed] = 1
  const { scores } = await pageRank(graph, { damping, trust })
  return pages.reduce((sum, page) => sum + scores[page], 0)
}
