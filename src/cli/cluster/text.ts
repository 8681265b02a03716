/** Status, workers and shards of a crawl on a cluster as text. */
import type { ClusterMass, ClusterStatus, ShardStatus } from '../../cluster/protocol/cluster-status.ts'
import type {
  ClusterCheck,
  ClusterCommandResult,
  ClusterCrawlState,
  ClusterCrawlStatus,
} from '../../cluster/operator.ts'
import { stopPhrases } from '../../crawler/wording/crawl-end.ts'
import { unfollowedLinksTexts } from '../../crawler/wording/unfollowed-links.ts'
import { bytesText, durationText, percentText, plural, rateText } from '../crawl/words.ts'
import { bold, grouped, safe, table } from '../terminal.ts'

/** Stalled shards that are listed. */
const stallsMax = 5

export function statusText(status: ClusterCrawlStatus): string {
  const { workers, shards, coverage, mass, lost, refusedAsTraps } = status
  const notFollowed = unfollowedLinksTexts(status.linksNotFollowed)
  const live = workers.filter(({ isLive }) => isLive).length
  const rows: (readonly [string, string])[] = [
    [
      'pages',
      `${grouped(status.pages)}, ${grouped(status.waiting)} waiting, ${grouped(status.inFlight)} in flight`,
    ],
    ['looks', looksText(status)],
    ['out of scope', plural(status.linksOutOfScope, 'link')],
    ...(notFollowed.length === 0 ? [] : [['not followed', notFollowed.join(', ')] as const]),
    ...(refusedAsTraps === 0
      ? []
      : [['traps', `${plural(refusedAsTraps, 'page')} refused by trap detection (--no-traps)`] as const]),
    ...(coverage === undefined ? [] : [['coverage', `${percentText(coverage)} certain`] as const]),
    ...(mass === undefined ? [] : [['mass', massText(mass)] as const]),
    [
      'workers',
      `${grouped(live)} live${live < workers.length ? `, ${grouped(workers.length - live)} gone` : ''}`,
    ],
    ['shards', shardsText(shards)],
    [
      'journals',
      `${plural(status.groups, 'group')}, ${bytesText(status.bytes)} on each of ${plural(status.replicas, 'server')}`,
    ],
    [
      'control',
      `message ${grouped(status.control)}, obeyed by ${grouped(status.obeyed)} of ${plural(shards.length, 'shard')}`,
    ],
    ...stallRows(shards),
    ...(lost === undefined
      ? []
      : [
          [
            'damage',
            `shard ${lost.target} has applied message ${lost.applied} of shard ${lost.source}, whose journal ends with message ${lost.cut}: the journal has lost groups`,
          ] as const,
        ]),
  ]
  return [
    `${bold(safe(status.name))}  ${phaseText(status)}`,
    ...rows.map(([name, value]) => `  ${name.padEnd(14)}${value}`),
  ].join('\n')
}

function looksText({ looks, looksPerSecond }: ClusterStatus): string {
  return grouped(looks) + (looksPerSecond === undefined ? '' : ` (${rateText(looksPerSecond)} per second)`)
}

const marks = { good: 'ok', warning: 'warning', problem: 'PROBLEM' }

export function checkText({ state, findings }: ClusterCheck): string {
  const width = Math.max(...findings.map(({ of }) => of.length))
  const lines = findings.map(
    (each) => `${marks[each.state].padEnd(9)}${safe(each.of).padEnd(width + 2)}${safe(each.text)}`,
  )
  const count = findings.filter((each) => each.state !== 'good').length
  const end = {
    good: 'Everything is in order.',
    warning: 'Nothing stops a crawl.',
    problem: 'A crawl stops, or will.',
  }
  return [...lines, `${bold(end[state])}${count === 0 ? '' : ` ${plural(count, 'finding')}.`}`].join('\n')
}

function phaseText({ phase, stoppedBecause, refusedAsTraps }: ClusterCrawlStatus): string {
  if (phase === 'finished' && refusedAsTraps > 0) return `ended ${stopPhrases.traps}`
  if (phase === 'stopped') return `stopped (${safe(stoppedBecause ?? '')})`
  return phase === 'damaged' ? 'damaged: workers refuse to continue' : phase
}

