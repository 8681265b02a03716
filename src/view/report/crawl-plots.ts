/** The plots of a crawl report: progress over time, sizes, durations, depths. */
import { byteUnit, bytesText, durationText, grouped, percentOf, plural, rateText } from '../../lib/amounts.ts'
import type { Axis, Point } from '../pictures/plot.ts'
import { depthFigure, depthTable, gatheredFigure, meansFigure, timeTable } from './importance-parts.ts'
import { section, type Figure, type Section } from './report.ts'
import type { ReportedCrawl, ReportedHistogram } from '../../crawler/read/figures/reported-crawl.ts'

export function courseSection({ time, counts }: ReportedCrawl): Section[] {
  const { binSeconds, pages, bytes, sessions } = time
  if (pages.length === 0) return []
  const x: Axis = { label: 'time', numbering: 'seconds', min: 0, max: pages.length * binSeconds }
  const size = Math.ceil(pages.length / barsMax)
  const barSeconds = size * binSeconds
  const rates = groupMeans(pages, size).map((count) => count / binSeconds)
  const fastest = rates.indexOf(Math.max(...rates))
  // The last bin is not full: the crawl's own duration is that of its other figures.
  const { seconds } = counts
  const paused = sessions > 1 ? ` The pauses between ${grouped(sessions)} sessions are omitted.` : ''
  const [unitBytes, unit] = byteUnit(counts.bytes)
  const received = bytes.map((each) => each / unitBytes)
  return section('Progress of the crawl', [
    {
      kind: 'figure',
      id: 'pages',
      plot: {
        title: 'Pages fetched',
        x,
        y: { label: 'pages', numbering: 'count' },
        series: [{ name: 'pages', points: summed(pages, binSeconds) }],
      },
      caption: `${plural(counts.pages, 'page')} in ${durationText(seconds)}; half of them after ${durationText(halfTime(pages, binSeconds))}.${paused}`,
    },
    {
      kind: 'figure',
      id: 'rate',
      plot: {
        title: 'Pages per second',
        x: { ...x, max: rates.length * barSeconds },
        y: { label: 'pages per second', numbering: 'plain' },
        series: [
          {
            name: 'pages per second',
            kind: 'bars',
            points: rates.map((rate, i): Point => [(i + 0.5) * barSeconds, rate]),
          },
        ],
      },
      caption: `${rateText(counts.pages / seconds)} pages per second on average, ${rateText(rates[fastest])} at most, after ${durationText(fastest * barSeconds)}. Each bar is the mean of ${durationText(barSeconds)}.`,
    },
    {
      kind: 'figure',
      id: 'bytes',
      plot: {
        title: 'Bytes received',
        x,
        y: { label: unit, numbering: 'plain' },
        series: [{ name: unit, points: summed(received, binSeconds) }],
      },
      caption: `${bytesText(counts.bytes)} in all, ${bytesText(counts.bytes / seconds)} per second.`,
    },
  ])
}

/** How soon the crawl fetched the important pages. */
export function importanceTimeSection({ importanceByTime: course, counts }: ReportedCrawl): Section[] {
  if (counts.pages === 0 || course.parts.length < 2) return []
  return [
    {
      title: 'Importance over time',
      about:
        'PageRank is that among all known pages, as in the export; RankMass is what the pages certainly hold.',
      blocks: [
        gatheredFigure('importance-time', 'Pages and importance fetched', course),
        meansFigure('importance-time-means', 'Mean importance of a page by when it was fetched', course),
        timeTable('importance-time-parts', 'The parts of the crawl', course),
      ],
    },
  ]
}

function summed(values: readonly number[], binSeconds: number): Point[] {
  let sum = 0
  return [[0, 0], ...values.map((value, i): Point => [(i + 1) * binSeconds, (sum += value)])]
}

/** Maximum number of bars. */
const barsMax = 40

/** Averages of this many values each; the last may have fewer. */
function groupMeans(values: readonly number[], size: number): number[] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, i) => {
    const group = values.slice(i * size, (i + 1) * size)
    return group.reduce((sum, value) => sum + value, 0) / group.length
  })
}

function halfTime(values: readonly number[], binSeconds: number): number {
  let left = values.reduce((sum, value) => sum + value, 0) / 2
  return (values.findIndex((value) => (left -= value) <= 0) + 1) * binSeconds
}

export function sizeSections({ sizes, durations }: ReportedCrawl): Section[] {
  const blocks = [
    ...(sizes === undefined ? [] : [histogramFigure('sizes', 'Sizes of pages', 'bytes', sizes, bytesText)]),
    ...(durations === undefined
      ? []
      : [
          histogramFigure('durations', 'Durations of downloads', 'milliseconds', durations, (ms) =>
            durationText(ms / 1000),
          ),
        ]),
  ]
  return blocks.length === 0 ? [] : [{ title: 'Sizes and durations', blocks }]
}

export function histogramFigure(
  id: string,
  title: string,
  unit: string,
  { bins, median, mean, p90, p99, max }: ReportedHistogram,
  text: (value: number) => string,
): Figure {
  const decade = (value: number, round: (exponent: number) => number): number =>
    10 ** round(Number(Math.log10(value).toFixed(9)))
  return {
    kind: 'figure',
    id,
    plot: {
      title,
      x: {
        label: unit,
        numbering: 'count',
        scale: 'log',
        min: decade(bins[0].low, Math.floor),
        max: decade(bins.at(-1)!.high, Math.ceil),
      },
      y: { label: 'pages', numbering: 'count' },
      series: [
        {
          name: 'pages',
          kind: 'bars',
          points: bins.map(({ low, high, count }): Point => [Math.sqrt(low * high), count]),
        },
      ],
    },
    caption: `Half of the pages are below about ${text(median)}, nine of ten below ${text(p90)}, 99 of 100 below ${text(p99)}; the mean is ${text(mean)}, the maximum ${text(max)}.`,
  }
}

export function depthSection({ depths, importanceByDepth }: ReportedCrawl): Section[] {
  if (depths.length === 0) return []
  const deepest = depths.findLastIndex(({ fetched }) => fetched > 0)
  const found = depths.reduce((sum, each) => sum + each.found, 0)
  const fetched = depths.reduce((sum, each) => sum + each.fetched, 0)
  const near = depths.slice(0, 4).reduce((sum, each) => sum + each.fetched, 0)
  const nearText =
    deepest < 4 ? '' : ` ${percentOf(near / fetched)} of those fetched are at most three links away.`
  return section('Depth', [
    {
      kind: 'figure',
      id: 'depth',
      plot: {
        title: 'Pages by their distance from the seeds',
        x: { label: 'links from a seed', numbering: 'count', min: -0.5, max: depths.length - 0.5 },
        y: { label: 'pages', numbering: 'count' },
        series: [
          { name: 'fetched', kind: 'bars', points: depths.map((each, i): Point => [i, each.fetched]) },
          {
            name: 'found',
            kind: 'bars',
            reference: true,
            points: depths.map((each, i): Point => [i, each.found]),
          },
        ],
      },
      caption: `${grouped(fetched)} of ${grouped(found)} known pages were fetched${deepest < 0 ? '' : `, the deepest ${plural(deepest, 'link')} from a seed`}.${nearText}`,
    },
    ...(importanceByDepth.length < 2
      ? []
      : [
          depthFigure('importance-depth', 'Mean importance of a page by its distance', importanceByDepth),
          depthTable('importance-depths', 'Importance by distance from the seeds', importanceByDepth),
        ]),
  ])
}
