/** The treemap in the size of its place. Its tiles are links; the arrow keys move between them. */
import { treemapTag, type MapPart } from '../../pictures/treemap.ts'
import { elementOf, html, replace } from './element.ts'

export class Treemap {
  readonly element = html('div', { class: 'map-frame' })
  #parts: readonly MapPart[] | undefined

  constructor(signal: AbortSignal) {
    const observer = new ResizeObserver(() => this.#draw())
    observer.observe(this.element)
    signal.addEventListener('abort', () => observer.disconnect())
    this.element.addEventListener('keydown', (event) => this.#move(event))
  }

  show(parts: readonly MapPart[]): void {
    this.#parts = parts.filter(({ held, waiting }) => held + waiting > 0)
    this.#draw()
  }

  #draw(): void {
    const { clientWidth: width, clientHeight: height } = this.element
    if (this.#parts === undefined || width === 0 || height === 0) return
    const focused = this.element.contains(document.activeElement)
      ? (document.activeElement as SVGElement).dataset['name']
      : undefined
    const size = { id: 'map', title: 'Tiles by importance', width, height }
    replace(this.element, elementOf(treemapTag(this.#parts, size)))
    if (focused !== undefined) this.#tiles.find(({ dataset }) => dataset['name'] === focused)?.focus()
  }

  get #tiles(): SVGElement[] {
    return [...this.element.querySelectorAll<SVGElement>('a.tile')]
  }

  /** To the nearest tile in the direction of an arrow key. */
  #move(event: KeyboardEvent): void {
    const direction = directions[event.key]
    const from = document.activeElement?.closest<SVGElement>('.tile')
    if (direction === undefined || from === null || from === undefined) return
    event.preventDefault()
    const [dx, dy] = direction
    const start = centre(from)
    let best: { tile: SVGElement; cost: number } | undefined
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

function centre(element: Element): { x: number; y: number } {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { x: left + width / 2, y: top + height / 2 }
}
