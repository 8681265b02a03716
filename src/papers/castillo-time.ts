/** Strategies under the clock: Figures 4.7 and 4.8 and Table 4.2; the crawls of section 4.5 are in `castillo-crawls.ts`. */
import { bytesText, fixed, grouped, written } from '../lib/amounts.ts'
import type { Section } from '../view/report/report.ts'
import type { SimulatedWeb } from '../simulator/simulated-web.ts'
import type { CastilloTimes, Found } from './castillo-claims.ts'
import { longCrawlSection, raceSection } from './castillo-crawls.ts'
import { schedulesSection } from './castillo-schedules.ts'
import { crawledAxis, listed, randomLine, shareCurve } from './curves.ts'
import { firstOfEachSite, pagesBySite, webOfPages } from './part-web.ts'
import { castilloTable42 } from './published.ts'
import type { Trials } from './trials.ts'

const damping = 0.85
/** w, seconds between two requests to a site. */
export const waitSeconds = 15
const connectionCounts = [1, 64, 256] as const

/** The thesis's crawler fetched at most 25,000 of about 3.5 million pages per site. */
const siteShareMax = 25_000 / 3_500_000

export async function timeSections(
  trials: Trials,
  truth: SimulatedWeb,
): Promise<{ readonly sections: Section[]; readonly results: Omit<CastilloTimes, 'batch'> }> {
  const { limited, largest } = await limitedSites(trials, truth)
  const connections = await connectionsSection(limited)
  const bandwidth = await speedUpSection(limited, largest)
  const long = await longCrawlSection(limited, waitSeconds)
  const race = await raceSection(limited)
  const schedules = await schedulesSection(limited, waitSeconds)
  return {
    sections: [...[connections, bandwidth, long, race].map(({ section }) => section), schedules],
    results: {
      ...connections.results,
      ...bandwidth.results,
      ...long.results,
      ...race.results,
    },
  }
}

/**
 * The web with each site limited to the same share as in the thesis. Without a limit a crawl takes as long as
 * its largest site, for any number of connections.
 */
async function limitedSites(
  trials: Trials,
  truth: SimulatedWeb,
): Promise<{ limited: Trials; largest: number }> {
  const [{ order }] = await trials.run(['breadth-first'], { damping })
  const pages = firstOfEachSite(truth, order, Math.max(1, Math.ceil(siteShareMax * truth.pages)))
  const web = webOfPages(truth, pages, { links: true })
  const seed = pages.slice().sort().indexOf(order[0])
  const limited = trials.on(web, 'the same web with limited sites', [seed])
  const reached = await limited.truth(damping)
  return { limited, largest: pagesBySite(reached, reached.ids.keys())[0] ?? 0 }
}

/** Figure 4.7: the effect of simultaneous connections on the order. */
async function connectionsSection(trials: Trials): Promise<Found<'byConnections'>> {
  const strategies = ['larger-sites-first', 'breadth-first']
  const all = await trials.runEach(
    strategies,
    connectionCounts.map((connections) => ({ damping, time: { connections, wait: waitSeconds } })),
  )
  const runs = all.flatMap((trialsHere, i) =>
    trialsHere.map((trial) => ({ name: `${trial.result.strategy}, r = ${connectionCounts[i]}`, trial })),
  )
  const ordered = strategies.flatMap((strategy) => runs.filter(({ name }) => name.startsWith(strategy)))
  const change = (strategy: string): string => {
    const [one, , many] = ordered
      .filter(({ name }) => name.startsWith(strategy))
      .map(({ trial }) => trial.result.averageCumulativePagerank)
    return `${strategy} changes from ${written(one, 'share')} with one connection to ${written(many, 'share')} with 256`
  }
  const section: Section = {
    title: 'Many connections',
    about: `A site is requested again ${waitSeconds} seconds after the last connection to it ended, with one page per connection and never two connections at a time; the crawler’s bandwidth is unlimited. Here and in the next two sections, sites are limited to the same share of the web as in the thesis (see below).`,
    blocks: [
      {
        kind: 'figure',
        id: 'figure-4-7',
        plot: {
          title: 'Figure 4.7: cumulative PageRank with 1, 64 and 256 connections',
          x: crawledAxis,
          y: { label: 'cumulative PageRank', numbering: 'share', min: 0, max: 1 },
          series: [
            ...ordered.map(({ name, trial }, look) => ({
              name,
              points: shareCurve(trial.result.curve),
              look,
            })),
            randomLine(1),
          ],
        },
        caption: `Average cumulative PageRank: ${listed(strategies.map(change))}. In the thesis larger-sites-first is not affected and breadth-first improves.`,
      },
    ],
  }
  const averages = strategies.map((_, i) =>
    all.map((runsHere) => runsHere[i].result.averageCumulativePagerank),
  )
  const byConnections = Object.fromEntries(strategies.map((strategy, i) => [strategy, averages[i]]))
  return { section, results: { byConnections } }
}

