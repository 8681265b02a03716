/** A curve over time (uPlot), with its name and newest value above. */
import uPlot from 'uplot'
import { html, replace, setText, themeColour } from './element.ts'
import { dateTime, timeOfDay } from './format.ts'

interface ChartOptions {
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

const height = 138
const wholeSteps = Array.from({ length: 15 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
).flat()

export class Chart {
  readonly element: HTMLElement
  readonly #options: ChartOptions
  readonly #plot = html('div', { class: 'plot', role: 'img' })
  readonly #value = html('span', { class: 'value' })
  readonly #at = html('span', { class: 'at soft' })
  #times: readonly number[] = []
  #values: readonly (number | null)[] = []
  #uplot: uPlot | undefined

  constructor(options: ChartOptions, signal: AbortSignal) {
    this.#options = options
    this.element = html(
      'section',
      { class: 'card chart' },
      html('header', {}, html('h3', {}, options.title), this.#at, this.#value),
      this.#plot,
    )
    const observer = new ResizeObserver(() => this.#resize())
    observer.observe(this.#plot)
    signal.addEventListener('abort', () => {
      observer.disconnect()
      this.#uplot?.destroy()
    })
  }

  show(timeMs: readonly number[], values: readonly (number | null)[]): void {
    this.#times = timeMs.map((ms) => ms / 1000)
    this.#values = values
    this.#readout(undefined)
    this.#describe()
    if (this.#uplot === undefined) this.repaint()
    else this.#uplot.setData([[...this.#times], [...this.#values]])
  }

  /** In the colours of the current theme. */
  repaint(): void {
    this.#uplot?.destroy()
    this.#uplot = undefined
    // One value is not a curve.
    if (this.#values.filter((value) => value !== null).length < 2) {
      replace(this.#plot, html('p', { class: 'soft' }, 'Too early for a curve'))
      return
    }
    replace(this.#plot)
    if (this.#plot.clientWidth === 0) return
    this.#uplot = new uPlot(this.#uplotOptions(), [[...this.#times], [...this.#values]], this.#plot)
  }

  #uplotOptions(): uPlot.Options {
    const { colour, format, tick: tickText = format, max } = this.#options
    const { isCount = false, isFilled = false, isBars = false } = this.#options
    const stroke = themeColour(colour)
    const soft = themeColour('soft')
    const grid = { stroke: themeColour('rule'), width: 1 }
    const font = '11px system-ui, sans-serif'
    const axis: uPlot.Axis = { stroke: soft, grid, ticks: { show: false }, font, gap: 6 }
    const series: uPlot.Series = { stroke, width: 1.75, points: { show: false } }
    if (isFilled || isBars) series.fill = themeColour(colour, isBars ? 0.8 : 0.18)
    if (isBars) series.paths = uPlot.paths.bars!({ size: [0.8, 40] })
    return {
      width: this.#plot.clientWidth,
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
      hooks: { setCursor: [({ cursor }) => this.#readout(cursor.idx ?? undefined)] },
    }
  }

  /** The value under the cursor, or the newest. */
  #readout(index: number | undefined): void {
    const last = this.#values.findLastIndex((value) => value !== null)
    const shown = index !== undefined && this.#values[index] !== null ? index : last
    const value = this.#values[shown]
    setText(this.#value, value === null || value === undefined ? '–' : this.#options.format(value))
    setText(this.#at, index === undefined || shown !== index ? '' : timeOfDay(1000 * this.#times[shown]))
  }

  #describe(): void {
    const { title, format } = this.#options
    const known = this.#values.filter((value) => value !== null)
    const text =
      known.length === 0
        ? 'no values yet'
        : `${known.length} values from ${dateTime(1000 * this.#times[0])} to ${dateTime(1000 * this.#times.at(-1)!)}, between ${format(Math.min(...known))} and ${format(Math.max(...known))}, newest ${format(known.at(-1)!)}`
    this.#plot.setAttribute('aria-label', `${title}: ${text}`)
  }

  #resize(): void {
    const width = this.#plot.clientWidth
    if (width === 0) return
    if (this.#uplot === undefined) this.repaint()
    else if (this.#uplot.width !== width) this.#uplot.setSize({ width, height })
  }
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
