import { Command } from 'commander'
import { CrawlFolder } from '../crawler/record/crawl-folder.ts'
import type { CrawlCliOptions, CrawlTotals, ResumeOptions } from '../crawler/options/crawl-options.ts'
import { failuresMaxOf, type CrawlSettings } from '../crawler/options/crawl-settings.ts'
import { resumedSettings } from '../crawler/options/resumed-settings.ts'
import { RankwardError } from '../lib/errors.ts'
import { adviceOn } from './crawl/advice.ts'
import { checkParts, checkRecrawl, checkStrategy } from './crawl/checks.ts'
import type { Budgets } from '../crawler/read/budget-left.ts'
import {
  checkContradictions,
  checkDependent,
  laterOptions,
  typedOptions,
  withCrawlOptions,
} from './crawl/options.ts'
import { requestOf } from './crawl/request.ts'
import { hasMoreWork, printsItems } from '../crawler/parts/all-parts.ts'
import type { EndedCrawl } from '../crawler/parts/shown.ts'
import { runCrawl } from './crawl/run.ts'
import { moreBudget } from './crawl/summary.ts'
import { bytesText, durationText, errorsText, percentText, plural, shellWord } from './crawl/words.ts'
import { endSentence } from '../crawler/wording/crawl-end.ts'
import { needsInput } from '../engine/strategies/index.ts'
import { isModulePath } from '../engine/user-code/strategy-module.ts'
import { printJson } from './options.ts'
import { safe } from './terminal.ts'

export function resumeCommand(): Command {
  const command = new Command('resume')
    .description('Continue a crawl after a stop, a crash or a kill')
    .argument('<folder>', 'the folder of a crawl')
    .addHelpText(
      'after',
      `
Budgets count from the beginning of the crawl. Omitted options keep their values. A wider
scope applies to pages fetched from now on and to known pages that were refused; a narrower scope to all waiting pages.
Pages that failed for a temporary reason (unreachable, timeout, reset, 5xx) are requested again.
A crawl on a cluster: rankward cluster resume.

Examples:
  rankward resume crawl
  rankward resume crawl --pages 20000
  rankward resume crawl --continuous --rate 5000/day
  rankward resume crawl --wait 5 --exclude '/calendar/**'
  rankward resume crawl --coverage 98% --time 1d --json`,
    )
    .action(run)
  return withCrawlOptions(command, laterOptions('resume'))
}

async function run(folder: string, _options: unknown, command: Command): Promise<void> {
  const typed = typedOptions(command)
  checkContradictions(typed)
  checkDependent(typed)
  const { options: earlier, totals } = CrawlFolder.open(folder).file
  if (typed.coverage !== undefined)
    checkStrategy({
      strategy: earlier.strategy,
      coverage: typed.coverage,
      historicalScores: scoresOf(earlier),
    })
  const given = budgetsOf(typed)
  const budgets = mergedBudgets(earlier, given)
  // A continuous crawl at its limit of pages still fetches them again.
  const isContinuous = typed.continuous ?? earlier.recrawl?.isContinuous ?? false
  checkRecrawl(typed, isContinuous)
  await checkParts(typed, earlier)
  const changes = { ...(requestOf(typed) as Omit<ResumeOptions, 'out'>), out: folder }
  const settings = resumedSettings(earlier, changes)
  if (
    totals !== undefined &&
    !isContinuous &&
    !hasMore({ folder, totals, settings, before: earlier }, typed)
  ) {
    const ended = endedText(folder, totals, budgets, given)
    if (ended !== undefined) {
      printEnded(ended, totals, typed)
      return
    }
  }
  const { resumeCrawl } = await import('../crawler/crawler.ts')
  await runCrawl({
    start: (callbacks) => resumeCrawl({ ...changes, ...callbacks }),
    isNew: false,
    subject: folder,
    folder,
    budgets,
    json: typed.json,
    events: typed.events,
    printsItems: printsItems(settings),
    progress: typed.progress,
  })
}

function budgetsOf({ pages, failures, coverage, time: seconds, bytes }: CrawlCliOptions): Budgets {
  return { pages, failures, coverage, seconds, bytes }
}

