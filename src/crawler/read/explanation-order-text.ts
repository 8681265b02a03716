/** When a page was found, its score, and the pages requested before it, in sentences. Pure. */
import { patienceText } from '../../engine/patience.ts'
import { grouped } from '../../lib/amounts.ts'
import { stopPhrases } from '../wording/crawl-end.ts'
import type { Explanation } from './explanation-parts.ts'
import { agreeing, durationText, plural, safe } from './words.ts'

export function waitingText(explanation: Explanation): string {
  const { waiting, shard } = explanation
  const stop = crawlText(explanation)
  if (waiting === undefined) return `${stop}.`
  if (waiting.isInFlight && explanation.isRunning) return `${stop}, and it is being requested.`
  const others = `${plural(waiting.others, 'other page')}${shard === undefined ? '' : ' of its shard'}`
  const behind = waiting.better === undefined ? '' : `, ${grouped(waiting.better)} of them ahead of it`
  return explanation.isRunning
    ? `${stop}, and it waits with ${others}${behind}.`
    : `${stop} while it waited with ${others}${behind}.`
}

/** What the crawl does, or why it does nothing. */
function crawlText({ isRunning, stoppedBecause, shard }: Explanation): string {
  if (shard !== undefined && shard.phase === undefined) return 'the journal of its shard ends'
  if (shard !== undefined && shard.phase !== 'running') return `the crawl was ${safe(shard.phase ?? '')}`
  if (shard !== undefined && !isRunning) return 'no worker runs the crawl: it was interrupted'
  if (isRunning) return 'the crawl is running'
  return `the crawl stopped ${stopPhrases[stoppedBecause ?? 'interrupted']}`
}

export function putLastLines({ waited, state }: Explanation): string[] {
  if (waited?.isPutLast !== true) return []
  const has = state === 'waiting' ? 'has put' : 'had put'
  return [
    `Trap detection ${has} it last, after all other pages (docs/guide/traps.md; --no-traps turns this off).`,
  ]
}

export function foundLines({ url, found, scope, shard }: Explanation): string[] {
  if (found === undefined) return []
  const { by, at, depth, path, afterPages } = found
  const time = at === undefined ? '' : ` at ${timeText(at)}`
  if (by === 'seed')
    return [`${scope.seeds.includes(url) ? 'a seed' : 'in a sitemap'}, known from the start${time}`]
  const pages = `${plural(afterPages, 'page')}${shard === undefined ? '' : ' of its shard'}`
  const when = `${time} when ${pages} had an outcome`
  if (by === 'arrived') return [`by another shard, known to its own${when}`]
  if (by === 'listed' && path.length === 1) return [`added by hand${when}`]
  const steps = path.map((step, i) => `  ${i === 0 ? '  ' : '→ '}${safe(step)}`)
  const how = by === 'listed' ? 'the last step by a sitemap or feed' : 'by'
  return [`${plural(depth, 'link')} from a seed,${when}, ${how}`, ...steps]
}

export function scoreLines({ score, strategy, shard }: Explanation): string[] {
  if (score === undefined) return []
  const { value, isNow, linksTo, mass } = score
  const about = strategy.about === undefined ? '' : ` (${strategy.about})`
  const when = isNow ? 'now' : 'when it was selected'
  const whose = shard === undefined ? 'fetched pages' : 'pages that its shard had fetched'
  const links = `${plural(linksTo, 'link')} of ${whose} led to it`
  const lines = [
    `${value === undefined ? 'none of its own' : scoreText(value)} ${when}, by ${safe(strategy.name)}${about}; ${links}`,
  ]
  if (mass === undefined) return lines
  lines.push(
    `RankMass that had reached it: ${scoreText(mass.reached)}${mass.givers.length === 0 ? '' : ', most of it from'}`,
  )
  return [
    ...lines,
    ...mass.givers.map(({ url, mass: given }) => `  ${scoreText(given).padEnd(10)} ${safe(url)}`),
  ]
}

export function waitedLines(explanation: Explanation): string[] {
  const { waited, shard, state } = explanation
  if (waited === undefined) return []
  const { all, sameSite, seconds, putBack, again } = waited
  const time = seconds === undefined ? '' : `${durationText(Math.max(0, seconds))}; `
  const meanwhile =
    all === 0
      ? `no other page${shard === undefined ? '' : ' of its shard'} was requested meanwhile`
      : `${plural(all, 'other page')}${shard === undefined ? '' : ' of its shard'} ${agreeing(all, 'was', 'were')} requested meanwhile, ${grouped(sameSite)} of its own site:`
  const reasons: [number, string][] = [
    [waited.better, 'with a higher score, or the same and found earlier'],
    [waited.putLast, 'without a higher score: trap detection had put this page last'],
    [waited.siteBusy, 'that ranked behind it, while its site had a connection'],
    [waited.siteRested, 'that ranked behind it, while its site had to wait'],
    [waited.otherwise, 'that ranked behind it, because of the frontier, a batch or an open connection'],
    [waited.unranked, 'by the order of sites'],
  ]
  const back =
    putBack === 0
      ? []
      : [
          `It was requeued ${plural(putBack, 'time')}: its site's address or robots.txt came first, the site had to wait, a request failed, or a session ended.`,
        ]
  const looks =
    again === 0
      ? []
      : [`Meanwhile ${plural(again, 'page')} fetched before ${agreeing(again, 'was', 'were')} fetched again.`]
  const { patience } = waited
  const heldBack =
    patience === undefined
      ? []
      : [
          `Connections stayed free for better pages although its site was free: at ${plural(patience.moments, 'recorded moment')}, first at ${timeText(patience.since)} (--patience ${patienceText(patience.share)}).`,
        ]
  return [
    `${time}${meanwhile}`,
    ...reasons.filter(([count]) => count > 0).map(([count, why]) => `  ${grouped(count).padStart(7)} ${why}`),
    ...looks,
    ...heldBack,
    ...(state === 'waiting' ? [] : putLastLines(explanation)),
    ...back,
  ]
}

/** Formats 2026-11-15T12:40:12.345Z as 2026-11-15 12:40:12 UTC. */
export function timeText(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
}

function scoreText(value: number): string {
  return String(Number(value.toPrecision(4)))
}
