/**
 * What could stop a crawl on a cluster: servers, clocks, replicas, versions and room, before it begins and while it runs. Nothing is
 * written.
 */
import { jetstreamManager, type JetStreamManager, type StreamInfo } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { ClusterConnection } from '../../crawler/options/cluster-options.ts'
import { version } from '../../crawler/options/version.ts'
import { bytesText, durationText, plural } from '../../lib/amounts.ts'
import { RankwardError } from '../../lib/errors.ts'
import { clusterStatus } from '../protocol/cluster-status.ts'
import { controlStream } from '../protocol/stream-names.ts'
import { clockSecondsMax } from '../worker/clock-check.ts'
import { readCluster, serverTime } from './cluster-reading.ts'
import { connectCluster } from './connect.ts'
import { streamsOf } from './delete-crawl.ts'
import { listCrawls } from './jetstream-control.ts'
import { memberKeys, type MemberAbout } from './jetstream-members.ts'
import { natsFailure } from './nats-errors.ts'
import { membersBucket } from '../protocol/stream-names.ts'

/** `warning`: look at it soon. `problem`: a crawl stops, or will. */
type FindingState = 'good' | 'warning' | 'problem'

export interface ClusterFinding {
  /** What was looked at: `server nats://10.0.0.1:4222`, `streams`, `worker a-12`. */
  readonly of: string
  readonly state: FindingState
  readonly text: string
}

const clockSecondsWarned = 5
const responseMs = 10_000
const worst = { good: 0, warning: 1, problem: 2 }

export async function checkCluster(
  servers: ClusterConnection,
  crawl: string | undefined,
): Promise<ClusterFinding[]> {
  const findings: ClusterFinding[] = []
  const versions = new Map<string, string>()
  let last: NatsConnection | undefined
  try {
    for (const address of servers.cluster) {
      const of = `server ${address}`
      try {
        const connection = await connectCluster(
          { ...servers, cluster: [address] },
          { name: 'rankward check' },
        )
        await last?.close()
        last = connection
        findings.push(await serverFinding(of, connection, versions))
      } catch (error) {
        findings.push({ of, state: 'problem', text: (natsFailure(error) as Error).message })
      }
    }
    if (new Set(versions.values()).size > 1)
      findings.push(finding('versions', 'warning', `servers differ: ${[...versions.values()].join(', ')}`))
    if (last !== undefined) findings.push(...(await crawlFindings(last, crawl)))
  } finally {
    await last?.close()
  }
  return findings
}

export function stateOf(findings: readonly ClusterFinding[]): FindingState {
  return findings.reduce<FindingState>(
    (state, each) => (worst[each.state] > worst[state] ? each.state : state),
    'good',
  )
}

function finding(of: string, state: FindingState, text: string): ClusterFinding {
  return { of, state, text }
}

async function serverFinding(
  of: string,
  connection: NatsConnection,
  versions: Map<string, string>,
): Promise<ClusterFinding> {
  const { server_id: id = of, server_name: name, version: running = '?' } = connection.info ?? {}
  const roundTripMs = await connection.rtt()
  const isKnown = versions.has(id)
  versions.set(id, running)
  const text = `${name}, nats-server ${running}, ${durationText(roundTripMs / 1000)} there and back`
  return isKnown
    ? finding(of, 'warning', `${text}: another address leads to the same server`)
    : finding(of, 'good', text)
}

async function crawlFindings(
  connection: NatsConnection,
  crawl: string | undefined,
): Promise<ClusterFinding[]> {
  const manager = await jetstreamManager(connection, { timeout: responseMs, checkAPI: false })
  const findings = [await roomFinding(manager)]
  const crawls = await listCrawls(connection)
  if (crawl !== undefined && !crawls.includes(crawl))
    throw new RankwardError(
      'NO_CRAWL',
      `The cluster has no crawl ${crawl}: \`rankward cluster list\` lists its crawls.`,
    )
  const timed = crawl ?? crawls.at(0)
  if (timed === undefined) return [...findings, finding('clock', 'good', 'compared once there is a crawl')]
  const sentMs = Date.now()
  const servers = await serverTime(manager, controlStream(timed))
  const aheadMs = Math.max(0, sentMs - servers) + Math.min(0, Date.now() - servers)
  findings.push(clockFinding('clock', aheadMs, 'this machine'))
  if (crawl === undefined) return findings
  findings.push(await streamsFinding(manager, crawl))
  findings.push(...(await workerFindings(connection, manager, crawl, servers)))
  return findings
}

