/**
 * Link farms added to the web: how much of a crawl each strategy spends on them, with boosting links and
 * without; and whether spam mass separates them from honest pages (`spam-detection.ts`).
 *
 * Farms as in Gyöngyi and Garcia-Molina, "Link Spam Alliances", 2005; trust as in "Combating Web Spam with
 * TrustRank", 2004.
 */
import { farmedWeb } from '../webgraph/synthetic/synthetic-web.ts'
import { farmDefaults, type Farms, type FarmSettings } from '../webgraph/synthetic/farms.ts'
import type { HijackedFrom } from '../webgraph/synthetic/farms.ts'
import { checkpoints } from '../webgraph/measures/percent.ts'
import { grouped, percentOf } from '../lib/amounts.ts'
import type { Figure, Table } from '../view/report/report.ts'
import type { SimulatedWeb } from '../simulator/simulated-web.ts'
import { crawledAxis, listed, mean, ranking, shareCurve } from './curves.ts'
import type { Experiment } from './experiment.ts'
import { detectionTable } from './spam-detection.ts'
import { heldBackTable, honestPriceTable } from './spam-held-back.ts'
import type { Trial, Trials } from './trials.ts'

const damping = 0.85
/** The share of farm pages. */
const farmShare = 0.1
const farmSizeMax = 100
/** Pages of the generated web, unless its size is given: there are about 180 crawls. */
const pagesDefault = 20_000

/**
 * Strategies in which every page has a score of its own, and those in which all score comes from the seeds.
 */
const selfMade = ['backlink-count', 'pagerank', 'opic']
const trusting = ['rankmass', 'exact-rankmass', 'trustrank']
const pictured = ['breadth-first', 'larger-sites-first', ...selfMade, ...trusting]
/** The percentage of the crawl at which captions compare strategies. */
const comparedAt = 20
const mixed = 'opic*0.5+trustrank*0.5'

/** A web with farms, and the crawls of each strategy. */
interface Farmed {
  readonly farms: Farms
  readonly trials: Trials
  readonly truth: SimulatedWeb
  readonly crawls: readonly FarmedCrawl[]
}

interface FarmedCrawl {
  readonly strategy: string
  /** The share of farm pages among the downloads by 1% … 100% of the crawl. */
  readonly spent: readonly number[]
}

export const spamExperiment: Experiment = {
  name: 'spam',
  about: 'link farms: downloads that each strategy spends on them, and detection by spam mass',
  source: 'Gyöngyi, Garcia-Molina 2005; Gyöngyi et al. 2004, 2006',
  async run(allTrials) {
    const trials = allTrials.sized(pagesDefault)
    const fromAny = await grid(trials, 'any')
    const fromLinked = await grid(trials, 'linked')
    const { farms, farmPages, hijackedLinks } = fromAny.clique.farms.settings
    return {
      report: {
        name: 'spam',
        title: 'Link farms and trust',
        lead: [
          'A link farm is a set of pages whose only purpose is to look important, or to make one of them, the target, look important. A crawler that fetches important pages first may spend its downloads there. Each line shows one strategy: the share of its downloads so far that went to farm pages.',
          `${grouped(farms)} farms of ${grouped(farmPages + 1)} pages are added to the web. Crawlers find each through ${hijackedLinks} hijacked links on honest pages. Two ways to choose these pages are shown: uniformly, and by random links, which favours popular pages.`,
        ],
        facts: [
          ...(await fromAny.alliance.trials.facts(damping)),
          ...farmFacts('hijacked from any', fromAny),
          ...farmFacts('hijacked from linked', fromLinked),
        ],
        sections: [
          {
            title: 'Hijacked links on any pages',
            about: plans,
            blocks: [
              spentFigure('any', 'Downloads spent on alliances, any page hijacked', fromAny.alliance),
              spentTable('any-table', fromAny),
            ],
          },
          {
            title: 'Hijacked links on popular pages',
            blocks: [
              spentFigure(
                'linked',
                'Downloads spent on alliances, popular pages hijacked',
                fromLinked.alliance,
              ),
              spentTable('linked-table', fromLinked),
            ],
          },
          {
            title: 'Detecting farms by their spam mass',
            blocks: [
              await detectionTable('any', fromAny.alliance),
              await detectionTable('linked', fromLinked.alliance),
            ],
          },
          {
            title: 'Demoted spam',
            about:
              'With --demote-spam, sites that get hardly any of their PageRank from the seed are fetched last, by any strategy.',
            blocks: [
              await heldBack('any', 'Alliances, any page hijacked', fromAny.alliance),
              await heldBack('linked', 'Alliances, popular pages hijacked', fromLinked.alliance),
              await honestPriceTable(trials),
            ],
          },
        ],
        remarks: [
          'Farms link only to themselves, and honest pages link to them only by hijacked links. Real farms also buy expired domains and exchange links.',
          'A target links to all its pages, so they are adjacent in a queue regardless of their links; a clique raises their scores, often without changing the order.',
          'The seed is the only trusted page. TrustRank was proposed with a few hundred manually reviewed pages.',
          'True PageRank counts farm pages like all others, so it is not used here to evaluate strategies.',
        ],
      },
    }
  },
}

