/** The view Now: four figures, the importance bar, curves, errors, and the newest pages. */
import type { CrawlInfo, ImportanceBar, Now, Series, SeriesPoint, SettledPage } from '../../api/index.ts'
import { Chart } from '../chart.ts'
import { html, replace, setText } from '../element.ts'
import {
  bytes,
  certainPercent,
  count,
  duration,
  fromNow,
  percent,
  plural,
  rate as rateText,
  short,
  timeOfDay,
} from '../format.ts'
import { ImportanceBarElement } from '../importance-bar.ts'
import { barList, card, facts, Figure, urlText } from '../parts.ts'
import { empty, Pending } from '../pending.ts'
import { hrefOf } from '../route.ts'
import type { View, ViewContext } from '../view.ts'

/** Points that are kept; then every second one is dropped. */
const pointsMax = 1200
const feedLength = 14
const ofProcess: ReadonlySet<string> = new Set(['cpu', 'rssBytes'])

type Columns = { -readonly [Name in keyof Series]: SeriesPoint[Name][] }

export function nowView(context: ViewContext): View {
  const { client, live, signal } = context
  const figures = {
    coverage: new Figure('Importance held', 'coverage'),
    pages: new Figure('Pages', 'pages'),
    rate: new Figure('Pages a second', 'rate'),
    left: new Figure('Left of the budget', 'left'),
  }
  const bar = new ImportanceBarElement()
  const barTime = html('span', { class: 'beside-title soft' })
  const outage = html('p', { class: 'banner', role: 'status', hidden: true })
  const errors = html('div', { class: 'long', tabindex: 0, role: 'region', 'aria-label': 'Errors by kind' })
  const counts = html('div')
  const feed = html('ol', { class: 'feed' })
  const charts = chartsOf(signal)
  const chartGrid = html('div', { class: 'charts' }, ...charts.map(({ chart }) => chart.element))
  const pending = new Pending('now')
  const content = html(
    'div',
    { class: 'stack' },
    html('h1', { class: 'unseen' }, 'Now'),
    outage,
    html('dl', { class: 'figures' }, ...Object.values(figures).map(({ element }) => element)),
    card(
      undefined,
      { class: 'importance-card' },
      barTime,
      html('h2', {}, 'Where the importance is'),
      bar.element,
    ),
    chartGrid,
    html(
      'div',
      { class: 'columns even' },
      card('Errors by kind', {}, errors),
      card('Counts', {}, counts),
      context.info().isRunning && context.info().has.record && card('Newest pages', {}, feed),
    ),
  )
  let series: Columns | undefined
  let newest: SeriesPoint | undefined
  let isBarShown = false
  let barMs: number | undefined

  const showNow = (now: Now): void => {
    showFigures(figures, now, context)
    if (!isBarShown || barMs !== now.importance?.asOfMs) bar.show(now.importance)
    isBarShown = true
    barMs = now.importance?.asOfMs
    setText(barTime, now.importance === undefined ? '' : barTimeText(now.importance, now))
    newest = pointOf(now)
    if (series !== undefined) showSeries()
    showOutage(outage, now)
    replace(errors, errorList(now))
    replace(counts, countList(now))
  }
  const showSeries = (): void => {
    // The charts end with the figures above them, which are newer than the last point.
    const isNewer = newest !== undefined && newest.timeMs > (series!.timeMs.at(-1) ?? 0)
    const times = isNewer ? [...series!.timeMs, newest!.timeMs] : series!.timeMs
    for (const { chart, column } of charts) {
      // Only the process that runs the crawl has figures of itself.
      const isExpected =
        column !== 'gain' && context.info().isRunning && (context.info().isLive || !ofProcess.has(column))
      chart.element.hidden = !isExpected && series![column].every((value) => value === null)
      chart.show(times, isNewer ? [...series![column], newest![column]] : series![column])
    }
    chartGrid.classList.toggle('seven', charts.filter(({ chart }) => !chart.element.hidden).length === 7)
  }
  const showPages = (): void => {
    // A list that moves cannot be clicked.
    if (live.newest.length === 0 || feed.matches(':hover, :focus-within')) return
    replace(feed, ...live.newest.slice(0, feedLength).map(feedItem))
  }

  live.on('now', signal, (now) => showNow(now))
  live.on('pages', signal, showPages)
  live.on('point', signal, (point) => {
    if (series === undefined) return
    append(series, point)
  })
  replace(feed, html('li', { class: 'soft' }, 'Waiting for pages…'))
  showPages()
  return {
    element: pending.element,
    show() {
      void pending.load(
        async () =>
          await Promise.all([client.get('now', {}, signal), client.get('series', { points: 400 }, signal)]),
        ([now, columns]) => {
          live.now ??= now
          series = copyOf(columns)
          replace(pending.element, content)
          showNow(live.now.asOfMs > now.asOfMs ? live.now : now)
          showSeries()
        },
      )
    },
    repaint: () => {
      for (const { chart } of charts) chart.repaint()
    },
  }
}

