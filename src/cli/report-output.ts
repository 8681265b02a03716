/** Writing reports: the page, its data and its pictures into one folder. */
import { join } from 'node:path'
import { makeFolder } from '../graph/formats/make-folder.ts'
import { writeText } from '../graph/formats/whole-file.ts'
import type { ReportFile } from '../report/page.ts'

/** Returns the paths, in the order of the files. */
export async function writeFiles(folder: string, files: readonly ReportFile[]): Promise<string[]> {
  makeFolder(folder)
  const paths = files.map(({ name }) => join(folder, name))
  for (const [i, { text }] of files.entries()) await writeText(paths[i], [text])
  return paths
}

/** The command as one could type it again. */
export function typedCommand(args: readonly string[]): string {
  return ['rankward', ...args]
    .map((word) => (/^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ')
}

/** To the minute, in UTC: `2026-01-31 12:05 UTC`. */
export function today(): string {
  return `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
