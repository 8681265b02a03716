/**
 * The record of an export in its folder, `export.json`: the names and digests of the files written. It tells
 * the next export into the folder which files it may replace. Exports to a named file or to standard output
 * have no record.
 */
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { digestOfFile, fileRecordOf, type FileRecord } from '../../../lib/files/file-record.ts'
import { checkOutputFolder, checkOutputs } from '../../../lib/files/output-files.ts'
import { writeText } from '../../../lib/files/whole-file.ts'
import { version } from '../../options/version.ts'
import { standardOutput, type PlannedFile } from './destination.ts'

export class ExportRecord {
  /** Undefined if no record is kept. */
  readonly #folder: string | undefined
  readonly #paths: readonly string[]
  #files: FileRecord | undefined

  constructor(to: string, planned: readonly PlannedFile[]) {
    this.#paths = planned.map(({ path }) => path).filter((path) => path !== standardOutput)
    const isFolder =
      this.#paths.length > 0 && this.#paths.every((path) => resolve(dirname(path)) === resolve(to))
    this.#folder = isFolder ? to : undefined
    this.#files = this.#folder === undefined ? undefined : filesOf(join(this.#folder, 'export.json'))
  }

  /**
   * Throws `FOREIGN_FILES` for a folder without a record, and for files that the record does not list or that
   * have changed.
   */
  check(overwrite = false): void {
    const files = this.#files
    const folder = this.#folder
    if (folder !== undefined) {
      checkOutputFolder(folder, { overwrite, isOurs: () => files !== undefined })
      checkOutputs([join(folder, 'export.json')], { overwrite, isOurs: () => files !== undefined })
    }
    checkOutputs(this.#paths, {
      overwrite,
      isOurs: (path) => files?.[basename(path)] !== undefined && digestOfFile(path) === files[basename(path)],
    })
  }

  /** Adds a written file. */
  async add(path: string): Promise<void> {
    if (this.#folder === undefined || path === standardOutput) return
    this.#files = { ...this.#files, [basename(path)]: digestOfFile(path)! }
    const text = JSON.stringify({ rankward: version, files: this.#files }, undefined, 2)
    await writeText(join(this.#folder, 'export.json'), [`${text}\n`])
  }
}

function filesOf(path: string): FileRecord | undefined {
  if (!existsSync(path)) return undefined
  try {
    const { rankward, files } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
    return typeof rankward === 'string' ? fileRecordOf(files) : undefined
  } catch {
    return undefined
  }
}