/** Table 4.2 and Figure 4.8. */
async function speedUpSection(trials: Trials, largest: number): Promise<Found<'speedUps'>> {
  const bandwidths = castilloTable42.map(({ bandwidth }) => bandwidth)
  const cells = bandwidths.flatMap((bandwidth) =>
    connectionCounts.map((connections) => ({ connections, bandwidth })),
  )
  const runs = await trials.runEach(
    ['larger-sites-first'],
    cells.map((cell) => ({ damping, time: { ...cell, wait: waitSeconds, hold: true } })),
  )
  const seconds = new Map(
    runs.map(([{ result }], i) => [`${cells[i].bandwidth} ${cells[i].connections}`, result.time!.total]),
  )
  const { bytes } = runs[0][0].result.time!
  const base = seconds.get(`${bandwidths[bandwidths.length - 1]} 1`)!
  const speedUp = (bandwidth: number, connections: number): number =>
    base / seconds.get(`${bandwidth} ${connections}`)!
  const widest = bandwidths[bandwidths.length - 1]
  const [slowest] = castilloTable42
  const limit = base / (bytes / slowest.bandwidth)
  const section: Section = {
    title: 'Bandwidth',
    about: `Speed-ups of larger-sites-first relative to one connection at the largest bandwidth. w = ${waitSeconds} s, one page per connection, and a connection stays with its site during the wait, as the thesis’s first column implies.`,
    blocks: [
      {
        kind: 'table',
        id: 'table-4-2',
        title: 'Table 4.2: speed-up by bandwidth and number of connections',
        columns: [
          { title: 'bytes/second', numbering: 'count' },
          ...connectionCounts.map((connections) => ({
            title: `r = ${connections}`,
            numbering: 'plain' as const,
            group: 'this web',
          })),
          ...connectionCounts.map((connections) => ({
            title: `r = ${connections}`,
            numbering: 'plain' as const,
            group: 'thesis',
          })),
        ],
        rows: castilloTable42.map(({ bandwidth, speedUps }) => [
          bandwidth,
          ...connectionCounts.map((connections) => speedUp(bandwidth, connections)),
          ...speedUps,
        ]),
        caption: `One connection at ${written(widest, 'count')} bytes per second needs ${written(base, 'seconds')} for the whole web; 256 connections need ${written(base / speedUp(widest, 256), 'seconds')}. At ${slowest.bandwidth} bytes per second, its ${bytesText(bytes)} alone take so long that no number of connections can exceed ${limit.toPrecision(2)}: the thesis’s ${fixed(slowest.speedUps[1], 1)} and ${fixed(slowest.speedUps[2], 1)} cannot come from a shared link.`,
      },
      {
        kind: 'figure',
        id: 'figure-4-8',
        plot: {
          title: 'Figure 4.8: speed-up by bandwidth',
          x: { label: 'bytes per second', numbering: 'count', scale: 'log' },
          y: { label: 'speed-up', numbering: 'plain', scale: 'log' },
          series: [
            ...connectionCounts.toReversed().map((connections, look) => ({
              name: `r = ${connections}`,
              look,
              points: bandwidths.map((bandwidth) => [bandwidth, speedUp(bandwidth, connections)] as const),
            })),
            ...connectionCounts.toReversed().map((connections, i) => ({
              name: `thesis, r = ${connections}`,
              reference: true,
              points: castilloTable42.map(
                ({ bandwidth, speedUps }) => [bandwidth, speedUps[connectionCounts.length - 1 - i]] as const,
              ),
            })),
          ],
        },
        caption: `At the largest bandwidth 64 connections are ${fixed(speedUp(widest, 64), 1)} times as fast as one (thesis: 54.6) and 256 are ${fixed(speedUp(widest, 256), 1)} times (thesis: 220.1): four times the connections are ${fixed(speedUp(widest, 256) / speedUp(widest, 64), 1)} times as fast (thesis: 4.0). The largest site has ${grouped(largest)} pages and serves at most one every ${waitSeconds} s: no number of connections can be faster than ${written(base / (largest * waitSeconds), 'count')} times.`,
      },
    ],
  }
  const speedUps = bandwidths.map((bandwidth) => connectionCounts.map((count) => speedUp(bandwidth, count)))
  return { section, results: { speedUps } }
}
