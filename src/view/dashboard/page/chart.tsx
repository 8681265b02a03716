/** A curve over time (uPlot), with its name and newest value above. */
import type { RefObject, VNode } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import { usePage, useSize } from './context.ts'
import { dateTime, timeOfDay } from './format.ts'

export interface ChartOptions {
  readonly title: string
  /** Custom property with the colour: `held`, `failed`, … */
  readonly colour: string
  readonly format: (value: number) => string
  /** On the axis; default: `format`. */
  readonly tick?: (value: number) => string
  /** Fixed upper end of the axis. */
  readonly max?: number
  /** Fills the area under the curve. */
  readonly isFilled?: boolean
  /** Counts have no ticks between whole numbers. */
  readonly isCount?: boolean
  /** Draws bars, one for each point. */
  readonly isBars?: boolean
}

interface ChartProps extends ChartOptions {
  readonly timeMs: readonly number[]
  readonly values: readonly (number | null)[]
  readonly hidden?: boolean
}

const height = 138
const wholeSteps = Array.from({ length: 15 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
).flat()

export function Chart({ timeMs, values, hidden = false, ...options }: ChartProps): VNode {
  const { title, format } = options
  const plot = useRef<HTMLDivElement>(null)
  const [index, setIndex] = useState<number>()
  // One value is not a curve.
  const isCurve = values.filter((value) => value !== null).length > 1
  useCurve(plot, timeMs, isCurve ? values : undefined, options, setIndex)
  // The value under the cursor, or the newest.
  const last = values.findLastIndex((value) => value !== null)
  const isPointed = index !== undefined && typeof values[index] === 'number'
  const value = values[isPointed ? index : last]
  return (
    <section class="card chart" hidden={hidden}>
      <header>
        <h3>{title}</h3>
        <span class="at soft">{isPointed ? timeOfDay(timeMs[index]) : ''}</span>
        <span class="value">{typeof value === 'number' ? format(value) : '–'}</span>
      </header>
      <div ref={plot} class="plot" role="img" aria-label={`${title}: ${described(timeMs, values, format)}`}>
        {!isCurve && <p class="soft">Too early for a curve</p>}
      </div>
    </section>
  )
}

function described(
  timeMs: readonly number[],
  values: readonly (number | null)[],
  format: (value: number) => string,
): string {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return 'no values yet'
  return `${known.length} values from ${dateTime(timeMs[0])} to ${dateTime(timeMs.at(-1)!)}, between ${format(Math.min(...known))} and ${format(Math.max(...known))}, newest ${format(known.at(-1)!)}`
}

/** Draws the curve into the element, in its size and in the colours of the theme. */
function useCurve(
  plot: RefObject<HTMLDivElement | null>,
  timeMs: readonly number[],
  values: readonly (number | null)[] | undefined,
  options: ChartOptions,
  point: (index: number | undefined) => void,
): void {
  const { theme } = usePage()
  const { width } = useSize(plot)
  const curve = useRef<uPlot | undefined>(undefined)
  const isDrawn = values !== undefined && width > 0
  const data = (): uPlot.AlignedData => [timeMs.map((ms) => ms / 1000), [...(values ?? [])]]
  useLayoutEffect(() => {
    if (!isDrawn) return undefined
    const drawn = new uPlot(curveOptions(options, width, point), data(), plot.current!)
    curve.current = drawn
    return () => {
      drawn.destroy()
      curve.current = undefined
    }
  }, [isDrawn, theme])
  useLayoutEffect(() => curve.current?.setData(data()), [timeMs, values])
  useLayoutEffect(() => curve.current?.setSize({ width, height }), [width])
}

function curveOptions(
  options: ChartOptions,
  width: number,
  point: (index: number | undefined) => void,
): uPlot.Options {
  const { colour, format, tick: tickText = format, max } = options
  const { isCount = false, isFilled = false, isBars = false } = options
  const stroke = themeColour(colour)
  const grid = { stroke: themeColour('rule'), width: 1 }
  const font = '11px system-ui, sans-serif'
  const axis: uPlot.Axis = { stroke: themeColour('soft'), grid, ticks: { show: false }, font, gap: 6 }
  const series: uPlot.Series = { stroke, width: 1.75, points: { show: false } }
  if (isFilled || isBars) series.fill = themeColour(colour, isBars ? 0.8 : 0.18)
  if (isBars) series.paths = uPlot.paths.bars!({ size: [0.8, 40] })
  return {
    width,
    height,
    padding: [8, 24, 0, 0],
    legend: { show: false },
    cursor: { y: false, sync: { key: 'time' }, drag: { x: false, y: false }, points: { size: 7 } },
    scales: { y: { range: (_, low, high) => yRange(low, high, max) } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 72,
        size: 28,
        gap: 9,
        values: (_, ticks) => timeLabels(ticks),
      },
      {
        ...axis,
        ...(isCount ? { incrs: wholeSteps } : {}),
        space: 28,
        size: 70,
        values: (_, ticks) => ticks.map((tick) => tickText(tick)),
      },
    ],
    series: [{}, series],
    hooks: { setCursor: [({ cursor }) => point(cursor.idx ?? undefined)] },
  }
}

/** A colour of the current theme, by its custom property, for drawings on a canvas. */
function themeColour(name: string, opacity = 1): string {
  const probe = document.createElement('span')
  probe.hidden = true
  probe.style.color = `var(--${name})`
  document.body.append(probe)
  const numbers = getComputedStyle(probe).color.match(/[\d.]+/g) ?? []
  probe.remove()
  return `rgb(${numbers.slice(0, 3).join(' ')} / ${opacity})`
}

/** From 0, with some room above. */
function yRange(low: number | null, high: number | null, max: number | undefined): [number, number] {
  if (low === null || high === null || high <= 0) return [Math.min(0, low ?? 0), max ?? 1]
  const top = high * 1.08
  return [Math.min(0, low), max === undefined ? top : Math.min(max, top)]
}

/** Times of day; seconds only if the ticks are close. */
function timeLabels(ticks: readonly number[]): string[] {
  const step = ticks.length > 1 ? ticks[1] - ticks[0] : 60
  return ticks.map((tick) => {
    if (step >= 86_400) return dateTime(1000 * tick).slice(5, 10)
    return step < 60 ? timeOfDay(1000 * tick) : timeOfDay(1000 * tick).slice(0, 5)
  })
}
