/** What an export will write, and whether it may: known before anything is read. */
import { RankwardError } from '../../../lib/errors.ts'
import type { CrawlFolder } from '../../record/crawl-folder.ts'
import { contentColumns } from './content-columns.ts'
import { plannedFiles, standardOutput } from './destination.ts'
import type { ExportTable, PartTables, PlannedFile } from './destination.ts'
import { isArchived, partTables } from '../../parts/all-parts.ts'
import type { ExportOptions } from './export.ts'
import { linkColumns } from './link-rows.ts'
import { pageColumns } from './page-rows.ts'
import { rowFilter } from './row-filter.ts'
import type { Column } from './table.ts'
import { versionColumns } from './version-rows.ts'

/** A wrong condition is refused before anything is read. */
export function plannedExport(
  options: ExportOptions & { readonly to: string },
  has?: (table: ExportTable) => boolean,
): PlannedFile[] {
  const { to, format = [], where } = options
  const choice = {
    only: options.table ?? (where === undefined ? undefined : 'pages'),
    has,
  }
  const planned = plannedFiles(to, typeof format === 'string' ? [format] : format, choice)
  checkEffects(options, planned)
  if (where !== undefined) for (const { table } of planned) rowFilter(where, columnsWith(table, options))
  return planned
}

/** Refuses options that these files leave without an effect. */
function checkEffects(
  { to, overwrite, rawCells }: ExportOptions & { readonly to: string },
  planned: readonly PlannedFile[],
): void {
  if (overwrite === true && to === standardOutput)
    throw new RankwardError('USAGE', 'overwrite (--overwrite) is for files: leave it out, or export to one.')
  const hasCells = planned.some(
    ({ format }) => format !== 'parquet' && format !== 'jsonl' && format !== 'wacz',
  )
  if (rawCells === true && !hasCells)
    throw new RankwardError(
      'USAGE',
      'rawCells (--raw-cells) is for tables in TSV and CSV: leave it out, or choose one of these formats.',
    )
}

/** Throws if contents cannot be read, or no table has them. */
export function checkArchive(folder: CrawlFolder, planned: readonly PlannedFile[]): void {
  if (!isArchived(folder.file.options)) {
    throw new RankwardError(
      'NO_ARCHIVE',
      `The crawl in ${folder.path} has no archived pages (warc is off), so there is nothing of them to export.`,
    )
  }
  if (!planned.some(({ table }) => hasContents(table) || table === 'archive'))
    throw new RankwardError('USAGE', 'Only the tables pages and versions can have contents.')
}

export function hasContents(table: ExportTable): boolean {
  return table === 'pages' || table === 'versions'
}

const ownColumns: Readonly<Record<Exclude<ExportTable, keyof PartTables>, readonly Column[]>> = {
  pages: pageColumns,
  links: linkColumns,
  versions: versionColumns,
  edges: linkColumns,
  urls: [{ name: 'url', type: 'text', isFull: true }],
  archive: [],
}

export function columnsOf(table: ExportTable): readonly Column[] {
  return partTables.get(table)?.columns ?? ownColumns[table as keyof typeof ownColumns]
}

/** The columns of a table with those of `content`, which a condition may name too. */
export function columnsWith(table: ExportTable, { content = [] }: ExportOptions): readonly Column[] {
  return hasContents(table) ? [...columnsOf(table), ...contentColumns(content)] : columnsOf(table)
}
