/**
 * The number of downloads for a guaranteed coverage: figures and tables of Cho and Schonfeld, "RankMass
 * Crawler: A Crawler with High Personalized PageRank Coverage Guarantee", 2007.
 */
import { fixed, grouped, written } from '../lib/amounts.ts'
import { logPlaces, type Point, type Series } from '../view/pictures/plot.ts'
import type { Figure, Table } from '../view/report/report.ts'
import type { SimulatedWeb } from '../simulator/simulated-web.ts'
import { type Trial, type Trials, computingSeconds, cpuTimeText } from './trials.ts'
import { claimsSection, judged } from './claims.ts'
import { levelEnds, windowCount } from './crawl-steps.ts'
import { listed } from './curves.ts'
import type { Experiment } from './experiment.ts'
import { rankMassEfficiency, rankMassRunningTime } from './published.ts'
import { rankMassClaims, type RankMassResults } from './rankmass-claims.ts'
import { exactSentence, windowSentence, type Needed } from './sentences.ts'

const damping = 0.85
const windows = [5, 10, 20]
/**
 * The guarantee is requested at every one of the first downloads: on a logarithmic axis they take up half the
 * plot.
 */
const firstDownloads = 1000
const places = 240
const level = '0.98'

interface Crawl {
  readonly name: string
  readonly trial: Trial
  readonly guaranteed: readonly Point[]
  readonly held: readonly Point[]
  readonly look: number
}

export const rankMassExperiment: Experiment = {
  name: 'rankmass',
  about: 'number of downloads for a guaranteed share of the web’s importance',
  source: 'Cho, Schonfeld 2007',
  async run(trials) {
    const truth = await trials.truth(damping)
    const crawls = await allCrawls(trials, truth)
    const named = (name: string): Crawl => crawls.find((crawl) => crawl.name === name)!
    const ends = levelEnds(truth, named('l-neighbor').trial.order)
    const claims = judged('Cho, Schonfeld 2007', rankMassClaims, resultsOf(crawls, truth, ends))
    return {
      claims,
      report: {
        name: 'rankmass',
        title: 'RankMass: proving how much of the web has been fetched',
        lead: [
          'The RankMass of a set of pages is the share of the time that a surfer who starts at trusted pages spends there. A crawler that tracks the surfer’s mass through the fetched pages can prove a lower bound of the RankMass they hold, regardless of the links on unfetched pages.',
          'The guaranteed share is compared with the true one: the closer they are, the fewer downloads the proof costs.',
        ],
        facts: await trials.facts(damping),
        sections: [
          {
            title: 'Guaranteed and true coverage',
            blocks: [guaranteedFigure(crawls), heldFigure(crawls, truth)],
          },
          { title: 'The bound for levels', blocks: [boundFigure(named('l-neighbor'), ends, truth)] },
          { title: 'Window size', blocks: [windowFigure(crawls)] },
          {
            title: 'The tables of the slides',
            blocks: [efficiencyTable(crawls), runningTimeTable(crawls, truth, ends.length)],
          },
          ...claimsSection(claims),
        ],
        remarks: [
          'The slide’s loop for L-Neighbor stops one level before its own theorem holds; we follow the theorem: 1 − d^(L+1) once level L is complete.',
          'Read literally, the slides set a page’s mass to 0 after passing on its shares, which would destroy the share of a link to itself; we set it to 0 before.',
          'Read literally, mass on pages without links is lost. Here the surfer jumps back to the trusted pages, so that all mass adds up to 1.',
          'The slides’ “0.98%” means 0.98.',
          `\`exact-rankmass\` is not in the slides: it passes the mass on downloaded pages on until almost none rests there. ${exactSentence(crawls.map(neededFor), level)}`,
          'The slides’ web had 141 million URLs: compare the ratios of its downloads and hours, not the absolute numbers.',
        ],
      },
    }
  },
}

