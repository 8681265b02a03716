/**
 * A plot as SVG. Colours come from the style of the page (or of the file, `standaloneSvg`), so the drawing
 * works in light, dark and print. Font sizes are in pixels, so a plot is drawn twice, for wide and narrow
 * screens, instead of being scaled until it is illegible.
 */
import { area, curveStepAfter, line } from 'd3-shape'
import type { VNode } from 'preact'
import { tickLabel } from '../../lib/amounts.ts'
import { type Axis, type Look, looksOf, type Plot, type Point, type Series } from './plot.ts'
import { roundDomain, scaleOf, type Scale, widenedForBars } from './scale.ts'
import { shortened, svgSentence, textWidth } from './words.tsx'

type Layout = 'wide' | 'narrow'

interface Frame {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  /** Top left corner of each entry of the legend. */
  readonly legend: readonly (readonly [x: number, y: number])[]
}

const fontPx = 13
const keyWidth = 34
const rowHeight = 21
const nameLengthMax = 34

interface PlotProps {
  readonly plot: Plot
  readonly layout: Layout
  /** Unique on the page. */
  readonly id: string
  readonly description: string
  /** The style of a plot that is a file of its own, on a ground. */
  readonly style?: string
}

export function PlotSvg({ plot, layout, id, description, style }: PlotProps): VNode {
  const frame = frameOf(plot, layout)
  const { width, height, left, right, top, bottom } = frame
  const x = axisScale(plot, 'x', [left, right], layout === 'wide' ? 10 : 5)
  const y = axisScale(plot, 'y', [bottom, top], 6)
  const looks = looksOf(plot.series)
  return (
    <svg
      {...(style === undefined ? {} : { width, height })}
      class={layout}
      id={id}
      viewBox={`0 0 ${width} ${height}`}
      xmlns="http://www.w3.org/2000/svg"
      role="img"
      aria-labelledby={`${id}-title ${id}-desc`}
      data-x={scaleWords(x)}
      data-y={scaleWords(y)}
    >
      <title id={`${id}-title`}>{plot.title}</title>
      <desc id={`${id}-desc`}>{description}</desc>
      {style !== undefined && (
        <>
          <style dangerouslySetInnerHTML={{ __html: style }} />
          <rect class="ground" x={0.5} y={0.5} width={width - 1} height={height - 1} rx={8} />
        </>
      )}
      <clipPath id={`${id}-clip`}>
        <rect x={left - 5} y={top - 5} width={right - left + 10} height={bottom - top + 10} />
      </clipPath>
      <Axes plot={plot} frame={frame} x={x} y={y} />
      <g clip-path={`url(#${id}-clip)`}>{drawnSeries(plot, looks, x, y)}</g>
      <line class="cross" x1={0} x2={0} y1={top} y2={bottom} visibility="hidden" />
      {frame.legend.length > 0 && <Legend series={plot.series} looks={looks} frame={frame} />}
    </svg>
  )
}

/** Kind, domain and range: the hover script needs them to convert coordinates to values. */
function scaleWords({ kind, domain, range }: Scale): string {
  return [kind, ...domain, ...range.map(place)].join(' ')
}

/**
 * Beside the plot if there is room, otherwise below it. A single series has no legend: the title names it.
 */
function frameOf({ series, y }: Plot, layout: Layout): Frame {
  const left = y.numbering === 'seconds' ? 62 : 50
  const top = 34
  const names = series.length === 1 ? [] : series.map(({ name }) => shortened(name, nameLengthMax))
  const widths = names.map((name) => keyWidth + textWidth(name, fontPx) + 14)
  if (layout === 'wide') {
    const width = 800
    const column = names.length === 0 ? 24 : Math.max(...widths) + 16
    const right = width - column
    const bottom = Math.max(370, top + names.length * rowHeight)
    const legend = names.map((_, i) => [right + 20, top + 4 + i * rowHeight] as const)
    return { width, height: bottom + 46, left, right, top, bottom, legend }
  }
  const width = 360
  const bottom = 290
  let row = 0
  let from = 6
  const legend = widths.map((entryWidth) => {
    if (from > 6 && from + entryWidth > width) {
      row++
      from = 6
    }
    const at = [from, bottom + 56 + row * rowHeight] as const
    from += entryWidth
    return at
  })
  const height = bottom + 46 + (names.length === 0 ? 0 : 10 + (row + 1) * rowHeight)
  return { width, height, left: left - 6, right: width - 20, top, bottom, legend }
}

