/** A simulated crawl on several shards: its fetch order and what the cluster did. */
import { frontierOf } from '../../engine/frontiers/index.ts'
import { RankwardError } from '../../lib/errors.ts'
import { shardedStrategies, strategyOf, type StrategySetting } from '../../engine/strategies/index.ts'
import type { StopReason } from '../../engine/engine-options.ts'
import type { Strategy } from '../../engine/strategy.ts'
import type { RunOptions, RunRecord, RunWatch } from '../run.ts'
import { graphOfSimulated, type SimulatedWeb } from '../simulated-web.ts'
import {
  checkOptions as checkGiven,
  ofKind,
  portion,
  type OptionCheck,
  type OptionChecks,
} from '../../lib/option-checks.ts'
import { objectCheck } from '../../lib/option-table.ts'
import { atLeast, ValueError } from '../../lib/value-kinds.ts'
import { clockSecondsMax } from '../../cluster/worker/clock-check.ts'
import { clusterRows, type ClusterFaults, type ClusterOptions } from '../options/cluster-options.ts'
import type { RunKind } from '../run-kind.ts'
import type { Graph } from '../../webgraph/graph.ts'
import { TwoLevelFrontier } from '../../engine/frontiers/two-level.ts'
import { jumpShare } from '../../engine/recrawl/key-masses.ts'
import { recrawlPolicyOf } from '../../engine/recrawl/policies/index.ts'
import { changesOf, linksOverTime } from '../changing-web.ts'
import { LookLog } from '../look-log.ts'
import { knowsAllName } from '../options/recrawl-options.ts'
import { settingOf } from '../recrawl-run.ts'
import { daySeconds } from '../worlds/changing-pages.ts'
import { ChangingShards } from './changing-shards.ts'
import { VirtualCluster, type ClusterEnd } from './virtual-cluster.ts'

/** Options of a run that need the whole web in one engine, or a part that is not sharded. */
const unsupported = [
  'failures',
  'traps',
  'batchSize',
  'batchEndBelow',
  'batchOverlap',
  'demoteSpam',
  'time',
] as const satisfies readonly (keyof RunOptions)[]

async function clusterRun(web: SimulatedWeb, options: RunOptions, watch: RunWatch = {}): Promise<RunRecord> {
  const { cluster: given, strategy: name, coverage, pages, frontier = 'two-level', seed = 1 } = options
  const setting = (trust: readonly number[], shard = 0): StrategySetting => ({
    damping: web.damping,
    webPages: web.pages,
    // Each shard draws numbers of its own, as in a crawl.
    seed: seed + shard,
    opicInitial: options.opicInitial,
    tolerance: options.tolerance,
    every: options.every,
    window: options.window,
    trust: (seedIndex) => trust[seedIndex],
  })
  const guarantees = checkedStrategy(name, setting(web.trust)).sharding?.account !== undefined
  checkOptions(options)
  const graph = graphOfSimulated(web)
  const changing = options.recrawl === undefined ? undefined : changingWeb(web, graph, options)
  const order = new Uint32Array(graph.pages)
  const scores = new Float64Array(graph.pages)
  const guaranteed = new Float64Array(guarantees ? graph.pages + 1 : 0)
  const isTaken = new Uint8Array(graph.pages)
  let taken = 0
  const { shards, workers = 1, faults, ...timing } = given!
  const cluster: VirtualCluster = new VirtualCluster({
    graph,
    siteOf: web.siteOf,
    siteHashes: web.siteKeys,
    seeds: web.seeds,
    trust: web.trust,
    damping: web.damping,
    shards,
    workers,
    faults,
    seed,
    coverage,
    pages,
    patience: options.patience,
    changing: changing?.shards,
    timing: Object.fromEntries(Object.entries(timing).filter(([, value]) => value !== undefined)),
    makeStrategy: (trust, shard) => strategyOf(name as string, setting(trust, shard)),
    makeFrontier: ({ ranksSites = false }) =>
      frontierOf(frontier as string, { ranksSites, seed, connections: 1 }),
    watch: {
      requested(node, score) {
        if (isTaken[node] === 1) return
        if (guarantees) guaranteed[taken] = cluster.coverage()
        isTaken[node] = 1
        order[taken] = node
        scores[taken++] = score
      },
    },
  })
  const isStopped = (): boolean => {
    watch.progress?.(taken)
    return watch.stopped?.() === true
  }
  if (changing !== undefined) await runUntil(cluster, changing.endSeconds, isStopped)
  const end = changing === undefined ? await cluster.run(isStopped) : 'time'
  if (guarantees) guaranteed[taken] = cluster.coverage()
  return {
    ...changing?.log.end(),
    order: order.subarray(0, taken),
    scores: scores.subarray(0, taken),
    guaranteed: guaranteed.subarray(0, guarantees ? taken + 1 : 0),
    unobtainable: new Uint32Array(0),
    stopReason: end === 'time' ? end : stopReason(end),
    engineBytes: cluster.engineBytes,
    cluster: {
      ...cluster.counts,
      shards,
      workers,
      seconds: cluster.seconds,
      coverage: guarantees ? cluster.coverage() : 0,
    },
  }
}