const heldBack = (id: string, title: string, { trials, farms }: Farmed): Promise<Table> =>
  heldBackTable(`held-back-${id}`, title, trials, farms)

const plans =
  'Clique: all pages of a farm link to one another. Alliance: all boosting pages of five farms link to the targets of all five, and each target to its own boosting pages. None: the same pages without the boost; each target links to its pages, which have no links.'

type Plan = 'clique' | 'alliance' | 'none'
type Grid = Readonly<Record<Plan, Farmed>>

async function grid(trials: Trials, hijackedFrom: HijackedFrom): Promise<Grid> {
  return {
    clique: await crawled(trials, 'clique', hijackedFrom),
    alliance: await crawled(trials, 'alliance', hijackedFrom),
    none: await crawled(trials, 'none', hijackedFrom),
  }
}

async function crawled(trials: Trials, farmLinks: Plan, hijackedFrom: HijackedFrom): Promise<Farmed> {
  const settings = { ...farmSizes(trials.web.graph.pages), farmLinks, hijackedFrom }
  const { web, farms } = farmedWeb(trials.web, settings, trials.seed)
  const about = `${trials.about}, and ${grouped(farms.settings.farms)} link farms`
  const farmed = trials.on(web, about, trials.seeds)
  const truth = await farmed.truth(damping)
  const runs = await farmed.run([...pictured, mixed], { damping })
  return { farms, trials: farmed, truth, crawls: runs.map((run) => farmedCrawl(run, farms, truth)) }
}

/** Farms of a hundred pages, or smaller if that would give only a few of them. */
function farmSizes(honest: number): Pick<FarmSettings, 'farms' | 'farmPages' | 'hijackedLinks'> {
  const pages = (honest * farmShare) / (1 - farmShare)
  const size = Math.max(2, Math.min(farmSizeMax, Math.round(Math.sqrt(pages))))
  const farms = Math.max(1, Math.round(pages / size))
  return { farms, farmPages: size - 1, hijackedLinks: farmDefaults.hijackedLinks }
}

function farmedCrawl({ result, order }: Trial, farms: Farms, { ids }: SimulatedWeb): FarmedCrawl {
  const spent: number[] = []
  const ends = checkpoints(order.length)
  let count = 0
  order.forEach((page, i) => {
    if (farms.isFarmPage(ids[page])) count++
    while (ends[spent.length] === i + 1) spent.push(count / (i + 1))
  })
  return { strategy: result.strategy, spent }
}

/** The farms' share of the reachable pages and of their importance. */
function farmHoldings({ farms, truth }: Farmed): { pages: number; pageRank: number; rankMass: number } {
  let pages = 0
  let pageRank = 0
  let rankMass = 0
  truth.ids.forEach((id, page) => {
    if (!farms.isFarmPage(id)) return
    pages += 1 / truth.pages
    pageRank += truth.pageRank[page]
    rankMass += truth.rankMass![page]
  })
  return { pages, pageRank, rankMass }
}

