/**
 * The crawls of section 4.5, which the thesis ran on the real web: Figures 4.12 to 4.15, larger-sites-first for eight days, and
 * Figure 4.16, breadth-first against larger-sites-first in time. Here both are simulated on the web with limited sites.
 */
import { grouped, percentOf, written } from '../lib/amounts.ts'
import type { Point } from '../view/pictures/plot.ts'
import { ImportanceSums, partSecondsOf } from '../webgraph/measures/importance-parts.ts'
import type { ImportanceByTime } from '../webgraph/measures/importance-parts.ts'
import { depthFigure, depthTable, gatheredFigure, meansFigure } from '../view/report/importance-parts.ts'
import { timeTable } from '../view/report/importance-parts.ts'
import type { Figure, Section } from '../view/report/report.ts'
import { type SimulatedWeb, graphOfSimulated } from '../simulator/simulated-web.ts'
import type { Found } from './castillo-claims.ts'
import { crawledAxis, listed, percentReaching, randomLine, shareCurve } from './curves.ts'
import { castilloCrawlDays, castilloCrawlSites, castilloRealCrawl } from './published.ts'
import type { Trial, Trials } from './trials.ts'

const damping = 0.85
const connections = 1000
const day = 86_400

/** Figures 4.12 to 4.15. */
export async function longCrawlSection(
  trials: Trials,
  wait: number,
): Promise<Found<'longCrawl' | 'meansByDay' | 'meansByDepth'>> {
  const truth = await trials.truth(damping)
  const [free] = await trials.run(['larger-sites-first'], { damping, time: { connections, wait } })
  const bandwidth = Math.max(1, Math.ceil(free.result.time!.bytes / (castilloCrawlDays * day)))
  const [slow] = await trials.run(['larger-sites-first'], { damping, time: { connections, wait, bandwidth } })
  const course = byTime(slow, truth)
  const { depths, outside } = byDepth(truth)
  const section: Section = {
    title: 'A crawl of several days',
    about: `The thesis crawled the Chilean web for ${castilloCrawlDays} days with larger-sites-first, ${grouped(connections)} connections and w = ${wait} s. Here the same crawl is simulated; in Figures 4.12 and 4.13 its bandwidth, ${grouped(bandwidth)} bytes per second, is such that all pages take as many days.`,
    blocks: [
      withThesis(gatheredFigure('figure-4-12', 'Figure 4.12: cumulative PageRank by day', course)),
      meansFigure('figure-4-13', 'Figure 4.13: average PageRank by day', course),
      timeTable('days', 'Pages and PageRank by day', course),
      depthSectionFigure(depths, outside),
      depthTable('depths', 'PageRank by depth', depths),
      crawledFigure(free),
    ],
  }
  const means = (parts: ImportanceSums['parts']): number[] =>
    parts.map(({ pages, pageRank }) => pageRank / Math.max(1, pages))
  const results = {
    longCrawl: free.result.curve,
    meansByDay: means(course.parts),
    meansByDepth: means(depths),
  }
  return { section, results }
}

function byTime({ order, times, result }: Trial, { pageRank }: SimulatedWeb): ImportanceByTime {
  const { total } = result.time!
  const partSeconds = partSecondsOf(total)
  const last = Math.max(0, Math.ceil(total / partSeconds) - 1)
  const sums = new ImportanceSums()
  order.forEach((page, i) => {
    sums.add(Math.min(last, Math.floor(times![i] / partSeconds)), pageRank[page], 0)
  })
  return { partSeconds, parts: sums.parts }
}

/** The thesis's figures, at the end of days 2 and 4. */
function withThesis(figure: Figure): Figure {
  const dots = (of: (crawl: (typeof castilloRealCrawl)[number]) => number): Point[] =>
    castilloRealCrawl.map((crawl) => [crawl.day, 100 * of(crawl)])
  const isByDay = figure.plot.x.numbering === 'count'
  const words = castilloRealCrawl.map(
    ({ day: end, pages, pageRank }) =>
      `${percentOf(pageRank)} of the PageRank with ${percentOf(pages)} of the pages by the end of day ${end}`,
  )
  return {
    ...figure,
    plot: {
      ...figure.plot,
      series: [
        ...figure.plot.series,
        ...(isByDay
          ? [
              { name: 'thesis: PageRank', kind: 'dots' as const, look: 1, points: dots((at) => at.pageRank) },
              { name: 'thesis: pages', kind: 'dots' as const, look: 2, points: dots((at) => at.pages) },
            ]
          : []),
      ],
    },
    caption: `${figure.caption} The thesis’s crawl had ${listed(words)}.`,
  }
}

