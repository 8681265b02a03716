/**
 * The endpoints: one table. The server routes requests and checks their access by it, the page takes the types of its requests
 * from it, and docs/reference/dashboard-api.md lists it (`test/dashboard-api.test.ts` compares the two).
 */
import type { Cluster, ClusterShards, ShardsQuery } from './cluster.ts'
import type { ControlRequests, ControlResult, ControlState, LoginRequest } from './control.ts'
import type { ListQuery } from './list.ts'
import type { Freshness, ImportanceMap, MapQuery, SiteGraph } from './map.ts'
import type { CrawlInfo, Now, Series, SeriesQuery } from './now.ts'
import type { ArchivedQuery, PageDetail, PageExplanation, PageHeaders, PageLinks } from './pages.ts'
import type { PageLinksQuery, PageQuery, Pages, PagesQuery, SearchHits, SearchQuery } from './pages.ts'
import type { MissedPages, MissedQuery, Queue, QueueQuery, RestingSites } from './queue.ts'
import type { SiteDetail, SiteQuery, SiteRequests, SiteRequestsQuery, Sites, SitesQuery } from './sites.ts'

type NameIn<Query> = Query extends unknown ? Extract<keyof Query, string> : never

/** GET. Needs the token, or the cookie of a login, unless the server is on a loopback address. */
export interface Reading<Query = object, Response = unknown> {
  readonly method: 'GET'
  readonly access: 'reading'
  /** Which crawls it responds for: any, those with a record on this machine, or those on a cluster. */
  readonly of: 'any' | 'record' | 'cluster'
  /** The form of the response. `events`: server-sent events. `document`: HTML for a sandboxed frame. */
  readonly form: 'json' | 'events' | 'text' | 'document'
  readonly parameters: readonly string[]
  readonly about: string
  /** Of the types only. */
  readonly types?: { readonly query: Query; readonly response: Response }
}

/** POST with a JSON body. `control` needs the token, always. */
export interface Change<Body = object, Response = unknown> {
  readonly method: 'POST'
  readonly access: 'open' | 'control'
  /** An example. */
  readonly body: string
  readonly about: string
  /** Of the types only. */
  readonly types?: { readonly query: Body; readonly response: Response }
}

const read =
  (of: Reading['of'], form: Reading['form'] = 'json') =>
  <Query, Response>(about: string, ...parameters: readonly NameIn<Query>[]): Reading<Query, Response> => ({
    method: 'GET',
    access: 'reading',
    of,
    form,
    parameters,
    about,
  })

const ofAny = read('any')
const ofRecord = read('record')
const ofCluster = read('cluster')

const control = <Name extends keyof ControlRequests>(
  body: string,
  about: string,
): Change<ControlRequests[Name], ControlResult> => ({ method: 'POST', access: 'control', body, about })

const list = ['offset', 'limit'] as const

