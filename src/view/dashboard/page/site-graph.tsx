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
import type { VNode } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { finePercentText, grouped, plural } from '../../../lib/amounts.ts'
import type { SiteGraph } from '../api/index.ts'
import { useSize } from './context.ts'
import { cutMiddle, plain } from './format.ts'
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

/** Centre and size of what is shown, in units of the layout. */
interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const ticks = 220
const nameCharsMax = 24
const zoomMax = 12
const marginPx = 50

export function SiteGraphFrame({ graph }: { graph: SiteGraph }): VNode {
  const { nodes, links, whole } = useMemo(() => layOut(graph), [graph])
  const drawing = useRef<SVGSVGElement>(null)
  const size = useSize(drawing)
  const [seen, setSeen] = useState<Box>()
  const [chosen, setChosen] = useState<number>()
  /** The one that is read out stays when the pointer has left it. */
  const [said, setSaid] = useState<number>()
  const box = seen ?? whole
  // Names keep their size on the screen. Those that do not fit appear when a site is pointed at or focused.
  const unit = size.width === 0 ? 1 : Math.max(box.width / size.width, box.height / size.height)
  const choose = (index: number | undefined): void => {
    setChosen(index)
    if (index !== undefined) setSaid(index)
  }
  const zoom = (factor: number, at: { x: number; y: number } = box): void =>
    setSeen(zoomed(box, whole, factor, at))
  useWheel(drawing, zoom)

  const own = chosen === undefined ? [] : linksOf(links, chosen)
  const near = new Set(own.flatMap(({ source, target }) => [source.index, target.index]))
  const lines = useMemo(() => <Lines links={links} all={links} />, [links])
  const fitting = useMemo(() => namesThatFit(graph, nodes, unit), [nodes, unit])
  const dots = useMemo(
    () =>
      nodes.map((node) => (
        <Dot
          node={node}
          site={graph.sites[node.index]}
          isNamed={fitting.has(node.index)}
          unit={unit}
          kind={node.index === chosen ? ' is-chosen is-near' : near.has(node.index) ? ' is-near' : ''}
          choose={choose}
        />
      )),
    [nodes, unit, chosen],
  )
  const button = (text: string, label: string, act: () => void): VNode => (
    <button type="button" aria-label={label} title={label} onClick={act}>
      {text}
    </button>
  )
  return (
    <div class="graph-frame">
      <div class="zoom">
        {button('+', 'Zoom in', () => zoom(0.7))}
        {button('−', 'Zoom out', () => zoom(1 / 0.7))}
        {button('⤢', 'Show all', () => setSeen(undefined))}
      </div>
      <svg
        ref={drawing}
        class={`graph${chosen === undefined ? '' : ' has-chosen'}`}
        role="group"
        aria-label="Links between sites"
        viewBox={`${box.x - box.width / 2} ${box.y - box.height / 2} ${box.width} ${box.height}`}
        style={{ '--unit': unit }}
        onPointerDown={(event) => drag(event, box, setSeen)}
        onKeyDown={(event) => step(event, zoom)}
      >
        {lines}
        <Lines links={own} all={links} kind="is-near" />
        <g>{dots}</g>
      </svg>
      <p class="chosen" aria-live="polite">
        {said === undefined ? (
          `${plural(nodes.length, 'site')}, ${plural(links.length, 'pair')} that link to one another`
        ) : (
          <Said site={graph.sites[said]} index={said} links={linksOf(links, said)} />
        )}
      </p>
    </div>
  )
}

const linksOf = (links: readonly Link[], index: number): Link[] =>
  links.filter(({ source, target }) => source.index === index || target.index === index)

type Site = SiteGraph['sites'][number]

function Said({ site, index, links }: { site: Site; index: number; links: readonly Link[] }): VNode {
  const sum = (of: readonly Link[]): number => of.reduce((all, { carries }) => all + carries, 0)
  const into = sum(links.filter(({ target }) => target.index === index))
  const out = sum(links.filter(({ source }) => source.index === index))
  return (
    <>
      <b>{cutMiddle(plain(site.site), 64)}</b>
      {` · ${finePercentText(site.held)} held, ${finePercentText(site.resting)} waiting · ${grouped(site.pages)} pages · receives ${finePercentText(into)}, gives ${finePercentText(out)} by links`}
    </>
  )
}

interface LinesProps {
  readonly links: readonly Link[]
  /** Those that the widths are relative to. */
  readonly all: readonly Link[]
  readonly kind?: string
}

function Lines({ links, all, kind }: LinesProps): VNode {
  const most = all.reduce((max, { carries }) => Math.max(max, carries), 1e-300)
  return (
    <g class="links" aria-hidden="true">
      {links.map(({ source, target, carries }) => {
        const share = Math.sqrt(carries / most)
        return (
          <line
            class={kind}
            x1={source.x.toFixed(1)}
            y1={source.y.toFixed(1)}
            x2={target.x.toFixed(1)}
            y2={target.y.toFixed(1)}
            stroke-width={(0.3 + 3.2 * share).toFixed(2)}
            stroke-opacity={(0.2 + 0.5 * share).toFixed(2)}
          />
        )
      })}
    </g>
  )
}

