/** What every view gets, and what it is. */
import type { CrawlInfo } from '../api/index.ts'
import type { Client } from './client.ts'
import type { Live } from './live.ts'
import type { Route } from './route.ts'

export interface ViewContext {
  readonly client: Client
  readonly live: Live
  /** The newest one: it changes when the crawl ends. */
  readonly info: () => CrawlInfo
  /** Aborted when another view is opened. */
  readonly signal: AbortSignal
  /** A message in a live region. */
  readonly announce: (text: string) => void
  /** Opens the dialog for the token; resolves to true if it was accepted. */
  readonly askToken: () => Promise<boolean>
}

export interface View {
  readonly element: HTMLElement
  /** Called when the view is opened, and for every change of its parameters. */
  readonly show: (route: Route) => void
  /** Called when the theme has changed: drawings on a canvas do not follow it by themselves. */
  readonly repaint?: () => void
}

/** Calls `refresh` while the crawl runs and the page is visible; every few seconds, and never twice at once. */
export function refreshWhileRunning(
  { info, signal }: ViewContext,
  seconds: number,
  refresh: () => Promise<unknown>,
): void {
  let isBusy = false
  const timer = setInterval(() => {
    if (isBusy || document.hidden || !info().isRunning) return
    isBusy = true
    void refresh().finally(() => (isBusy = false))
  }, seconds * 1000)
  signal.addEventListener('abort', () => clearInterval(timer))
}