/** Values beyond this do not occur here and would overflow the scales. */
const valueMax = 1e15

function drawable(value: number): boolean {
  return Math.abs(value) <= valueMax
}

function axisScale(
  plot: Plot,
  which: 'x' | 'y',
  range: readonly [number, number],
  ticksWanted: number,
): Scale {
  const axis: Axis = plot[which]
  const kind = axis.scale ?? 'linear'
  const shown = (series: Series): number[] =>
    series.points
      .map((point) => point[which === 'x' ? 0 : 1])
      .filter((value) => drawable(value) && (kind === 'linear' || value > 1 / valueMax))
  const [least, most] = plot.series
    .flatMap(shown)
    .reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity])
  const low = axis.min ?? (kind === 'linear' ? Math.min(0, least) : least)
  const high = axis.max ?? most
  const known = Number.isFinite(low) && Number.isFinite(high)
  const round: [number, number] = known
    ? roundDomain(low, high, kind, axis.numbering)
    : [kind === 'log' ? 1 : 0, 10]
  const bars = which === 'x' ? plot.series.filter((series) => series.kind === 'bars') : []
  const [wideLow, wideHigh] = bars.reduce(
    (domain, series) => widenedForBars(domain, shown(series), kind),
    round,
  )
  return scaleOf({
    kind,
    domain: [axis.min ?? wideLow, axis.max ?? wideHigh],
    range,
    ticksWanted,
    numbering: axis.numbering,
  })
}

interface AxesProps {
  readonly plot: Plot
  readonly frame: Frame
  readonly x: Scale
  readonly y: Scale
}

function Axes({ plot, frame: { width, left, right, top, bottom }, x, y }: AxesProps): VNode {
  const labelOf = ({ label, scale }: Axis): string => `${label}${scale === 'log' ? ' (logarithmic)' : ''}`
  return (
    <g class="axes">
      {y.ticks.map((tick) => {
        const at = place(y.place(tick))
        return (
          <>
            <line class="grid" x1={left} x2={right} y1={at} y2={at} />
            <text class="tick" x={left - 7} y={at} dy={4} text-anchor="end">
              {tickLabel(tick, plot.y.numbering)}
            </text>
          </>
        )
      })}
      {x.ticks.map((tick) => {
        const at = place(x.place(tick))
        const label = tickLabel(tick, plot.x.numbering)
        // A long label at the right end must not be cut off.
        const labelAt = Math.min(at, place(width - 1 - textWidth(label, fontPx) / 2))
        return (
          <>
            <line class="grid" x1={at} x2={at} y1={top} y2={bottom} />
            <text class="tick" x={labelAt} y={bottom + 18} text-anchor="middle">
              {label}
            </text>
          </>
        )
      })}
      <path class="axis" d={`M${left} ${top}V${bottom}H${right}`} />
      <text class="label" x={width < 500 ? 4 : 8} y={16}>
        {svgSentence(labelOf(plot.y))}
      </text>
      <text class="label" x={right} y={bottom + 38} text-anchor="end">
        {svgSentence(`${labelOf(plot.x)} →`)}
      </text>
    </g>
  )
}

interface Place {
  readonly x: Scale
  readonly y: Scale
  /** Index and number of series: markers of neighbours are offset. */
  readonly index: number
  readonly of: number
}

/** References are at the bottom; of the others, the first in the list is on top. */
function drawnSeries({ series }: Plot, looks: readonly Look[], x: Scale, y: Scale): VNode[] {
  const all = series.map((each, index) => ({
    reference: each.reference === true,
    drawn: drawn(each, looks[index], { x, y, index, of: series.length }),
  }))
  const inOrder = [
    ...all.filter(({ reference }) => reference),
    ...all.filter(({ reference }) => !reference).toReversed(),
  ]
  return inOrder.map((each) => each.drawn)
}