function feedItem({ url, kind, status, error, verdict }: SettledPage): HTMLElement {
  return html(
    'li',
    { class: `is-${kind}` },
    html('span', { class: 'answer' }, error ?? verdict ?? String(status ?? kind)),
    html('a', { href: hrefOf('page', { url }) }, urlText(url, 72)),
  )
}

function chartsOf(
  signal: AbortSignal,
): { readonly chart: Chart; readonly column: Exclude<keyof Series, 'timeMs'> }[] {
  const perSecond = rateText
  return [
    {
      column: 'coverage',
      title: 'Guaranteed coverage',
      colour: 'held',
      format: certainPercent,
      tick: percent,
      max: 1,
      isFilled: true,
    },
    { column: 'gain', title: 'Coverage gained per 1,000 pages', colour: 's2', format: percent },
    { column: 'pagesPerSecond', title: 'Pages a second', colour: 'held', format: perSecond },
    { column: 'bytesPerSecond', title: 'Bytes a second', colour: 's2', format: bytes },
    { column: 'waiting', title: 'Pages that wait', colour: 's4', format: short, isCount: true },
    { column: 'connections', title: 'Connections in use', colour: 's3', format: short, isCount: true },
    { column: 'errors', title: 'Errors so far', colour: 'failed', format: short, isCount: true },
    { column: 'cpu', title: 'Processor cores in use', colour: 's3', format: short },
    { column: 'rssBytes', title: 'Memory', colour: 's4', format: bytes },
  ].map(({ column, ...options }) => ({
    column: column as Exclude<keyof Series, 'timeMs'>,
    chart: new Chart(options, signal),
  }))
}

function copyOf(series: Series): Columns {
  return Object.fromEntries(
    Object.entries(series).map(([name, values]) => [name, [...(values as readonly unknown[])]]),
  ) as Columns
}

function append(series: Columns, point: SeriesPoint): void {
  const isFull = series.timeMs.length >= pointsMax
  for (const name of Object.keys(series) as (keyof Columns)[]) {
    const column = series[name] as (number | null)[]
    if (isFull) column.splice(0, column.length, ...column.filter((_, i) => i % 2 === 1))
    column.push(point[name])
  }
}

function pointOf(now: Now): SeriesPoint {
  return {
    timeMs: now.asOfMs,
    pages: now.pages,
    coverage: now.coverage ?? null,
    gain: now.gain ?? null,
    pagesPerSecond: now.pagesPerSecond,
    bytesPerSecond: now.bytesPerSecond,
    waiting: now.waiting,
    connections: now.connections,
    errors: now.errors.reduce((sum, error) => sum + error.count, 0),
    cpu: now.process?.cpu ?? null,
    rssBytes: now.process?.rssBytes ?? null,
  }
}

/** Empty if the bar is of the moment of the other figures, or agrees with them. */
function barTimeText({ asOfMs, held, robots, failed, unobtainable = 0 }: ImportanceBar, now: Now): string {
  const share = held / Math.max(held, 1 - robots - failed - unobtainable)
  const agrees = now.coverage === undefined || certainPercent(share) === certainPercent(now.coverage)
  if (asOfMs >= now.asOfMs || (agrees && now.asOfMs - asOfMs <= 2000)) return ''
  return `at ${timeOfDay(asOfMs)}, ${fromNow(asOfMs, now.asOfMs)}`
}

