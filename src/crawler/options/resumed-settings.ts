/** The settings of later sessions of a crawl: rows say which options these may change. */
import { RankwardError } from '../../lib/errors.ts'
import type { CrawlSettings, RecrawlOptions, ResumeOptions } from './crawl-options.ts'
import { settingOf } from './crawl-settings.ts'
import { libraryRows, optionSets } from './option-table.ts'
import { recrawlSettings } from './running-options.ts'
import { isSameScope } from './scope-options.ts'

/** The settings of the new session. Omitted options keep the values of the previous session. */
export function resumedSettings(before: CrawlSettings, options: ResumeOptions): CrawlSettings {
  const changed = Object.entries(options).flatMap(([name, value]) => {
    const row = libraryRows.get(name)
    return value === undefined || row?.later === undefined || row.isSetting === false
      ? []
      : [[name, settingOf(row, value)]]
  })
  const parts = optionSets.map(({ resumed }) => resumed?.(before, options))
  const after = Object.assign({ ...before }, Object.fromEntries(changed), ...parts) as CrawlSettings
  for (const { agree } of optionSets) agree?.(after)
  return { ...after, scopeChanged: before.scopeChanged === true || !isSameScope(before, after) }
}

/** The settings of a refresh. The policy of a crawl that has fetched pages again before is fixed: its record depends on it. */
export function refreshSettings(before: CrawlSettings, options: RecrawlOptions): CrawlSettings {
  const { pages: _, seconds: __, recrawlPolicy, restSeconds, change, cost, ...resumed } = options
  const settings = resumedSettings(before, resumed)
  if (before.recrawl === undefined) {
    return { ...settings, recrawl: recrawlSettings({ recrawlPolicy, restSeconds, change, cost }, false) }
  }
  const { policy, restSeconds: rest, change: rule, cost: counted = 'fetch' } = before.recrawl
  for (const [name, given, fixed] of [
    ['recrawl policy', recrawlPolicy, policy],
    ['rest, in seconds,', restSeconds, rest],
    ['change rule', change, rule],
    ['cost of fetches', cost, counted],
  ] as const) {
    if (given === undefined || given === fixed) continue
    throw new RankwardError(
      'USAGE',
      `The ${name} of this crawl is ${fixed}, and its record depends on it. Leave the option out.`,
    )
  }
  return settings
}
