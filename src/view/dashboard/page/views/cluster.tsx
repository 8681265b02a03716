/** The view Cluster: workers, shards, where the mass is, messages between shards, and stalls. */
import type { VNode } from 'preact'
import { bytesText, finePercent, grouped, plural, shortCount } from '../../../../lib/amounts.ts'
import { importanceBar, ShareBar } from '../../../pictures/share-bar.tsx'
import { shardSorts, type Cluster, type ClusterShard, type ClusterWorker } from '../../api/index.ts'
import { Empty, Pending, useAnswer } from '../answer.tsx'
import type { ViewProps } from '../context.ts'
import { AnswerList, ListTable, number, offsetIn, orderIn, type Column } from '../list.tsx'
import { Badge, Card, Figures, Time, ViewFrame, WebText, type LargeFigure } from '../parts.tsx'

const limit = 64

export function ClusterView({ route }: ViewProps): VNode {
  const sorting = orderIn(route, shardSorts, ['shard'])
  const shards = useAnswer('cluster/shards', { ...sorting, offset: offsetIn(route), limit }, 3)
  return (
    <ViewFrame title="Cluster">
      <Pending name="cluster" answer={useAnswer('cluster', {}, 3)}>
        {(cluster) => <Overview cluster={cluster} />}
      </Pending>
      <Card title="Shards" class="flush">
        <AnswerList
          region="shards"
          name="Shards"
          answer={shards}
          columns={shardColumns}
          keyOf={({ shard }) => String(shard)}
          empty="No shard has begun."
          {...{ route, limit, sorting }}
        />
      </Card>
    </ViewFrame>
  )
}

function Overview({ cluster }: { cluster: Cluster }): VNode {
  const { workers, mass, commands, replicas } = cluster
  const troubles = troublesOf(cluster)
  const followed =
    commands.followed === commands.shards
      ? 'All shards follow the last command.'
      : `${grouped(commands.followed)} of ${plural(commands.shards, 'shard')} follow the last command.`
  return (
    <div class="stack">
      <div class="stack" role="status" hidden={troubles.length === 0}>
        {troubles.map((text) => (
          <p class="banner">{text}</p>
        ))}
      </div>
      <Figures figures={figuresOf(cluster)} />
      <Card title="Where the importance is">
        {mass === undefined ? (
          <Empty text="The shards could not be read at one moment, or the strategy has no mass." />
        ) : (
          <ShareBar {...importanceBar({ ...mass, held: mass.held + mass.unspent })} />
        )}
      </Card>
      <Card title="Workers" class="flush">
        {workers.length === 0 ? (
          <Empty text="No worker has joined this crawl. `rankward worker` starts one." />
        ) : (
          <ListTable name="Workers" columns={workerColumns} rows={workers} keyOf={({ worker }) => worker} />
        )}
        <p class="note soft">
          {`${followed}${replicas === 1 ? ' Each group is stored on one server: a lost disk loses the crawl.' : ''}`}
        </p>
      </Card>
    </div>
  )
}

function figuresOf(cluster: Cluster): LargeFigure[] {
  const { liveWorkers, goneWorkers, shardCounts, stalledCount, links, journals, replicas } = cluster
  const { owned, released, orphaned, unclaimed } = shardCounts
  const gone = goneWorkers === 0 ? 'all respond' : `${plural(goneWorkers, 'worker')} gone`
  const others = [
    released > 0 && `${grouped(released)} released`,
    orphaned > 0 && `${grouped(orphaned)} without a worker`,
    unclaimed > 0 && `${grouped(unclaimed)} not begun`,
    stalledCount > 0 && `${grouped(stalledCount)} stalled`,
  ].filter(Boolean)
  const { perSecond, sent, behind } = links
  return [
    ['Workers', 'workers', grouped(liveWorkers), liveWorkers + goneWorkers === 0 ? 'none has joined' : gone],
    [
      'Shards',
      'shards',
      `${grouped(owned)} / ${grouped(owned + released + orphaned + unclaimed)}`,
      others.length === 0 ? 'all are owned' : others.join(', '),
    ],
    [
      'Messages a second',
      'links',
      shortCount(perSecond),
      `${shortCount(sent)} sent, ${shortCount(behind)} pending`,
    ],
    [
      'Journals',
      'journals',
      bytesText(journals.bytes),
      `${shortCount(journals.groups)} groups, on ${plural(replicas, 'server')}`,
    ],
  ]
}

