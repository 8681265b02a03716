import { rmSync } from 'node:fs'
import { Command } from 'commander'
import type { Graph } from '../graph/graph.ts'
import { pageRank } from '../graph/pagerank.ts'
import { bestSeed } from '../graph/reachability.ts'
import { syntheticGraph } from '../graph/synthetic/synthetic-graph.ts'
import { serveWeb } from '../served/served-web.ts'
import { runCrawl } from './crawl-run.ts'
import { numberBetween, wholeNumber } from './options.ts'

const damping = 0.85

interface DemoOptions {
  readonly pages: number
  readonly sites: number
  readonly coverage: number
  readonly wait: number
  readonly seed: number
  readonly out: string
  readonly progress?: boolean
}

/** Serves a made-up web on loopback addresses, crawls it for real, and holds the guarantee against the truth. */
export function demoCommand(): Command {
  return new Command('demo')
    .description(
      'Serve a generated web on this machine, crawl it over HTTP, and compare the guarantee with the truth',
    )
    .option('--pages <n>', 'pages of the web', wholeNumber({ min: 10, max: 1_000_000 }), 2000)
    .option('--sites <n>', 'its hosts, each an address of its own', wholeNumber({ min: 1, max: 1000 }), 40)
    .option('--coverage <x>', 'crawl until this much is guaranteed', numberBetween(0, 1), 0.95)
    .option('--wait <seconds>', 'between two accesses to a host', numberBetween(0, 60), 0.05)
    .option('--seed <x>', 'another web for another number', wholeNumber(), 1)
    .option('--out <folder>', 'the crawl’s folder; what it held before is removed', 'out/demo')
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
  const web = syntheticGraph({ pages, sites, seed: options.seed })
  const { seed, reachable } = bestSeed(web.graph)
  const served = await serveWeb(web, { keepAccesses: false })
  process.stdout.write(
    `Serving ${web.graph.pages} pages on ${web.sites.count} loopback hosts, port ${served.port}; ${reachable} can be reached from the seed.\n\n`,
  )
  rmSync(out, { recursive: true, force: true })
  const fetched: number[] = []
  try {
    const { crawl } = await import('../crawler.ts')
    await runCrawl({
      start: (onEvent) =>
        crawl({
          seeds: [served.urlOf(seed)],
          out,
          scope: 'any',
          damping,
          coverage,
          wait,
          allowPrivate: true,
          contact: 'https://localhost/',
          onEvent(event) {
            if (event.kind === 'page') fetched.push(served.pageOf(event.url)!)
            onEvent(event)
          },
        }),
      isNew: true,
      subject: 'a generated web',
      folder: out,
      budgets: { coverage },
      progress: options.progress,
    })
  } finally {
    await served.close()
  }
  const truth = await trueRankMass(web.graph, seed)
  const held = fetched.reduce((sum, page) => sum + truth[page], 0)
  process.stdout.write(
    `\nThe web is made up, so the truth is known: these ${fetched.length} of ${reachable} pages hold ${(100 * held).toFixed(2)}% of the importance.\n`,
  )
}

async function trueRankMass(graph: Graph, seed: number): Promise<Float64Array> {
  const trust = new Float64Array(graph.pages)
  trust[seed] = 1
  return (await pageRank(graph, { damping, trust })).scores
}