function resultsOf(crawls: readonly Crawl[], truth: SimulatedWeb, ends: readonly number[]): RankMassResults {
  const named = (name: string): Crawl => crawls.find((crawl) => crawl.name === name)!
  const neighbours = named('l-neighbor').trial.order
  const held = heldAt(neighbours, truth.rankMass!, ends)
  const excesses = crawls.flatMap(({ trial, guaranteed }) => {
    const places = guaranteed.map(([downloads]) => downloads)
    const shares = heldAt(trial.order, truth.rankMass!, places)
    return guaranteed.map(([, share], i) => share - shares[i])
  })
  return {
    downloads: Object.fromEntries(
      crawls.map(({ name, trial }) => {
        const { downloadsGuaranteed, downloadsTrue } = trial.result.rankMass!
        return [name, { guaranteed: downloadsGuaranteed[level], true: downloadsTrue[level] }]
      }),
    ),
    optimal: crawls[0].trial.result.rankMass!.downloadsOptimal[level],
    margins: held.map((share, i) => share - (1 - damping ** (i + 1))),
    excess: excesses.reduce((most, excess) => Math.max(most, excess), 0),
    iterations: [
      ends.length,
      ...windows
        .toReversed()
        .map((window) => windowCount(truth, named(`windowed-rankmass ${window}%`).trial.order, window)),
    ],
  }
}

async function allCrawls(trials: Trials, truth: SimulatedWeb): Promise<Crawl[]> {
  const plain = ['l-neighbor', 'rankmass', 'exact-rankmass']
  const settings = windows.map((window) => ({ name: `windowed-rankmass ${window}%`, window }))
  const runs = await trials.run(plain, { damping })
  const starts = await trials.run(plain, { damping, pages: firstDownloads })
  const named = plain.map((name, i) => ({ name, trial: runs[i], start: starts[i] }))
  for (const { name, window } of settings) {
    const [trial] = await trials.run(['windowed-rankmass'], { damping, window })
    const [start] = await trials.run(['windowed-rankmass'], { damping, window, pages: firstDownloads })
    named.push({ name, trial, start })
  }
  const order = ['exact-rankmass', 'rankmass', ...settings.map(({ name }) => name), 'l-neighbor']
  return order.map((name, look) => {
    const { trial, start } = named.find((candidate) => candidate.name === name)!
    return {
      name,
      trial,
      look,
      guaranteed: guaranteedCurve(trial, start),
      held: heldCurve(trial.order, truth.rankMass!),
    }
  })
}

/** All of the first downloads, then those listed by the run, about evenly spaced on a logarithmic axis. */
function guaranteedCurve(trial: Trial, start: Trial): Point[] {
  const first = start.result.rankMass!.guaranteed
  const last = first[first.length - 1]?.[0] ?? 0
  const all = [...first, ...trial.result.rankMass!.guaranteed.filter(([downloads]) => downloads > last)]
  const wanted = logPlaces(all[all.length - 1]?.[0] ?? 0, places)
  let next = 0
  return all.filter(([downloads], i) => {
    if (downloads < wanted[next] && i < all.length - 1) return false
    while (next < wanted.length && wanted[next] <= downloads) next++
    return true
  })
}

/** The true RankMass of the first pages. */
function heldCurve(order: ArrayLike<number>, rankMass: Float64Array): Point[] {
  const wanted = logPlaces(order.length, places)
  const held = heldAt(order, rankMass, wanted)
  return wanted.map((downloads, i) => [downloads, held[i]])
}

/** The same after each of these numbers of downloads, ascending. */
function heldAt(order: ArrayLike<number>, rankMass: Float64Array, wanted: readonly number[]): number[] {
  let done = 0
  let sum = 0
  return wanted.map((downloads) => {
    while (done < downloads) sum += rankMass[order[done++]]
    return Math.min(1, sum)
  })
}

const downloadsAxis = { label: 'downloads', numbering: 'count', scale: 'log', min: 1 } as const

const drawn = (crawls: readonly Crawl[], curve: (crawl: Crawl) => readonly Point[]): Series[] =>
  crawls.map((crawl) => ({ name: crawl.name, points: curve(crawl), look: crawl.look }))

/** Only one window is compared with the other strategies; another figure shows all windows. */
const oneWindow = (crawls: readonly Crawl[]): Crawl[] =>
  crawls.filter(({ name }) => !name.startsWith('windowed') || name.endsWith(' 10%'))

