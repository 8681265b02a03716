/**
 * A treemap: the area of a tile is the importance of a site or directory; its filled part is what is held. Tiles are links;
 * the arrow keys move between them.
 */
import { hierarchy, treemap, treemapSquarify, type HierarchyRectangularNode } from 'd3-hierarchy'
import type { ImportanceMap, MapPart } from '../api/index.ts'
import { html, replace } from './element.ts'
import { cutMiddle, percent, plain, plural } from './format.ts'

export interface TreemapTarget {
  /** Undefined: the tile is no link. */
  readonly href: (part: MapPart) => string | undefined
  readonly name: (part: MapPart) => string
}

interface Root {
  readonly children: readonly MapPart[]
}

const massOf = ({ held, resting }: MapPart): number => held + resting

export class Treemap {
  readonly element = html('div', { class: 'treemap', role: 'list', 'aria-label': 'Tiles by importance' })
  #map: ImportanceMap | undefined
  #target: TreemapTarget | undefined

  constructor(signal: AbortSignal) {
    const observer = new ResizeObserver(() => this.#draw())
    observer.observe(this.element)
    signal.addEventListener('abort', () => observer.disconnect())
    this.element.addEventListener('keydown', (event) => this.#move(event))
  }

  show(map: ImportanceMap, target: TreemapTarget): void {
    this.#map = map
    this.#target = target
    this.#draw()
  }

  #draw(): void {
    const { clientWidth: width, clientHeight: height } = this.element
    if (this.#map === undefined || width === 0 || height === 0) return
    const root: Root = { children: this.#map.parts.filter((part) => massOf(part) > 0) }
    const tree = hierarchy<Root | MapPart>(root, (node) =>
      'children' in node ? node.children : undefined,
    ).sum((node) => ('children' in node ? 0 : massOf(node)))
    const laidOut = treemap<Root | MapPart>()
      .size([width, height])
      .tile(treemapSquarify.ratio(1.4))
      .paddingInner(2)
      .round(true)(tree)
    const focused = document.activeElement?.closest('.tile')?.getAttribute('data-name')
    replace(this.element, ...laidOut.leaves().map((leaf, i) => this.#tile(leaf, i === 0)))
    if (focused !== null && focused !== undefined) {
      this.#tiles.find(({ dataset }) => dataset['name'] === focused)?.focus()
    }
  }

  #tile({ x0, y0, x1, y1, data }: HierarchyRectangularNode<Root | MapPart>, isFirst: boolean): HTMLElement {
    const part = data as MapPart
    const { href, name } = this.#target!
    const [width, height] = [x1 - x0, y1 - y0]
    const text = cutMiddle(plain(name(part)), 120)
    const share = part.held / massOf(part)
    const size = percent(massOf(part))
    const more = ` of the importance, ${percent(share)} of it held, ${plural(part.pages, 'page')} fetched, ${plural(part.waiting, 'page')} waiting`
    const address = href(part)
    const fill = html('span', { class: 'fill', 'aria-hidden': 'true' })
    fill.style.blockSize = `${100 * share}%`
    const hasRoom = width > 44 && height > 20
    const hasSize = hasRoom && height > 38
    const content = [
      fill,
      html('span', { class: hasRoom ? 'name' : 'unseen' }, text),
      html('span', { class: hasSize ? 'value' : 'unseen' }, size),
      html('span', { class: 'unseen' }, more),
    ]
    const attributes = {
      class: `tile${address === undefined ? ' is-rest' : ''}`,
      title: `${text}: ${size}${more}`,
      'data-name': part.name ?? '',
    }
    const tile =
      address === undefined
        ? html('span', attributes, ...content)
        : html('a', { ...attributes, href: address, tabindex: isFirst ? 0 : -1 }, ...content)
    const item = html('div', { role: 'listitem', class: 'place' }, tile)
    Object.assign(item.style, { left: `${x0}px`, top: `${y0}px`, width: `${width}px`, height: `${height}px` })
    return item
  }

  get #tiles(): HTMLElement[] {
    return [...this.element.querySelectorAll<HTMLElement>('a.tile')]
  }

  /** To the nearest tile in the direction of an arrow key. */
  #move(event: KeyboardEvent): void {
    const direction = directions[event.key]
    const from = document.activeElement?.closest<HTMLElement>('.tile')
    if (direction === undefined || from === null || from === undefined) return
    event.preventDefault()
    const [dx, dy] = direction
    const start = centre(from)
    let best: { tile: HTMLElement; cost: number } | undefined
    for (const tile of this.#tiles) {
      const { x, y } = centre(tile)
      const along = (x - start.x) * dx + (y - start.y) * dy
      const across = Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx)
      if (tile === from || along <= 0) continue
      const cost = along + 2 * across
      if (best === undefined || cost < best.cost) best = { tile, cost }
    }
    if (best === undefined) return
    for (const tile of this.#tiles) tile.tabIndex = tile === best.tile ? 0 : -1
    best.tile.focus()
  }
}

const directions: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

function centre(element: HTMLElement): { x: number; y: number } {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { x: left + width / 2, y: top + height / 2 }
}