/** Whether there may be work left: for a part, or because the scope has changed. */
function hasMore(ended: EndedCrawl, typed: CrawlCliOptions): boolean {
  if (hasMoreWork(ended)) return true
  const { stoppedBecause } = ended.totals
  const isExhausted = stoppedBecause === 'finished' || stoppedBecause === 'traps'
  return isExhausted && scopeOptions.some((name) => typed[name] !== undefined)
}

function printEnded(text: string, totals: CrawlTotals, { json, events }: CrawlCliOptions): void {
  if (json === true) printJson(totals)
  process[json === true || events === true ? 'stderr' : 'stdout'].write(`${text}\n`)
}

/** A crawl without a page left may find some again with these: known pages that were refused. */
const scopeOptions = [
  'scope',
  'include',
  'exclude',
  'accept',
  'reject',
  'maxDepth',
  'maxPagesPerSite',
] as const

/** Earlier scores were stored when the crawl began. */
const scoresOf = ({ strategy }: CrawlSettings): string | undefined =>
  !isModulePath(strategy) && needsInput(strategy, 'history') ? 'given' : undefined

function mergedBudgets(earlier: Budgets, given: Budgets): Budgets {
  return {
    pages: given.pages ?? earlier.pages,
    failures: given.failures ?? earlier.failures,
    coverage: given.coverage ?? earlier.coverage,
    seconds: given.seconds ?? earlier.seconds,
    bytes: given.bytes ?? earlier.bytes,
  }
}

/**
 * Why the crawl cannot continue, and what would change that; undefined if it can. A budget that was just
 * given but is already used up is a mistake.
 */
export function endedText(
  folder: string,
  totals: CrawlTotals,
  budgets: Budgets,
  given: Budgets = {},
): string | undefined {
  const dir = shellWord(folder)
  const isFinished = totals.stoppedBecause === 'finished' && totals.temporary === 0
  if (isFinished && totals.pages === 0) {
    const hint = adviceOn(errorsText(totals.errors))
    return `This crawl is finished, without a page: ${failedText(totals)}.${hint === undefined ? '' : ` ${hint}.`} Start a new crawl: rankward crawl … --out ANOTHER`
  }
  if (totals.stoppedBecause === 'traps' && totals.temporary === 0) return endSentence(totals)
  if (isFinished)
    return `This crawl is finished: no page is left to fetch. More pages need a wider scope, in a new crawl: rankward crawl … --scope domain --out ANOTHER`
  // Pages that failed for a temporary reason are requested again, and no longer count as failures.
  const { pages, failed, seconds, bytes, coverage } = totals
  const failuresMax = failuresMaxOf(budgets)
  const reached = (
    [
      ['pages', budgets.pages, pages, plural(pages, 'page'), '--pages'],
      ['failures', failuresMax, failed, plural(failed, 'failed request'), '--failures'],
      ['coverage', budgets.coverage, coverage.share, `${percentText(coverage.share)} certain`, '--coverage'],
      ['seconds', budgets.seconds, seconds, durationText(seconds), '--time'],
      ['bytes', budgets.bytes, bytes, bytesText(bytes), '--bytes'],
    ] as const
  ).find(([, budget, now]) => budget !== undefined && now >= budget)
  if (reached === undefined) return undefined
  const [name, , , has, flag] = reached
  if (given[name] !== undefined)
    throw new RankwardError(
      'USAGE',
      `This crawl has ${has} already, and ${flag} counts from its beginning: give more than that.`,
    )
  const because = name === 'seconds' ? 'time' : name
  const more = moreBudget({ ...totals, stoppedBecause: because })
  return `This crawl has used its budget: ${has}. To continue: rankward resume ${dir}${more ?? ''}`
}

/** Why a crawl has no pages. */
function failedText({ errors, refusedByRobots, redirects }: CrawlTotals): string {
  const kinds = errorsText(errors)
  if (kinds !== '') return safe(kinds)
  if (refusedByRobots > 0) return 'robots.txt disallows its seeds'
  return redirects > 0 ? 'its seeds redirect to pages out of scope' : 'none of its seeds could be requested'
}
