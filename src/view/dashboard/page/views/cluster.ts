/** The view Cluster: workers, shards, where the mass is, messages between shards, and stalls. */
import { shareBarTag, type ShareBar } from '../../../pictures/share-bar.ts'
import { shardSorts, type Cluster, type ClusterMass, type ClusterShard } from '../../api/index.ts'
import { elementOf, html, replace } from '../element.ts'
import { bytes, count, mass, percent, plural, short } from '../format.ts'
import { card, Figure, timeElement, webText } from '../parts.ts'
import { empty, Pending } from '../pending.ts'
import { choiceIn, numberIn, type Route } from '../route.ts'
import { pager, Table, type Column } from '../table.ts'
import { refreshWhileRunning, type View, type ViewContext } from '../view.ts'

const limit = 64

export function clusterView(context: ViewContext): View {
  const { client, signal } = context
  const overview = new Pending('cluster')
  const list = new Pending('shards')
  const figures = {
    workers: new Figure('Workers', 'workers'),
    shards: new Figure('Shards', 'shards'),
    links: new Figure('Messages a second', 'links'),
    journals: new Figure('Journals', 'journals'),
  }
  const trouble = html('div', { class: 'stack', role: 'status' })
  const balance = html('div')
  const workers = new Table({ name: 'Workers', columns: workerColumns, key: ({ worker }) => worker })
  const noWorkers = empty('No worker has joined this crawl. `rankward cluster worker` starts one.')
  const commands = html('div')
  const shards = new Table({ name: 'Shards', columns: shardColumns, key: ({ shard }) => String(shard) })
  const shardPager = html('div')
  const content = html(
    'div',
    { class: 'stack' },
    trouble,
    html('dl', { class: 'figures' }, ...Object.values(figures).map(({ element }) => element)),
    card('Where the importance is', {}, balance),
    card('Workers', { class: 'flush' }, workers.element, noWorkers, commands),
  )
  let route: Route = { view: 'cluster', params: {} }

  const loadOverview = (isRefresh: boolean): Promise<void> =>
    overview.load(
      () => client.get('cluster', {}, signal),
      (cluster) => {
        showFigures(figures, cluster)
        const found = troubles(cluster)
        trouble.hidden = found.length === 0
        replace(trouble, ...found)
        replace(balance, massBar(cluster.mass))
        workers.fill(cluster.workers)
        workers.element.hidden = cluster.workers.length === 0
        noWorkers.hidden = cluster.workers.length > 0
        replace(commands, commandNote(cluster))
        return content.parentElement === overview.element ? undefined : [content]
      },
      { isRefresh },
    )
  const loadShards = (isRefresh: boolean): Promise<void> => {
    const sort = choiceIn(route, 'sort', shardSorts)
    const order = choiceIn(route, 'order', sort === 'shard' ? ['up', 'down'] : ['down', 'up'])
    const offset = numberIn(route, 'offset') ?? 0
    return list.load(
      () => client.get('cluster/shards', { sort, order, offset, limit }, signal),
      ({ rows, total }) => {
        shards.setSort(route, sort, order)
        shards.fill(rows)
        replace(shardPager, pager({ route, offset, limit, total, shown: rows.length }))
        return shards.element.parentElement === list.element ? undefined : [shards.element, shardPager]
      },
      { isRefresh },
    )
  }
  refreshWhileRunning(context, 3, () => Promise.all([loadOverview(true), loadShards(true)]))
  return {
    element: html(
      'div',
      { class: 'stack' },
      html('header', { class: 'head' }, html('h1', {}, 'Cluster')),
      overview.element,
      card('Shards', { class: 'flush' }, list.element),
    ),
    show(shown) {
      route = shown
      if (content.parentElement === null) void loadOverview(false)
      void loadShards(false)
    },
  }
}

function showFigures(
  { workers, shards, links, journals }: Record<'workers' | 'shards' | 'links' | 'journals', Figure>,
  cluster: Cluster,
): void {
  const { liveWorkers, goneWorkers, shardCounts, stalledCount } = cluster
  const gone = goneWorkers === 0 ? 'all respond' : `${plural(goneWorkers, 'worker')} gone`
  workers.show(count(liveWorkers), liveWorkers + goneWorkers === 0 ? 'none has joined' : gone)
  const { owned, released, orphaned, unclaimed } = shardCounts
  const total = owned + released + orphaned + unclaimed
  const others = [
    released > 0 && `${count(released)} released`,
    orphaned > 0 && `${count(orphaned)} without a worker`,
    unclaimed > 0 && `${count(unclaimed)} not begun`,
    stalledCount > 0 && `${count(stalledCount)} stalled`,
  ].filter((text) => text !== false)
  shards.show(`${count(owned)} / ${count(total)}`, others.length === 0 ? 'all are owned' : others.join(', '))
  const { sent, perSecond, behind } = cluster.links
  links.show(short(perSecond), `${short(sent)} sent, ${short(behind)} pending`)
  const { groups, bytes: size } = cluster.journals
  journals.show(bytes(size), `${short(groups)} groups, on ${plural(cluster.replicas, 'server')}`)
}