function byDepth(truth: SimulatedWeb): { depths: ImportanceSums['parts']; outside: number } {
  const sums = new ImportanceSums()
  let outside = 0
  depthsInSites(truth).forEach((depth, page) => {
    if (depth === noDepth) outside++
    else sums.add(depth, truth.pageRank[page], 0)
  })
  return { depths: sums.parts, outside: outside / truth.pages }
}

function depthSectionFigure(depths: ImportanceSums['parts'], outside: number): Figure {
  const label = 'links from the home page of the site'
  const figure = depthFigure('figure-4-14', 'Figure 4.14: average PageRank by depth', depths, label)
  return {
    ...figure,
    caption: `${figure.caption} In the thesis PageRank falls with depth in the first levels, and hardly depends on it from 3 or 4 links on. The home page of a site is the page that most links of other sites lead to; ${percentOf(outside)} of the pages cannot be reached from it within the site and are left out.`,
  }
}

/** Figure 4.15: there is no real crawl of this web, so the thesis's own figures are shown. */
function crawledFigure({ result }: Trial): Figure {
  const at = castilloRealCrawl.map(
    ({ pages, pageRank }) =>
      `${percentOf(result.curve[pages * 100 - 1])} at ${percentOf(pages)} of the pages (thesis: ${percentOf(pageRank)})`,
  )
  return {
    kind: 'figure',
    id: 'figure-4-15',
    plot: {
      title: 'Figure 4.15: larger-sites-first, our simulation and the crawl of the thesis',
      x: crawledAxis,
      y: { label: 'cumulative PageRank', numbering: 'share', min: 0, max: 1 },
      series: [
        { name: 'simulated, r = 1000', points: shareCurve(result.curve), look: 0 },
        {
          name: 'real crawl (thesis)',
          kind: 'dots',
          look: 1,
          points: castilloRealCrawl.map(({ pages, pageRank }) => [pages * 100, pageRank]),
        },
        randomLine(1),
      ],
    },
    caption: `With unlimited bandwidth, the simulated crawl holds ${listed(at)}; half of the PageRank at ${percentReaching(result.curve, 0.5)}%. It takes ${written(result.time!.total, 'seconds')}; the real one took ${castilloCrawlDays} days for 3 million pages.`,
  }
}

/** w, and w for sites with fewer than 100 pages. */
const waits = { large: 5, small: 15 }
const compared = ['larger-sites-first', 'breadth-first']
const shares = [0.25, 0.5, 0.75, 0.9]

