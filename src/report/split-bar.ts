/**
 * A stacked bar that shows the parts of a whole, as SVG. Drawn twice, for wide and for narrow screens, like
 * plots. Parts are identified by order, which is that of the names below, and by colour.
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

export function splitBarSvg({ id, title, parts }: SplitBar, layout: 'wide' | 'narrow'): string {
  const width = layout === 'wide' ? 800 : 360
  const columns = layout === 'wide' ? Math.max(1, parts.length) : 2
  const rows = Math.ceil(parts.length / columns)
  const name = `${escaped(id)}-${layout}`
  const height = top + barHeight + 14 + rows * rowHeight
  const inside = width - 16
  return `<svg class="${layout}" id="${name}" viewBox="0 0 ${width} ${height}" xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="${name}-title ${name}-desc">
<title id="${name}-title">${escaped(title)}</title>
<desc id="${name}-desc">${escaped(parts.map((part) => `${part.name} ${part.percent}`).join(', '))}</desc>
${segments(parts, inside)}
${names(parts, columns, inside)}
</svg>`
}

/** Every non-zero part stays visible. */
const widthMin = 2
const gap = 2

function segments(parts: readonly BarPart[], inside: number): string {
  const shown = parts.filter(({ share }) => share > 0)
  const all = shown.reduce((sum, { share }) => sum + share, 0)
  const room = inside - gap * Math.max(0, shown.length - 1) - widthMin * shown.length
  let from = 8
  return shown
    .map(({ share, percent, colour }) => {
      const width = widthMin + (room * share) / all
      const label =
        textWidth(percent, fontPx) + 8 > width
          ? ''
          : `<text x="${place(from + width / 2)}" y="${top - 9}" text-anchor="middle">${escaped(percent)}</text>`
      const rect = `<g class="bars ${colour}"><rect x="${place(from)}" y="${top}" width="${place(width)}" height="${barHeight}" rx="2"/></g>`
      from += width + gap
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
