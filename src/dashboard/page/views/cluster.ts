/** The view Cluster: workers, shards, the balance of the mass, and links between shards. */
import type { Cluster } from '../../api/index.ts'
import { html } from '../element.ts'
import { bytes, count, percent, short } from '../format.ts'
import { card, facts, timeElement, webText } from '../parts.ts'
import { empty, Pending } from '../pending.ts'
import { type Column, Table } from '../table.ts'
import { refreshWhileRunning, type View, type ViewContext } from '../view.ts'

type Worker = Cluster['workers'][number]
type Shard = Cluster['shards'][number]
type ShardLink = Cluster['links'][number]

export function clusterView(context: ViewContext): View {
  const { client, signal } = context
  const pending = new Pending('cluster')
  const load = (isRefresh: boolean): Promise<void> =>
    pending.load(
      () => client.get('cluster', {}, signal),
      ({ workers, shards, balance, links }) => [
        html(
          'div',
          { class: 'columns pair' },
          card(
            'Mass',
            {},
            facts([
              ['in shards', percent(balance.inShards)],
              ['in messages', percent(balance.underWay)],
              ['sum', percent(balance.inShards + balance.underWay)],
            ]),
          ),
          card(
            'Workers',
            { class: 'flush' },
            tableOf('Workers', workers, ({ worker }) => worker, workerColumns),
          ),
          card(
            'Shards',
            { class: 'flush' },
            tableOf('Shards', shards, ({ shard }) => String(shard), shardColumns),
          ),
          card(
            'Messages between shards',
            { class: 'flush' },
            tableOf('Messages between shards', links, ({ from, to }) => `${from} ${to}`, linkColumns),
          ),
        ),
      ],
      { isRefresh },
    )
  refreshWhileRunning(context, 5, () => load(true))
  return {
    element: html(
      'div',
      { class: 'stack' },
      html('header', { class: 'head' }, html('h1', {}, 'Cluster')),
      pending.element,
    ),
    show: () => void load(false),
  }
}

const workerColumns: Column<Worker>[] = [
  { title: 'Worker', isWide: true, cell: ({ worker }) => webText(worker) },
  { title: 'Shards', isNumber: true, cell: ({ shards }) => count(shards) },
  { title: 'Pages a second', isNumber: true, cell: ({ pagesPerSecond }) => short(pagesPerSecond) },
  {
    title: 'Seen',
    cell: ({ lastSeenMs, isStalled }) => [
      timeElement(lastSeenMs),
      isStalled && html('span', { class: 'badge of-failed' }, 'stalled'),
    ],
  },
]
const shardColumns: Column<Shard>[] = [
  { title: 'Shard', isNumber: true, cell: ({ shard }) => shard },
  { title: 'Worker', isWide: true, cell: ({ worker }) => (worker === undefined ? '–' : webText(worker)) },
  { title: 'Pages', isNumber: true, cell: ({ pages }) => short(pages) },
  { title: 'Waiting', isNumber: true, cell: ({ waiting }) => short(waiting) },
  { title: 'Mass', isNumber: true, cell: ({ mass }) => percent(mass) },
  {
    title: 'Coverage',
    isNumber: true,
    priority: 2,
    cell: ({ coverage }) => (coverage === undefined ? '–' : percent(coverage)),
  },
]
const linkColumns: Column<ShardLink>[] = [
  { title: 'From', isNumber: true, cell: ({ from }) => from },
  { title: 'To', isNumber: true, cell: ({ to }) => to },
  { title: 'Messages', isNumber: true, cell: ({ messages }) => count(messages) },
  { title: 'Bytes', isNumber: true, cell: (row) => bytes(row.bytes) },
]

function tableOf<Row>(
  name: string,
  rows: readonly Row[],
  key: (row: Row) => string,
  columns: readonly Column<Row>[],
): HTMLElement {
  if (rows.length === 0) return empty('None.')
  const table = new Table({ name, key, columns })
  table.fill(rows)
  return table.element
}
