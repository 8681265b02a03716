/**
 * The politeness timeline of a site: requests as bars on a time axis. The band after each bar is the gap that the crawl
 * has to keep; the next bar never begins inside it.
 */
import { scaleTime } from 'd3-scale'
import type { SiteDetail, SiteRequest } from '../api/index.ts'
import { html, replace, svg } from './element.ts'
import { bytes, cutMiddle, duration, plain, plural, timeOfDay } from './format.ts'
import { pageLink } from './parts.ts'

const heightPx = 116
const barTop = 16
const barBottom = 64
const sidePx = 8

export class Timeline {
  readonly element: HTMLElement
  readonly #plot = html('div', { class: 'timeline-plot' })
  readonly #chosen = html('p', { class: 'chosen' })
  readonly #range = html('input', { type: 'range', min: 0, step: 1, 'aria-label': 'Request' })
  #requests: readonly SiteRequest[] = []
  #politeness: SiteDetail['politeness'] | undefined

  constructor(signal: AbortSignal) {
    this.element = html('div', { class: 'timeline' }, this.#plot, this.#range, this.#chosen)
    this.#range.addEventListener('input', () => this.#choose(Number(this.#range.value)))
    const observer = new ResizeObserver(() => this.#draw())
    observer.observe(this.#plot)
    signal.addEventListener('abort', () => observer.disconnect())
  }

  show(requests: readonly SiteRequest[], politeness: SiteDetail['politeness']): void {
    this.#requests = requests
    this.#politeness = politeness
    this.#range.max = String(Math.max(0, requests.length - 1))
    this.#range.value = this.#range.max
    this.#draw()
  }

  #draw(): void {
    const width = this.#plot.clientWidth
    if (width === 0 || this.#requests.length === 0) return
    const first = this.#requests[0].startMs
    const end = Math.max(...this.#requests.map(endOf))
    const x = scaleTime([first, Math.max(end, first + 1)], [sidePx, width - sidePx])
    const drawing = svg(
      'svg',
      { width, height: heightPx, role: 'img', 'aria-label': this.#summary() },
      ...this.#axis(x, width),
      ...this.#requests.flatMap((request, i) => this.#bar(request, i, (ms) => x(ms))),
    )
    drawing.addEventListener('pointermove', (event) =>
      this.#chooseAt(event, x.invert(event.offsetX).getTime()),
    )
    drawing.addEventListener('click', (event) => this.#chooseAt(event, x.invert(event.offsetX).getTime()))
    replace(this.#plot, drawing)
    this.#choose(Number(this.#range.value))
  }

  #axis(x: ReturnType<typeof scaleTime<number>>, width: number): SVGElement[] {
    const ticks = x.ticks(Math.max(2, Math.floor(width / 110)))
    return ticks.flatMap((tick) => {
      const at = x(tick)
      const anchor = at < 40 ? 'start' : at > width - 40 ? 'end' : 'middle'
      return [
        svg('line', { class: 'grid', x1: at, x2: at, y1: 4, y2: heightPx - 18 }),
        svg('text', { class: 'tick', x: at, y: heightPx - 4, 'text-anchor': anchor }, tickText(tick)),
      ]
    })
  }

  #bar(request: SiteRequest, index: number, x: (ms: number) => number): SVGElement[] {
    const from = x(request.startMs)
    const to = x(endOf(request))
    const width = Math.max(2, to - from)
    const required = x(endOf(request) + 1000 * this.#required(request)) - to
    const next = this.#requests[index + 1]
    const parts: SVGElement[] = [
      svg('rect', {
        class: 'rest',
        x: to,
        y: barTop + 8,
        width: Math.max(0, required),
        height: barBottom - barTop - 16,
      }),
      svg('rect', {
        class: `request${request.isError ? ' is-error' : ''}`,
        'data-index': index,
        x: from,
        y: request.isError ? barTop - 6 : barTop,
        width,
        height: barBottom - (request.isError ? barTop - 6 : barTop),
        rx: Math.min(2, width / 2),
      }),
    ]
    if (next === undefined) return parts
    const gap = x(next.startMs) - to
    if (gap < 46) return parts
    const middle = to + gap / 2
    const text = duration(Math.max(0, next.startMs - endOf(request)) / 1000)
    return [
      ...parts,
      svg('path', { class: 'gap', d: `M${to + 2} ${barBottom + 10}v-4v8v-4H${to + gap - 2}v-4v8` }),
      svg('text', { class: 'tick', x: middle, y: barBottom + 26, 'text-anchor': 'middle' }, text),
    ]
  }

  /** The gap after a request that the settings ask for, in seconds. */
  #required({ durationMs }: SiteRequest): number {
    const { waitSeconds = 0, waitFactor = 0, crawlDelaySeconds = 0 } = this.#politeness ?? {}
    return Math.max(waitSeconds, (waitFactor * durationMs) / 1000, crawlDelaySeconds)
  }

  #gaps(): number[] {
    return this.#requests.slice(1).map(({ startMs }, i) => (startMs - endOf(this.#requests[i])) / 1000)
  }

  #summary(): string {
    const gaps = this.#gaps().toSorted((a, b) => a - b)
    if (gaps.length === 0) return '1 request'
    return `${plural(this.#requests.length, 'request')}; gaps between them from ${duration(Math.max(0, gaps[0]))} to ${duration(Math.max(0, gaps.at(-1)!))}, median ${duration(Math.max(0, gaps[gaps.length >> 1]))}`
  }

  #chooseAt(_event: Event, ms: number): void {
    const index = this.#requests.findLastIndex(({ startMs }) => startMs <= ms)
    if (index < 0) return
    this.#range.value = String(index)
    this.#choose(index)
  }

  #choose(index: number): void {
    const request = this.#requests[index]
    if (request === undefined) return
    const gap = this.#gaps()[index - 1]
    for (const bar of this.#plot.querySelectorAll('.request')) {
      bar.classList.toggle('is-chosen', bar.getAttribute('data-index') === String(index))
    }
    const words = [
      timeOfDay(request.startMs),
      request.answer,
      duration(request.durationMs / 1000),
      bytes(request.bytes),
      ...(gap === undefined ? [] : [`gap before it ${duration(Math.max(0, gap))}`]),
    ]
    this.#range.setAttribute(
      'aria-valuetext',
      `Request ${index + 1} of ${this.#requests.length}: ${words.join(', ')}, ${cutMiddle(plain(request.url), 100)}`,
    )
    replace(this.#chosen, html('span', {}, words.join(' · ')), ' ', pageLink(request.page, request.url))
  }
}

/** With two decimals below a minute: whether a gap is long enough must be visible. */

const endOf = ({ startMs, durationMs }: SiteRequest): number => startMs + durationMs

function tickText(date: Date): string {
  const ms = date.getMilliseconds()
  return `${timeOfDay(date.getTime())}${ms === 0 ? '' : `.${String(ms).padStart(3, '0').replace(/0+$/, '')}`}`
}