function massText({ certain, crumbs, waiting, away, excluded, unobtainable }: ClusterMass): string {
  const parts: [number, string][] = [
    [certain + crumbs, 'on fetched pages'],
    [waiting, 'on waiting pages'],
    [away, 'between shards'],
    [excluded, 'excluded'],
    [unobtainable, 'unobtainable'],
  ]
  return parts
    .filter(([share]) => share > 0)
    .map(([share, where]) => `${percentText(share)} ${where}`)
    .join(', ')
}

function shardsText(shards: readonly ShardStatus[]): string {
  const counts = (['owned', 'released', 'orphaned', 'unclaimed'] as const)
    .map((phase) => [phase, shards.filter((shard) => shard.phase === phase).length] as const)
    .filter(([, count]) => count > 0)
  return `${grouped(shards.length)}: ${counts.map(([phase, count]) => `${grouped(count)} ${phase}`).join(', ')}`
}

function stallRows(shards: readonly ShardStatus[]): (readonly [string, string])[] {
  const stalled = shards.filter(({ isStalled }) => isStalled)
  if (stalled.length === 0) return []
  const named = stalled
    .slice(0, stallsMax)
    .map(
      ({ shard, phase, secondsSinceGroup }) => `${shard} (${phase}, ${durationText(secondsSinceGroup ?? 0)})`,
    )
  const more = stalled.length > stallsMax ? `, ${stalled.length - stallsMax} more` : ''
  return [['stalled', `shards ${named.join(', ')}${more}`]]
}

const ago = (seconds: number | undefined): string => (seconds === undefined ? '' : durationText(seconds))

export function workersText({ workers }: ClusterStatus): string {
  if (workers.length === 0) return 'No worker has joined this crawl.'
  return table(
    [
      { title: 'worker' },
      { title: 'state' },
      { title: 'last beat', align: 'right' },
      { title: 'shards', align: 'right' },
      { title: 'pages', align: 'right' },
    ],
    workers.map(({ name, isLive, secondsSinceBeat, shards, pages }) => [
      safe(name),
      isLive ? 'live' : 'gone',
      ago(secondsSinceBeat),
      grouped(shards.length),
      grouped(pages),
    ]),
  )
}

export function shardsTable({ shards }: ClusterStatus): string {
  return table(
    [
      { title: 'shard', align: 'right' },
      { title: 'state' },
      { title: 'worker' },
      { title: 'pages', align: 'right' },
      { title: 'waiting', align: 'right' },
      { title: 'in flight', align: 'right' },
      { title: 'certain', align: 'right' },
      { title: 'behind', align: 'right' },
      { title: 'last group', align: 'right' },
      { title: 'journal', align: 'right' },
    ],
    shards.map((each) => [
      String(each.shard),
      each.isStalled ? `${each.phase}, stalled` : each.isIdle ? `${each.phase}, idle` : each.phase,
      safe(each.worker ?? ''),
      grouped(each.pages),
      grouped(each.waiting),
      grouped(each.inFlight),
      percentText(each.certain),
      grouped(each.behind),
      ago(each.secondsSinceGroup),
      bytesText(each.bytes),
    ]),
  )
}

function stateText({ isPaused, stoppedBecause }: ClusterCrawlState): string {
  if (stoppedBecause !== undefined) return `stopped (${safe(stoppedBecause)})`
  return isPaused ? 'paused' : 'running'
}

export function crawlsText(crawls: readonly ClusterCrawlState[]): string {
  if (crawls.length === 0) return 'There is no crawl on this cluster.'
  return table(
    [{ title: 'crawl' }, { title: 'state' }, { title: 'shards', align: 'right' }, { title: 'created' }],
    crawls.map((crawl) => [safe(crawl.name), stateText(crawl), grouped(crawl.shards), safe(crawl.createdAt)]),
  )
}

export function commandText(result: ClusterCommandResult): string {
  const { name, isChanged } = result
  return isChanged
    ? `${safe(name)} is now ${stateText(result)}. \`rankward status\` shows how many shards have obeyed.`
    : `${safe(name)} is ${stateText(result)}; nothing was changed.`
}
