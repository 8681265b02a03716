/**
 * Runs a crawl to its end for `crawl` and `resume`: shows progress, handles Ctrl-C, and prints the result.
 */
import { clockBehindText } from '../../crawler/session/system-clock.ts'
import type { Crawl, CrawlEvent, CrawlOptions, CrawlTotals } from '../../crawler/options/crawl-options.ts'
import { RankwardError } from '../../lib/errors.ts'
import type { Budgets } from '../../crawler/read/budget-left.ts'
import { adviceOn } from './advice.ts'
import { LiveView } from './live.ts'
import { summaryText } from './summary.ts'
import { errorsText, percentText, plural, shellWord } from './words.ts'
import { printJson } from '../options.ts'
import { fitted, safe, safeJson } from '../terminal.ts'

interface CrawlRun {
  /** Starts the crawl with these callbacks. */
  readonly start: (callbacks: Pick<CrawlOptions, 'onEvent' | 'onRecorded'>) => Crawl
  /** A new crawl that fetches no page has failed. */
  readonly isNew: boolean
  readonly subject: string
  readonly folder: string
  readonly budgets: Budgets
  readonly json?: boolean | undefined
  readonly events?: boolean | undefined
  /** Whether items are written to standard output: the summary then goes to standard error. */
  readonly printsItems?: boolean | undefined
  readonly progress?: boolean | undefined
}

const outcomes: ReadonlySet<CrawlEvent['kind']> = new Set(['page', 'redirect', 'failed'])

/** The crawl ended with unreachable sites. */
const unreachableExitCode = 3

/** What a run remembers of its events. */
interface SeenEvents {
  failure?: { readonly url: string; readonly error: string }
  redirect?: { readonly url: string; readonly location: string }
  pages: number
  waitingFor?: string | undefined
}

type EventOf<Kind> = Extract<CrawlEvent, { readonly kind: Kind }>

/** By kind of event: what is remembered of it, and the note that the user gets. */
const notes: {
  readonly [Kind in CrawlEvent['kind']]?: (event: EventOf<Kind>, seen: SeenEvents) => string | undefined
} = {
  failed: (event, seen) => void (seen.failure ??= event),
  redirect: (event, seen) => void (seen.redirect ??= event),
  page: (_event, seen) => void seen.pages++,
  dashboard: dashboardNote,
  'clock-behind': ({ seconds }) => clockBehindText(seconds, 'the record of this crawl'),
  notice: ({ text }) => text,
  'out-of-reach': outOfReachText,
  waiting(event, seen) {
    if (seen.waitingFor === event.for) return undefined
    seen.waitingFor = event.for
    return waitingNote(event)
  },
  reachable: (_event, seen) => void (seen.waitingFor = undefined),
}

function noteOf<Kind extends CrawlEvent['kind']>(event: EventOf<Kind>, seen: SeenEvents): string | undefined {
  return notes[event.kind]?.(event, seen)
}

export async function runCrawl(run: CrawlRun): Promise<void> {
  const seen: SeenEvents = { pages: 0 }
  let view: LiveView | undefined
  const onEvent = (event: CrawlEvent): void => {
    const note = noteOf(event, seen)
    if (note !== undefined) view?.note(note)
    // Outcomes are printed when they are recorded: their place in the archive is known then.
    if (run.events === true && !outcomes.has(event.kind)) printLine(event)
  }
  const crawl = run.start({ onEvent, onRecorded: run.events === true ? printLine : undefined })
  view = new LiveView({
    subject: run.subject,
    budgets: run.budgets,
    progress: () => crawl.progress(),
    screen: process.stderr,
    ...viewForm(run),
  })
  const interruptions = listenToSignals(crawl, view, run.folder)
  view.start()
  let totals: CrawlTotals
  try {
    totals = await crawl.run()
  } finally {
    view.end()
    interruptions.end()
  }
  const isInterrupted = interruptions.count() > 0 || totals.stoppedBecause === 'interrupted'
  const hasFailed = run.isNew && seen.pages === 0 && !isInterrupted
  printTotals(run, totals, hasFailed)
  if (isInterrupted) process.exitCode = 130
  else if (totals.stoppedBecause === 'unreachable') process.exitCode = unreachableExitCode
  if (totals.givenUp !== undefined) {
    process.stderr.write(`rankward: ${safe(totals.givenUp)}\n`)
    process.exitCode ??= 1
  }
  if (hasFailed) throw nothingFetched(totals, seen.failure, seen.redirect)
  const hint = run.isNew || totals.pages > 0 ? undefined : adviceOn(errorsText(totals.errors))
  if (hint !== undefined) process.stderr.write(`rankward: note: ${hint}.\n`)
}

/** An error says why a crawl has failed, not a summary. */
function printTotals({ json, events, printsItems }: CrawlRun, totals: CrawlTotals, hasFailed: boolean): void {
  if (json === true) printJson(totals)
  else if (events === true) printLine({ kind: 'totals', ...totals })
  else if (!hasFailed)
    process[printsItems === true ? 'stderr' : 'stdout'].write(`${fitted(summaryText(totals))}\n`)
}

