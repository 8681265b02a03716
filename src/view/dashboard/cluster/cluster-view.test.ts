import { describe, expect, it } from 'vitest'
import type { ClusterReading, ShardReading } from '../../../cluster/protocol/cluster-status.ts'
import { ControlState } from '../../../cluster/protocol/control.ts'
import type { ShardHead } from '../../../cluster/protocol/shard-group.ts'
import { ClusterView } from './cluster-view.ts'
import { Query } from '../query.ts'

const now = Date.parse('2026-11-16T12:00:00Z')
const secondsAgo = (seconds: number): number => now - 1000 * seconds

function head(writer: string, part: Partial<ShardHead>): ShardHead {
  return {
    writer,
    group: 1,
    kind: 'work',
    account: {
      certain: 0.3,
      crumbs: 0.001,
      waiting: 0.02,
      away: 0,
      excluded: 0,
      unobtainable: 0.01,
      owed: 0,
    },
    fetched: 10,
    waiting: 5,
    inFlight: 1,
    isIdle: false,
    cut: 4,
    published: 4,
    settled: 4,
    position: 4,
    control: 1,
    granted: 0,
    returned: 0,
    keys: [],
    awaited: 0,
    known: 16,
    looks: 10,
    due: [],
    sharesGranted: 0,
    sharesReturned: 0,
    applied: [4, 4],
    ...part,
  }
}

const shardOf = (of: ShardHead, storedAt: number, counts?: object): ShardReading => ({
  head: of,
  storedAt,
  groups: 3,
  bytes: 1000,
  counts,
})

function readingOf(
  shards: readonly (ShardReading | undefined)[],
  members: ClusterReading['members'],
): ClusterReading {
  const control = new ControlState('news', 1, {
    kind: 'settings',
    format: 1,
    shards: shards.length,
    replicas: 1,
    seeds: [],
    trust: [],
    settings: {},
    createdAt: new Date(secondsAgo(600)).toISOString(),
  })
  const earlier = shards.map((shard) => shard?.head)
  return { control, damping: 0.85, earlier, shards, members, now }
}

const counts = { bytes: 500, redirects: 2, failed: 3, errors: { 'http-404': 3 }, duplicates: 1 }
const members = [
  { name: 'live', beatAt: secondsAgo(1) },
  { name: 'gone', beatAt: secondsAgo(90) },
]

describe('the view of a cluster', () => {
  const shards = [
    shardOf(head('live.1', {}), secondsAgo(1), counts),
    shardOf(head('gone.1', { cut: 6, applied: [2, 6] }), secondsAgo(90), counts),
    undefined,
  ]
  const view = new ClusterView(readingOf(shards, members), now)

  it('names stalled shards, gone workers and messages that are pending', () => {
    const cluster = view.cluster()
    expect(cluster).toMatchObject({ phase: 'running', liveWorkers: 1, goneWorkers: 1, stalledCount: 1 })
    expect(cluster.shardCounts).toEqual({ owned: 1, released: 0, orphaned: 1, unclaimed: 1 })
    expect(cluster.stalled).toMatchObject([{ shard: 1, worker: 'gone', state: 'orphaned', behind: 2 }])
    expect(cluster.links).toMatchObject({ sent: 10, behind: 4 })
    expect(cluster.workers.map(({ worker, isLive }) => [worker, isLive])).toEqual([
      ['live', true],
      ['gone', false],
    ])
    expect(cluster.workers[1].beatMs).toBe(secondsAgo(90))
  })

  it('sums the counts of all shards', () => {
    const progress = view.progress()
    expect(progress).toMatchObject({
      pages: 20,
      waiting: 10,
      bytes: 1000,
      redirects: 4,
      failed: 6,
      connections: 2,
    })
    expect(progress.errors).toEqual({ 'http-404': 6 })
    expect(progress.known).toBe(20 + 10 + 2 + 4 + 6)
    // From the beginning to the last group of any shard.
    expect(progress.seconds).toBeCloseTo(599, 6)
  })

  it('has rates over the last readings, also for shards that change their worker', () => {
    const later = [shardOf(head('live.2', { fetched: 40, cut: 14 }), now + 10_000), shards[1], undefined]
    const next = new ClusterView(readingOf(later, members), now + 10_000, view)
    const [first, second] = next.shards(new Query([['sort', 'rate']])).rows
    expect([first.shard, first.pagesPerSecond, second.pagesPerSecond]).toEqual([0, 3, 0])
    expect(next.cluster().links.perSecond).toBe(1)
    expect(next.rates()).toEqual({ pagesPerSecond: 3, bytesPerSecond: 0 })
    const [live] = next.cluster().workers
    expect([live.worker, live.pagesPerSecond]).toEqual(['live', 3])
    // Readings of more than twenty seconds ago do not count.
    const last = new ClusterView(readingOf(later, members), now + 31_000, next)
    expect(last.shards(new Query([])).rows[0].pagesPerSecond).toBe(0)
  })
})