function farmFacts(name: string, { alliance }: Grid): [string, string][] {
  const { pages, pageRank, rankMass } = farmHoldings(alliance)
  return [
    [
      name,
      `farms in alliances are ${percentOf(pages)} of the reachable pages, ${percentOf(pageRank)} of the PageRank, ${percentOf(rankMass)} of the PageRank with all jumps to the seed`,
    ],
  ]
}

function spentFigure(id: string, title: string, farmed: Farmed): Figure {
  const { crawls } = farmed
  const share = farmHoldings(farmed).pages
  const shown = pictured.map((name) => crawls.find(({ strategy }) => strategy === name)!)
  const highest = Math.max(share, ...shown.flatMap(({ spent }) => spent))
  return {
    kind: 'figure',
    id,
    plot: {
      title,
      x: crawledAxis,
      y: {
        label: 'farm pages among the downloads so far',
        numbering: 'percent',
        min: 0,
        max: Math.min(100, Math.ceil(highest * 20) * 5),
      },
      series: [
        ...shown.map(({ strategy, spent }, look) => ({
          name: strategy,
          points: shareCurve(spent.map((value) => 100 * value)),
          look,
        })),
        {
          name: 'at random',
          points: [
            [0, 100 * share],
            [100, 100 * share],
          ],
          reference: true,
          look: 3,
        },
      ],
    },
    caption: spentCaption(shown, share),
  }
}

function spentCaption(crawls: readonly FarmedCrawl[], share: number): string {
  const spent = crawls.map(({ strategy, spent: at }) => ({ name: strategy, value: at[comparedAt - 1] }))
  const words = ranking(spent).map(({ name, value }) => `${name} ${percentOf(value)}`)
  return `Shares of the first ${comparedAt}% of the downloads that went to farm pages: ${listed(words)}. Farms are ${percentOf(share)} of the web, which is also the share of a random crawl.`
}

const percentsShown = [10, 20, 50]

function spentTable(id: string, webs: Grid): Table {
  const { clique, alliance, none } = webs
  const columns = Object.keys(webs).flatMap((group) =>
    percentsShown.map((percent) => ({ title: `${percent}%`, numbering: 'percent' as const, group })),
  )
  const shares = ({ spent }: FarmedCrawl): number[] =>
    percentsShown.map((percent) => 100 * spent[percent - 1])
  return {
    kind: 'table',
    id,
    title: 'Farm pages among the first downloads',
    columns: [{ title: 'strategy' }, ...columns],
    rows: clique.crawls.map((crawl, i) => [
      crawl.strategy,
      ...shares(crawl),
      ...shares(alliance.crawls[i]),
      ...shares(none.crawls[i]),
    ]),
    caption: families(alliance),
  }
}

/** Whether trust makes a difference, at each point of the table. */
function families({ crawls }: Farmed): string {
  const spent = (names: readonly string[], percent: number): number =>
    mean(crawls.filter(({ strategy }) => names.includes(strategy)).map((crawl) => crawl.spent[percent - 1]))
  const points = percentsShown.map((percent) => ({
    percent,
    own: spent(selfMade, percent),
    trusted: spent(trusting, percent),
  }))
  const words = points.map(
    ({ percent, own, trusted }) => `${percentOf(trusted)} against ${percentOf(own)} of the first ${percent}%`,
  )
  const less = points.filter(({ own, trusted }) => trusted < own).length
  const verdict =
    less === points.length
      ? 'trust removes the priority of farms at all of these points'
      : less === 0
        ? 'trust does not remove the priority of farms at any of these points'
        : `trust removes the priority of farms at ${less} of these ${points.length} points`
  return `Average share spent on alliances by the strategies that trust only the seed (${listed(trusting)}), compared with those in which every page has a score of its own (${listed(selfMade)}): ${listed(words)}. Here ${verdict}.`
}
