/** Scales from values to coordinates, and round numbers for the ticks. */
import type { Numbering } from './numbers.ts'

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

export interface ScaleOptions {
  readonly kind: 'linear' | 'log'
  readonly domain: readonly [number, number]
  readonly range: readonly [number, number]
  /** Approximate maximum number of ticks. */
  readonly ticksWanted: number
  /** The kind of values: time has its own round numbers, and counts have no fractions. */
  readonly numbering?: Numbering
}

export function scaleOf({ kind, domain, range, ticksWanted, numbering = 'plain' }: ScaleOptions): Scale {
  const [low, high] = kind === 'log' ? domain.map(Math.log10) : domain
  const span = high - low || 1
  return {
    kind,
    domain,
    range,
    place(value) {
      const position = kind === 'log' ? (value > 0 ? Math.log10(value) : NaN) : value
      return range[0] + ((position - low) / span) * (range[1] - range[0])
    },
    ticks: kind === 'log' ? logTicks(domain, ticksWanted) : linearTicks(domain, ticksWanted, numbering),
  }
}

/** Multiples of 1, 2 or 5 times a power of ten; for time, calendar units. */
export function linearTicks(
  [low, high]: readonly [number, number],
  wanted: number,
  numbering: Numbering = 'plain',
): number[] {
  const step = stepFor((high - low) / Math.max(1, wanted), numbering)
  if (!(step > 0)) return [low]
  const first = Math.ceil(low / step - 1e-9)
  const last = Math.floor(high / step + 1e-9)
  return Array.from({ length: Math.max(0, last - first) + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  )
}

/** Powers of ten; if these are few, also 2 and 5 times them. */
export function logTicks([low, high]: readonly [number, number], wanted: number): number[] {
  const first = Math.ceil(Math.log10(low) - 1e-9)
  const last = Math.floor(Math.log10(high) + 1e-9)
  const decades = last - first + 1
  const every = Math.max(1, Math.ceil(decades / Math.max(1, wanted)))
  const factors = decades * 3 <= wanted + 2 ? [1, 2, 5] : [1]
  const ticks: number[] = []
  for (let exponent = first - 1; exponent <= last; exponent += every) {
    if (every > 1 && exponent < first) exponent = first
    for (const factor of factors) {
      const tick = factor * 10 ** exponent
      if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) ticks.push(Number(tick.toPrecision(12)))
    }
  }
  return ticks
}

const timeSteps = [1, 2, 5, 10, 15, 30]
  .flatMap((count) => [count, count * 60])
  .concat([1, 2, 3, 6, 12].map((hours) => hours * 3600))
const daySeconds = 86_400

function stepFor(wanted: number, numbering: Numbering): number {
  if (numbering === 'count') return Math.max(1, niceStep(wanted))
  if (numbering !== 'seconds' || wanted <= 0.5) return niceStep(wanted)
  const step = timeSteps.toSorted((a, b) => a - b).find((seconds) => seconds >= wanted)
  return step ?? niceStep(wanted / daySeconds) * daySeconds
}

/** The smallest of 1, 2, 5, 10, 20 … (and of 0.5, 0.2 …) that is not below the wanted step. */
function niceStep(wanted: number): number {
  if (!(wanted > 0) || !Number.isFinite(wanted)) return 0
  const power = 10 ** Math.floor(Math.log10(wanted))
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= wanted * (1 - 1e-9)) ?? 10
  return factor * power
}

/** Round ends of an axis that covers these values. */
export function roundDomain(
  low: number,
  high: number,
  kind: 'linear' | 'log',
  numbering: Numbering = 'plain',
): [number, number] {
  if (kind === 'log') return [low, high > low ? high : low * 10]
  const step = stepFor((high - low) / 8, numbering)
  return step > 0
    ? [Math.floor(low / step + 1e-9) * step, Math.ceil(high / step - 1e-9) * step]
    : [low, low + 1]
}
