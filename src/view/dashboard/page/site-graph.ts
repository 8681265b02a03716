/**
 * The links between the largest sites. The area of a node is the importance of the site, its ring the share that is not
 * held. The layout is computed at once and does not move afterwards.
 */
import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationLinkDatum,
  type SimulationNodeDatum,
} from 'd3-force'
import type { SiteGraph } from '../api/index.ts'
import { html, replace, svg } from './element.ts'
import { count, cutMiddle, percent, plain, plural } from './format.ts'
import { hrefOf } from './route.ts'

interface Node extends SimulationNodeDatum {
  readonly index: number
  readonly radius: number
  x: number
  y: number
}
interface Link extends SimulationLinkDatum<Node> {
  readonly source: Node
  readonly target: Node
  readonly carries: number
}

const ticks = 220
const nameCharsMax = 24
const zoomMax = 12

export class SiteGraphElement {
  readonly element: HTMLElement
  readonly #drawing = svg('svg', { class: 'graph', role: 'group', 'aria-label': 'Links between sites' })
  readonly #chosen = html('p', { class: 'chosen', 'aria-live': 'polite' })
  #graph: SiteGraph | undefined
  #nodes: readonly Node[] = []
  /** Centre and width of what is shown, in units of the layout. */
  #box = { x: 0, y: 0, width: 1000, height: 600 }
  #whole = { x: 0, y: 0, width: 1000, height: 600 }

