/** The view Now: four figures, the importance bar, curves, errors, and the newest pages. */
import type { VNode } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import {
  bytesText,
  certainPercent,
  durationText,
  finePercentText,
  grouped,
  partPercent,
  plural,
  rateText,
  shortCount,
} from '../../../../lib/amounts.ts'
import { importanceBar, ShareBar } from '../../../pictures/share-bar.tsx'
import {
  pointOf,
  type CrawlInfo,
  type ImportanceBar,
  type Now,
  type Series,
  type SeriesPoint,
  type SettledPage,
} from '../../api/index.ts'
import { Empty, Pending, useAnswer } from '../answer.tsx'
import { Chart, type ChartOptions } from '../chart.tsx'
import { useLive, usePage } from '../context.ts'
import { fromNow, timeOfDay } from '../format.ts'
import { BarList, Card, Facts, Figures, UrlText, type LargeFigure } from '../parts.tsx'
import { hrefOf } from '../route.ts'

/** Points that are kept; then every second one is dropped. */
const pointsMax = 1200
const feedLength = 14

type ColumnName = Exclude<keyof Series, 'timeMs'>

export function NowView(): VNode {
  const { live } = usePage()
  const first = useAnswer('now', {})
  const series = useAnswer('series', { points: 400 })
  const [received, setReceived] = useState(live.now)
  useLive('now', setReceived)
  // Both, so that the figures and the curves are of one moment.
  const answer = { ...first, body: series.body === undefined ? undefined : first.body }
  return (
    <Pending
      name="now"
      answer={{
        ...answer,
        isBusy: first.isBusy || series.isBusy,
        failure: first.failure ?? series.failure,
        retry: () => {
          first.retry()
          series.retry()
        },
      }}
    >
      {(now) => (
        <NowCards
          now={received !== undefined && received.asOfMs > now.asOfMs ? received : now}
          series={series.body!}
        />
      )}
    </Pending>
  )
}

function NowCards({ now, series }: { now: Now; series: Series }): VNode {
  const { info } = usePage()
  const { importance } = now
  const trouble = troubleOf(now)
  return (
    <div class="stack">
      <h1 class="unseen">Now</h1>
      <p class="banner" role="status" hidden={trouble === undefined}>
        {trouble}
      </p>
      <Figures figures={figuresOf(now, info)} />
      <Card class="importance-card">
        <span class="beside-title soft">{importance !== undefined && barTimeText(importance, now)}</span>
        <h2>Where the importance is</h2>
        <div>
          {importance === undefined ? <NoBar /> : <ShareBar {...importanceBar(barShares(importance), now)} />}
        </div>
      </Card>
      <Charts now={now} series={series} />
      <div class="columns even">
        <Card title="Errors by kind">
          <div class="long" tabindex={0} role="region" aria-label="Errors by kind">
            {now.errors.length === 0 ? (
              <Empty text="No errors so far." />
            ) : (
              <BarList
                entries={now.errors.map(({ error, count }) => ({
                  name: error,
                  value: count,
                  text: shortCount(count),
                }))}
              />
            )}
          </div>
        </Card>
        <Card title="Counts">
          <Counts now={now} />
        </Card>
        {info.isRunning && info.has.record && (
          <Card title="Newest pages">
            <NewestPages />
          </Card>
        )}
      </div>
    </div>
  )
}

/** On a cluster, robots.txt and failures are one part. */
function barShares({ robots, failed, ...bar }: ImportanceBar): Parameters<typeof importanceBar>[0] {
  return bar.unobtainable === undefined ? { ...bar, robots, failed } : bar
}

function NoBar(): VNode {
  return (
    <div class="importance">
      <div class="bars" role="img" aria-label="The importance is being computed">
        <div class="bar" />
      </div>
      <p class="soft">The importance is being computed.</p>
    </div>
  )
}

const charts: Readonly<Record<ColumnName, ChartOptions | undefined>> = {
  coverage: {
    title: 'Guaranteed coverage',
    colour: 'held',
    format: certainPercent,
    tick: finePercentText,
    max: 1,
    isFilled: true,
  },
  gain: { title: 'Coverage gained per 1,000 pages', colour: 's2', format: finePercentText },
  pagesPerSecond: { title: 'Pages a second', colour: 'held', format: rateText },
  looksPerSecond: { title: 'Looks a second', colour: 'held', format: rateText },
  bytesPerSecond: { title: 'Bytes a second', colour: 's2', format: bytesText },
  waiting: { title: 'Pages that wait', colour: 's4', format: shortCount, isCount: true },
  connections: { title: 'Connections in use', colour: 's3', format: shortCount, isCount: true },
  errors: { title: 'Errors so far', colour: 'failed', format: shortCount, isCount: true },
  cpu: { title: 'Processor cores in use', colour: 's3', format: shortCount },
  rssBytes: { title: 'Memory', colour: 's4', format: bytesText },
  pages: undefined,
}

