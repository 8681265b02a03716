/**
 * A treemap of the importance of sites and their directories, as SVG: the area of a rectangle is the importance
 * that its pages hold or would hold, and the filled part of it is what is held. A report draws it twice, for wide and for
 * narrow screens, like plots; the dashboard draws it in the size of its place, and its rectangles are links.
 */
import { hierarchy, treemap, treemapSquarify, type HierarchyRectangularNode } from 'd3-hierarchy'
import { percentText } from './amounts.ts'
import { shortened, textWidth } from './markup.ts'
import { tag, tagHtml, type Tag } from './tags.ts'

export interface MapPart {
  readonly name: string
  /** Shares of all importance, from 0 to 1. */
  readonly held: number
  readonly waiting: number
  readonly parts?: readonly MapPart[] | undefined
  /** It stands for all sites that are not listed. */
  readonly isRest?: boolean | undefined
  /** Makes its rectangle a link, which is identified by `key`. */
  readonly href?: string | undefined
  readonly key?: string | undefined
  /** What is known of it besides, for the tooltip. */
  readonly more?: string | undefined
}

interface MapOptions {
  /** Unique on the page. */
  readonly id: string
  readonly title: string
  readonly layout: 'wide' | 'narrow'
}

interface MapSize {
  /** Unique on the page. */
  readonly id: string
  readonly title: string
  readonly width: number
  readonly height: number
  readonly class?: string | undefined
}

const fontPx = 12
const headPx = 18
const lineHeight = 15
/** Smaller rectangles than this have no name. */
const nameHeightMin = 16
const nameCharsMin = 6

/** Square pixels of the smallest site that is shown by itself. */
const siteAreaMin = 4000

type Node = HierarchyRectangularNode<MapPart>

/** For a report. Sites that are too small for a name become one part. */
export function treemapSvg(parts: readonly MapPart[], { id, title, layout }: MapOptions): string {
  const [width, height] = layout === 'wide' ? [800, 460] : [360, 480]
  const shown = legible(parts, width * height)
  return tagHtml(treemapTag(shown, { id: `${id}-${layout}`, title, width, height, class: layout }))
}

export function treemapTag(parts: readonly MapPart[], size: MapSize): Tag {
  const { id, title, width, height } = size
  const whole: MapPart = { name: '', held: 0, waiting: 0, parts }
  const root = treemap<MapPart>()
    .tile(treemapSquarify.ratio(1.4))
    .size([width, height])
    .paddingOuter(1)
    .paddingInner(1)
    .paddingTop((node) => (node.depth === 1 && node.children !== undefined ? headPx : 0))
    .round(true)(
    hierarchy(whole, (part) => part.parts as MapPart[] | undefined).sum((part) =>
      part.parts === undefined || part.parts.length === 0 ? part.held + part.waiting : 0,
    ),
  )
  const sites = root.children ?? []
  const isLinked = parts.some(({ href }) => href !== undefined)
  return tag(
    'svg',
    {
      class: `${size.class ?? ''} treemap`.trim(),
      id,
      viewBox: `0 0 ${width} ${height}`,
      xmlns: 'http://www.w3.org/2000/svg',
      role: isLinked ? 'group' : 'img',
      'aria-labelledby': isLinked ? `${id}-title` : `${id}-title ${id}-desc`,
    },
    tag('title', { id: `${id}-title` }, title),
    tag('desc', { id: `${id}-desc` }, described(parts)),
    ...sites.map((site, i) => siteTag(site, `${id}-${i}`, i === 0)),
  )
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
        `${shortened(part.name, 60)}: ${percentText(part.held)} held, ${percentText(part.waiting)} waiting`,
    )
  return shown.join('; ')
}

function siteTag(site: Node, id: string, isFirst: boolean): Tag {
  const { x0, y0, x1 } = site
  if (site.children === undefined) return leafTag(site, site, `${id}-0`, isFirst)
  const box = { x: x0, y: y0, width: x1 - x0, height: headPx }
  const name = tag('text', { class: 'site', x: x0 + 4, y: y0 + 13 }, fitted(site.data.name, box.width - 6))
  return tag(
    'g',
    {},
    ...clipped(box, `${id}-name`, [name]),
    ...site.children.map((leaf, i) => leafTag(leaf, site, `${id}-${i}`, false)),
  )
}

function leafTag({ x0, y0, x1, y1, data }: Node, site: Node, id: string, isFirst: boolean): Tag {
  const box = { x: x0, y: y0, width: x1 - x0, height: y1 - y0 }
  const { width, height } = box
  if (width <= 0 || height <= 0) return tag('g')
  const all = data.held + data.waiting
  const filled = all > 0 ? Math.round((height * data.held) / all) : 0
  const where = data === site.data ? data.name : `${site.data.name} ${data.name}`
  const words = `${where}: ${percentText(data.held)} of all importance held, ${percentText(data.waiting)} waiting${data.more ?? ''}`
  const room = fittedChars(width - 8)
  // A name may be cut, a number not.
  const hasRoom = [room >= Math.min(nameCharsMin, data.name.length), room >= percentText(all).length]
  const lines = [data.name, percentText(all)]
    .filter((_, i) => hasRoom[i] && height >= nameHeightMin + i * lineHeight)
    .map((text, i) =>
      tag(
        'text',
        { class: i === 0 ? 'name' : 'value', x: x0 + 5, y: y0 + 14 + i * lineHeight },
        fitted(text, width - 8),
      ),
    )
  const isNamed = hasRoom[0] && lines.length > 0
  const { href, key } = data
  const content = [
    tag('title', {}, words),
    tag('rect', { class: 'rest', ...box }),
    ...(filled > 0 ? [tag('rect', { class: 'held', ...box, y: y1 - filled, height: filled })] : []),
    ...(isNamed ? clipped(box, id, lines) : []),
  ]
  if (href === undefined) return tag('g', { class: 'cell' }, ...content)
  const link = { href, 'data-name': key ?? data.name, tabindex: isFirst ? 0 : -1 }
  return tag('a', { class: 'cell tile', ...link }, ...content)
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Text stays in its rectangle, whatever the width of its letters. */
function clipped(box: Box, id: string, content: readonly Tag[]): Tag[] {
  return [
    tag('clipPath', { id }, tag('rect', { ...box })),
    tag('g', { 'clip-path': `url(#${id})` }, ...content),
  ]
}

function fittedChars(width: number): number {
  return Math.max(0, Math.floor(width / textWidth('x', fontPx)))
}

function fitted(text: string, width: number): string {
  const chars = fittedChars(width)
  return chars < 1 ? '' : shortened(text, chars)
}