function guaranteedFigure(crawls: readonly Crawl[]): Figure {
  const shown = oneWindow(crawls)
  const needs = shown.map(({ name, trial }) => {
    const downloads = trial.result.rankMass!.downloadsGuaranteed[level]
    return downloads === null ? `${name} never` : `${name} after ${grouped(downloads)}`
  })
  return {
    kind: 'figure',
    id: 'guaranteed',
    plot: {
      title: 'Guaranteed RankMass',
      x: downloadsAxis,
      y: { label: 'guaranteed RankMass', numbering: 'share', min: 0, max: 1 },
      series: drawn(shown, ({ guaranteed }) => guaranteed),
    },
    caption: `A guarantee of ${level} is reached by ${listed(needs)} downloads.`,
  }
}

function heldFigure(crawls: readonly Crawl[], truth: SimulatedWeb): Figure {
  const shown = oneWindow(crawls)
  const needs = shown.map(
    ({ name, trial }) => `${name} ${downloadsText(trial.result.rankMass!.downloadsTrue[level])}`,
  )
  const optimal = crawls[0].trial.result.rankMass!.downloadsOptimal[level]
  const best = Float64Array.from(truth.rankMassRanked!)
  return {
    kind: 'figure',
    id: 'true',
    plot: {
      title: 'True RankMass of the downloaded pages',
      x: downloadsAxis,
      y: { label: 'true RankMass', numbering: 'share', min: 0, max: 1 },
      series: [
        ...drawn(shown, ({ held }) => held),
        {
          name: 'optimal',
          points: heldCurve(
            Uint32Array.from(best, (_, i) => i),
            best,
          ),
          reference: true,
        },
      ],
    },
    caption: `Downloads until ${level} is truly held: ${listed(needs)}. With the best pages first, which is not a possible crawl, it would be ${downloadsText(optimal)}.`,
  }
}

/** Checked at every level; the caption reports the result either way. */
function boundFigure(crawl: Crawl, ends: readonly number[], truth: SimulatedWeb): Figure {
  const bound = ends.map((end, i): Point => [end, 1 - damping ** (i + 1)])
  const held = heldAt(crawl.trial.order, truth.rankMass!, ends)
  const margins = bound.map(([, value], i) => held[i] - value)
  const crossed = margins.filter((margin) => margin < -1e-9)
  const least = Math.min(...margins)
  return {
    kind: 'figure',
    id: 'bound',
    plot: {
      title: 'L-Neighbor: the bound 1 − d^(L+1) and the true RankMass of the levels',
      x: downloadsAxis,
      y: { label: 'RankMass', numbering: 'share', min: 0, max: 1 },
      series: [
        { name: 'true RankMass', points: crawl.held, look: 0 },
        { name: 'bound 1 − d^(L+1)', points: bound, kind: 'step', look: 1 },
      ],
    },
    caption:
      crossed.length === 0
        ? `At the end of each of the ${ends.length} levels the downloaded pages hold at least as much as the theorem guarantees; the smallest margin is ${Math.max(0, least).toPrecision(2)}.`
        : `At the end of ${crossed.length} of the ${ends.length} levels the downloaded pages hold less than the theorem guarantees: this must be a bug.`,
  }
}

function windowFigure(crawls: readonly Crawl[]): Figure {
  const shown = crawls.filter(({ name }) => name === 'rankmass' || name.startsWith('windowed'))
  const needed = shown.map(neededFor)
  const needs = needed.map(({ name, downloads }) => `${name} ${downloadsText(downloads)}`)
  return {
    kind: 'figure',
    id: 'windows',
    plot: {
      title: 'Guaranteed RankMass by window size',
      x: downloadsAxis,
      y: { label: 'guaranteed RankMass', numbering: 'share', min: 0, max: 1 },
      series: drawn(shown, ({ guaranteed }) => guaranteed),
    },
    caption: `${windowSentence(needed)} Downloads for a guarantee of ${level}: ${listed(needs)}.`,
  }
}