const ofProcess: ReadonlySet<string> = new Set(['cpu', 'rssBytes'])

/** The charts end with the figures above them, which are newer than the last point. */
function Charts({ now, series }: { now: Now; series: Series }): VNode {
  const { info } = usePage()
  const columns = useMemo(() => copyOf(series), [series])
  useLive('point', (point) => append(columns, point))
  const newest = pointOf(now)
  const isNewer = newest.timeMs > (columns.timeMs.at(-1) ?? 0)
  const timeMs = isNewer ? [...columns.timeMs, newest.timeMs] : [...columns.timeMs]
  const shown = (Object.keys(charts) as ColumnName[]).flatMap((name) => {
    const options = charts[name]
    const isOther = name === (info.has.freshness ? 'pagesPerSecond' : 'looksPerSecond')
    if (options === undefined || isOther) return []
    const column: readonly (number | null)[] = columns[name]
    // Only the process that runs the crawl has figures of itself.
    const isExpected = name !== 'gain' && info.isRunning && (info.isLive || !ofProcess.has(name))
    return [
      {
        ...options,
        values: isNewer ? [...column, newest[name]] : [...column],
        hidden: !isExpected && column.every((value) => value === null),
      },
    ]
  })
  const count = shown.filter(({ hidden }) => !hidden).length
  return (
    <div class={`charts ${{ 7: 'seven', 8: 'eight' }[count] ?? ''}`.trim()}>
      {shown.map((chart) => (
        <Chart key={chart.title} {...chart} timeMs={timeMs} />
      ))}
    </div>
  )
}

type Columns = { -readonly [Name in keyof Series]: SeriesPoint[Name][] }

function copyOf(series: Series): Columns {
  return Object.fromEntries(
    Object.entries(series).map(([name, values]) => [name, [...(values as readonly unknown[])]]),
  ) as Columns
}

function append(columns: Columns, point: SeriesPoint): void {
  const isFull = columns.timeMs.length >= pointsMax
  for (const name of Object.keys(columns) as (keyof Columns)[]) {
    const column = columns[name] as (number | null)[]
    if (isFull) column.splice(0, column.length, ...column.filter((_, i) => i % 2 === 1))
    column.push(point[name])
  }
}

/** Empty if the bar is of the moment of the other figures, or agrees with them. */
function barTimeText({ asOfMs, held, robots, failed, unobtainable = 0 }: ImportanceBar, now: Now): string {
  const share = held / Math.max(held, 1 - robots - failed - unobtainable)
  const agrees = now.coverage === undefined || certainPercent(share) === certainPercent(now.coverage)
  if (asOfMs >= now.asOfMs || (agrees && now.asOfMs - asOfMs <= 2000)) return ''
  return `at ${timeOfDay(asOfMs)}, ${fromNow(asOfMs, now.asOfMs)}`
}

function figuresOf(now: Now, info: CrawlInfo): LargeFigure[] {
  const { budgets, isRunning } = info
  const budget = budgets.pages === undefined ? '' : `of at most ${grouped(budgets.pages)}; `
  const sites = now.sites === undefined ? '' : ` on ${plural(now.sites, 'site')}`
  return [
    ['Importance held', 'coverage', ...heldOf(now, budgets.coverage)],
    ['Pages', 'pages', shortCount(now.pages), `${budget}${shortCount(now.waiting)} wait${sites}`],
    rateOf(now, isRunning),
    ['Left of the budget', 'left', ...leftOf(now, info)],
  ]
}

/** A crawl that fetches pages again may fetch no new page for days. */
function rateOf(now: Now, isRunning: boolean): LargeFigure {
  const { pagesPerSecond, looksPerSecond, bytes, seconds } = now
  const received = `${bytesText(bytes)} in ${durationText(seconds)}`
  const shown = (rate: number): string => (isRunning ? rateText(rate) : '–')
  if (looksPerSecond === undefined) return ['Pages a second', 'rate', shown(pagesPerSecond), received]
  const note = isRunning ? `${rateText(pagesPerSecond)} of them new pages; ${received}` : received
  return ['Looks a second', 'rate', shown(looksPerSecond), note]
}

