/**
 * Where an export is written: to a folder, under fixed names, or to a named file, with the second file beside
 * it:
 *
 * | format | in a folder | as FILE |
 * | --- | --- | --- |
 * | parquet | pages.parquet, links.parquet | web.parquet, web.links.parquet |
 * | tsv | pages.tsv, links.tsv | web.tsv.gz, web.links.tsv.gz |
 * | csv | pages.csv, links.csv | web.csv.gz, web.links.csv.gz |
 * | jsonl | pages.jsonl, links.jsonl | web.jsonl.gz, web.links.jsonl.gz |
 * | edges | edges.tsv.gz, urls.txt.gz | web.tsv.gz, web.urls.txt.gz |
 * | wacz | archive.wacz | web.wacz |
 *
 * A crawl that fetches pages again has another table, the versions of its pages, under the name `versions`; parts of a crawl may
 * have tables too.
 *
 * Or to standard output, `-`: one text table, by default the first of its format.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { RankwardError } from '../../../lib/errors.ts'
import { partTables } from '../../parts/all-parts.ts'

export const exportFormats = ['parquet', 'tsv', 'csv', 'jsonl', 'edges', 'wacz'] as const
export type ExportFormat = (typeof exportFormats)[number]
/** Tables of parts, which add their names here. */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface PartTables {}
export type ExportTable = 'pages' | 'links' | 'versions' | 'edges' | 'urls' | 'archive' | keyof PartTables
const ofParts = [...partTables.keys()] as (keyof PartTables)[]
export const exportTables: readonly ExportTable[] = [
  'pages',
  'links',
  'versions',
  ...ofParts,
  'edges',
  'urls',
  'archive',
]
/** Contents of pages that a table can have as further columns (content-columns.ts). */
export const contentNames = [
  'text',
  'html',
  'source',
  'headers',
  'charset',
  'language',
  'main',
  'markdown',
  'metadata',
] as const
export type ContentName = (typeof contentNames)[number]

export interface PlannedFile {
  readonly format: ExportFormat
  readonly table: ExportTable
  readonly path: string
}

const rowTables: readonly ExportTable[] = ['pages', 'links', 'versions', ...ofParts]
const tables: Readonly<Record<ExportFormat, readonly ExportTable[]>> = {
  parquet: rowTables,
  tsv: rowTables,
  csv: rowTables,
  jsonl: rowTables,
  edges: ['edges', 'urls'],
  wacz: ['archive'],
}
const text = /\.(?:tsv|txt)(?:\.gz)?$/
const endings = {
  parquet: /\.parquet$/,
  tsv: text,
  csv: /\.csv(?:\.gz)?$/,
  jsonl: /\.jsonl(?:\.gz)?$/,
  edges: text,
  wacz: /\.wacz$/,
}
/** Endings of files in other formats; no name for a folder. */
const otherFile = /\.(?:json|ndjson|gz|br|zip|xlsx?)$/i
const anyEnding = /\.(?:parquet|wacz|(?:tsv|txt|csv|jsonl)(?:\.gz)?)$/

/** The value of `to` for standard output. */
export const standardOutput = '-'

interface TableChoice {
  /** Just this table. */
  readonly only?: ExportTable | undefined
  /** Whether the crawl has rows for a table beside pages and links, which it may not have. Default: no. */
  readonly has?: ((table: ExportTable) => boolean) | undefined
}

/**
 * If `formats` is empty: the format of FILE's extension, otherwise Parquet; for standard output TSV. Versions are
 * left out unless pages may have several or the table is chosen, and tables of parts unless the crawl uses the part.
 */
export function plannedFiles(
  to: string,
  formats: readonly ExportFormat[],
  { only, has = () => false }: TableChoice = {},
): PlannedFile[] {
  if (to === standardOutput) return [plannedStream(formats, only)]
  const planned = plannedTables(to, formats)
  const isLeftOut = ({ table }: PlannedFile): boolean =>
    (table === 'versions' || partTables.has(table)) && !has(table)
  if (only === undefined) return planned.filter((file) => !isLeftOut(file))
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
  if (format === 'parquet' || format === 'wacz') {
    throw new RankwardError(
      'USAGE',
      `${format === 'wacz' ? 'WACZ' : 'Parquet'} cannot be written to standard output: choose the format tsv, csv, jsonl or edges, or export to a file.`,
    )
  }
  const table = only ?? tables[format][0]
  if (!tables[format].includes(table)) throw noSuchTable(table, [format])
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
  if (otherFile.test(to) && !isFile(to) && !isFolder(to))
    throw new RankwardError(
      'USAGE',
      `${to} is not a file name of any format: expected a folder, or a name that ends in .parquet, .tsv, .csv, .jsonl or .wacz.`,
    )
  if (!isFile(to)) {
    return (formats.length === 0 ? (['parquet'] as const) : formats).flatMap((format) =>
      tables[format].map((table) => ({
        format,
        table,
        path: join(to, `${table}${endingOf(format, table)}`),
      })),
    )
  }
  const [format = formatOf(to), ...more] = formats
  if (more.length > 0) {
    throw new RankwardError(
      'USAGE',
      `${to} is one file, but ${formats.length} formats were given: give a folder.`,
    )
  }
  if (!endings[format].test(to)) {
    const expected = {
      parquet: '.parquet',
      tsv: '.tsv or .tsv.gz',
      csv: '.csv or .csv.gz',
      jsonl: '.jsonl or .jsonl.gz',
      edges: '.tsv or .tsv.gz',
      wacz: '.wacz',
    }[format]
    throw new RankwardError(
      'USAGE',
      `${to} is not a file name for the format ${format}: expected one that ends in ${expected}, or a folder.`,
    )
  }
  const [first, ...others] = tables[format]
  return [
    { format, table: first, path: to },
    ...others.map((table) => ({ format, table, path: companion(to, format, table) })),
  ]
}

function formatOf(file: string): ExportFormat {
  return (['parquet', 'jsonl', 'csv', 'wacz'] as const).find((format) => endings[format].test(file)) ?? 'tsv'
}

/** Parses a comma-separated list of formats and removes repeats. */
export function formatsOf(names: string): ExportFormat[] {
  return chosenOf(names, exportFormats, 'an export format')
}

/** Parses a comma-separated list of names and removes repeats. */
export function chosenOf<Name extends string>(names: string, known: readonly Name[], what: string): Name[] {
  const chosen = names.split(',').map((name) => name.trim())
  for (const name of chosen) {
    if (!(known as readonly string[]).includes(name)) {
      throw new RankwardError(
        'USAGE',
        `"${name}" is not ${what}: expected ${known.join(', ')}, or several separated by commas.`,
      )
    }
  }
  return [...new Set(chosen)] as Name[]
}

function endingOf(format: ExportFormat, table: ExportTable): string {
  if (format !== 'tsv' && format !== 'edges') return `.${format}`
  return table === 'urls' ? '.txt.gz' : table === 'edges' ? '.tsv.gz' : '.tsv'
}

/** The file of a further table, beside the first. */
function companion(path: string, format: ExportFormat, table: ExportTable): string {
  const [ending] = endings[format].exec(path) ?? ['']
  const stem = path.slice(0, path.length - ending.length)
  if (table !== 'urls') return `${stem}.${table}${ending}`
  return `${stem}.urls.txt${path.endsWith('.gz') ? '.gz' : ''}`
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
