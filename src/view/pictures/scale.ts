/**
 * Scales from values to positions, and the round numbers to mark: d3-scale, extended by ticks for durations
 * and counts.
 */
import { scaleLinear, scaleLog } from 'd3-scale'
import type { Numbering } from '../../lib/amounts.ts'

export interface Scale {
  readonly kind: 'linear' | 'log'
  /** The two ends of the domain. */
  readonly domain: readonly [number, number]
  /** The two ends of the range. */
  readonly range: readonly [number, number]
  /** NaN if the scale is undefined for the value (logarithm of 0). */
  place(value: number): number
  readonly ticks: readonly number[]
}

interface ScaleOptions {
  readonly kind: 'linear' | 'log'
  readonly domain: readonly [number, number]
  readonly range: readonly [number, number]
  /** Approximate maximum number of ticks. */
  readonly ticksWanted: number
  /** The kind of values: time has its own round numbers, and counts have no fractions. */
  readonly numbering?: Numbering
}

export function scaleOf({ kind, domain, range, ticksWanted, numbering = 'plain' }: ScaleOptions): Scale {
  const scale = kind === 'log' ? scaleLog(domain, range) : scaleLinear(domain, range)
  return {
    kind,
    domain,
    range,
    place: (value) => scale(value),
    ticks: kind === 'log' ? logTicks(domain, ticksWanted) : linearTicks(domain, ticksWanted, numbering),
  }
}

/** Multiples of 1, 2 or 5 times a power of ten; for time, calendar units. */
export function linearTicks(
  domain: readonly [number, number],
  wanted: number,
  numbering: Numbering = 'plain',
): number[] {
  const [low, high] = domain
  if (numbering === 'seconds') {
    const step = durationStep((high - low) / Math.max(1, wanted))
    if (step !== undefined) return multiples(Math.ceil(low / step), Math.floor(high / step), step)
  }
  const ticks = scaleLinear(domain, [0, 1]).ticks(wanted)
  return numbering === 'count' ? ticks.filter(Number.isInteger) : ticks
}

/** Powers of ten; 2 and 5 times them if there is room; any round numbers within a single decade. */
export function logTicks(domain: readonly [number, number], wanted: number): number[] {
  const ticks = scaleLog(domain, [0, 1]).ticks(wanted)
  const decades = Math.log10(domain[1] / domain[0])
  if (decades < 1) return ticks
  const factors = decades * 3 <= wanted ? [1, 2, 5] : [1]
  return ticks.filter((tick) => factors.includes(Number(tick.toExponential(3).split('e')[0])))
}

const daySeconds = 86_400
const durationSteps = [
  1,
  2,
  5,
  10,
  15,
  30,
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60),
  ...[1, 2, 3, 6, 12].map((hours) => hours * 3600),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map((days) => days * daySeconds),
]

/**
 * The smallest usual step that is at least `wanted`; undefined for fractions of a second and for many years.
 */
function durationStep(wanted: number): number | undefined {
  return wanted <= 0.5 ? undefined : durationSteps.find((seconds) => seconds >= wanted)
}

function multiples(first: number, last: number, step: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * step)
}

/** Round ends of an axis that covers these values. */
export function roundDomain(
  low: number,
  high: number,
  kind: 'linear' | 'log',
  numbering: Numbering = 'plain',
): [number, number] {
  if (kind === 'log') return [low, high > low ? high : low * 10]
  if (!(high > low)) return [low, low + 1]
  const step = numbering === 'seconds' ? durationStep((high - low) / 8) : undefined
  if (step !== undefined) return [Math.floor(low / step) * step, Math.ceil(high / step) * step]
  const [roundLow, roundHigh] = scaleLinear([low, high], [0, 1]).nice(8).domain()
  return numbering === 'count' ? [Math.floor(roundLow), Math.ceil(roundHigh)] : [roundLow, roundHigh]
}

/**
 * Extends the ends of an axis by half the distance between two bars, so that the outermost bars are not
 * clipped.
 */
export function widenedForBars(
  [low, high]: readonly [number, number],
  bars: readonly number[],
  kind: 'linear' | 'log',
): [number, number] {
  const [to, back] = kind === 'log' ? [Math.log, Math.exp] : [identity, identity]
  const places = bars.map(to).toSorted((a, b) => a - b)
  if (places.length === 0) return [low, high]
  // A single bar gets a tenth of the axis on either side.
  const alone = (to(high) - to(low)) / 5
  const gap = places
    .slice(1)
    .map((place, i) => place - places[i])
    .reduce((least, each) => Math.min(least, each), places.length === 1 ? alone : Infinity)
  const first = back(places[0] - gap / 2)
  const last = back(places[places.length - 1] + gap / 2)
  return [Math.min(low, first), Math.max(high, last)]
}

function identity(value: number): number {
  return value
}