function drawn(series: Series, { colour, dash, marker }: Look, at: Place): VNode {
  const { x, y, index } = at
  const places = series.points
    .filter((point) => point.every(drawable))
    .map(([valueX, valueY]): Point => [x.place(valueX), y.place(valueY)])
    .filter(([atX, atY]) => Number.isFinite(atX) && Number.isFinite(atY))
  const kind = series.kind ?? 'line'
  if (kind === 'bars') {
    return (
      <g class={`bars ${colour}`} data-series={index}>
        <title>{series.name}</title>
        {bars(places, y)}
      </g>
    )
  }
  const marks = marker === '' ? [] : kind === 'dots' ? places : markerPlaces(places, at)
  return (
    <g class={`${series.reference === true ? 'reference' : 'result'} ${colour}`} data-series={index}>
      <title>{series.name}</title>
      {band(series, x, y)}
      {kind !== 'dots' && places.length > 0 && <path d={pathOf(places, kind)} stroke-dasharray={dash} />}
      {marks.map(([markX, markY]) => (
        <Mark marker={marker} x={markX} y={markY} />
      ))}
    </g>
  )
}

function band({ band: points = [] }: Series, x: Scale, y: Scale): VNode | undefined {
  const shown = points.filter((point) => point.every(drawable))
  if (shown.length === 0) return undefined
  const shape = area<readonly [number, number, number]>()
    .x(([at]) => x.place(at))
    .y0(([, low]) => y.place(low))
    .y1(([, , high]) => y.place(high))
    .digits(1)
  return <path class="band" d={shape(shown) ?? ''} />
}

function bars(places: readonly Point[], y: Scale): VNode[] {
  const gap = places.slice(1).reduce((least, [x], i) => Math.min(least, x - places[i][0]), 40)
  const width = Math.max(1, gap * 0.8)
  return places.map(([x, top]) => (
    <rect
      x={place(x - width / 2)}
      y={place(top)}
      width={place(width)}
      height={place(Math.max(0, y.range[0] - top))}
    />
  ))
}

/** Omits points that would fall on the same position. */
function pathOf(places: readonly Point[], kind: 'line' | 'step'): string {
  let [atX, atY] = places[0]
  const shown = places.filter(([x, y], i) => {
    const isNear = Math.abs(x - atX) < 0.4 && Math.abs(y - atY) < 0.4
    if (isNear && i > 0 && i < places.length - 1) return false
    atX = x
    atY = y
    return true
  })
  return (kind === 'step' ? stepPath : linePath)(shown) ?? ''
}

const linePath = line<Point>().digits(1)
const stepPath = line<Point>().curve(curveStepAfter).digits(1)

/** All of a few points; of many, one every 90 pixels or so, each series beginning a little further on. */
function markerPlaces(places: readonly Point[], { x, index, of }: Place): readonly Point[] {
  if (places.length <= 12) return places
  const every = Math.max(60, (x.range[1] - x.range[0]) / 7)
  const marks: Point[] = []
  let next = x.range[0] + every * (0.15 + (0.8 * index) / Math.max(1, of))
  for (const point of places) {
    if (point[0] < next) continue
    marks.push(point)
    next += every * Math.max(1, Math.ceil((point[0] - next) / every))
  }
  return marks
}

interface LegendProps {
  readonly series: readonly Series[]
  readonly looks: readonly Look[]
  readonly frame: Frame
}

function Legend({ series, looks, frame }: LegendProps): VNode {
  return (
    <g class="legend">
      {series.map(({ name, kind, reference }, i) => {
        const [x, y] = frame.legend[i]
        const { colour, dash, marker } = looks[i]
        const group = kind === 'bars' ? 'bars' : reference === true ? 'reference' : 'result'
        return (
          <g transform={translated(x, y)}>
            <g class={`${group} ${colour}`}>
              {kind !== 'dots' && kind !== 'bars' && (
                <path d={`M0 0H${keyWidth - 6}`} stroke-dasharray={dash} />
              )}
              {kind === 'bars' && <rect x={8} y={-6} width={12} height={12} />}
              {kind !== 'bars' && marker !== '' && <Mark marker={marker} x={(keyWidth - 6) / 2} y={0} />}
            </g>
            <text class="name" x={keyWidth} dy={4.5}>
              {svgSentence(shortened(name, nameLengthMax))}
            </text>
          </g>
        )
      })}
    </g>
  )
}

/** Coordinates to a tenth of a pixel. */
function place(value: number): number {
  return Number(value.toFixed(1))
}

const translated = (x: number, y: number): string => `translate(${place(x)} ${place(y)})`

/** A shape that is not closed has no area. */
function Mark({ marker, x, y }: { marker: string; x: number; y: number }): VNode {
  return (
    <g class="mark" transform={translated(x, y)}>
      <path class={marker.endsWith('Z') ? undefined : 'open'} d={marker} />
    </g>
  )
}
