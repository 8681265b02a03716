/** The section of a crawl report on freshness: looks and changes over time, and what changes how often. */
import { histogramFigure } from './crawl-plots.ts'
import { durationText, percentOf, plural } from '../../lib/amounts.ts'
import { shortened } from '../pictures/words.tsx'
import type { Axis, Point } from '../pictures/plot.ts'
import { columnsOf, section, type Cell, type Figure, type Section, type Table } from './report.ts'
import type {
  ReportedChanges,
  ReportedCrawl,
  ReportedFreshness,
} from '../../crawler/read/figures/reported-crawl.ts'

const nameMax = 120

export function freshnessSection({ freshness }: ReportedCrawl): Section[] {
  if (freshness === undefined) return []
  return section('Freshness', [
    ...freshFigure(freshness),
    lookFigure(freshness),
    discoveryFigure(freshness),
    ...changeTable('changing-sites', 'Sites that change most', 'site', freshness.sites),
    ...changeTable('changing-kinds', 'Kinds of pages that change most', 'kind', freshness.kinds),
    ...changeTable('changing-pages', 'Pages that change most', 'page', freshness.pages),
    ...(freshness.waits === undefined
      ? []
      : [
          histogramFigure(
            'first-fetch',
            'Time from the discovery of a page to its first fetch',
            'seconds',
            freshness.waits,
            durationText,
          ),
        ]),
  ])
}

function timeAxis({ course }: ReportedFreshness): Axis {
  return { label: 'time', numbering: 'seconds', min: 0, max: course.looks.length * course.binSeconds }
}

function freshFigure(freshness: ReportedFreshness): Figure[] {
  const { fresh } = freshness.course
  if (fresh.length === 0) return []
  const points = fresh.map(([at, share]): Point => [at, 100 * share])
  return [
    {
      kind: 'figure',
      id: 'fresh-coverage',
      plot: {
        title: 'Expected fresh coverage',
        x: timeAxis(freshness),
        y: { label: 'importance with a current copy', numbering: 'percent', min: 0, max: 100 },
        series: [{ name: 'expected fresh', points }],
      },
      caption: `The share of the importance of all known pages, by the strategy, of which the crawl expects to hold the current version: ${percentOf(fresh.at(-1)![1])} at the end.`,
    },
  ]
}

function lookFigure(freshness: ReportedFreshness): Figure {
  const { looks, changes, gone, failed, course } = freshness
  const barSeconds = barBins * course.binSeconds
  const changed = barSums(course.changes)
  const share = barSums(course.looks).map((count, i): Point => [
    (i + 0.5) * barSeconds,
    count === 0 ? 0 : (100 * changed[i]) / count,
  ])
  const found = looks === 0 ? 'none' : percentOf(changes / looks)
  return {
    kind: 'figure',
    id: 'yield',
    plot: {
      title: 'Looks that found a change',
      x: timeAxis(freshness),
      y: { label: 'share of looks', numbering: 'percent', min: 0 },
      series: [{ name: 'changed or gone', kind: 'bars', points: share }],
    },
    caption: `${plural(looks, 'look')} at pages fetched before: ${found} found a change, among them ${plural(gone, 'page')} gone. ${plural(failed, 'further look')} failed.`,
  }
}

/** Bins per bar. */
const barBins = 4

function barSums(counts: readonly number[]): number[] {
  const sums = new Array<number>(Math.ceil(counts.length / barBins)).fill(0)
  counts.forEach((count, i) => (sums[Math.floor(i / barBins)] += count))
  return sums
}

function discoveryFigure(freshness: ReportedFreshness): Figure {
  const { binSeconds, looks, discoveries } = freshness.course
  const bars = (counts: readonly number[]): Point[] =>
    counts.map((count, i) => [(i + 0.5) * binSeconds, count])
  const found = discoveries.reduce((sum, count) => sum + count, 0)
  return {
    kind: 'figure',
    id: 'looks',
    plot: {
      title: 'New pages and pages fetched again',
      x: timeAxis(freshness),
      y: { label: `pages per ${durationText(binSeconds)}`, numbering: 'count', min: 0 },
      series: [
        { name: 'new', points: bars(discoveries) },
        { name: 'again', points: bars(looks) },
      ],
    },
    caption: `${plural(found, 'page')} fetched for the first time, ${plural(freshness.looks, 'look')} at known pages.`,
  }
}

function changeTable(id: string, title: string, name: string, counts: readonly ReportedChanges[]): Table[] {
  const changing = counts.filter(({ changes }) => changes > 0)
  if (changing.length === 0) return []
  return [
    {
      kind: 'table',
      id,
      title,
      columns: columnsOf({
        [name]: null,
        looks: 'count',
        changes: 'count',
        'time between changes of a page': null,
      }),
      rows: changing.map((each): Cell[] => [
        shortened(each.name, nameMax),
        each.looks,
        each.changes,
        each.perDay === Infinity ? 'less than between looks' : durationText(86_400 / each.perDay),
      ]),
      caption: 'Estimated from the looks; several changes between two looks count as one.',
    },
  ]
}