interface DotProps {
  readonly node: Node
  readonly site: Site
  readonly isNamed: boolean
  readonly unit: number
  readonly kind: string
  readonly choose: (index: number | undefined) => void
}

function Dot({ node, site: { site, held, resting, pages }, isNamed, unit, kind, choose }: DotProps): VNode {
  const { index, x, y, radius } = node
  const name = cutMiddle(plain(site), nameCharsMax)
  const share = held / Math.max(held + resting, 1e-300)
  const label = `${name}: ${finePercentText(held + resting)} of the importance, ${finePercentText(share)} of it held, ${plural(pages, 'page')}`
  const ring = Math.min(3.5, radius * 0.4)
  const round = 2 * Math.PI * radius
  const leave = (): void => choose(undefined)
  return (
    <a
      href={hrefOf('site', { site })}
      class={`node${kind}`}
      aria-label={label}
      tabindex={index === 0 ? 0 : -1}
      onPointerEnter={() => choose(index)}
      onFocus={() => choose(index)}
      onPointerLeave={leave}
      onBlur={leave}
    >
      <title>{label}</title>
      <circle class="disc" cx={x} cy={y} r={radius} stroke-width={ring} />
      <circle
        class="held"
        cx={x}
        cy={y}
        r={radius}
        stroke-width={ring}
        stroke-dasharray={`${share * round} ${round}`}
        transform={`rotate(-90 ${x} ${y})`}
      />
      <text class={isNamed ? 'name' : 'name extra'} x={x} y={y + radius + 11 * unit} text-anchor="middle">
        {name}
      </text>
    </a>
  )
}

/** Around a point, which stays where it is. */
function zoomed(box: Box, whole: Box, factor: number, at: { x: number; y: number }): Box {
  const { x, y, width, height } = box
  const least = whole.width / zoomMax
  const bounded = Math.min(Math.max(width * factor, least), whole.width * 1.5) / width
  return {
    x: at.x + (x - at.x) * bounded,
    y: at.y + (y - at.y) * bounded,
    width: width * bounded,
    height: height * bounded,
  }
}

type Zoom = (factor: number, at?: { x: number; y: number }) => void

/** With Control only, as on maps: the page must stay scrollable. Listeners of Preact cannot prevent scrolling. */
function useWheel(drawing: { readonly current: SVGSVGElement | null }, zoom: Zoom): void {
  const newest = useRef(zoom)
  newest.current = zoom
  useLayoutEffect(() => {
    drawing.current!.addEventListener(
      'wheel',
      (event) => {
        const matrix = drawing.current?.getScreenCTM()
        if (!event.ctrlKey || matrix === null || matrix === undefined) return
        event.preventDefault()
        const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse())
        newest.current(event.deltaY > 0 ? 1.15 : 1 / 1.15, { x, y })
      },
      { passive: false },
    )
  }, [])
}

function drag(down: PointerEvent, box: Box, look: (box: Box) => void): void {
  if ((down.target as Element).closest('.node') !== null) return
  const drawing = down.currentTarget as SVGSVGElement
  const scale = drawing.getScreenCTM()?.a ?? 1
  const move = ({ clientX, clientY }: PointerEvent): void =>
    look({
      ...box,
      x: box.x - (clientX - down.clientX) / scale,
      y: box.y - (clientY - down.clientY) / scale,
    })
  drawing.setPointerCapture(down.pointerId)
  drawing.addEventListener('pointermove', move)
  const end = (): void => drawing.removeEventListener('pointermove', move)
  drawing.addEventListener('pointerup', end, { once: true })
  drawing.addEventListener('pointercancel', end, { once: true })
}

/** Left and right: the sites in the order of their importance; + and −: zoom. */
function step(event: KeyboardEvent, zoom: Zoom): void {
  if (event.key === '+' || event.key === '-') return zoom(event.key === '+' ? 0.7 : 1 / 0.7)
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
  const nodes = [...(event.currentTarget as Element).querySelectorAll<SVGAElement>('.node')]
  const at = nodes.findIndex((node) => node === document.activeElement)
  if (by === undefined || at < 0) return
  event.preventDefault()
  const next = nodes[(at + by + nodes.length) % nodes.length]
  for (const node of nodes) node.setAttribute('tabindex', node === next ? '0' : '-1')
  next.focus()
}

function layOut({ sites, links }: SiteGraph): { nodes: Node[]; links: Link[]; whole: Box } {
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
  const xs = nodes.flatMap(({ x, radius }) => [x - radius, x + radius])
  const ys = nodes.flatMap(({ y, radius }) => [y - radius, y + radius])
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const whole = {
    x: (left + right) / 2,
    y: (top + bottom) / 2,
    width: right - left + 2 * marginPx,
    height: bottom - top + 2 * marginPx,
  }
  return { nodes, links: pairs, whole }
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