/** The token is printed once, here. */
function dashboardNote({ url, token, needsToken }: CrawlEvent & { kind: 'dashboard' }): string {
  const use = needsToken ? 'reading and control need' : 'control needs'
  return token === undefined
    ? `Dashboard: ${url} (${use} the token of your file)`
    : `Dashboard: ${url} (${use} the token ${token})`
}

/** The crawl continues within its other budgets. */
export function outOfReachText({ coverage, reach }: { coverage: number; reach: number }): string {
  return `A coverage of ${percentText(coverage)} can no longer be reached: limits such as --max-pages-per-site exclude too much. At most ${percentText(reach)} can; the crawl continues.`
}

function waitingNote({ for: what, sites, pages, nextTry, endsAt }: CrawlEvent & { kind: 'waiting' }): string {
  const left = `${plural(sites, 'site')} with ${plural(pages, 'page')}`
  const why =
    what === 'network'
      ? `No network: no site responds. Waiting: ${left}`
      : `Waiting for unreachable sites: ${left}`
  return `${why}; next try ${nextTry}, the crawl stops at ${endsAt} (waitUnreachable).`
}

/** Frames need a terminal with cursor control that nothing else writes to. */
function viewForm({ progress, events }: CrawlRun): { form: 'frames' | 'lines' | 'none'; colour: boolean } {
  const { NO_COLOR = '', TERM = '' } = process.env
  const canDraw = process.stderr.isTTY && TERM !== 'dumb' && !(events === true && process.stdout.isTTY)
  return {
    form: progress === false ? 'none' : canDraw ? 'frames' : 'lines',
    colour: canDraw && NO_COLOR === '',
  }
}

interface Interruptions {
  count(): number
  end(): void
}

/**
 * `timeout` and npm forward a signal that the process group has already received: two within this time count
 * as one.
 */
const echoMs = 250

/**
 * First signal: finish requests in flight. Second: abort them, to be refetched later. Third: exit at once,
 * like a kill.
 */
function listenToSignals(crawl: Crawl, view: LiveView, folder: string): Interruptions {
  let count = 0
  let lastMs = -Infinity
  const interrupt = (): void => {
    const nowMs = performance.now()
    if (nowMs - lastMs < echoMs) return
    lastMs = nowMs
    count++
    view.stopping()
    if (count === 1) {
      view.note('Finishing requests in flight; press again to stop at once.')
      crawl.stop()
    } else if (count === 2) {
      view.note(`Stopping at once; rankward resume ${shellWord(folder)} continues the crawl.`)
      crawl.stop({ now: true })
    } else {
      view.end()
      process.exit(130)
    }
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.removeAllListeners(signal).on(signal, interrupt)
  return {
    count: () => count,
    end: () => {
      for (const signal of signals) process.off(signal, interrupt)
    },
  }
}

/**
 * Writes to pipes and files are synchronous here: a slow reader slows the crawl down, and nothing
 * accumulates.
 */
function printLine(document: unknown): void {
  process.stdout.write(`${safeJson(JSON.stringify(document))}\n`)
}

/** A crawl without pages has failed, so that a script does not take it for a crawl of an empty web. */
export function nothingFetched(
  totals: Pick<CrawlTotals, 'errors' | 'refusedByRobots' | 'folder'>,
  failure: { url: string; error: string } | undefined,
  redirect?: { url: string; location: string },
): RankwardError {
  const kinds = errorsText(totals.errors)
  if (failure?.error === 'opted-out') {
    const why =
      "the owners of the seeds' sites do not allow the use (--purpose): ask them, or start elsewhere"
    return new RankwardError('NOTHING_FETCHED', `No page was fetched: ${why}.`)
  }
  if (failure?.error === 'robots' || (kinds === '' && totals.refusedByRobots > 0)) {
    const why = "robots.txt of the seeds' sites does not allow them: ask their owners, or start elsewhere"
    return new RankwardError('NOTHING_FETCHED', `No page was fetched: ${why}.`)
  }
  if (redirect !== undefined && failure === undefined) {
    const why = `${safe(redirect.url)} redirects to ${safe(redirect.location)}, which is out of scope: start from there, or widen --scope`
    return new RankwardError('NOTHING_FETCHED', `No page was fetched: ${why}.`)
  }
  if (failure === undefined && kinds === '') {
    const why = 'no seed could be requested within the scope and the budget: see --dry-run'
    return new RankwardError('NOTHING_FETCHED', `No page was fetched: ${why}.`)
  }
  const what = failure === undefined ? kinds : `${failure.url}: ${failure.error}`
  const hint = adviceOn(`${failure?.error ?? ''} ${kinds}`)
  return new RankwardError(
    'NOTHING_FETCHED',
    `No page was fetched. ${safe(what)}.${hint === undefined ? '' : ` ${hint}.`}`,
  )
}
