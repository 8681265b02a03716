/** Starts the page: reads what the crawl is, opens the event stream, and shows the view that the URL names. */
import { shareBarStyle } from '../../pictures/share-bar-style.ts'
import { Client, RequestFailure } from './client.ts'
import type { CrawlInfo } from '../api/index.ts'
import { ask } from './dialog.ts'
import { html, replace } from './element.ts'
import { plain } from './format.ts'
import { Live } from './live.ts'
import { empty } from './pending.ts'
import { hrefOf, parseRoute, type Route } from './route.ts'
import { navigation, Shell } from './shell.ts'
import { themeButton } from './theme.ts'
import type { View, ViewContext } from './view.ts'
import { clusterView } from './views/cluster.ts'
import { controlView } from './views/control.ts'
import { freshnessView } from './views/freshness.ts'
import { mapView } from './views/map.ts'
import { nowView } from './views/now.ts'
import { pageView } from './views/page.ts'
import { pagesView } from './views/pages.ts'
import { queueView } from './views/queue.ts'
import { siteView } from './views/site.ts'
import { sitesView } from './views/sites.ts'

const views: Readonly<Record<string, (context: ViewContext) => View>> = {
  now: nowView,
  sites: sitesView,
  site: siteView,
  queue: queueView,
  pages: pagesView,
  page: pageView,
  map: mapView,
  freshness: freshnessView,
  cluster: clusterView,
  control: controlView,
}

// Reports have the same rules inline, which the policy of this page forbids.
const shared = new CSSStyleSheet()
shared.replaceSync(shareBarStyle)
document.adoptedStyleSheets = [shared]

const client = new Client()
const live = new Live()
const lasting = new AbortController().signal
const tokenButton = html('button', { type: 'button', class: 'quiet', id: 'token', hidden: true })
const shell = new Shell([tokenButton, themeButton(() => current?.view.repaint?.())])
let info: CrawlInfo
let current: { readonly name: string; readonly view: View; readonly leave: AbortController } | undefined

void start()

async function start(): Promise<void> {
  replace(shell.main, html('p', { class: 'state loading', role: 'status' }, 'Loading…'))
  try {
    await readInfo()
  } catch (error) {
    showStartFailure(error)
    return
  }
  tokenButton.addEventListener('click', () => void useToken())
  live.onConnection((connection) => {
    shell.showConnection(connection)
    // The server may have been started again, for another crawl.
    if (connection === 'connected') void readInfo().catch(() => {})
  })
  live.on('now', lasting, (now) => info.isRunning && shell.showNow(now))
  live.on('crawl', lasting, () => void readInfo().catch(() => {}))
  live.open()
  addEventListener('hashchange', () => showRoute(parseRoute(location.hash)))
  showRoute(parseRoute(location.hash))
}

async function readInfo(): Promise<void> {
  const before = info as CrawlInfo | undefined
  info = await client.get('crawl', {})
  if (JSON.stringify(before) === JSON.stringify(info)) return
  shell.showInfo(info)
  tokenButton.hidden = !info.access.control
  tokenButton.textContent = info.access.hasToken ? 'Forget token' : 'Enter token'
  if (before !== undefined && before.access.hasToken !== info.access.hasToken) reopen()
}

/** Another view may be permitted now. */
function reopen(): void {
  current?.leave.abort()
  current = undefined
  showRoute(parseRoute(location.hash))
}

function showRoute(route: Route): void {
  const isOther = current?.name !== route.view
  if (isOther) {
    const isFirst = current === undefined
    current?.leave.abort()
    const create = views[route.view]
    if (create === undefined) {
      current = undefined
      replace(
        shell.main,
        empty('There is no such view.', html('a', { href: hrefOf('now') }, 'Go to the first view')),
      )
      return
    }
    const leave = new AbortController()
    const view = create({
      client,
      live,
      info: () => info,
      signal: leave.signal,
      announce: (text) => shell.announce(text),
      askToken,
    })
    current = { name: route.view, view, leave }
    replace(shell.main, view.element)
    if (!isFirst) {
      scrollTo(0, 0)
      shell.main.focus({ preventScroll: true })
    }
  }
  const entry = navigation.find(
    ({ view, details = [] }) => view === route.view || details.includes(route.view),
  )
  document.title = `${entry?.text ?? ''} · ${plain(info.name)} · Rankward`
  shell.showView(route.view)
  current!.view.show(route)
}

async function useToken(): Promise<void> {
  if (!info.access.hasToken) {
    await askToken()
    return
  }
  client.logout()
  await readInfo()
}

/** Asks for the token until it is accepted or the dialog is closed. */
async function askToken(): Promise<boolean> {
  const input = html('input', {
    id: 'token-input',
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    required: true,
  })
  return await ask({
    title: 'Token of the dashboard',
    text: [
      html('p', {}, 'The crawl printed it when it started. It is kept in this tab only.'),
      html('label', { for: 'token-input' }, 'Token'),
      input,
    ],
    confirm: 'Use it',
    act: async () => {
      await client.login(input.value.trim())
      if (info !== undefined) await readInfo()
    },
  })
}

function showStartFailure(error: unknown): void {
  if (error instanceof RequestFailure && error.code === 'unauthorized') {
    replace(
      shell.main,
      empty(
        'On this address, the dashboard can only be read with its token.',
        html(
          'button',
          {
            type: 'button',
            class: 'primary',
            onclick: () => void askToken().then((isIn) => (isIn ? start() : undefined)),
          },
          'Enter the token',
        ),
      ),
    )
    void askToken().then((isIn) => (isIn ? start() : undefined))
    return
  }
  replace(
    shell.main,
    html(
      'div',
      { class: 'state failure', role: 'alert' },
      html('strong', {}, 'The dashboard cannot be opened'),
      html('p', {}, error instanceof Error ? error.message : String(error)),
      html('button', { type: 'button', onclick: () => void start() }, 'Try again'),
    ),
  )
}
