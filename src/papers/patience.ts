/** Patience (S73): how many downloads it saves, and how much time it takes, until a coverage is proven. */
import { grouped, percentOf, written } from '../lib/amounts.ts'
import type { Plot } from '../view/pictures/plot.ts'
import type { Section, Table } from '../view/report/report.ts'
import { waitSeconds } from './castillo-time.ts'
import type { Experiment } from './experiment.ts'
import type { Trial } from './trials.ts'

const damping = 0.85
const connections = 64
const strategy = 'exact-rankmass'
/** The proven coverages, of which the last ends the crawls. */
const levels = [0.5, 0.8, 0.9, 0.95]
const shares = [0, 0.01, 0.03, 0.1, 0.3, 1]

/** When a crawl has proven a coverage: after how many downloads and seconds. */
interface Reached {
  readonly downloads: number
  readonly seconds: number
}

interface Run {
  readonly patience: number
  /** By level; undefined if the crawl ended before. */
  readonly reached: readonly (Reached | undefined)[]
}

export const patienceExperiment: Experiment = {
  name: 'patience',
  about: 'waiting for better pages: fewer downloads for the same proven coverage',
  source: 'S73; Castillo 2004 for the setting',
  async run(trials) {
    const coverage = levels.at(-1)!
    const trialsByShare = await trials.runEach(
      [strategy],
      shares.map((patience) => ({ damping, coverage, patience, time: { connections, wait: waitSeconds } })),
    )
    const runs = trialsByShare.map(([trial], i) => ({ patience: shares[i], reached: reachedOf(trial) }))
    const plot = tradeOff(runs)
    const caption = captionOf(runs)
    return {
      pictures: [{ name: 'patience.svg', plot, caption }],
      report: {
        name: 'patience',
        title: 'Patience: what is free, or what is best?',
        lead: [
          `A polite crawler takes what is free instead of what is best: while the sites of the best pages rest, its connections fetch filler from others. Filler delays nothing and proves next to nothing, but it costs requests, bytes and storage. With patience θ, a page is taken only if it is worth at least θ times the best page that waits for its site.`,
          `${strategy}, ${connections} connections, ${waitSeconds} seconds between two requests to a site, in the timed simulator.`,
        ],
        facts: await trials.facts(damping),
        sections: [
          { title: 'Downloads and time', blocks: [{ kind: 'figure', id: 'trade-off', plot, caption }] },
          tableSection(runs),
        ],
        remarks: [
          'θ = 0 takes whatever is free. θ = 1 is nearly the order without politeness; it takes as long as the sites of the best pages need one after the other.',
        ],
      },
    }
  },
}

function reachedOf({ result }: Trial): Run['reached'] {
  const { downloadsGuaranteed, secondsGuaranteed } = result.rankMass!
  return levels.map((level) => {
    const [downloads, seconds] = [downloadsGuaranteed[level], secondsGuaranteed![level]]
    return downloads === null || seconds === null ? undefined : { downloads, seconds }
  })
}

/** How much of the downloads and of the time without patience a crawl needs. */
function tradeOff(runs: readonly Run[]): Plot {
  const [without] = runs
  return {
    title: 'Downloads and time until a coverage is proven, relative to no patience',
    x: { label: 'time, relative to no patience', numbering: 'plain', scale: 'log' },
    y: { label: 'downloads, relative to no patience', numbering: 'plain', min: 0, max: 1.05 },
    series: levels.map((level, i) => ({
      name: `${percentOf(level)} proven`,
      points: runs.flatMap(({ reached }) => {
        const [here, there] = [reached[i], without.reached[i]]
        return here === undefined || there === undefined
          ? []
          : [[here.seconds / there.seconds, here.downloads / there.downloads] as const]
      }),
    })),
  }
}

function captionOf(runs: readonly Run[]): string {
  const level = levels.indexOf(0.9)
  const words = runs.flatMap(({ patience, reached }) => {
    const here = reached[level]
    return here === undefined
      ? []
      : [`θ = ${patience}: ${grouped(here.downloads)} downloads in ${written(here.seconds, 'seconds')}`]
  })
  return `Each point of a line is one θ: ${shares.join(', ')}, from the left. Until 90% is proven, ${words.join('; ')}.`
}

function tableSection(runs: readonly Run[]): Section {
  const table: Table = {
    kind: 'table',
    id: 'patience',
    title: 'Downloads and time until a coverage is proven',
    columns: [
      { title: 'θ', numbering: 'plain' },
      ...levels.flatMap((level) => [
        { title: 'downloads', numbering: 'count' as const, group: percentOf(level) },
        { title: 'time', numbering: 'seconds' as const, group: percentOf(level) },
      ]),
    ],
    rows: runs.map(({ patience, reached }) => [
      patience,
      ...reached.flatMap((each) => [each?.downloads ?? NaN, each?.seconds ?? NaN]),
    ]),
    caption: 'A dash: the web ended before.',
  }
  return { title: 'All figures', blocks: [table] }
}