interface ChangingRun {
  readonly shards: ChangingShards
  readonly log: LookLog
  readonly endSeconds: number
}

function changingWeb(web: SimulatedWeb, graph: Graph, options: RunOptions): ChangingRun {
  const { days = 0, rate, rest = 0, cost = 'fetch', ...recrawl } = options.recrawlOptions!
  const policy = options.recrawl!
  if (rate === undefined) throw new RankwardError('USAGE', 'Several shards need the option rate, not round.')
  if (
    web.recorded !== undefined ||
    policy === 'optimal' ||
    policy === knowsAllName ||
    recrawl.knownRates === true
  )
    throw new RankwardError(
      'USAGE',
      'Recorded changes, and policies that know the true change rates, do not work on several shards.',
    )
  if ((options.frontier ?? 'two-level') !== 'two-level')
    throw new RankwardError('USAGE', 'Fetching pages again on several shards needs the frontier two-level.')
  const changes = changesOf(web)
  const log = new LookLog(web, changes, options.recrawlOptions!)
  const shards = new ChangingShards({
    nodes: graph.pages,
    changes,
    links: linksOverTime(web, graph, changes),
    perDay: rate,
    recrawl: () => ({
      policy: recrawlPolicyOf(policy, settingOf(recrawl, changes)),
      frontier: new TwoLevelFrontier(),
      restSeconds: rest,
      cost,
      jump: jumpShare,
    }),
    onLook: log.look,
  })
  return { shards, log, endSeconds: days * daySeconds }
}

/** Runs for so long, by the virtual clock. */
async function runUntil(cluster: VirtualCluster, seconds: number, isStopped: () => boolean): Promise<void> {
  let steps = 0
  await cluster.runWhile(() => cluster.queue.now < seconds && ((++steps & 1023) !== 0 || !isStopped()))
  if (cluster.end !== undefined) stopReason(cluster.end)
}

function stopReason(end: ClusterEnd): StopReason {
  if (typeof end === 'string') return end
  throw end.failed
}

function checkedStrategy(name: RunOptions['strategy'], setting: StrategySetting): Strategy {
  const strategy = typeof name === 'string' ? strategyOf(name, setting) : undefined
  if (strategy?.sharding !== undefined) return strategy
  throw new RankwardError(
    'USAGE',
    `${strategy === undefined ? 'A strategy given as code' : `Strategy ${strategy.name}`} does not run on several shards. These do: ${shardedStrategies(setting).join(', ')}.`,
  )
}

function checkOptions(options: RunOptions): void {
  const given = unsupported.find((name) => options[name] !== undefined && options[name] !== false)
  const what =
    typeof options.frontier === 'string' || options.frontier === undefined ? given : 'frontier as code'
  if (what === undefined) return
  if (what === 'time')
    throw new RankwardError(
      'USAGE',
      'Options of a timed crawl, such as connections and wait, do not work on several shards.',
    )
  throw new RankwardError('USAGE', `The option ${what} does not work on several shards.`)
}

/** If more were lost, too few beats would be acknowledged, and no crawl would end. */
const lossShare: OptionCheck = (value) => {
  if (!(typeof value === 'number' && value >= 0 && value <= 0.5))
    throw new ValueError('a number from 0 to 0.5')
}

/** Workers whose clock is further ahead refuse to work. */
const skew: OptionCheck = (value) => {
  if (!(typeof value === 'number' && value >= 0 && value <= clockSecondsMax))
    throw new ValueError(`a number from 0 to ${clockSecondsMax}`)
}

const faultChecks: OptionChecks<ClusterFaults> = {
  kills: ofKind(atLeast(0)),
  freezes: ofKind(atLeast(0)),
  loss: lossShare,
  duplicates: portion,
  delay: ofKind(atLeast(0)),
  linksLosses: ofKind(atLeast(0)),
  clockSkew: skew,
}

const checkCluster = objectCheck('simulate: cluster', clusterRows)

export const cluster: RunKind = {
  run: clusterRun,
  check(value) {
    checkCluster(value)
    const { shards, faults } = value as Partial<ClusterOptions>
    if (faults !== undefined) checkGiven('simulate: cluster: faults', faults, faultChecks)
    if (shards === undefined)
      throw new RankwardError('USAGE', 'The option cluster of simulate needs the number of shards.')
  },
}