  constructor(signal: AbortSignal) {
    const observer = new ResizeObserver(() => this.#look(this.#box))
    observer.observe(this.#drawing)
    signal.addEventListener('abort', () => observer.disconnect())
    const button = (text: string, label: string, act: () => void): HTMLElement =>
      html('button', { type: 'button', 'aria-label': label, title: label, onclick: act }, text)
    this.element = html(
      'div',
      { class: 'graph-frame' },
      html(
        'div',
        { class: 'zoom' },
        button('+', 'Zoom in', () => this.#zoom(0.7)),
        button('−', 'Zoom out', () => this.#zoom(1 / 0.7)),
        button('⤢', 'Show all', () => this.#look(this.#whole)),
      ),
      this.#drawing,
      this.#chosen,
    )
    this.#drawing.addEventListener('wheel', (event) => this.#wheel(event), { passive: false })
    this.#drawing.addEventListener('pointerdown', (event) => this.#drag(event))
    this.#drawing.addEventListener('keydown', (event) => this.#key(event))
  }

  show(graph: SiteGraph): void {
    this.#graph = graph
    const { nodes, links } = layOut(graph)
    const carriesMax = Math.max(...links.map(({ carries }) => carries), 1e-300)
    this.#nodes = nodes
    replace(
      this.#drawing,
      svg('g', { class: 'links', 'aria-hidden': 'true' }, ...links.map((link) => lineOf(link, carriesMax))),
      svg('g', {}, ...nodes.map((node) => this.#node(node))),
    )
    const xs = nodes.flatMap(({ x, radius }) => [x - radius, x + radius])
    const ys = nodes.flatMap(({ y, radius }) => [y - radius, y + radius])
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
    const margin = 50
    this.#whole = {
      x: (left + right) / 2,
      y: (top + bottom) / 2,
      width: right - left + 2 * margin,
      height: bottom - top + 2 * margin,
    }
    this.#look(this.#whole)
    replace(
      this.#chosen,
      `${plural(nodes.length, 'site')}, ${plural(links.length, 'pair')} that link to one another`,
    )
  }

  #node(node: Node): SVGElement {
    const { site, held, resting, pages } = this.#graph!.sites[node.index]
    const { x, y, radius } = node
    const name = cutMiddle(plain(site), nameCharsMax)
    const share = held / Math.max(held + resting, 1e-300)
    const label = `${name}: ${percent(held + resting)} of the importance, ${percent(share)} of it held, ${plural(pages, 'page')}`
    const ring = Math.min(3.5, radius * 0.4)
    const round = 2 * Math.PI * radius
    const link = svg(
      'a',
      {
        href: hrefOf('site', { site }),
        class: 'node',
        'aria-label': label,
        'data-index': node.index,
        tabindex: node.index === 0 ? 0 : -1,
      },
      svg('title', {}, label),
      svg('circle', { class: 'disc', cx: x, cy: y, r: radius, 'stroke-width': ring }),
      svg('circle', {
        class: 'held',
        cx: x,
        cy: y,
        r: radius,
        'stroke-width': ring,
        'stroke-dasharray': `${share * round} ${round}`,
        transform: `rotate(-90 ${x} ${y})`,
      }),
      svg(
        'text',
        {
          class: 'name extra',
          x,
          y: y + radius + 11,
          'text-anchor': 'middle',
        },
        name,
      ),
    )
    link.addEventListener('pointerenter', () => this.#choose(node.index))
    link.addEventListener('focus', () => this.#choose(node.index))
    link.addEventListener('pointerleave', () => this.#drawing.classList.remove('has-chosen'))
    link.addEventListener('blur', () => this.#drawing.classList.remove('has-chosen'))
    return link
  }

  /** Marks a site, its links and the sites at their other ends. */
  #choose(index: number): void {
    const { sites, links } = this.#graph!
    const own = links.filter(({ from, to }) => from === index || to === index)
    const near = new Set(own.flatMap(({ from, to }) => [from, to]))
    for (const node of this.#drawing.querySelectorAll('.node')) {
      node.classList.toggle('is-near', near.has(Number(node.getAttribute('data-index'))))
      node.classList.toggle('is-chosen', Number(node.getAttribute('data-index')) === index)
    }
    for (const line of this.#drawing.querySelectorAll('.links line')) {
      const isOwn =
        line.getAttribute('data-from') === String(index) || line.getAttribute('data-to') === String(index)
      line.classList.toggle('is-near', isOwn)
    }
    this.#drawing.classList.add('has-chosen')
    const { site, held, resting, pages } = sites[index]
    const out = own.filter(({ from }) => from === index).reduce((sum, { carries }) => sum + carries, 0)
    const into = own.filter(({ to }) => to === index).reduce((sum, { carries }) => sum + carries, 0)
    replace(
      this.#chosen,
      html('b', {}, cutMiddle(plain(site), 64)),
      ` · ${percent(held)} held, ${percent(resting)} waiting · ${count(pages)} pages · receives ${percent(into)}, gives ${percent(out)} by links`,
    )
  }

  #look(box: { x: number; y: number; width: number; height: number }): void {
    this.#box = box
    const { x, y, width, height } = box
    this.#drawing.setAttribute('viewBox', `${x - width / 2} ${y - height / 2} ${width} ${height}`)
    const { clientWidth, clientHeight } = this.#drawing
    if (clientWidth === 0 || this.#graph === undefined) return
    // Names keep their size on the screen. Those that do not fit appear when a site is pointed at or focused.
    const unit = Math.max(width / clientWidth, height / clientHeight)
    this.#drawing.style.setProperty('--unit', String(unit))
    const fitting = namesThatFit(this.#graph, this.#nodes, unit)
    for (const [index, node] of this.#drawing.querySelectorAll('.node').entries()) {
      const name = node.querySelector('.name')!
      name.classList.toggle('extra', !fitting.has(index))
      name.setAttribute('y', String(this.#nodes[index].y + this.#nodes[index].radius + 11 * unit))
    }
  }

  /** Around a point, which stays where it is. */
  #zoom(factor: number, at = { x: this.#box.x, y: this.#box.y }): void {
    const { x, y, width, height } = this.#box
    const least = this.#whole.width / zoomMax
    const bounded = Math.min(Math.max(width * factor, least), this.#whole.width * 1.5) / width
    this.#look({
      x: at.x + (x - at.x) * bounded,
      y: at.y + (y - at.y) * bounded,
      width: width * bounded,
      height: height * bounded,
    })
  }

  /** With Control only, as on maps: the page must stay scrollable. */
  #wheel(event: WheelEvent): void {
    if (!event.ctrlKey) return
    event.preventDefault()
    this.#zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, this.#pointAt(event))
  }

  #pointAt({ clientX, clientY }: MouseEvent): { x: number; y: number } {
    const matrix = this.#drawing.getScreenCTM()
    if (matrix === null) return this.#box
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse())
    return { x, y }
  }

  #drag(down: PointerEvent): void {
    if ((down.target as Element).closest('.node') !== null) return
    const scale = this.#drawing.getScreenCTM()?.a ?? 1
    const { x, y } = this.#box
    const move = (event: PointerEvent): void =>
      this.#look({
        ...this.#box,
        x: x - (event.clientX - down.clientX) / scale,
        y: y - (event.clientY - down.clientY) / scale,
      })
    this.#drawing.setPointerCapture(down.pointerId)
    this.#drawing.addEventListener('pointermove', move)
    const end = (): void => this.#drawing.removeEventListener('pointermove', move)
    this.#drawing.addEventListener('pointerup', end, { once: true })
    this.#drawing.addEventListener('pointercancel', end, { once: true })
  }

  /** Left and right: the sites in the order of their importance; + and −: zoom. */
  #key(event: KeyboardEvent): void {
    if (event.key === '+' || event.key === '-') return this.#zoom(event.key === '+' ? 0.7 : 1 / 0.7)
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    const nodes = [...this.#drawing.querySelectorAll<SVGAElement>('.node')]
    const at = nodes.findIndex((node) => node === document.activeElement)
    if (step === undefined || at < 0) return
    event.preventDefault()
    const next = nodes[(at + step + nodes.length) % nodes.length]
    for (const node of nodes) node.setAttribute('tabindex', node === next ? '0' : '-1')
    next.focus()
  }
}

function layOut({ sites, links }: SiteGraph): { nodes: Node[]; links: Link[] } {
  const largest = Math.max(...sites.map(({ held, resting }) => held + resting), 1e-300)
  const nodes: Node[] = sites.map(({ held, resting }, index) => ({
    index,
    radius: 4 + 26 * Math.sqrt((held + resting) / largest),
    // A spiral: the same sites always get the same places.
    x: 14 * Math.sqrt(index) * Math.cos(2.4 * index),
    y: 9 * Math.sqrt(index) * Math.sin(2.4 * index),
  }))
  const pairs: Link[] = links.map(({ from, to, carries }) => ({
    source: nodes[from],
    target: nodes[to],
    carries,
  }))
  const carriesMax = Math.max(...links.map(({ carries }) => carries), 1e-300)
  forceSimulation(nodes)
    .force(
      'charge',
      forceManyBody<Node>().strength(({ radius }) => -30 - 6 * radius),
    )
    .force(
      'links',
      forceLink<Node, Link>(pairs)
        .distance(({ source, target }) => 50 + source.radius + target.radius)
        .strength(({ carries }) => 0.02 + 0.25 * Math.sqrt(carries / carriesMax)),
    )
    .force('x', forceX<Node>(0).strength(0.035))
    .force('y', forceY<Node>(0).strength(0.075))
    .force(
      'collide',
      forceCollide<Node>(({ radius }) => radius + 7),
    )
    .stop()
    .tick(ticks)
  return { nodes, links: pairs }
}

/** The names that overlap no name of a more important site. */
function namesThatFit({ sites }: SiteGraph, nodes: readonly Node[], unit: number): Set<number> {
  const boxes: { left: number; right: number; top: number }[] = []
  const fitting = nodes.filter(({ index, x, y, radius }) => {
    const half = 3.3 * unit * Math.min(nameCharsMax, sites[index].site.length)
    const box = { left: x - half, right: x + half, top: y + radius }
    const isFree = boxes.every(
      ({ left, right, top }) => box.right < left || box.left > right || Math.abs(box.top - top) > 14 * unit,
    )
    if (isFree) boxes.push(box)
    return isFree
  })
  return new Set(fitting.map(({ index }) => index))
}

function lineOf({ source, target, carries }: Link, carriesMax: number): SVGElement {
  const share = Math.sqrt(carries / carriesMax)
  return svg('line', {
    x1: source.x.toFixed(1),
    y1: source.y.toFixed(1),
    x2: target.x.toFixed(1),
    y2: target.y.toFixed(1),
    'data-from': source.index,
    'data-to': target.index,
    'stroke-width': (0.3 + 3.2 * share).toFixed(2),
    'stroke-opacity': (0.2 + 0.5 * share).toFixed(2),
  })
}