function troublesOf({ damage, stalledCount, stalled }: Cluster): string[] {
  const named = stalled.map(({ shard, worker, state }) =>
    state === 'owned' ? `${shard} (${worker ?? '?'})` : `${shard} (${stateNames[state]})`,
  )
  const more = stalledCount > stalled.length ? ', …' : ''
  const verbs = stalledCount === 1 ? ['has', 'makes'] : ['have', 'make']
  return [
    ...(damage === undefined ? [] : [`${damage} Workers refuse to continue.`]),
    ...(stalledCount === 0
      ? []
      : [
          `${plural(stalledCount, 'shard')} ${verbs[0]} pages to fetch and ${verbs[1]} no progress: ${named.join(', ')}${more}.`,
        ]),
  ]
}

const workerColumns: readonly Column<ClusterWorker>[] = [
  { title: 'Worker', isWide: true, cell: ({ worker }) => <WebText text={worker} /> },
  {
    title: 'State',
    cell: ({ isLive }) => <Badge kind={isLive ? 'good' : 'failed'} text={isLive ? 'live' : 'gone'} />,
  },
  number('Shards', ({ shards }) => grouped(shards)),
  number('Pages', ({ pages }) => shortCount(pages)),
  number('Pages a second', ({ pagesPerSecond }) => shortCount(pagesPerSecond), { priority: 2 }),
  number('Last heard of', ({ beatMs }) => <Time ms={beatMs} />, { priority: 2 }),
]

const stateNames: Readonly<Record<ClusterShard['state'], string>> = {
  owned: 'owned',
  released: 'released',
  orphaned: 'without a worker',
  unclaimed: 'not begun',
}

function shardBadge({ state, isStalled, isIdle }: ClusterShard): VNode {
  const text = isStalled ? 'stalled' : state === 'owned' && isIdle ? 'idle' : stateNames[state]
  const kind = isStalled || state === 'orphaned' ? 'failed' : state === 'owned' ? 'good' : 'waiting'
  return <Badge kind={kind} text={text} />
}

const shardColumns: readonly Column<ClusterShard>[] = [
  { title: 'Shard', sort: 'shard', firstOrder: 'up', cell: ({ shard }) => String(shard) },
  { title: 'State', cell: shardBadge },
  {
    title: 'Worker',
    isWide: true,
    priority: 2,
    cell: ({ worker }) => (worker === undefined ? '–' : <WebText text={worker} />),
  },
  number('Pages', ({ pages }) => shortCount(pages), { sort: 'pages' }),
  number('Pages a second', ({ pagesPerSecond }) => shortCount(pagesPerSecond), { sort: 'rate', priority: 2 }),
  number('Waiting', ({ waiting }) => shortCount(waiting), { sort: 'waiting' }),
  number('Held', ({ held }) => finePercent(Math.min(1, held)), {
    sort: 'held',
    hint: 'Share of all importance',
  }),
  number('Sent', ({ sent }) => shortCount(sent), { priority: 3, hint: 'Messages to other shards' }),
  number('Behind', ({ behind }) => shortCount(behind), {
    sort: 'behind',
    priority: 2,
    hint: 'Messages of other shards that it has not applied yet',
  }),
  number('Last group', ({ lastGroupMs }) => <Time ms={lastGroupMs} />, { sort: 'group', priority: 3 }),
  number('Journal', ({ bytes }) => bytesText(bytes), { sort: 'bytes', priority: 3 }),
]
