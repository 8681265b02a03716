import { describe, expect, it } from 'vitest'
import { clusterStatus, type ClusterReading, type ShardReading } from './cluster-status.ts'
import { ControlState, type ControlCommand } from './control.ts'
import type { ShardHead } from './shard-group.ts'

const damping = 0.5
const now = 1_000_000

/** Only the parts that a status is made of. */
const headOf = (change: Partial<ShardHead> = {}): ShardHead => ({
  ...({} as ShardHead),
  writer: 'a.1',
  group: 3,
  kind: 'work',
  account: { certain: 0.25, crumbs: 0, waiting: 0.125, away: 0, excluded: 0, unobtainable: 0, owed: 0 },
  fetched: 10,
  waiting: 5,
  inFlight: 1,
  isIdle: false,
  cut: 0,
  published: 0,
  settled: 0,
  position: 0,
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
  applied: [0, 0],
  ...change,
})

const shardOf = (change: Partial<ShardHead> = {}, secondsAgo = 1): ShardReading => ({
  head: headOf(change),
  storedAt: now - 1000 * secondsAgo,
  groups: 7,
  bytes: 100,
})

function controlOf(...commands: readonly ControlCommand[]): ControlState {
  const state = new ControlState('news', 1, {
    kind: 'settings',
    format: 1,
    shards: 2,
    replicas: 3,
    seeds: ['https://a.example/'],
    trust: [1],
    settings: {},
    createdAt: '2026-11-16T00:00:00.000Z',
  })
  commands.forEach((command, i) => state.apply(i + 2, command))
  return state
}

function readingOf(
  shards: readonly (ShardReading | undefined)[],
  change: Partial<ClusterReading> = {},
): ClusterReading {
  return {
    control: controlOf(),
    damping,
    earlier: shards.map((shard) => shard?.head),
    shards,
    members: [
      { name: 'a', beatAt: now - 2000 },
      { name: 'b', beatAt: now - 19_000 },
    ],
    now,
    ...change,
  }
}

describe('the status of a cluster', () => {
  it('sums pages, mass and bytes over all shards', () => {
    const status = clusterStatus(readingOf([shardOf(), shardOf({ writer: 'b.1' })]))
    expect(status).toMatchObject({
      name: 'news',
      phase: 'running',
      pages: 20,
      waiting: 10,
      inFlight: 2,
      coverage: 0.5,
      groups: 14,
      bytes: 200,
      obeyed: 2,
      control: 1,
    })
    // 2 × 0.25 certain, 2 × 0.125 / (1 - damping) waiting.
    expect(status.mass).toEqual({
      certain: 0.5,
      crumbs: 0,
      waiting: 0.5,
      away: 0,
      excluded: 0,
      unobtainable: 0,
    })
  })

  it('has what no shard holds as mass between shards, and no mass where readings do not fit', () => {
    expect(clusterStatus(readingOf([shardOf(), undefined])).mass).toMatchObject({ certain: 0.25, away: 0.5 })
    const ahead = shardOf({ applied: [0, 4] })
    const reading = readingOf([ahead, shardOf({ cut: 3 })], { earlier: [headOf(), headOf()] })
    expect(clusterStatus(reading)).toMatchObject({ mass: undefined, coverage: 0.5, lost: undefined })
    const account = { certain: 0, crumbs: 0, waiting: 0, away: 0, excluded: 0, unobtainable: 0, owed: 0 }
    expect(clusterStatus(readingOf([shardOf({ account }), undefined]))).toMatchObject({
      mass: undefined,
      coverage: undefined,
    })
  })

  it('tells whether a crawl runs, is paused, stopped, finished or damaged', () => {
    const shards = [shardOf(), shardOf()]
    const phase = (...commands: readonly ControlCommand[]): string =>
      clusterStatus(readingOf(shards, { control: controlOf(...commands) })).phase
    expect(phase()).toBe('running')
    expect(phase({ kind: 'pause' })).toBe('paused')
    expect(phase({ kind: 'pause' }, { kind: 'stop', reason: 'x' })).toBe('stopped')
    const idle = shardOf({ isIdle: true })
    expect(clusterStatus(readingOf([idle, idle])).phase).toBe('finished')
    expect(clusterStatus(readingOf([idle, idle], { earlier: [headOf({ group: 2 }), idle.head] })).phase).toBe(
      'running',
    )
    const lost = readingOf([shardOf({ applied: [0, 4] }), shardOf({ cut: 3 })])
    expect(clusterStatus(lost)).toMatchObject({
      phase: 'damaged',
      lost: { source: 1, target: 0, applied: 4, cut: 3 },
    })
  })

  it('has looks a second up to now, also if no new page is fetched', () => {
    expect(clusterStatus(readingOf([shardOf()])).looksPerSecond).toBeUndefined()
    const before = { looks: 10, storedAt: now - 20_000 }
    const shards = [
      { ...shardOf({ looks: 50 }), before },
      { ...shardOf({ looks: 110 }, 10), before },
    ]
    expect(clusterStatus(readingOf([...shards, shardOf()])).looksPerSecond).toBe(2 + 5)
  })

  it('counts the shards that have obeyed the last command', () => {
    const control = controlOf({ kind: 'pause' }, { kind: 'resume' })
    const shards = [shardOf({ control: 3 }), shardOf({ control: 2 })]
    expect(clusterStatus(readingOf(shards, { control }))).toMatchObject({ control: 3, obeyed: 1 })
  })

  it('lists every worker with its shards, and those without a beat for 20 seconds as gone', () => {
    const reading = readingOf([shardOf({ writer: 'a.7' }), shardOf({ writer: 'c.1' })], {
      members: [
        { name: 'a', beatAt: now - 19_999 },
        { name: 'b', beatAt: now - 20_000 },
      ],
    })
    expect(clusterStatus(reading).workers).toEqual([
      { name: 'a', isLive: true, secondsSinceBeat: 19.999, shards: [0], pages: 10 },
      { name: 'b', isLive: false, secondsSinceBeat: 20, shards: [], pages: 0 },
      { name: 'c', isLive: false, secondsSinceBeat: undefined, shards: [1], pages: 10 },
    ])
  })

  it.each([
    ['owned', {}, 1, 'owned', false],
    ['owned and silent for more than a minute', {}, 61, 'owned', true],
    ['idle and silent', { isIdle: true }, 600, 'owned', false],
    ['of a worker that is gone', { writer: 'z.1' }, 1, 'orphaned', true],
    ['released', { kind: 'released' }, 1, 'released', true],
  ] as const)('has a shard that is %s', (_, change, secondsAgo, phase, isStalled) => {
    const reading = readingOf([shardOf(change, secondsAgo), undefined])
    expect(clusterStatus(reading).shards[0]).toMatchObject({ phase, isStalled })
    // Nothing stalls in a pause.
    const paused = { ...reading, control: controlOf({ kind: 'pause' }) }
    expect(clusterStatus(paused).shards[0].isStalled).toBe(false)
  })

  it('has shards without a group as unclaimed, and counts messages that are not applied', () => {
    const { shards } = clusterStatus(readingOf([shardOf({ applied: [0, 2] }), shardOf({ cut: 5 })]))
    expect(shards.map(({ behind }) => behind)).toEqual([3, 0])
    expect(clusterStatus(readingOf([undefined, undefined])).shards[1]).toMatchObject({
      phase: 'unclaimed',
      worker: undefined,
      isStalled: false,
    })
  })
})