/** Figure 4.16: the two strategies in time. */
export async function raceSection(trials: Trials): Promise<Found<'halves'>> {
  const truth = await trials.truth(damping)
  const sites = new Set(truth.siteOf).size
  const scaled = Math.max(1, Math.round(connections * (sites / castilloCrawlSites)))
  const time = { connections: scaled, wait: waits.large, smallSiteWait: waits.small }
  const runs = await trials.run(compared, { damping, time })
  const fetched = runs.map(({ order, times }) => timesOf(order, times!, () => 1 / truth.pages))
  const ranked = runs.map(({ order, times }) => timesOf(order, times!, (page) => truth.pageRank[page]))
  const name = (run: number): string => compared[run]
  const halves = compared.map(
    (strategy, i) =>
      `${strategy} has half of the pages after ${written(reachedAt(fetched[i], 0.5), 'seconds')} and half of the PageRank after ${written(reachedAt(ranked[i], 0.5), 'seconds')}`,
  )
  const faster = shares.filter((share) => reachedAt(ranked[0], share) < reachedAt(ranked[1], share)).length
  const section: Section = {
    title: 'Two strategies in time',
    about: `The thesis crawled the Greek web with both strategies in two weeks: ${grouped(connections)} connections, w = ${waits.large} s, and ${waits.small} s for sites with fewer than 100 pages. Here there are ${grouped(scaled)}, as many for each of the ${grouped(sites)} sites as in the first crawl of the thesis (${grouped(connections)} for over ${grouped(castilloCrawlSites)} sites): if there is a connection for every site, the order of pages has no effect on time.`,
    blocks: [
      {
        kind: 'figure',
        id: 'figure-4-16',
        plot: {
          title: 'Figure 4.16: PageRank and pages in time',
          x: { label: 'time', numbering: 'seconds', min: 0 },
          y: { label: 'share fetched', numbering: 'percent', min: 0, max: 100 },
          series: [
            ...ranked.map((points, i) => ({
              name: `PageRank, ${name(i)}`,
              look: i,
              points: inPercent(points),
            })),
            ...fetched.map((points, i) => ({
              name: `pages, ${name(i)}`,
              look: 2 + i,
              points: inPercent(points),
            })),
          ],
        },
        caption: `${halves.join('; ')}. larger-sites-first is ahead in PageRank at ${faster} of the ${shares.length} points of the table; in the thesis it is faster in both pages and PageRank. There the crawls ran in batches of 200,000 pages, here without batches.`,
      },
      {
        kind: 'table',
        id: 'race',
        title: 'Time until a share is fetched',
        columns: [
          { title: 'share', numbering: 'percent' },
          ...compared.map((title) => ({ title, numbering: 'seconds' as const, group: 'pages' })),
          ...compared.map((title) => ({ title, numbering: 'seconds' as const, group: 'PageRank' })),
        ],
        rows: shares.map((share) => [
          100 * share,
          ...[...fetched, ...ranked].map((points) => reachedAt(points, share)),
        ]),
        caption: 'In virtual time, on the web with limited sites.',
      },
    ],
  }
  const [large, breadth] = compared.map((_, i) => ({
    pages: reachedAt(fetched[i], 0.5),
    pageRank: reachedAt(ranked[i], 0.5),
  }))
  return { section, results: { halves: { 'larger-sites-first': large, 'breadth-first': breadth } } }
}

const inPercent = (points: readonly Point[]): Point[] => points.map(([at, share]) => [at, 100 * share])

/** The share gathered at about 200 points of the crawl, by time of completion. */
function timesOf(order: Uint32Array, times: Float64Array, worth: (page: number) => number): Point[] {
  const byEnd = Uint32Array.from(order.keys()).sort((a, b) => times[a] - times[b])
  const step = Math.max(1, Math.floor(order.length / 200))
  const points: Point[] = [[0, 0]]
  let sum = 0
  byEnd.forEach((place, i) => {
    sum += worth(order[place])
    if ((i + 1) % step === 0 || i === byEnd.length - 1) points.push([times[place], Math.min(1, sum)])
  })
  return points
}

function reachedAt(points: readonly Point[], share: number): number {
  return (points.find(([, value]) => value >= share) ?? points[points.length - 1])[0]
}

/**
 * The depth of pages in their sites: the number of links from the site's home page, along links within the site. Stored graphs
 * do not name home pages, so the home page is the page that most links of other sites lead to, and the first of several.
 */

/** Of pages that no links within the site lead to from its home page. */
export const noDepth = 0xffff_ffff

export function depthsInSites(web: SimulatedWeb): Uint32Array {
  const depths = new Uint32Array(web.pages).fill(noDepth)
  const queue = new Uint32Array(web.pages)
  let end = 0
  for (const home of homePages(web)) {
    if (home === noDepth) continue
    depths[home] = 0
    queue[end++] = home
  }
  const cursor = graphOfSimulated(web).cursor()
  for (let at = 0; at < end; at++) {
    const page = queue[at]
    cursor.seek(page)
    for (let i = cursor.start; i < cursor.end; i++) {
      const target = cursor.targets[i]
      if (depths[target] !== noDepth || web.siteOf[target] !== web.siteOf[page]) continue
      depths[target] = depths[page] + 1
      queue[end++] = target
    }
  }
  return depths
}

/** By site; `noDepth` if it has no page. */
function homePages(web: SimulatedWeb): Uint32Array {
  const { siteOf } = web
  const fromOutside = new Uint32Array(web.pages)
  const cursor = graphOfSimulated(web).cursor()
  for (let page = 0; page < web.pages; page++) {
    cursor.seek(page)
    for (let i = cursor.start; i < cursor.end; i++) {
      const target = cursor.targets[i]
      if (siteOf[target] !== siteOf[page]) fromOutside[target]++
    }
  }
  const homes = new Uint32Array(web.siteCount).fill(noDepth)
  siteOf.forEach((site, page) => {
    if (homes[site] === noDepth || fromOutside[page] > fromOutside[homes[site]]) homes[site] = page
  })
  return homes
}
