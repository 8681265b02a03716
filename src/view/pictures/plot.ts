/**
 * The contents of a plot, separate from its rendering. Each series has a look that follows from its index: a
 * colour, a dash pattern and a marker, each of which distinguishes it from its neighbours.
 */
import type { Numbering } from '../../lib/amounts.ts'

export type Point = readonly [x: number, y: number]

export interface Series {
  readonly name: string
  readonly points: readonly Point[]
  /** line: joined; step: constant until the next point; bars: from the axis up; dots: not joined. */
  readonly kind?: 'line' | 'step' | 'bars' | 'dots'
  /** The range around a line, drawn as a translucent band. */
  readonly band?: readonly (readonly [x: number, low: number, high: number])[]
  /** A bound or a baseline instead of a result: thin, grey, without markers. */
  readonly reference?: boolean
  /** Index of the look, if it must be the same in several plots. Default: its index in the list. */
  readonly look?: number
}

export interface Axis {
  readonly label: string
  readonly numbering: Numbering
  readonly scale?: 'linear' | 'log'
  /** The ends. Default: from the data, with 0 at the low end of a linear axis. */
  readonly min?: number
  readonly max?: number
}

export interface Plot {
  readonly title: string
  readonly x: Axis
  readonly y: Axis
  readonly series: readonly Series[]
}

const colours = 8

/** Dash patterns. References have their own, thinner. */
const dashes = [undefined, '8 4', '2 3', '10 3 2 3', '5 3', '14 4', '10 3 2 3 2 3', '4 2 1 2']
const referenceDashes = [undefined, '1 3', '6 3 1 3', '3 3']

/** Shapes around (0, 0), about 8 pixels wide: circle, square, triangles, diamond, crosses, bar. */
const markers = [
  'M-3.6 0a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0-7.2 0Z',
  'M-3.3-3.3H3.3V3.3H-3.3Z',
  'M0-4.4 4.2 3.2H-4.2Z',
  'M0-4.7 4.7 0 0 4.7-4.7 0Z',
  'M0 4.4 4.2-3.2H-4.2Z',
  'M-3.6-3.6 3.6 3.6M-3.6 3.6 3.6-3.6',
  'M-4.4 0H4.4M0-4.4V4.4',
  'M-4.4-2.2H4.4V2.2H-4.4Z',
]

export interface Look {
  /** A class that carries the colour. */
  readonly colour: string
  readonly dash: string | undefined
  /** The path of a shape around (0, 0), or empty. */
  readonly marker: string
}

/**
 * The look of a series. Colours repeat after eight, with other markers and dashes, so that the first 64 looks
 * differ.
 */
export function lookOf(index: number, reference: boolean): Look {
  if (reference) return { colour: 'ref', dash: referenceDashes[index % referenceDashes.length], marker: '' }
  const round = Math.floor(index / colours)
  return {
    colour: `s${index % colours}`,
    dash: dashes[(index + round * 3) % dashes.length],
    marker: markers[(index + round) % markers.length],
  }
}

/** The looks of a plot's series; results and references are counted separately. */
export function looksOf(series: readonly Series[]): Look[] {
  let results = 0
  let references = 0
  return series.map(({ reference = false, look }) => {
    const index = reference ? references++ : results++
    return lookOf(look ?? index, reference)
  })
}

/** About `count` distinct whole numbers from 1 to `last`, evenly spaced on a logarithmic axis. */
export function logPlaces(last: number, count: number): number[] {
  if (last < 1) return []
  const places = Array.from({ length: count }, (_, i) => Math.round(last ** (i / (count - 1))))
  return [...new Set(places)]
}
