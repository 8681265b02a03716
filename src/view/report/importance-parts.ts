/**
 * Importance by the time at which pages were fetched, and by depth: Figures 4.12 to 4.14 of Castillo 2004, for a recorded
 * crawl and for a simulated one. A crawl is divided into equal parts of time: days, or hours, minutes or seconds if it is
 * short.
 */
import { percentOf } from '../../lib/amounts.ts'
import type { Axis, Point, Series } from '../pictures/plot.ts'
import type { ImportanceByTime, ImportancePart } from '../../webgraph/measures/importance-parts.ts'
import type { Cell, Figure, Table } from './report.ts'

const hour = 3600
const day = 24 * hour

const measures = [
  { name: 'PageRank', of: (part: ImportancePart) => part.pageRank },
  { name: 'RankMass', of: (part: ImportancePart) => part.rankMass ?? 0 },
] as const

type Measure = (typeof measures)[number]

const sumOf = (parts: readonly ImportancePart[], of: (part: ImportancePart) => number): number =>
  parts.reduce((sum, part) => sum + of(part), 0)

const pagesOf = ({ pages }: ImportancePart): number => pages

/** Those with a sum above 0. */
function measured(parts: readonly ImportancePart[]): readonly Measure[] {
  return measures.filter(({ of }) => sumOf(parts, of) > 0)
}

/** The share of the sum that the parts up to each hold. */
function cumulative(parts: readonly ImportancePart[], of: (part: ImportancePart) => number): number[] {
  const all = sumOf(parts, of)
  let sum = 0
  return parts.map((part) => (sum += of(part)) / all)
}

/** The mean of a page in each part, relative to the mean of all pages; undefined in an empty part. */
function relativeMeans(parts: readonly ImportancePart[], { of }: Measure): (number | undefined)[] {
  const mean = sumOf(parts, of) / sumOf(parts, pagesOf)
  return parts.map((part) => (part.pages === 0 ? undefined : of(part) / part.pages / mean))
}

const dayNames = new Map([
  [day, 'day'],
  [hour, 'hour'],
  [60, 'minute'],
  [1, 'second'],
])

/** `day`, or undefined if parts have no name. */
function partName({ partSeconds }: ImportanceByTime): string | undefined {
  return dayNames.get(partSeconds)
}

function timeAxis({ partSeconds, parts }: ImportanceByTime): { axis: Axis; unit: number } {
  const name = partName({ partSeconds, parts })
  const unit = name === undefined ? partSeconds : 1
  const axis = { min: 0, max: parts.length * unit }
  return name === undefined
    ? { axis: { label: 'time', numbering: 'seconds', ...axis }, unit }
    : { axis: { label: `${name} of the crawl`, numbering: 'count', ...axis }, unit }
}

/** Figure 4.12: pages and importance fetched by the end of each part. */
export function gatheredFigure(id: string, title: string, course: ImportanceByTime): Figure {
  const { parts } = course
  const { axis, unit } = timeAxis(course)
  const line = (of: (part: ImportancePart) => number): Point[] => [
    [0, 0],
    ...cumulative(parts, of).map((share, i): Point => [(i + 1) * unit, 100 * share]),
  ]
  const series: Series[] = [
    ...measured(parts).map(({ name, of }, look) => ({ name, points: line(of), look })),
    { name: 'pages', points: line(pagesOf), reference: true },
  ]
  return {
    kind: 'figure',
    id,
    plot: { title, x: axis, y: { label: 'share fetched', numbering: 'percent', min: 0, max: 100 }, series },
    caption: gatheredCaption(course),
  }
}

function gatheredCaption(course: ImportanceByTime): string {
  const { parts } = course
  const pages = cumulative(parts, pagesOf)
  const ranks = cumulative(parts, measures[0].of)
  const half = pages.findIndex((share) => share >= 0.5)
  const behind = ranks.slice(0, -1).filter((share, i) => share < pages[i]).length
  const whole = parts.length - 1
  const order =
    whole === 0
      ? ''
      : behind === 0
        ? ' The share of the PageRank is never below that of the pages.'
        : ` The share of the PageRank is below that of the pages at ${behind} of ${whole} points.`
  return `Shares of all pages fetched, and of their importance. With ${percentOf(pages[half])} of the pages, the crawl had ${percentOf(ranks[half])} of their PageRank.${order}`
}

/** Figure 4.13: the mean importance of the pages of each part. */
export function meansFigure(id: string, title: string, course: ImportanceByTime): Figure {
  const { parts } = course
  const { axis, unit } = timeAxis(course)
  const means = relativeMeans(parts, measures[0])
  const first = means.find((mean) => mean !== undefined) ?? 0
  const last = means.findLast((mean) => mean !== undefined) ?? 0
  return {
    kind: 'figure',
    id,
    plot: {
      title,
      x: axis,
      y: { label: 'times the mean of all pages', numbering: 'plain', scale: 'log' },
      series: measured(parts).map((measure, look) => ({
        name: measure.name,
        look,
        points: pointsOf(relativeMeans(parts, measure), (i) => (i + 0.5) * unit),
      })),
    },
    caption: `Importance of a page by when it was fetched, relative to the mean of all pages fetched: the first part of the crawl has ${times(first)} the mean PageRank, the last ${times(last)}.`,
  }
}