function troubles({ damage, stalledCount, stalled }: Cluster): HTMLElement[] {
  const banner = (text: string): HTMLElement => html('p', { class: 'banner' }, text)
  const named = stalled.map(({ shard, worker, state }) =>
    state === 'owned' ? `${shard} (${worker ?? '?'})` : `${shard} (${stateNames[state]})`,
  )
  const more = stalledCount > stalled.length ? ', …' : ''
  const isOne = stalledCount === 1
  return [
    ...(damage === undefined ? [] : [banner(`${damage} Workers refuse to continue.`)]),
    ...(stalledCount === 0
      ? []
      : [
          banner(
            `${plural(stalledCount, 'shard')} ${isOne ? 'has' : 'have'} pages to fetch and ${isOne ? 'makes' : 'make'} no progress: ${named.join(', ')}${more}.`,
          ),
        ]),
  ]
}

function massBar(parts: ClusterMass | undefined): HTMLElement {
  if (parts === undefined)
    return empty('The shards could not be read at one moment, or the strategy has no mass.')
  const bar: ShareBar = {
    label: 'Importance',
    parts: [
      { name: 'held', colour: 'held', share: parts.held + parts.unspent, hint: 'on fetched pages' },
      {
        name: 'robots.txt or failed',
        colour: 'failed',
        share: parts.unobtainable,
        hint: 'on pages that robots.txt disallows or that failed for good',
      },
      {
        name: 'excluded',
        colour: 'scope',
        share: parts.excluded,
        hint: 'on pages that a limit excludes',
        isRare: true,
      },
      {
        name: 'between shards',
        colour: 'moving',
        share: parts.moving,
        hint: 'in messages, or about to be sent',
      },
      { name: 'waiting', colour: 'waiting', share: parts.waiting, hint: 'on pages that wait' },
    ],
  }
  return elementOf(shareBarTag(bar))
}

function commandNote({ commands: { followed, shards }, replicas }: Cluster): HTMLElement {
  return html(
    'p',
    { class: 'note soft' },
    followed === shards
      ? 'All shards follow the last command.'
      : `${count(followed)} of ${plural(shards, 'shard')} follow the last command.`,
    replicas === 1 ? ' Each group is stored on one server: a lost disk loses the crawl.' : '',
  )
}

type Worker = Cluster['workers'][number]

const workerColumns: readonly Column<Worker>[] = [
  { title: 'Worker', isWide: true, cell: ({ worker }) => webText(worker) },
  {
    title: 'State',
    cell: ({ isLive }) =>
      html('span', { class: `badge of-${isLive ? 'good' : 'failed'}` }, isLive ? 'live' : 'gone'),
  },
  { title: 'Shards', isNumber: true, cell: ({ shards }) => count(shards) },
  { title: 'Pages', isNumber: true, cell: ({ pages }) => short(pages) },
  {
    title: 'Pages a second',
    isNumber: true,
    priority: 2,
    cell: ({ pagesPerSecond }) => short(pagesPerSecond),
  },
  {
    title: 'Last heard of',
    isNumber: true,
    priority: 2,
    cell: ({ beatMs }) => (beatMs === undefined ? '–' : timeElement(beatMs)),
  },
]

const stateNames: Readonly<Record<ClusterShard['state'], string>> = {
  owned: 'owned',
  released: 'released',
  orphaned: 'without a worker',
  unclaimed: 'not begun',
}

function shardBadge({ state, isStalled, isIdle }: ClusterShard): HTMLElement {
  const text = isStalled ? 'stalled' : state === 'owned' && isIdle ? 'idle' : stateNames[state]
  const kind = isStalled || state === 'orphaned' ? 'failed' : state === 'owned' ? 'good' : 'waiting'
  return html('span', { class: `badge of-${kind}` }, text)
}

const shardColumns: readonly Column<ClusterShard>[] = [
  { title: 'Shard', sort: 'shard', firstOrder: 'up', cell: ({ shard }) => String(shard) },
  { title: 'State', cell: shardBadge },
  {
    title: 'Worker',
    isWide: true,
    priority: 2,
    cell: ({ worker }) => (worker === undefined ? '–' : webText(worker)),
  },
  { title: 'Pages', sort: 'pages', isNumber: true, cell: ({ pages }) => short(pages) },
  {
    title: 'Pages a second',
    sort: 'rate',
    isNumber: true,
    priority: 2,
    cell: ({ pagesPerSecond }) => short(pagesPerSecond),
  },
  { title: 'Waiting', sort: 'waiting', isNumber: true, cell: ({ waiting }) => short(waiting) },
  {
    title: 'Held',
    sort: 'held',
    isNumber: true,
    hint: 'Share of all importance',
    cell: ({ held }) => (held > 1 ? percent(1) : mass(held)),
  },
  {
    title: 'Sent',
    isNumber: true,
    priority: 3,
    hint: 'Messages to other shards',
    cell: ({ sent }) => short(sent),
  },
  {
    title: 'Behind',
    sort: 'behind',
    isNumber: true,
    priority: 2,
    hint: 'Messages of other shards that it has not applied yet',
    cell: ({ behind }) => short(behind),
  },
  {
    title: 'Last group',
    sort: 'group',
    isNumber: true,
    priority: 3,
    cell: ({ lastGroupMs }) => (lastGroupMs === undefined ? '–' : timeElement(lastGroupMs)),
  },
  { title: 'Journal', sort: 'bytes', isNumber: true, priority: 3, cell: (shard) => bytes(shard.bytes) },
]
