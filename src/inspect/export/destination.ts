/**
 * Where an export goes. Into a folder, under names of its own; or to a file that is named, with its companion beside it:
 *
 * | format | in a folder | as FILE |
 * | --- | --- | --- |
 * | parquet | pages.parquet, links.parquet | web.parquet, web.links.parquet |
 * | tsv | pages.tsv, links.tsv | web.tsv.gz, web.links.tsv.gz |
 * | edges | edges.tsv.gz, urls.txt.gz | web.tsv.gz, web.urls.txt.gz |
 *
 * Or to standard output, `-`: one table of text, the first of its format unless one is chosen.
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

/** `to` for standard output. */
export const standardOutput = '-'

/** `formats` empty: what FILE's ending says, or Parquet; for standard output TSV. `only`: this table alone. */
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
      `Standard output takes one table, and ${formats.length} formats were given: choose one format, or export to a folder.`,
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
      `${to} is one file, and ${formats.length} formats are asked for: give a folder.`,
    )
  }
  if (!endings[format].test(to)) {
    const expected = format === 'parquet' ? '.parquet' : '.tsv or .tsv.gz'
    throw new RankwardError(
      'USAGE',
      `${to} is no name for the format ${format}: expected one that ends in ${expected}, or a folder.`,
    )
  }
  const [first, second] = tables[format]
  return [
    { format, table: first, path: to },
    { format, table: second, path: companion(to, format) },
  ]
}

/** The formats that are named, each once, with commas between them. */
export function formatsOf(names: string): ExportFormat[] {
  const asked = names.split(',').map((name) => name.trim())
  for (const name of asked) {
    if (!(exportFormats as readonly string[]).includes(name)) {
      throw new RankwardError(
        'USAGE',
        `"${name}" is no format to export to: expected ${exportFormats.join(', ')}, or several with commas between them.`,
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
