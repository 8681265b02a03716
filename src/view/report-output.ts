/**
 * Writes reports: the page, its data and its pictures into one folder. The last line of the page lists the
 * files beside it, so that the next report may replace them.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { digestOf, digestOfFile, fileRecordOf, type FileRecord } from '../lib/files/file-record.ts'
import { checkOutputFolder, checkOutputs, namesIn } from '../lib/files/output-files.ts'
import { makeFolder } from '../lib/files/make-folder.ts'
import { writeText } from '../lib/files/whole-file.ts'
import type { ReportFile } from './report/page.tsx'

interface WritingOptions {
  /** Replace existing files of any origin. */
  readonly overwrite?: boolean | undefined
}

/** Returns the paths, in the order of the files; the first file is the page. */
export async function writeFiles(
  folder: string,
  [page, ...data]: readonly ReportFile[],
  { overwrite }: WritingOptions,
): Promise<string[]> {
  const path = join(folder, page.name)
  const dataPaths = data.map(({ name }) => join(folder, name))
  const texts = new Map(data.map(({ text }, i) => [dataPaths[i], text]))
  const record = recordOf(path)
  const isSame = (other: string): boolean => digestOfFile(other) === digestOf(texts.get(other)!)
  checkOutputs([path], { overwrite, isOurs: isPage })
  checkOutputs(dataPaths, {
    overwrite,
    isOurs: (other) => isRecorded(other, folder, record) || isSame(other),
  })
  makeFolder(folder)
  await writeText(path, [page.text, recordLine(data)])
  for (const [other, text] of texts) await writeText(other, [text])
  return [path, ...dataPaths]
}

/** Refuses, before any work, to replace a page that is not a report and data files that were edited since. */
export function checkReport(path: string, { overwrite }: WritingOptions): void {
  checkOutputs([path], { overwrite, isOurs: isPage })
  const folder = dirname(path)
  const record = recordOf(path)
  const data = Object.keys(record).map((name) => join(folder, name))
  checkOutputs(data, { overwrite, isOurs: (other) => isRecorded(other, folder, record) })
}

/** Refuses a folder that has files but no report. */
export function checkReportFolder(folder: string, { overwrite }: WritingOptions): void {
  const isOurs = (): boolean =>
    namesIn(folder).some((name) => name.endsWith('.html') && isPage(join(folder, name)))
  checkOutputFolder(folder, { overwrite, isOurs })
}

function isPage(path: string): boolean {
  const isFile = existsSync(path) && statSync(path).isFile()
  const head = isFile ? readFileSync(path, 'utf8').slice(0, 2000) : ''
  return head.startsWith('<!doctype html>') && head.includes('<meta name="generator" content="Rankward ')
}

function isRecorded(path: string, folder: string, record: FileRecord): boolean {
  const name = Object.keys(record).find((each) => join(folder, each) === path)
  return name !== undefined && digestOfFile(path) === record[name]
}

function recordLine(data: readonly ReportFile[]): string {
  const record = Object.fromEntries(data.map(({ name, text }) => [name, digestOf(text)]))
  return `<!-- rankward-files ${JSON.stringify(record).replaceAll('>', '\\u003E')} -->\n`
}

/** Empty if there is no report. */
function recordOf(path: string): FileRecord {
  if (!isPage(path)) return {}
  const [, json] = /<!-- rankward-files (.*) -->\n$/.exec(readFileSync(path, 'utf8')) ?? []
  try {
    return fileRecordOf(JSON.parse(json ?? '')) ?? {}
  } catch {
    return {}
  }
}

/** The command line, quoted for a shell. */
export function typedCommand(args: readonly string[]): string {
  return ['rankward', ...args]
    .map((word) => (/^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ')
}

/** To the minute, in UTC: `2026-01-31 12:05 UTC`. */
export function today(): string {
  return `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