/** Without what a logarithmic axis cannot show. */
function pointsOf(values: readonly (number | undefined)[], x: (i: number) => number): Point[] {
  return values.flatMap((value, i): Point[] => (value === undefined || value === 0 ? [] : [[x(i), value]]))
}

function times(factor: number): string {
  return `${Number(factor.toPrecision(2))} times`
}

/** The numbers of both figures. */
export function timeTable(id: string, title: string, course: ImportanceByTime): Table {
  const { parts, partSeconds } = course
  const name = partName(course)
  const shown = measured(parts)
  const shares = [pagesOf, ...shown.map(({ of }) => of)].map((of) => cumulative(parts, of))
  const means = shown.map((measure) => relativeMeans(parts, measure))
  return {
    kind: 'table',
    id,
    title,
    columns: [
      name === undefined ? { title: 'until', numbering: 'seconds' } : { title: name, numbering: 'count' },
      { title: 'pages', numbering: 'count' },
      ...['pages', ...shown.map((measure) => measure.name)].map((each) => ({
        title: each,
        numbering: 'percent' as const,
        group: 'fetched by its end',
      })),
      ...shown.map((measure) => ({
        title: measure.name,
        numbering: 'plain' as const,
        group: 'mean of a page, relative',
      })),
    ],
    rows: parts.map(({ pages }, i): Cell[] => [
      name === undefined ? (i + 1) * partSeconds : i + 1,
      pages,
      ...shares.map((share) => 100 * share[i]),
      ...means.map((mean) => mean[i] ?? null),
    ]),
    caption:
      'Relative: the mean of the pages fetched in this part, divided by the mean of all pages fetched.',
  }
}

const depthsMax = 25

/** Deep pages as one part. */
function shallow(depths: readonly ImportancePart[]): readonly ImportancePart[] {
  if (depths.length <= depthsMax + 1) return depths
  const deep = depths.slice(depthsMax)
  const rest = {
    pages: sumOf(deep, pagesOf),
    pageRank: sumOf(deep, measures[0].of),
    rankMass: sumOf(deep, measures[1].of),
  }
  return [...depths.slice(0, depthsMax), rest]
}

/** Figure 4.14: the mean importance of the pages at each depth. */
export function depthFigure(
  id: string,
  title: string,
  all: readonly ImportancePart[],
  label = 'links from a seed',
): Figure {
  const depths = shallow(all)
  const means = relativeMeans(depths, measures[0])
  const shown = measured(depths)
  return {
    kind: 'figure',
    id,
    plot: {
      title,
      x: { label, numbering: 'count', min: -0.5, max: depths.length - 0.5 },
      y: { label: 'times the mean of all pages', numbering: 'plain', scale: 'log' },
      series: shown.map((measure, look) => ({
        name: measure.name,
        look,
        points: pointsOf(relativeMeans(depths, measure), (i) => i),
      })),
    },
    caption: `Mean importance of a page, relative to that of all pages fetched. PageRank: ${means
      .slice(0, 6)
      .flatMap((mean, depth) => (mean === undefined ? [] : [`${times(mean)} at depth ${depth}`]))
      .join(
        ', ',
      )}.${depths.length < all.length ? ` The last point has all pages of depth ${depthsMax} or more.` : ''}`,
  }
}

export function depthTable(id: string, title: string, all: readonly ImportancePart[]): Table {
  const depths = shallow(all)
  const shown = measured(depths)
  const means = shown.map((measure) => relativeMeans(depths, measure))
  const totals = shown.map(({ of }) => sumOf(depths, of))
  const isCut = depths.length < all.length
  return {
    kind: 'table',
    id,
    title,
    columns: [
      { title: 'depth' },
      { title: 'pages', numbering: 'count' },
      ...shown.map(({ name }) => ({ title: name, numbering: 'percent' as const, group: 'share of all' })),
      ...shown.map(({ name }) => ({
        title: name,
        numbering: 'plain' as const,
        group: 'mean of a page, relative',
      })),
    ],
    rows: depths.map((part, depth): Cell[] => [
      `${depth}${isCut && depth === depthsMax ? ' or more' : ''}`,
      part.pages,
      ...shown.map(({ of }, i) => (100 * of(part)) / totals[i]),
      ...means.map((mean) => mean[depth] ?? null),
    ]),
    caption: 'Of the fetched pages.',
  }
}
