/** Graphs 5 and 6: a crawl of one small site, where backlinks are a weak signal. */
import { idOf, type Web, webOf } from '../webgraph/web.ts'
import { grouped, percentOf } from '../lib/amounts.ts'
import type { Figure, Section } from '../view/report/report.ts'
import { subgraph } from '../simulator/scope.ts'
import type { ByOrder } from './cho-claims.ts'
import { byOrder, choDamping, choNames, choOrders } from './cho-orders.ts'
import { crawledAxis, listed, percentCurve, randomLine } from './curves.ts'
import { movedRemark, round, thresholdsFor } from './threshold.ts'
import type { Trial, Trials } from './trials.ts'

/** Pages of the Stanford Database Group's server. */
const publishedPages = 1100

export interface SmallSite {
  readonly section: Section
  readonly remarks: string[]
  /** P_ST of each order. */
  readonly curves: ByOrder<number[]>
  /** The share of its pages with fewer than ten backlinks. */
  readonly fewBacklinks: number
}

export async function smallSiteSection(trials: Trials): Promise<SmallSite> {
  const { web, pages: sitePages } = smallSite(trials.web)
  const site = trials.on(web, 'one site')
  const truth = await site.truth(choDamping)
  const [threshold] = thresholdsFor(truth.backlinks, [{ published: 5, wantedShare: 0.2 }])
  const runs = await site.run(choOrders, { damping: choDamping, hot: [`backlinks>=${threshold.value}`] })
  return {
    section: {
      title: 'A small site',
      about: `The paper crawled the ${grouped(publishedPages)} pages of one server and found every order worse, at times worse than random. Here it is the site whose size is nearest to that: ${grouped(sitePages)} pages, of which ${grouped(truth.pages)} can be reached from its best starting page without leaving the site.`,
      blocks: [graph5(runs, threshold.value, threshold.hot), graph6(truth.backlinks)],
    },
    remarks: movedRemark('Small site', [threshold]),
    curves: byOrder((order) => runs[choOrders.indexOf(order)].result.hot[0].pst),
    fewBacklinks: fewShare(truth.backlinks),
  }
}

/** The share of the pages with fewer than ten backlinks. */
function fewShare(backlinks: Uint32Array): number {
  return backlinks.filter((count) => count < 10).length / Math.max(1, backlinks.length)
}

/** The site nearest to the paper's in size, on its own: links out of it are dropped. */
function smallSite(web: Web): { web: Web; pages: number } {
  const { sites, graph } = web
  const sizes = new Uint32Array(sites.count)
  for (const site of sites.ofPage) sizes[site]++
  const distance = (size: number): number => Math.abs(Math.log(size / publishedPages))
  let chosen = 0
  sizes.forEach((size, site) => {
    if (size > 0 && distance(size) < distance(sizes[chosen])) chosen = site
  })
  const pages = Uint32Array.from({ length: graph.pages }, (_, page) => page).filter(
    (page) => sites.ofPage[page] === chosen,
  )
  const inside = subgraph(graph, pages)
  return { web: webOf({ graph: inside, ids: pages.map((page) => idOf(web, page)) }), pages: pages.length }
}

function graph5(runs: readonly Trial[], threshold: number, hot: number): Figure {
  const curve = ({ result }: Trial): number[] => result.hot[0].pst
  const worse = runs.map(
    (run) =>
      `${choNames[run.result.strategy]} at ${curve(run).filter((share, i) => share < (i + 1) / 100).length}`,
  )
  const at20 = runs.map((run) => `${choNames[run.result.strategy]} ${percentOf(curve(run)[19])}`)
  return {
    kind: 'figure',
    id: 'graph-5',
    plot: {
      title: `Graph 5: three orders within one site, I = IB, G = ${round(threshold)}`,
      x: { ...crawledAxis, label: 'share of the site crawled' },
      y: { label: 'P_ST, hot pages found', numbering: 'percent', min: 0, max: 100 },
      series: [
        ...runs.map((run, look) => ({
          name: choNames[run.result.strategy],
          points: percentCurve(curve(run)),
          look,
        })),
        randomLine(100),
      ],
    },
    caption: `Of ${grouped(hot)} hot pages, the first 20% of the site contain: ${listed(at20)}. Of 100 points, these are below the random line: ${listed(worse)}.`,
  }
}

const barsMax = 40

function graph6(backlinks: Uint32Array): Figure {
  const most = backlinks.reduce((high, count) => Math.max(high, count), 0)
  const shown = Math.min(barsMax, most)
  const counts = new Array<number>(shown + 1).fill(0)
  for (const count of backlinks) if (count <= shown) counts[count]++
  const few = fewShare(backlinks)
  const beyond = backlinks.filter((count) => count > shown).length
  return {
    kind: 'figure',
    id: 'graph-6',
    plot: {
      title: 'Graph 6: number of pages of the site by backlinks',
      x: { label: 'backlinks within the site', numbering: 'count', min: -1, max: shown + 1 },
      y: { label: 'pages', numbering: 'count' },
      series: [{ name: 'pages', kind: 'bars', points: counts.map((pages, count) => [count, pages]) }],
    },
    caption: `${percentOf(few)} of the site's pages have fewer than 10 backlinks${few > 0.5 ? ', as most had in the paper' : ', unlike in the paper, where most had'}${beyond > 0 ? `; ${grouped(beyond)} pages with more than ${shown} (up to ${grouped(most)}) are not drawn` : ''}.`,
  }
}