function efficiencyTable(crawls: readonly Crawl[]): Table {
  const group = 'slides, 141 million URLs'
  const rows = crawls.map(({ name, trial }) => {
    const { downloadsGuaranteed, downloadsTrue } = trial.result.rankMass!
    const published = rankMassEfficiency[name === 'windowed-rankmass 10%' ? 'windowed-rankmass' : name]
    return [
      name,
      downloadsGuaranteed[level],
      downloadsTrue[level],
      published?.guaranteed ?? null,
      published?.true ?? null,
    ]
  })
  const optimal = crawls[0].trial.result.rankMass!.downloadsOptimal[level]
  const times = (trial: Trial): number =>
    (trial.result.rankMass!.downloadsGuaranteed[level] ?? NaN) / (optimal ?? NaN)
  const ofRankMass = times(crawls.find(({ name }) => name === 'rankmass')!.trial)
  return {
    kind: 'table',
    id: 'efficiency',
    title: `Downloads for a RankMass of ${level}`,
    columns: [
      { title: 'algorithm' },
      { title: 'guaranteed', numbering: 'count', group: 'this web' },
      { title: 'true', numbering: 'count', group: 'this web' },
      { title: 'guaranteed', numbering: 'count', group },
      { title: 'true', numbering: 'count', group },
    ],
    rows: [
      ...rows,
      [
        'optimal',
        optimal,
        optimal,
        rankMassEfficiency['optimal'].guaranteed,
        rankMassEfficiency['optimal'].true,
      ],
    ],
    caption: `To guarantee ${level}, RankMass needs ${Number.isFinite(ofRankMass) ? `${fixed(ofRankMass, 1)} times` : 'more than'} the downloads of the optimal order here, and 4.8 times in the slides. The slides do not give the window size of their windowed row; we compare it with our 10%.`,
  }
}

function runningTimeTable(crawls: readonly Crawl[], truth: SimulatedWeb, levels: number): Table {
  const iterations = (name: string, { order }: Trial): number | null => {
    const window = /^windowed-rankmass (\d+)%$/.exec(name)?.[1]
    return name === 'l-neighbor'
      ? levels
      : window === undefined
        ? null
        : windowCount(truth, order, Number(window))
  }
  const wanted = [
    'l-neighbor',
    ...windows.toReversed().map((window) => `windowed-rankmass ${window}%`),
    'rankmass',
    'exact-rankmass',
  ]
  const rows = wanted.map((name) => {
    const { trial } = crawls.find((crawl) => crawl.name === name)!
    const published = rankMassRunningTime[name]
    const ours = [computingSeconds(trial.result), iterations(name, trial), trial.result.visited]
    return [
      name,
      ...ours,
      published?.hours ?? null,
      published?.iterations ?? null,
      published?.documents ?? null,
    ]
  })
  const [fast, slow] = ['l-neighbor', 'rankmass'].map((name) =>
    computingSeconds(crawls.find((crawl) => crawl.name === name)!.trial.result),
  )
  return {
    kind: 'table',
    id: 'running-time',
    title: 'Running time of the ordering',
    columns: [
      { title: 'algorithm' },
      { title: 'CPU time', numbering: 'seconds', group: 'this web, all of it' },
      { title: 'iterations', numbering: 'count', group: 'this web, all of it' },
      { title: 'pages', numbering: 'count', group: 'this web, all of it' },
      { title: 'hours', group: 'slides' },
      { title: 'iterations', numbering: 'count', group: 'slides' },
      { title: 'documents', numbering: 'count', group: 'slides' },
    ],
    rows,
    caption: `RankMass takes ${written(slow / Math.max(fast, 1e-9), 'count')} times as long as L-Neighbor here; in the slides it takes 18 times as long for an eighth of the documents. ${cpuTimeText}`,
  }
}

/** Downloads for the level at which all crawls are compared. */
function neededFor({ name, trial }: Crawl): Needed {
  return { name, downloads: trial.result.rankMass!.downloadsGuaranteed[level] }
}

function downloadsText(downloads: number | null): string {
  return downloads === null ? 'never' : grouped(downloads)
}
