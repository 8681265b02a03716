/** The crawls of the experiment `orders`: every strategy on every web, from several starts. */
import { syntheticGraph } from '../webgraph/synthetic/synthetic-graph.ts'
import { webOf, type Web } from '../webgraph/web.ts'
import { cumulativeImportance } from '../webgraph/measures/cumulative-importance.ts'
import { grouped } from '../lib/amounts.ts'
import { repetitions } from '../simulator/repeats.ts'
import { type Trials, computingSeconds } from './trials.ts'

export const damping = 0.85

export interface NamedWeb {
  readonly name: string
  readonly web: Web
}

/** What `experiment orders` compares. */
export interface OrdersOptions {
  /** Read one after the other; default: webs of several shapes are generated. */
  readonly webs?: readonly (() => Promise<NamedWeb>)[]
  readonly strategies?: readonly string[]
  /** Starts on each web: the page that reaches most, then pages drawn at random. */
  readonly repeats?: number
}

/** One strategy on one web from one start. */
export interface OrderRun {
  readonly web: string
  readonly start: number
  readonly strategy: string
  /** Averages over the crawl. */
  readonly pageRank: number
  readonly rankMass: number
  readonly tau: number
  readonly curve: readonly number[]
  readonly seconds: number
  readonly bytesPerPage: number
}

const shapes = [
  { name: 'usual', options: {} },
  { name: 'few links, open sites', options: { linksPerPage: 5, inSiteShare: 0.7 } },
  { name: 'small sites', options: { sitesPerPage: 1 / 10, danglingShare: 0.1 } },
  { name: 'five large sites', options: { siteCount: 5, linksPerPage: 25 } },
] as const
const generatedPagesMax = 20_000

/** Generated webs of different shape, of at most this many pages. */
export function generatedWebs(pagesMax: number, seed: number): (() => Promise<NamedWeb>)[] {
  const pages = Math.min(pagesMax, generatedPagesMax)
  return shapes.map(({ name, options }, i) => () => {
    const { sitesPerPage, siteCount, ...shape } = {
      sitesPerPage: undefined,
      siteCount: undefined,
      ...options,
    }
    const wanted = siteCount ?? (sitesPerPage === undefined ? undefined : Math.ceil(pages * sitesPerPage))
    const sites = wanted === undefined ? undefined : Math.min(pages, wanted)
    const { graph, sites: givenSites } = syntheticGraph({
      pages,
      seed: seed + i,
      ...shape,
      ...(sites === undefined ? {} : { sites }),
    })
    return Promise.resolve({
      name: `generated, ${grouped(pages)} pages, ${name}`,
      web: webOf({ graph, givenSites }),
    })
  })
}

/** All crawls of all strategies on one web. */
export async function orderRuns(
  trials: Trials,
  { name, web }: NamedWeb,
  strategies: readonly string[],
  repeats: number,
): Promise<OrderRun[]> {
  const runs: OrderRun[] = []
  for (const { seeds, seed } of repetitions(web, { count: repeats, seed: trials.seed })) {
    const here = trials.on(web, name, seeds, seed)
    const [start] = seeds
    const truth = await here.truth(damping)
    for (const [i, { result, order }] of (await here.run(strategies, { damping })).entries()) {
      runs.push({
        web: name,
        start,
        // As it was given: the result of a module has the name that it gives itself.
        strategy: strategies[i],
        pageRank: result.averageCumulativePagerank,
        rankMass: cumulativeImportance(order, truth.rankMass!).average,
        tau: result.kendallTauA,
        curve: result.curve,
        seconds: computingSeconds(result),
        bytesPerPage: result.engineBytes / truth.pages,
      })
    }
  }
  return runs
}
