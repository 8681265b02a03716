/** Checks the options of the library against the rows of the table. */
import { codeChecks } from '../../engine/user-code/inline-code.ts'
import { RankwardError } from '../../lib/errors.ts'
import { checkOptions, flag, listOf, ofKind } from '../../lib/option-checks.ts'
import type { OptionCheck, OptionChecks } from '../../lib/option-checks.ts'
import { checksOf } from '../../lib/option-table.ts'
import { anyText } from '../../lib/value-kinds.ts'
import type { CrawlOptions, RecrawlOptions, ResumeOptions, StopOptions } from './crawl-options.ts'
import type { Rows } from './option-row.ts'
import { libraryRows, optionSets } from './option-table.ts'

function checksWhere(holds: (row: Rows[string]) => boolean): Record<string, OptionCheck> {
  return checksOf(Object.fromEntries([...libraryRows].filter(([, row]) => holds(row))))
}

const crawlChecks = {
  ...checksWhere(() => true),
  seeds: listOf(ofKind(anyText('an array of URLs'))),
} as unknown as OptionChecks<CrawlOptions>

export function checkCrawlOptions(options: CrawlOptions): void {
  checkOptions('crawl', options, crawlChecks)
  for (const set of optionSets) set.check?.(options)
}

const laterChecks = (session: 'resume' | 'recrawl'): Record<string, OptionCheck> => ({
  ...codeChecks,
  ...checksWhere(({ later }) => later === 'both' || later === session),
})

export function checkResumeOptions(options: ResumeOptions): void {
  checkOptions('resumeCrawl', options, laterChecks('resume') as unknown as OptionChecks<ResumeOptions>)
  checkFolder('resumeCrawl', options)
}

export function checkRecrawlOptions(options: RecrawlOptions): void {
  checkOptions('recrawl', options, laterChecks('recrawl') as unknown as OptionChecks<RecrawlOptions>)
  checkFolder('recrawl', options)
}

function checkFolder(name: string, { out }: { readonly out?: string }): void {
  if (out === undefined)
    throw new RankwardError('USAGE', `Option out of ${name} is missing. Expected the folder of a crawl.`)
}

export function checkStopOptions(options: StopOptions): void {
  checkOptions('stop', options, { now: flag })
}