async function roomFinding(manager: JetStreamManager): Promise<ClusterFinding> {
  const { limits, storage } = await manager.getAccountInfo()
  const used = `${bytesText(storage)} used`
  if (limits.max_storage < 0)
    return finding('storage', 'good', `${used}; the account has no limit, only max_file of each server`)
  const share = storage / limits.max_storage
  const text = `${used} of ${bytesText(limits.max_storage)}`
  return finding('storage', share > 0.9 ? 'problem' : share > 0.75 ? 'warning' : 'good', text)
}

function clockFinding(of: string, aheadMs: number, whose: string): ClusterFinding {
  const seconds = Math.abs(aheadMs) / 1000
  const text = `${whose} is ${durationText(seconds)} ${aheadMs < 0 ? 'behind' : 'ahead of'} the servers`
  if (seconds > clockSecondsMax) return finding(of, 'problem', `${text}: workers refuse more than a minute`)
  return finding(of, seconds > clockSecondsWarned ? 'warning' : 'good', text)
}

/** Replicas that are offline, or lag behind, and streams without a leader. */
async function streamsFinding(manager: JetStreamManager, crawl: string): Promise<ClusterFinding> {
  const names = await streamsOf(manager, crawl)
  const low = new Map<string, number>()
  let leaderless = 0
  let replicas = 0
  for (const name of names) {
    const { cluster, config }: StreamInfo = await manager.streams.info(name)
    replicas = Math.max(replicas, config.num_replicas)
    if (cluster === undefined || config.num_replicas === 1) continue
    if (cluster.leader === undefined || cluster.leader === '') leaderless++
    for (const peer of cluster.replicas ?? [])
      if (!peer.current || peer.offline) low.set(peer.name, (low.get(peer.name) ?? 0) + 1)
  }
  const all = `${plural(names.length, 'stream')} with ${plural(replicas, 'replica')}`
  if (leaderless > 0) return finding('streams', 'problem', `${all}: ${leaderless} have no leader`)
  if (low.size === 0) return finding('streams', 'good', `${all}, all current`)
  const missing = [...low].map(([name, count]) => `${name} lacks ${count}`)
  return finding('streams', 'problem', `${all}: ${missing.join(', ')}`)
}

async function workerFindings(
  connection: NatsConnection,
  manager: JetStreamManager,
  crawl: string,
  nowMs: number,
): Promise<ClusterFinding[]> {
  const abouts = new Map<string, MemberAbout | undefined>()
  for await (const { member, about } of memberKeys(manager, membersBucket(crawl))) abouts.set(member, about)
  const { workers, shards, phase } = clusterStatus({ ...(await readCluster(connection, crawl)), now: nowMs })
  const findings = workers.map(({ name, isLive, shards: own, secondsSinceBeat }) => {
    const of = `worker ${name}`
    if (isLive) return liveFinding(of, abouts.get(name), own.length)
    const since = secondsSinceBeat === undefined ? '' : ` for ${durationText(secondsSinceBeat)}`
    return finding(
      of,
      own.length > 0 ? 'problem' : 'warning',
      `gone${since}, with ${plural(own.length, 'shard')}`,
    )
  })
  const stalled = shards.filter(({ isStalled }) => isStalled).length
  if (phase === 'damaged') findings.push(finding('journals', 'problem', 'a journal has lost groups'))
  if (phase === 'running' && !workers.some(({ isLive }) => isLive))
    findings.push(finding('workers', 'problem', 'the crawl has none'))
  if (stalled > 0) findings.push(finding('shards', 'warning', `${plural(stalled, 'shard')} stalled`))
  return findings
}

const roomBytesMin = 100_000_000
const roomBytesWarned = 1_000_000_000

function liveFinding(of: string, about: MemberAbout | undefined, shards: number): ClusterFinding {
  if (about === undefined) return finding(of, 'warning', `${plural(shards, 'shard')}; an older version`)
  const { version: running, roomBytes = Infinity, aheadMs = 0 } = about
  const clock = clockFinding(of, aheadMs, 'its clock')
  const text = `${plural(shards, 'shard')}, version ${running}, ${bytesText(roomBytes)} free, ${clock.text}`
  const isFull = roomBytes < roomBytesMin ? 'problem' : roomBytes < roomBytesWarned ? 'warning' : 'good'
  const differs = running === version ? 'good' : 'warning'
  const states = [clock.state, isFull, differs] as const
  return finding(of, stateOf(states.map((state) => ({ of, state, text }))), text)
}