function showFigures(
  { coverage, pages, rate, left }: Record<'coverage' | 'pages' | 'rate' | 'left', Figure>,
  now: Now,
  { info }: ViewContext,
): void {
  const { budgets, isRunning } = info()
  const goal = budgets.coverage === undefined ? '' : `, goal ${percent(budgets.coverage)}`
  if (now.coverage !== undefined)
    coverage.show(certainPercent(now.coverage), `of the obtainable, guaranteed${goal}`)
  else if (now.importance !== undefined)
    coverage.show(certainPercent(now.importance.held), 'on the fetched pages')
  else coverage.show('–', 'this strategy guarantees nothing')
  const budget = budgets.pages === undefined ? '' : `of at most ${count(budgets.pages)}; `
  const sites = now.sites === undefined ? '' : ` on ${plural(now.sites, 'site')}`
  pages.show(short(now.pages), `${budget}${short(now.waiting)} wait${sites}`)
  rate.show(isRunning ? rateText(now.pagesPerSecond) : '–', `${bytes(now.bytes)} in ${duration(now.seconds)}`)
  left.show(...leftOf(now, info()))
}

function leftOf(
  { left }: Now,
  { isRunning, stoppedBecause, settings, budgets: { coverage, seconds } }: CrawlInfo,
): [value: string, note: string] {
  if (!isRunning) return ['ended', stoppedBecause ?? 'interrupted']
  if (left === undefined) {
    const { isContinuous = false } = (settings['recrawl'] ?? {}) as { isContinuous?: boolean }
    if (isContinuous) return ['–', 'runs until it is stopped']
    return [
      '–',
      `ends when ${coverage === undefined ? '' : `${percent(coverage)} is certain or `}no page waits`,
    ]
  }
  if (left.budget === 'time')
    return [duration(left.amount), seconds === undefined ? '' : `of ${duration(seconds)}`]
  const lasts = left.seconds === undefined ? '' : `${duration(left.seconds)} at this rate`
  if (left.budget === 'bytes') return [bytes(left.amount), lasts]
  return [short(left.amount), ['pages', ...(lasts === '' ? [] : [lasts])].join('; ')]
}

function showOutage(element: HTMLElement, { outage, problem }: Now): void {
  element.hidden = outage === undefined && problem === undefined
  if (problem !== undefined) return setText(element, `These figures are not current. ${problem}`)
  if (outage === undefined) return
  const what =
    outage.kind === 'network'
      ? 'The network seems to be down'
      : `${plural(outage.sites, 'site')} cannot be reached`
  setText(
    element,
    `${what}: ${plural(outage.pages, 'page')} wait. Next try in ${duration(outage.nextTrySeconds)}; the crawl ends in ${duration(outage.endsInSeconds)}.`,
  )
}

function errorList({ errors }: Now): HTMLElement {
  if (errors.length === 0) return empty('No errors so far.')
  return barList(
    errors.map(({ error, count: number }) => ({ name: error, value: number, text: short(number) })),
  )
}

function countList(now: Now): HTMLElement {
  return facts(
    [
      ['known', count(now.known)],
      ['waiting', count(now.waiting)],
      ['redirects', count(now.redirects)],
      ['failed', count(now.failed)],
      ['failed for now', count(now.temporary)],
      ['unreachable', count(now.unreachable)],
      ['refused by robots.txt', count(now.refusedByRobots)],
      ['refused by limits', count(now.refusedByLimits)],
      ['duplicates', count(now.duplicates)],
      ['near-duplicates', count(now.nearDuplicates)],
      ['on topic', now.hot === undefined ? undefined : count(now.hot)],
      ['items', now.handled === undefined ? undefined : count(now.handled.items)],
      ['handler failures', now.handled === undefined ? undefined : count(now.handled.failures)],
      [
        now.connectionsMax === undefined ? 'requests in flight' : 'connections',
        `${count(now.connections)}${now.connectionsMax === undefined ? '' : ` of ${count(now.connectionsMax)}`}`,
      ],
      [
        'event loop delay',
        now.process === undefined ? undefined : duration(now.process.eventLoopDelayMs / 1000),
      ],
      ['heap', now.process === undefined ? undefined : bytes(now.process.heapBytes)],
    ],
    'numbers',
  )
}
