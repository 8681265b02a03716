/**
 * A treemap of the importance of sites and their directories, as SVG: the area of a rectangle is the importance
 * that its pages hold or would hold, and the filled part of it is what is held. A report draws it twice, for wide and for
 * narrow screens, like plots; the dashboard draws it in the size of its place, and its rectangles are links.
 */
import { hierarchy, treemap, treemapSquarify, type HierarchyRectangularNode } from 'd3-hierarchy'
import type { ComponentChildren, VNode } from 'preact'
import { percentText } from '../../lib/amounts.ts'
import { shortened, textWidth } from './words.tsx'

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

interface TreemapProps {
  readonly parts: readonly MapPart[]
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
export function LegibleTreemap({
  parts,
  id,
  title,
  layout,
}: Pick<TreemapProps, 'parts' | 'id' | 'title'> & { readonly layout: 'wide' | 'narrow' }): VNode {
  const [width, height] = layout === 'wide' ? [800, 460] : [360, 480]
  const shown = legible(parts, width * height)
  return <Treemap parts={shown} id={`${id}-${layout}`} class={layout} {...{ title, width, height }} />
}

export function Treemap({ parts, id, title, width, height, class: name = '' }: TreemapProps): VNode {
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
  const isLinked = parts.some(({ href }) => href !== undefined)
  return (
    <svg
      class={`${name} treemap`.trim()}
      id={id}
      viewBox={`0 0 ${width} ${height}`}
      xmlns="http://www.w3.org/2000/svg"
      role={isLinked ? 'group' : 'img'}
      aria-labelledby={isLinked ? `${id}-title` : `${id}-title ${id}-desc`}
    >
      <title id={`${id}-title`}>{title}</title>
      <desc id={`${id}-desc`}>{described(parts)}</desc>
      {(root.children ?? []).map((site, i) => (
        <Site key={site.data.key ?? site.data.name} site={site} id={`${id}-${i}`} isFirst={i === 0} />
      ))}
    </svg>
  )
}

/** Sites whose area is too small for a name become one part. */
function legible(parts: readonly MapPart[], area: number): readonly MapPart[] {
  const all = parts.reduce((sum, part) => sum + massOf(part), 0)
  const isSmall = (part: MapPart): boolean => part.isRest === true || massOf(part) * area < siteAreaMin * all
  const small = parts.filter(isSmall)
  if (small.length < 2) return parts
  const held = small.reduce((sum, part) => sum + part.held, 0)
  const waiting = small.reduce((sum, part) => sum + part.waiting, 0)
  return [...parts.filter((part) => !isSmall(part)), { name: 'smaller sites', held, waiting }]
}

function massOf({ held, waiting }: MapPart): number {
  return held + waiting
}

const describedMax = 5

function described(parts: readonly MapPart[]): string {
  return parts
    .slice(0, describedMax)
    .map(
      ({ name, held, waiting }) =>
        `${shortened(name, 60)}: ${percentText(held)} held, ${percentText(waiting)} waiting`,
    )
    .join('; ')
}

interface SiteProps {
  readonly site: Node
  readonly id: string
  readonly isFirst: boolean
}

function Site({ site, id, isFirst }: SiteProps): VNode {
  const { x0, y0, x1, children, data } = site
  if (children === undefined) return <Leaf leaf={site} site={site} id={`${id}-0`} isFirst={isFirst} />
  const box = { x: x0, y: y0, width: x1 - x0, height: headPx }
  return (
    <g>
      <Clipped box={box} id={`${id}-name`}>
        <text class="site" x={x0 + 4} y={y0 + 13}>
          {fitted(data.name, box.width - 6)}
        </text>
      </Clipped>
      {children.map((leaf, i) => (
        <Leaf leaf={leaf} site={site} id={`${id}-${i}`} isFirst={false} />
      ))}
    </g>
  )
}

function Leaf({ leaf, site, id, isFirst }: SiteProps & { readonly leaf: Node }): VNode {
  const { x0, y0, x1, y1, data } = leaf
  const box = { x: x0, y: y0, width: x1 - x0, height: y1 - y0 }
  const { width, height } = box
  if (width <= 0 || height <= 0) return <g />
  const all = massOf(data)
  const filled = all > 0 ? Math.round((height * data.held) / all) : 0
  const where = data === site.data ? data.name : `${site.data.name} ${data.name}`
  const content = (
    <>
      <title>
        {`${where}: ${percentText(data.held)} of all importance held, ${percentText(data.waiting)} waiting${data.more ?? ''}`}
      </title>
      <rect class="rest" {...box} />
      {filled > 0 && <rect class="held" {...box} y={y1 - filled} height={filled} />}
      <Names data={data} box={box} id={id} />
    </>
  )
  const { href, key } = data
  if (href === undefined) return <g class="cell">{content}</g>
  return (
    <a class="cell tile" href={href} data-name={key ?? data.name} tabindex={isFirst ? 0 : -1}>
      {content}
    </a>
  )
}

/** Name and share, as far as there is room. A name may be cut, a number not. */
function Names({ data, box, id }: { data: MapPart; box: Box; id: string }): VNode | null {
  const { x, y, width, height } = box
  const share = percentText(massOf(data))
  const room = fittedChars(width - 8)
  if (room < Math.min(nameCharsMin, data.name.length) || height < nameHeightMin) return null
  const hasShare = room >= share.length && height >= nameHeightMin + lineHeight
  return (
    <Clipped box={box} id={id}>
      <text class="name" x={x + 5} y={y + 14}>
        {fitted(data.name, width - 8)}
      </text>
      {hasShare && (
        <text class="value" x={x + 5} y={y + 14 + lineHeight}>
          {share}
        </text>
      )}
    </Clipped>
  )
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Text stays in its rectangle, whatever the width of its letters. */
function Clipped({ box, id, children }: { box: Box; id: string; children: ComponentChildren }): VNode {
  return (
    <>
      <clipPath id={id}>
        <rect {...box} />
      </clipPath>
      <g clip-path={`url(#${id})`}>{children}</g>
    </>
  )
}

function fittedChars(width: number): number {
  return Math.max(0, Math.floor(width / textWidth('x', fontPx)))
}

function fitted(text: string, width: number): string {
  const chars = fittedChars(width)
  return chars < 1 ? '' : shortened(text, chars)
}