/** By path below `apiPrefix`. */
export const endpoints = {
  crawl: ofAny<object, CrawlInfo>('`CrawlInfo`: what the crawl is, what this client may do'),
  now: ofAny<object, Now>('`Now`: the numbers of this moment, and the importance bar'),
  series: ofAny<SeriesQuery, Series>('`Series`: columns over time', 'points'),
  events: read(
    'any',
    'events',
  )<object, never>('server-sent events, `LiveEvents`: `now`, `point`, `pages`, `control`, `crawl`'),
  sites: ofRecord<SitesQuery, Sites>('`Sites`: the table of sites', 'sort', 'order', 'q', ...list),
  site: ofRecord<SiteQuery, SiteDetail>('`SiteDetail`', 'site'),
  'site/requests': ofRecord<SiteRequestsQuery, SiteRequests>(
    '`SiteRequests`: the politeness timeline',
    'site',
    'beforeMs',
    'limit',
  ),
  queue: ofRecord<QueueQuery, Queue>('`Queue`: the next pages, and why', 'limit'),
  'queue/resting': ofRecord<ListQuery, RestingSites>(
    '`RestingSites`: sites that rest, and until when',
    ...list,
  ),
  'queue/missed': ofRecord<MissedQuery, MissedPages>(
    '`MissedPages`: the best pages that were not fetched',
    'state',
    ...list,
  ),
  pages: ofRecord<PagesQuery, Pages>(
    '`Pages`: pages by a part of their URL',
    'q',
    'site',
    'state',
    'sort',
    ...list,
  ),
  search: ofRecord<SearchQuery, SearchHits>('`SearchHits`: full-text search', 'q', 'limit'),
  page: ofRecord<PageQuery, PageDetail>('`PageDetail`, by number or URL', 'page', 'url'),
  'page/explanation': ofRecord<PageQuery, PageExplanation>(
    '`PageExplanation`: the same as `rankward explain`, by number or URL',
    'page',
    'url',
  ),
  'page/links': ofRecord<PageLinksQuery, PageLinks>(
    '`PageLinks`: links `in` or `out`, with the mass they carry',
    'page',
    'direction',
    ...list,
  ),
  'page/headers': ofRecord<ArchivedQuery, PageHeaders>(
    '`PageHeaders`: of the archived response',
    'page',
    'version',
  ),
  'page/text': read('record', 'text')<ArchivedQuery, never>(
    'the text of the archived page, `text/plain`',
    'page',
    'version',
  ),
  'page/archived': read('record', 'document')<ArchivedQuery, never>(
    'the same as a document for a sandboxed frame',
    'page',
    'version',
  ),
  map: ofRecord<MapQuery, ImportanceMap>(
    '`ImportanceMap`: sites, or directories of a site, by mass',
    'site',
    'path',
    'limit',
  ),
  'map/graph': ofRecord<{ readonly limit?: number }, SiteGraph>(
    '`SiteGraph`: links between the largest sites',
    'limit',
  ),
  freshness: ofRecord<object, Freshness>('`Freshness`; 404 if every page is fetched once'),
  cluster: ofCluster<object, Cluster>('`Cluster`: workers, mass, messages'),
  'cluster/shards': ofCluster<ShardsQuery, ClusterShards>(
    '`ClusterShards`: the table of shards',
    'sort',
    'order',
    ...list,
  ),
  control: ofAny<object, ControlState>('`ControlState`: what can be changed, and what was'),
  login: {
    method: 'POST',
    access: 'open',
    body: '{"token": "…"}',
    about: 'sets a cookie that permits reading',
  } as Change<LoginRequest, object>,
  'control/pause': control<'pause'>('{}', 'takes no more pages; requests in flight finish'),
  'control/resume': control<'resume'>('{}', 'continues'),
  'control/stop': control<'stop'>('{"isAbrupt": false}', 'ends the crawl; `rankward resume` continues it'),
  'control/settings': control<'settings'>(
    '{"pages": 5000, "wait": 2, …}',
    'changes budgets, gap and connections; `null` removes a budget',
  ),
  'control/exclude': control<'exclude'>('{"pattern": "/calendar/**"}', 'fetches no more matching pages'),
  'control/seed': control<'seed'>('{"url": "https://…"}', 'adds a page to fetch, without trust'),
  'control/retry': control<'retry'>(
    '{"site": "…"} or {}',
    'requests pages again that failed for a temporary reason',
  ),
} as const satisfies Readonly<Record<string, Reading | Change>> & {
  readonly [Name in keyof ControlRequests as `control/${Name}`]: Change<ControlRequests[Name]>
}

type Table = typeof endpoints
type NameOf<Kind> = { [Name in keyof Table]: Table[Name] extends Kind ? Name : never }[keyof Table]

export type ReadingName = NameOf<{ readonly method: 'GET' }>
export type ChangeName = NameOf<{ readonly method: 'POST' }>
/** Changes the crawl. */
export type ControlName = `control/${keyof ControlRequests}`

/** Parameters or body, and the response. */
export type QueryOf<Name extends keyof Table> = NonNullable<Table[Name]['types']>['query']
export type ResponseOf<Name extends keyof Table> = NonNullable<Table[Name]['types']>['response']
