/**
 * Where an export is written: to a folder, under fixed names, or to a named file, with the second file beside
 * it:
 *
 * | format | in a folder | as FILE |
 * | --- | --- | --- |
 * | parquet | pages.parquet, links.parquet | web.parquet, web.links.parquet |
 * | tsv | pages.tsv, links.tsv | web.tsv.gz, web.links.tsv.gz |
 * | edges | edges.tsv.gz, urls.txt.gz | web.tsv.gz, web.urls.txt.gz |
 *
 * Or to standard output, `-`: one text table, by default the first of its format.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { RankwardError } from '../../lib/errors.ts'

export const exportFormats = ['parquet', 'tsv', 'edges'] as const
export type ExportFormat = (typeof exportFormats)[number]
export const exportTables = ['pages', 'links', 'edges', 'urls'] as const
export type ExportTable = (typeof exportTables)[number]

export interface PlannedFile {
  readonly format: ExportFormat
  readonly table: ExportTable
  readonly path: string
}

const tables = { parquet: ['pages', 'links'], tsv: ['pages', 'links'], edges: ['edges', 'urls'] } as const
const text = /\.(?:tsv|txt)(?:\.gz)?$/
const endings = { parquet: /\.parquet$/, tsv: text, edges: text }
const anyEnding = /\.(?:parquet|(?:tsv|txt)(?:\.gz)?)$/

/** The value of `to` for standard output. */
export const standardOutput = '-'

/**
 * If `formats` is empty: the format of FILE's extension, otherwise Parquet; for standard output TSV. `only`:
 * just this table.
 */
export function plannedFiles(
  to: string,
  formats: readonly ExportFormat[],
  only?: ExportTable,
): PlannedFile[] {
  if (to === standardOutput) return [plannedStream(formats, only)]
  const planned = plannedTables(to, formats)
  if (only === undefined) return planned
  const chosen = planned.filter(({ table }) => table === only)
  if (chosen.length === 0) throw noSuchTable(only, [...new Set(planned.map(({ format }) => format))])
  return isFile(to) ? [{ ...chosen[0], path: to }] : chosen
}

function plannedStream(formats: readonly ExportFormat[], only: ExportTable | undefined): PlannedFile {
  const fallback = only === 'edges' || only === 'urls' ? 'edges' : 'tsv'
  const [format = fallback, ...more] = formats
  if (more.length > 0) {
    throw new RankwardError(
      'USAGE',
      `Standard output takes one table, but ${formats.length} formats were given: choose one format, or export to a folder.`,
    )
  }
  if (format === 'parquet') {
    throw new RankwardError(
      'USAGE',
      'Parquet cannot be written to standard output: choose the format tsv or edges, or export to a file.',
    )
  }
  const table = only ?? tables[format][0]
  if (!(tables[format] as readonly ExportTable[]).includes(table)) throw noSuchTable(table, [format])
  return { format, table, path: standardOutput }
}

function noSuchTable(table: ExportTable, formats: readonly ExportFormat[]): RankwardError {
  const known = formats.flatMap((format) => tables[format])
  return new RankwardError(
    'USAGE',
    `Format ${formats.join(', ')} has no table ${table}: expected ${known.join(' or ')}.`,
  )
}

function isFile(to: string): boolean {
  return anyEnding.test(to) && !isFolder(to)
}

function plannedTables(to: string, formats: readonly ExportFormat[]): PlannedFile[] {
  if (!isFile(to)) {
    return (formats.length === 0 ? (['parquet'] as const) : formats).flatMap((format) =>
      tables[format].map((table) => ({
        format,
        table,
        path: join(to, `${table}${endingOf(format, table)}`),
      })),
    )
  }
  const [format = endings.parquet.test(to) ? 'parquet' : 'tsv', ...more] = formats
  if (more.length > 0) {
    throw new RankwardError(
      'USAGE',
      `${to} is one file, but ${formats.length} formats were given: give a folder.`,
    )
  }
  if (!endings[format].test(to)) {
    const expected = format === 'parquet' ? '.parquet' : '.tsv or .tsv.gz'
    throw new RankwardError(
      'USAGE',
      `${to} is not a file name for the format ${format}: expected one that ends in ${expected}, or a folder.`,
    )
  }
  const [first, second] = tables[format]
  return [
    { format, table: first, path: to },
    { format, table: second, path: companion(to, format) },
  ]
}

/** Parses a comma-separated list of formats and removes repeats. */
export function formatsOf(names: string): ExportFormat[] {
  const asked = names.split(',').map((name) => name.trim())
  for (const name of asked) {
    if (!(exportFormats as readonly string[]).includes(name)) {
      throw new RankwardError(
        'USAGE',
        `"${name}" is not an export format: expected ${exportFormats.join(', ')}, or several separated by commas.`,
      )
    }
  }
  return [...new Set(asked)] as ExportFormat[]
}

function endingOf(format: ExportFormat, table: ExportTable): string {
  if (format === 'parquet') return '.parquet'
  return table === 'urls' ? '.txt.gz' : table === 'edges' ? '.tsv.gz' : '.tsv'
}

function companion(path: string, format: ExportFormat): string {
  const [ending] = endings[format].exec(path) ?? ['']
  const stem = path.slice(0, path.length - ending.length)
  if (format !== 'edges') return `${stem}.links${ending}`
  return `${stem}.urls.txt${path.endsWith('.gz') ? '.gz' : ''}`
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
