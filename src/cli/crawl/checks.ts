/** Mistakes that can be detected before anything is fetched: unsuitable strategies and unusable folders. */
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { CrawlFolder } from '../../crawler/record/crawl-folder.ts'
import { RankwardError } from '../../lib/errors.ts'
import { isModulePath } from '../../engine/user-code/strategy-module.ts'
import { entriesOf, ideal, strategies, type StrategyEntry } from '../../engine/strategies/index.ts'
import type { CrawlCliOptions, CrawlSettings } from '../../crawler/options/crawl-options.ts'
import { optionSets, shownOption } from '../../crawler/options/option-table.ts'

/** A strategy module is checked when it is loaded. */
export function checkStrategy({
  strategy,
  coverage,
  historicalScores,
}: Pick<CrawlCliOptions, 'strategy' | 'coverage' | 'historicalScores'>): void {
  if (strategy === undefined || isModulePath(strategy)) {
    if (strategy === undefined && historicalScores !== undefined)
      checkStrategy({ strategy: 'exact-rankmass', historicalScores })
    return
  }
  if (strategy === ideal.name) throw needsWholeWeb(strategy)
  const entries = entriesOf(strategy)
  for (const entry of entries) checkInputs(entry, historicalScores)
  if (historicalScores !== undefined && !entries.some(({ needs }) => needs?.includes('history') === true))
    throw new RankwardError(
      'USAGE',
      `Strategy ${strategy} does not use earlier scores: leave out historicalScores, or use historical-pagerank-parent.`,
    )
  if (coverage !== undefined && (entries.length > 1 || entries[0].guarantees !== true))
    throw new RankwardError(
      'USAGE',
      `--coverage needs a guarantee, and strategy ${strategy} has none. Strategies with a guarantee: ${guaranteeing}.`,
    )
}

/** Refuses the path of a strategy that does not exist, before the crawl's folder is created. */
export function checkFiles({ strategy = '' }: CrawlCliOptions): void {
  if (isModulePath(strategy) && !existsSync(strategy))
    throw new RankwardError(
      'BAD_STRATEGY_MODULE',
      `Cannot load the strategy ${strategy}: there is no such file.`,
    )
}

/** Refuses options of parts. `before`: the settings of the crawl that is continued. */
export async function checkParts(cli: CrawlCliOptions, before?: CrawlSettings): Promise<void> {
  for (const { typed } of optionSets) await typed?.({ cli, before, shown: shownOption })
}

/** Refuses options of crawls that fetch pages again if this one does not. */
export function checkRecrawl(cli: CrawlCliOptions, isContinuous: boolean): void {
  if (isContinuous) return
  const given = (['rate', 'recrawlPolicy', 'rest', 'change', 'cost'] as const).find(
    (name) => cli[name] !== undefined,
  )
  if (given !== undefined)
    throw new RankwardError(
      'USAGE',
      `${shownOption(given)} needs --continuous. Without it, every page is fetched once.`,
    )
}

const guaranteeing = strategies
  .filter(({ guarantees }) => guarantees === true)
  .map(({ name }) => name)
  .join(', ')

function needsWholeWeb(name: string): RankwardError {
  return new RankwardError(
    'USAGE',
    `Strategy ${name} needs the whole web in advance: it works in \`rankward simulate\` only.`,
  )
}

function checkInputs({ name, needs = [] }: StrategyEntry, historicalScores: string | undefined): void {
  if (needs.includes('oracle')) throw needsWholeWeb(name)
  if (needs.includes('history') && historicalScores === undefined)
    throw new RankwardError(
      'USAGE',
      `Strategy ${name} needs the scores of an earlier crawl: --set historicalScores=FILE.`,
    )
}

/**
 * Refuses a folder that holds another crawl or other files, or that cannot be created or written. Changes
 * nothing.
 */
export async function checkNewFolder(folder: string): Promise<void> {
  await CrawlFolder.check(folder)
  checkWritable(folder)
}

function checkWritable(folder: string): void {
  let nearest = resolve(folder)
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest)
  const refused = (why: string, cause?: unknown): RankwardError =>
    new RankwardError(
      'FILE_UNWRITABLE',
      `Cannot write to ${folder}: ${why}. Give another folder with --out.`,
      {
        cause,
      },
    )
  if (!statSync(nearest).isDirectory()) throw refused(`${nearest} is a file, not a folder`)
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = code === 'EROFS' ? 'is on a read-only file system' : 'may not be written to'
    throw refused(`${nearest} ${why}`, error)
  }
}