type ValueAndNote = [value: string, note: string]

function heldOf({ coverage, importance }: Now, goal: number | undefined): ValueAndNote {
  if (coverage !== undefined) {
    const goalText = goal === undefined ? '' : `, goal ${finePercentText(goal)}`
    return [certainPercent(coverage), `of the obtainable, guaranteed${goalText}`]
  }
  if (importance !== undefined) return [certainPercent(importance.held), 'on the fetched pages']
  return ['–', 'this strategy guarantees nothing']
}

function leftOf(
  { left }: Now,
  { isRunning, stoppedBecause, endText, settings, budgets }: CrawlInfo,
): ValueAndNote {
  const { coverage, seconds } = budgets
  if (!isRunning) return ['ended', endText ?? stoppedBecause ?? 'interrupted']
  if (left === undefined) {
    const { isContinuous = false } = (settings['recrawl'] ?? {}) as { isContinuous?: boolean }
    if (isContinuous) return ['–', 'runs until it is stopped']
    const goal = coverage === undefined ? '' : `${finePercentText(coverage)} is certain or `
    return ['–', `ends when ${goal}no page waits`]
  }
  if (left.budget === 'time')
    return [durationText(left.amount), seconds === undefined ? '' : `of ${durationText(seconds)}`]
  const lasts = left.seconds === undefined ? [] : [`${durationText(left.seconds)} at this rate`]
  if (left.budget === 'bytes') return [bytesText(left.amount), lasts.join()]
  return [shortCount(left.amount), ['pages', ...lasts].join('; ')]
}

function troubleOf({ outage, problem }: Now): string | undefined {
  if (problem !== undefined) return `These figures are not current. ${problem}`
  if (outage === undefined) return undefined
  const what =
    outage.kind === 'network'
      ? 'The network seems to be down'
      : `${plural(outage.sites, 'site')} cannot be reached`
  return `${what}: ${plural(outage.pages, 'page')} wait. Next try in ${durationText(outage.nextTrySeconds)}; the crawl ends in ${durationText(outage.endsInSeconds)}.`
}

function Counts({ now }: { now: Now }): VNode {
  const { rows = [], process, connections, connectionsMax, waitedForBetter } = now
  return (
    <Facts
      kind="numbers"
      facts={[
        ['known', grouped(now.known)],
        ['waiting', grouped(now.waiting)],
        ['redirects', grouped(now.redirects)],
        ['failed', grouped(now.failed)],
        ['failed for now', grouped(now.temporary)],
        ['unreachable', grouped(now.unreachable)],
        ['refused by robots.txt', grouped(now.refusedByRobots)],
        ['refused by limits', grouped(now.refusedByLimits)],
        ['duplicates', grouped(now.duplicates)],
        ['near-duplicates', grouped(now.nearDuplicates)],
        ...rows,
        connectionsMax === undefined
          ? ['requests in flight', grouped(connections)]
          : ['connections', `${grouped(connections)} of ${grouped(connectionsMax)}`],
        [
          'waited for better pages',
          waitedForBetter !== undefined && `${partPercent(waitedForBetter)} of the time`,
        ],
        ['event loop delay', process !== undefined && durationText(process.eventLoopDelayMs / 1000)],
        ['heap', process !== undefined && bytesText(process.heapBytes)],
      ]}
    />
  )
}

function NewestPages(): VNode {
  const { live } = usePage()
  const list = useRef<HTMLOListElement>(null)
  const [pages, setPages] = useState<readonly SettledPage[]>(live.newest)
  useLive('pages', () => {
    // A list that moves cannot be clicked.
    if (list.current?.matches(':hover, :focus-within') !== true) setPages(live.newest)
  })
  return (
    <ol ref={list} class="feed">
      {pages.length === 0 && <li class="soft">Waiting for pages…</li>}
      {pages.slice(0, feedLength).map(({ url, kind, status, error, verdict }) => (
        <li class={`is-${kind}`}>
          <span class="answer">{error ?? verdict ?? String(status ?? kind)}</span>
          <a href={hrefOf('page', { url })}>
            <UrlText text={url} max={72} />
          </a>
        </li>
      ))}
    </ol>
  )
}
