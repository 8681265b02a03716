/** The frame around the views: name and phase of the crawl, connection, navigation, theme, token. */
import type { ComponentChildren, VNode } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { CrawlInfo, Now } from '../api/index.ts'
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

const navigation: readonly NavigationEntry[] = [
  { view: 'now', text: 'Now' },
  { view: 'cluster', text: 'Cluster', isShown: ({ has }) => has.cluster },
  { view: 'sites', text: 'Sites', details: ['site'], isShown: ({ has }) => has.record },
  { view: 'queue', text: 'Queue', isShown: ({ has }) => has.record },
  { view: 'pages', text: 'Pages', details: ['page'], isShown: ({ has }) => has.record },
  { view: 'map', text: 'Map', isShown: ({ has }) => has.record },
  { view: 'freshness', text: 'Freshness', isShown: ({ has }) => has.freshness },
  { view: 'control', text: 'Control', isShown: ({ access }) => access.control },
]

/** The entry of a view, or of the view that it is a detail of. */
export const entryOf = (view: string): NavigationEntry | undefined =>
  navigation.find(({ view: own, details = [] }) => own === view || details.includes(view))

interface Phase {
  readonly text: string
  readonly kind: Now['phase']
}

const phases: Readonly<Record<Now['phase'], string>> = {
  opening: 'opening',
  resuming: 'resuming',
  sitemaps: 'reading sitemaps',
  crawling: 'crawling',
  paused: 'paused',
  ending: 'ending',
  ended: 'ended',
}

/** A crawl of another process sends no phase. One on a cluster that was stopped can be continued. */
export function phaseOf(
  { isRunning, stoppedBecause, has }: CrawlInfo,
  kind: Now['phase'] | undefined,
): Phase | undefined {
  if (isRunning) return kind === undefined ? undefined : { text: phases[kind], kind }
  if (stoppedBecause === undefined) return { text: 'interrupted', kind: 'ended' }
  if (!has.cluster) return { text: 'ended', kind: 'ended' }
  const isOver = ['finished', 'damaged'].includes(stoppedBecause)
  return { text: isOver ? stoppedBecause : 'stopped', kind: 'ended' }
}

const refusedText =
  'The server sends no live updates to this page: too many pages are open. Close other tabs of dashboards, or enter the token. Trying again…'

function lossText(info: CrawlInfo | undefined, phase: Phase | undefined): string {
  const hasEnded = phase !== undefined && ['ending', 'ended'].includes(phase.kind)
  if (info === undefined || info.has.cluster || !hasEnded)
    return 'No connection to the server: the page shows what it last received. Trying again…'
  return `The crawl has ended, and its dashboard with it. “rankward dashboard ${plain(info.name)}” shows the finished crawl.`
}

interface ShellProps {
  readonly view: string
  readonly info: CrawlInfo | undefined
  readonly phase: Phase | undefined
  readonly connection: Connection
  readonly buttons: ComponentChildren
  readonly children: ComponentChildren
}

export function Shell({ view, info, phase, connection, buttons, children }: ShellProps): VNode {
  const main = useRef<HTMLElement>(null)
  const isLost = connection === 'lost' || connection === 'refused'
  useLayoutEffect(() => {
    document.documentElement.classList.toggle('disconnected', isLost)
  }, [isLost])
  useOpened(view, info !== undefined, main)
  const shown = info === undefined ? [] : navigation.filter(({ isShown }) => isShown?.(info) ?? true)
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault()
          main.current!.focus()
        }}
      >
        Skip to the content
      </a>
      <header class="top">
        <div class="identity">
          <a class="brand" href={hrefOf('now')}>
            Rankward
          </a>
          <span class="crawl-name" title={info && `Strategy ${info.strategy.name}, Rankward ${info.version}`}>
            {info && plain(info.name)}
          </span>
          <span class="phase" data-phase={phase?.kind}>
            {phase?.text}
          </span>
        </div>
        <div class="tools">{buttons}</div>
        <nav class="views" aria-label="Views">
          {shown.map((entry) => (
            <a
              key={entry.view}
              href={hrefOf(entry.view)}
              aria-current={entry === entryOf(view) ? 'page' : undefined}
            >
              {entry.text}
            </a>
          ))}
        </nav>
      </header>
      <p class="banner" role="alert" hidden={!isLost}>
        {connection === 'refused' ? refusedText : isLost && lossText(info, phase)}
      </p>
      <main ref={main} id="main" tabindex={-1}>
        {children}
      </main>
      <p class="unseen" role="status">
        {useAnnouncement(phase?.text)}
      </p>
    </>
  )
}

/** Another view begins at its top, and has the focus. */
function useOpened(view: string, isKnown: boolean, main: { readonly current: HTMLElement | null }): void {
  const before = useRef(view)
  useLayoutEffect(() => {
    document.querySelector('.views [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    if (before.current === view) return
    before.current = view
    scrollTo(0, 0)
    main.current!.focus({ preventScroll: true })
  }, [view, isKnown])
}

/** Changes of the phase, for screen readers. */
function useAnnouncement(phase: string | undefined): string {
  const [known, setKnown] = useState(phase)
  const [text, setText] = useState('')
  if (phase !== known) {
    setKnown(phase)
    if (known !== undefined) setText(`The crawl is now: ${phase}.`)
  }
  return text
}
