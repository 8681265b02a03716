/** The frame around the views: name and phase of the crawl, connection, navigation, theme, token. */
import type { CrawlInfo, Now } from '../api/index.ts'
import { html, replace, setText } from './element.ts'
import { plain } from './format.ts'
import type { Connection } from './live.ts'
import { hrefOf } from './route.ts'

interface NavigationEntry {
  readonly view: string
  readonly text: string
  /** Views that are details of this one. */
  readonly details?: readonly string[]
  readonly isShown?: (info: CrawlInfo) => boolean
}

export const navigation: readonly NavigationEntry[] = [
  { view: 'now', text: 'Now' },
  { view: 'cluster', text: 'Cluster', isShown: ({ has }) => has.cluster },
  { view: 'sites', text: 'Sites', details: ['site'], isShown: ({ has }) => has.record },
  { view: 'queue', text: 'Queue', isShown: ({ has }) => has.record },
  { view: 'pages', text: 'Pages', details: ['page'], isShown: ({ has }) => has.record },
  { view: 'map', text: 'Map', isShown: ({ has }) => has.record },
  { view: 'freshness', text: 'Freshness', isShown: ({ has }) => has.freshness },
  { view: 'control', text: 'Control', isShown: ({ access }) => access.control },
]

const phases: Readonly<Record<Now['phase'], string>> = {
  opening: 'opening',
  resuming: 'resuming',
  sitemaps: 'reading sitemaps',
  crawling: 'crawling',
  paused: 'paused',
  ending: 'ending',
  ended: 'ended',
}

const refusedText =
  'The server sends no live updates to this page: too many pages are open. Close other tabs of dashboards, or enter the token. Trying again…'

/** A crawl on a cluster that was stopped can be continued. */
function endOf({ stoppedBecause, has }: CrawlInfo): string {
  if (stoppedBecause === undefined) return 'interrupted'
  if (!has.cluster) return 'ended'
  return ['finished', 'damaged'].includes(stoppedBecause) ? stoppedBecause : 'stopped'
}

export class Shell {
  readonly main = html('main', { id: 'main', tabindex: -1 })
  readonly #name = html('span', { class: 'crawl-name' })
  readonly #phase = html('span', { class: 'phase' })
  readonly #links = html('nav', { class: 'views', 'aria-label': 'Views' })
  readonly #connection = html('p', { class: 'banner', role: 'alert', hidden: true })
  readonly #announcement = html('p', { class: 'unseen', role: 'status' })
  #lastPhase = ''
  #info: CrawlInfo | undefined
  #shownConnection: Connection = 'connecting'

  constructor(buttons: readonly HTMLElement[]) {
    replace(
      document.body,
      html(
        'a',
        { class: 'skip', href: '#main', onclick: (event) => (event.preventDefault(), this.main.focus()) },
        'Skip to the content',
      ),
      html(
        'header',
        { class: 'top' },
        html(
          'div',
          { class: 'identity' },
          html('a', { class: 'brand', href: hrefOf('now') }, 'Rankward'),
          this.#name,
          this.#phase,
        ),
        html('div', { class: 'tools' }, ...buttons),
        this.#links,
      ),
      this.#connection,
      this.main,
      this.#announcement,
    )
  }

  showInfo(info: CrawlInfo): void {
    setText(this.#name, plain(info.name))
    this.#name.title = `Strategy ${info.strategy.name}, Rankward ${info.version}`
    const shown = navigation.filter(({ isShown }) => isShown?.(info) ?? true)
    const current = this.#links.querySelector('[aria-current]')?.getAttribute('data-view') ?? ''
    replace(
      this.#links,
      ...shown.map(({ view, text }) => html('a', { href: hrefOf(view), 'data-view': view }, text)),
    )
    this.showView(current)
    this.#info = info
    this.showConnection(this.#shownConnection)
    // A crawl of another process sends no phase.
    if (!info.isRunning) this.#setPhase(endOf(info), 'ended')
  }

  showNow({ phase }: Now): void {
    this.#setPhase(phases[phase], phase)
  }

  showView(view: string): void {
    const entry = navigation.find(({ view: own, details = [] }) => own === view || details.includes(view))
    for (const link of this.#links.querySelectorAll('a')) {
      const isCurrent = link.dataset['view'] === entry?.view
      if (isCurrent) {
        link.setAttribute('aria-current', 'page')
        link.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      } else link.removeAttribute('aria-current')
    }
  }

  showConnection(connection: Connection): void {
    this.#shownConnection = connection
    const isLost = connection === 'lost' || connection === 'refused'
    this.#connection.hidden = !isLost
    document.documentElement.classList.toggle('disconnected', isLost)
    setText(this.#connection, connection === 'refused' ? refusedText : isLost ? this.#lossText() : '')
  }

  #lossText(): string {
    const hasEnded =
      this.#info?.isRunning === false || ['ending', 'ended'].includes(this.#phase.dataset['phase'] ?? '')
    if (this.#info === undefined || this.#info.has.cluster || !hasEnded) {
      return 'No connection to the server: the page shows what it last received. Trying again…'
    }
    return `The crawl has ended, and its dashboard with it. “rankward dashboard ${plain(this.#info.name)}” shows the finished crawl.`
  }

  announce(text: string): void {
    setText(this.#announcement, text)
  }

  #setPhase(text: string, phase: string): void {
    setText(this.#phase, text)
    this.#phase.dataset['phase'] = phase
    if (this.#lastPhase !== '' && this.#lastPhase !== text) this.announce(`The crawl is now: ${text}.`)
    this.#lastPhase = text
  }
}
