/** Starts the page: reads what the crawl is, opens the event stream, and shows the view that the URL names. */
import { render, type ComponentType, type VNode } from 'preact'
import { useErrorBoundary, useLayoutEffect, useState } from 'preact/hooks'
import { shareBarStyle } from '../../pictures/share-bar.tsx'
import type { CrawlInfo, Now } from '../api/index.ts'
import { Empty, Failure, Loading } from './answer.tsx'
import { Client, RequestFailure } from './client.ts'
import { Context, type ViewProps } from './context.ts'
import { ask } from './dialog.tsx'
import { plain } from './format.ts'
import { Live, type Connection } from './live.ts'
import { hrefOf, parseRoute, type Route } from './route.ts'
import { entryOf, phaseOf, Shell } from './shell.tsx'
import { useTheme } from './theme.ts'
import { ClusterView } from './views/cluster.tsx'
import { ControlView } from './views/control.tsx'
import { FreshnessView } from './views/freshness.tsx'
import { MapView } from './views/map.tsx'
import { NowView } from './views/now.tsx'
import { PageView } from './views/page.tsx'
import { PagesView } from './views/pages.tsx'
import { QueueView } from './views/queue.tsx'
import { SiteView } from './views/site.tsx'
import { SitesView } from './views/sites.tsx'

const views: Readonly<Record<string, ComponentType<ViewProps>>> = {
  now: NowView,
  sites: SitesView,
  site: SiteView,
  queue: QueueView,
  pages: PagesView,
  page: PageView,
  map: MapView,
  freshness: FreshnessView,
  cluster: ClusterView,
  control: ControlView,
}

// Reports have the same rules inline, which the policy of this page forbids.
const shared = new CSSStyleSheet()
shared.replaceSync(shareBarStyle)
document.adoptedStyleSheets = [shared]

const client = new Client()
const live = new Live()
render(<App />, document.body)

function App(): VNode {
  const [info, setInfo] = useState<CrawlInfo>()
  const [failure, setFailure] = useState<unknown>()
  const [route, setRoute] = useState(() => parseRoute(location.hash))
  const [connection, setConnection] = useState<Connection>('connecting')
  const [phase, setPhase] = useState<Now['phase']>()
  const [theme, turnTheme] = useTheme()

  const readInfo = async (): Promise<void> => {
    const read = await client.get('crawl', {})
    setInfo((before) => (JSON.stringify(before) === JSON.stringify(read) ? before : read))
  }
  const askToken = (): Promise<boolean> => askForToken(readInfo)
  const start = async (): Promise<void> => {
    setFailure(undefined)
    try {
      await readInfo()
      live.open()
    } catch (error) {
      setFailure(error)
      if (isUnauthorized(error) && (await askToken())) await start()
    }
  }
  useLayoutEffect(() => {
    live.onConnection((now) => {
      setConnection(now)
      // The server may have been started again, for another crawl.
      if (now === 'connected') void readInfo().catch(() => {})
    })
    live.on('now', (now) => setPhase(now.phase))
    live.on('crawl', () => void readInfo().catch(() => {}))
    addEventListener('hashchange', () => setRoute(parseRoute(location.hash)))
    void start()
  }, [])
  useLayoutEffect(() => {
    if (info !== undefined)
      document.title = `${entryOf(route.view)?.text ?? ''} · ${plain(info.name)} · Rankward`
  })

  const useToken = async (): Promise<void> => {
    if (info?.access.hasToken !== true) return void (await askToken())
    client.logout()
    await readInfo()
  }
  const buttons = (
    <>
      {info?.access.control === true && (
        <button type="button" class="quiet" id="token" onClick={() => void useToken()}>
          {info.access.hasToken ? 'Forget token' : 'Enter token'}
        </button>
      )}
      <ThemeButton theme={theme} turn={turnTheme} />
    </>
  )
  const shown = info === undefined ? undefined : phaseOf(info, phase)
  return (
    <Shell view={route.view} info={info} phase={shown} connection={connection} buttons={buttons}>
      {failure !== undefined ? (
        <StartFailure error={failure} retry={() => void start()} askToken={askToken} />
      ) : info === undefined ? (
        <Loading />
      ) : (
        <Context.Provider value={{ client, live, info, theme, askToken }}>
          {/* With another token, another view may be permitted. */}
          <Opened key={`${route.view} ${info.access.hasToken}`} route={route} />
        </Context.Provider>
      )}
    </Shell>
  )
}

const isUnauthorized = (error: unknown): boolean =>
  error instanceof RequestFailure && error.code === 'unauthorized'

/** A view that fails says so, and the others stay. */
function Opened({ route }: { route: Route }): VNode {
  const [error, reset] = useErrorBoundary()
  const View = views[route.view]
  if (error !== undefined) return <Failure error={error} retry={reset} />
  if (View !== undefined) return <View route={route} />
  return (
    <Empty text="There is no such view.">
      <a href={hrefOf('now')}>Go to the first view</a>
    </Empty>
  )
}

function ThemeButton({ theme, turn }: { theme: 'light' | 'dark'; turn: () => void }): VNode {
  const label = `Use the ${theme === 'dark' ? 'light' : 'dark'} theme`
  return (
    <button type="button" class="quiet" id="theme" aria-label={label} title={label} onClick={turn}>
      {theme === 'dark' ? '☀' : '☾'}
    </button>
  )
}

/** Asks for the token until it is accepted or the dialog is closed. */
function askForToken(accepted: () => Promise<void>): Promise<boolean> {
  return ask({
    title: 'Token of the dashboard',
    text: (
      <>
        <p>The crawl printed it when it started. It is kept in this tab only.</p>
        <label for="token-input">Token</label>
        <input id="token-input" name="token" type="password" autocomplete="off" spellcheck={false} required />
      </>
    ),
    confirm: 'Use it',
    act: async (form) => {
      await client.login((form.get('token') as string).trim())
      await accepted()
    },
  })
}

interface StartFailureProps {
  readonly error: unknown
  readonly retry: () => void
  readonly askToken: () => Promise<boolean>
}

function StartFailure({ error, retry, askToken }: StartFailureProps): VNode {
  if (!isUnauthorized(error))
    return <Failure title="The dashboard cannot be opened" error={error} retry={retry} />
  return (
    <Empty text="On this address, the dashboard can only be read with its token.">
      <button
        type="button"
        class="primary"
        onClick={() => void askToken().then((isIn) => (isIn ? retry() : undefined))}
      >
        Enter the token
      </button>
    </Empty>
  )
}
