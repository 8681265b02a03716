/**
 * A stacked bar that shows the parts of a whole, as SVG. Drawn twice, for wide and for narrow screens, like
 * plots. Parts are identified by order, which is that of the names below, and by colour. A part that is not in the
 * whole can stand beside it.
 */
import { escaped, textWidth } from './markup.ts'

export interface BarPart {
  readonly name: string
  /** Share of the whole, from 0 to 1. */
  readonly share: number
  /** The displayed text. */
  readonly percent: string
  /** A class that carries the colour: `s0` to `s7`, or `ref`. */
  readonly colour: string
}

export interface SplitBar {
  /** Unique on the page. */
  readonly id: string
  readonly title: string
  readonly parts: readonly BarPart[]
  /** Beside the bar, at the same scale. */
  readonly beside?: BarPart | undefined
  readonly caption: string
}

const fontPx = 13
const top = 30
const barHeight = 40
const rowHeight = 24

/** Renders it as a figure in the style of the other figures. */
export function splitBarHtml(bar: SplitBar): string {
  return `<figure id="${escaped(bar.id)}">
<h3>${escaped(bar.title)}</h3>
<div class="plot">${splitBarSvg(bar, 'wide')}${splitBarSvg(bar, 'narrow')}</div>
<figcaption>${escaped(bar.caption)}</figcaption>
</figure>`
}

export function splitBarSvg(
  { id, title, parts: inside, beside }: SplitBar,
  layout: 'wide' | 'narrow',
): string {
  const parts = beside === undefined ? inside : [...inside, beside]
  const width = layout === 'wide' ? 800 : 360
  const columns = layout === 'wide' ? Math.max(1, parts.length) : 2
  const rows = Math.ceil(parts.length / columns)
  const name = `${escaped(id)}-${layout}`
  const height = top + barHeight + 14 + rows * rowHeight
  const room = width - 16
  return `<svg class="${layout}" id="${name}" viewBox="0 0 ${width} ${height}" xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="${name}-title ${name}-desc">
<title id="${name}-title">${escaped(title)}</title>
<desc id="${name}-desc">${escaped(parts.map((part) => `${part.name} ${part.percent}`).join(', '))}</desc>
${segments(inside, beside, room)}
${names(parts, columns, room)}
</svg>`
}

/** Every non-zero part stays visible. */
const widthMin = 2
const gap = 2
/** Before the part beside the bar. */
const besideGap = 14

function segments(parts: readonly BarPart[], beside: BarPart | undefined, width: number): string {
  const shown = parts.filter(({ share }) => share > 0)
  const isBeside = beside !== undefined && beside.share > 0
  const all = [...shown, ...(isBeside ? [beside] : [])]
  const sum = all.reduce((total, { share }) => total + share, 0)
  const gaps = gap * Math.max(0, shown.length - 1) + (isBeside ? besideGap : 0)
  const room = width - gaps - widthMin * all.length
  let from = 8
  return all
    .map((part, i) => {
      const { share, percent, colour } = part
      if (i > 0) from += isBeside && i === all.length - 1 ? besideGap : gap
      const partWidth = widthMin + (room * share) / sum
      const label =
        textWidth(percent, fontPx) + 8 > partWidth
          ? ''
          : `<text x="${place(from + partWidth / 2)}" y="${top - 9}" text-anchor="middle">${escaped(percent)}</text>`
      const rect = `<g class="bars ${colour}"><rect x="${place(from)}" y="${top}" width="${place(partWidth)}" height="${barHeight}" rx="2"/></g>`
      from += partWidth
      return rect + label
    })
    .join('\n')
}

function names(parts: readonly BarPart[], columns: number, inside: number): string {
  return parts
    .map(({ name, percent, colour }, i) => {
      const x = 8 + (i % columns) * (inside / columns)
      const y = top + barHeight + 26 + Math.floor(i / columns) * rowHeight
      return `<g class="bars ${colour}"><rect x="${place(x)}" y="${y - 11}" width="12" height="12" rx="2"/></g><text x="${place(x + 19)}" y="${y}">${escaped(name)} <tspan class="label">${escaped(percent)}</tspan></text>`
    })
    .join('\n')
}

function place(value: number): number {
  return Number(value.toFixed(1))
}
