/** Renders pages of a crawl: what it remembers, and the browser of a session. */
import { fingerprint } from '../../../lib/fingerprint.ts'
import { hostIn, kindOf } from '../../../web/traps/page-kind.ts'
import { urlPatterns } from '../../../web/url/scope.ts'
import type { PartState, RememberedCrawl } from '../part-state.ts'
import type { OpenedCrawl, OpenedPart, PartWorld, RunningPart } from '../running-part.ts'
import { mustHaveSandbox, neededChromium } from './find-chromium.ts'
import type { Look } from './evidence.ts'
import { KindTests, type Reason } from './kind-tests.ts'
import type { RenderCounts } from './part.ts'
import { decodeRendered, hasGained, type RenderedPage } from './render-record.ts'
import { RenderStation } from './render-station.ts'
import { Renderers } from './renderers.ts'
import { renderLimits } from './rendering.ts'
import { SiteMenus } from './site-menus.ts'

/** What rendering has learned. It follows from the record. */
export interface RenderState extends PartState {
  readonly tests: KindTests
  readonly menus: SiteMenus
  /** A page was rendered, or judged static. */
  readonly learned: (url: string, event: RenderedPage) => void
}

export function remember({ pages, record, engine }: RememberedCrawl): RenderState {
  const tests = new KindTests()
  const menus = new SiteMenus()
  const learned = (url: string, { look, reason, gain }: RenderedPage): void => {
    if (gain !== undefined) tests.sampled(kindOf(url), hostIn(url), look, reason, hasGained(gain))
  }
  return {
    tests,
    menus,
    learned,
    section: 'rendered',
    replay(section) {
      for (const event of decodeRendered(section))
        if (event.kind === 'page') learned(pages.url(event.page), event)
    },
    facts: {
      fetched(page, links, linkCount, _newSites, _reading, isRedirect = false) {
        if (!isRedirect) menus.fetched(engine.pages.siteOf(page), links, linkCount)
        if (record.outcome(page)?.render === 'static') tests.passed(hostIn(pages.url(page)))
      },
    },
    transfer(codec) {
      tests.transfer(codec)
      menus.transfer(codec)
    },
  }
}

export function open(crawl: OpenedCrawl): OpenedPart | undefined {
  const { render } = crawl.settings
  if (render === undefined) return undefined
  mustHaveSandbox(render.hasSandbox)
  const renderers = new Renderers({
    path: neededChromium(render.chromium),
    hasSandbox: render.hasSandbox,
    heapMegabytes: 256,
    atOnce: render.renderers,
    limits: { ...renderLimits, seconds: render.seconds },
  })
  return {
    begin: (world) => begun(crawl, world, renderers),
    close: () => renderers.close(),
  }
}

function begun(crawl: OpenedCrawl, { desk }: PartWorld, renderers: Renderers): RunningPart {
  const { settings, engine, record } = crawl
  const state = crawl.state as RenderState
  const { mode, burst, include, exclude } = settings.render!
  const isIncluded = urlPatterns(include)
  const isExcluded = urlPatterns(exclude)
  const counts: RenderCounts = { ...noCounts, ...(record.record.counts as { render?: RenderCounts }).render }
  const cpuBefore = counts.cpuSeconds
  const station: RenderStation = new RenderStation({
    crawl,
    desk,
    renderers,
    burst,
    counts,
    state,
    isLeftOut: urlPatterns(settings.exclude),
    reasonFor(url, look) {
      if (isExcluded(url)) return undefined
      if (mode === 'always' || isIncluded(url)) return 'asked'
      return state.tests.reasonFor(kindOf(url), hostIn(url), look, chanceOf(url))
    },
  })
  const counted = (): { render: RenderCounts } => {
    counts.cpuSeconds = cpuBefore + renderers.cpuSeconds
    return { render: counts }
  }
  return {
    station: { stage: 'change', visit: (arrival) => station.visit(arrival) },
    fetched(settled) {
      if (!settled.isRedirect && settled.isFirst)
        state.menus.fetched(engine.pages.siteOf(settled.page), settled.links, settled.linkCount)
      station.settled(settled)
    },
    stop(_because, atOnce) {
      if (atOnce) station.stop()
    },
    counts: counted,
    progress: counted,
    totals: counted,
  }
}

const noCounts: RenderCounts = {
  rendered: 0,
  failed: 0,
  limited: 0,
  static: 0,
  checked: 0,
  checkedGains: 0,
  links: 0,
  requests: 0,
  bytes: 0,
  cpuSeconds: 0,
}

export type ReasonFor = (url: string, look: Look) => Reason | undefined

const words = new Uint32Array(2)

/** A number of the URL from 0 to 1. */
function chanceOf(url: string): number {
  fingerprint(url, words, 0)
  return words[1] / 2 ** 32
}
