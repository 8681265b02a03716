/**
 * A treemap of the importance of sites and their directories, as SVG: the area of a rectangle is the importance
 * that its pages hold or would hold, and the filled part of it is what is held. Drawn twice, for wide and for
 * narrow screens, like plots.
 */
import { hierarchy, treemap, treemapSquarify, type HierarchyRectangularNode } from 'd3-hierarchy'
import { percentOf } from './numbers.ts'
import { escaped, shortened, textWidth } from './markup.ts'

export interface MapPart {
  readonly name: string
  /** Shares of all importance, from 0 to 1. */
  readonly held: number
  readonly waiting: number
  readonly parts?: readonly MapPart[] | undefined
  /** It stands for all sites that are not listed. */
  readonly isRest?: boolean | undefined
}

export interface MapOptions {
  /** Unique on the page. */
  readonly id: string
  readonly title: string
  readonly layout: 'wide' | 'narrow'
}

const fontPx = 12
const headPx = 18
const lineHeight = 15
/** Smaller rectangles than this have no name. */
const nameHeightMin = 16
const nameCharsMin = 3

/** Square pixels of the smallest site that is shown by itself. */
const siteAreaMin = 4000

type Node = HierarchyRectangularNode<MapPart>

export function treemapSvg(parts: readonly MapPart[], { id, title, layout }: MapOptions): string {
  const [width, height] = layout === 'wide' ? [800, 460] : [360, 480]
  const shown = legible(parts, width * height)
  const whole: MapPart = { name: '', held: 0, waiting: 0, parts: shown }
  const root = treemap<MapPart>()
    .tile(treemapSquarify.ratio(1.4))
    .size([width, height])
    .paddingOuter(1)
    .paddingInner(1)
    .paddingTop((node) => (node.depth === 1 ? headPx : 0))
    .round(true)(
    hierarchy(whole, (part) => part.parts as MapPart[] | undefined).sum((part) =>
      part.parts === undefined || part.parts.length === 0 ? part.held + part.waiting : 0,
    ),
  )
  const name = `${escaped(id)}-${layout}`
  const sites = root.children ?? []
  return `<svg class="${layout} treemap" id="${name}" viewBox="0 0 ${width} ${height}" xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="${name}-title ${name}-desc">
<title id="${name}-title">${escaped(title)}</title>
<desc id="${name}-desc">${escaped(described(parts))}</desc>
${sites.map((site, i) => siteSvg(site, `${name}-${i}`)).join('\n')}
</svg>`
}

const describedMax = 5

/** Sites whose area is too small for a name become one part. */
function legible(parts: readonly MapPart[], area: number): MapPart[] {
  const all = parts.reduce((sum, part) => sum + massOf(part), 0)
  const isLarge = (part: MapPart): boolean => massOf(part) * area >= siteAreaMin * all
  const isSmall = (part: MapPart): boolean => part.isRest === true || !isLarge(part)
  const small = parts.filter(isSmall)
  if (small.length < 2) return [...parts]
  const held = small.reduce((sum, part) => sum + part.held, 0)
  const waiting = small.reduce((sum, part) => sum + part.waiting, 0)
  return [...parts.filter((part) => !isSmall(part)), { name: 'smaller sites', held, waiting }]
}

function massOf({ held, waiting }: MapPart): number {
  return held + waiting
}

function described(parts: readonly MapPart[]): string {
  const shown = parts
    .slice(0, describedMax)
    .map(
      (part) =>
        `${shortened(part.name, 60)}: ${percentOf(part.held)} held, ${percentOf(part.waiting)} waiting`,
    )
  return shown.join('; ')
}

function siteSvg(site: Node, id: string): string {
  const { x0, y0, x1 } = site
  if (site.children === undefined) return leafSvg(site, site, `${id}-0`)
  const box = { x: x0, y: y0, width: x1 - x0, height: headPx }
  const head = clipped(
    box,
    `${id}-name`,
    `<text class="site" x="${x0 + 4}" y="${y0 + 13}">${fitted(site.data.name, box.width - 6)}</text>`,
  )
  return `<g>${head}${site.children.map((leaf, i) => leafSvg(leaf, site, `${id}-${i}`)).join('')}</g>`
}

function leafSvg({ x0, y0, x1, y1, data }: Node, site: Node, id: string): string {
  const box = { x: x0, y: y0, width: x1 - x0, height: y1 - y0 }
  const { width, height } = box
  if (width <= 0 || height <= 0) return ''
  const all = data.held + data.waiting
  const filled = all > 0 ? Math.round((height * data.held) / all) : 0
  const where = data === site.data ? data.name : `${site.data.name} ${data.name}`
  const words = `${where}: ${percentOf(data.held)} of all importance held, ${percentOf(data.waiting)} waiting`
  const lines = [data.name, percentOf(all)]
    .filter((_, i) => height >= nameHeightMin + i * lineHeight)
    .map((text, i) => `<text x="${x0 + 4}" y="${y0 + 13 + i * lineHeight}">${fitted(text, width - 6)}</text>`)
  const isNamed = lines.length > 0 && fittedChars(width - 6) >= nameCharsMin
  const held = filled > 0 ? `<rect class="held" ${rectangle({ ...box, height: filled })}/>` : ''
  return `<g class="cell"><title>${escaped(words)}</title><rect class="rest" ${rectangle(box)}/>${held}${isNamed ? clipped(box, id, lines.join('')) : ''}</g>`
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

function rectangle({ x, y, width, height }: Box): string {
  return `x="${x}" y="${y}" width="${width}" height="${height}"`
}

/** Text stays in its rectangle, whatever the width of its letters. */
function clipped(box: Box, id: string, content: string): string {
  return `<clipPath id="${id}"><rect ${rectangle(box)}/></clipPath><g clip-path="url(#${id})">${content}</g>`
}

function fittedChars(width: number): number {
  return Math.max(0, Math.floor(width / textWidth('x', fontPx)))
}

function fitted(text: string, width: number): string {
  const chars = fittedChars(width)
  return chars < 1 ? '' : escaped(shortened(text, chars))
}
