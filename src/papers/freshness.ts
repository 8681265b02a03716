/** When to fetch pages again: the results of the papers, and our policies on drawn and recorded changes. */
import { syntheticGraph } from '../webgraph/synthetic/synthetic-graph.ts'
import { webOf, type Web } from '../webgraph/web.ts'
import { grouped } from '../lib/amounts.ts'
import type { Experiment } from './experiment.ts'
import { siteRuns, siteSections } from './freshness-sites.ts'
import { fivePagesSection, thresholdSection } from './freshness-theory.ts'
import { worldRuns, worldSections } from './freshness-worlds.ts'
import type { Trials } from './trials.ts'

const damping = 0.85
/** Larger webs are replaced by a generated one of this size: 54 crawls of five rounds are simulated. */
const pagesMax = 2000
/** Days for which the five pages are crawled. */
const fivePagesDays = 2000

export const freshnessExperiment: Experiment = {
  name: 'freshness',
  about: 'when to fetch pages again: known results, drawn changes, recorded sites (--changes)',
  source: 'Cho, Garcia-Molina 2003; Olston, Pandey 2008; Busa-Fekete et al. 2025',
  async run(trials) {
    const { web, about } = worldOf(trials)
    const own = web === trials.web ? trials : trials.on(web, about)
    const truth = await own.truth(damping)
    // Simulations cover the pages that the seeds reach; rates are given for all pages of the web.
    const importance = new Float64Array(web.graph.pages)
    truth.pageRank.forEach((rank, page) => {
      importance[truth.storedPages === undefined ? page : truth.storedPages[page]] = rank
    })
    const progress = (done: number, total: number, note: string): void => trials.progress(done, total, note)
    const runs = await worldRuns({
      web,
      seeds: own.seeds,
      importance,
      signal: trials.signal,
      onProgress: progress,
    })
    const recorded = await siteRuns(trials.recorded, progress, trials.signal)
    return {
      report: {
        name: 'freshness',
        title: 'When to fetch pages again',
        lead: [
          'A copy of a page is fresh until the page changes. With a given number of fetches per day, a crawler decides which pages to fetch again, and how often, and when to fetch new ones. Freshness is the share of time for which copies are fresh, weighted by PageRank unless stated otherwise.',
        ],
        facts: await own.facts(damping),
        sections: [
          await fivePagesSection(fivePagesDays),
          thresholdSection(),
          ...worldSections(runs),
          ...siteSections(recorded),
        ],
        remarks:
          recorded.length > 0
            ? []
            : [
                'Recorded sites are left out: give a folder of them with --changes to compare policies on real changes.',
              ],
      },
    }
  },
}

function worldOf({ web, about, seed }: Trials): { web: Web; about: string } {
  if (web.graph.pages <= pagesMax) return { web, about }
  const { graph, sites } = syntheticGraph({ pages: pagesMax, seed })
  return {
    web: webOf({ graph, givenSites: sites }),
    about: `generated, ${grouped(pagesMax)} pages, seed ${seed}; drawn changes on the web of the other experiments would take hours`,
  }
}
