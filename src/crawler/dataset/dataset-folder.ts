/** The folder of a data set: its files, the list of them and the list of excluded pages. */
import { once } from 'node:events'
import { createWriteStream, existsSync, readFileSync, rmSync, type WriteStream } from 'node:fs'
import { dirname, join } from 'node:path'
import { finished } from 'node:stream/promises'
import { makeFolder } from '../../lib/files/make-folder.ts'
import { checkOutputFolder } from '../../lib/files/output-files.ts'
import { unwritable, writeText } from '../../lib/files/whole-file.ts'
import { version } from '../options/version.ts'

/** The folder of a data set, with a list of its files: `dataset.json`. */
export class DatasetFolder {
  readonly path: string
  readonly files: string[] = []
  #excluded: WriteStream | undefined

  /** Throws if the folder has files of other programs. The files of an earlier data set are removed. */
  constructor(path: string, overwrite = false) {
    this.path = path
    const earlier = filesOf(join(path, 'dataset.json'))
    checkOutputFolder(path, { overwrite, isOurs: () => earlier !== undefined })
    makeFolder(path)
    for (const name of earlier ?? []) rmSync(join(path, name), { force: true })
  }

  /** The path of a new file. */
  add(name: string): string {
    this.files.push(name)
    const path = join(this.path, name)
    makeFolder(dirname(path))
    return path
  }

  async write(name: string, text: string): Promise<void> {
    await writeText(this.add(name), [text])
  }

  async addExcluded(row: object): Promise<void> {
    this.#excluded ??= createWriteStream(this.add('excluded.jsonl'))
    if (this.#excluded.errored !== null) throw unwritable('excluded.jsonl', this.#excluded.errored)
    if (!this.#excluded.write(`${JSON.stringify(row)}\n`)) await once(this.#excluded, 'drain')
  }

  async finish(): Promise<void> {
    if (this.#excluded === undefined) await this.write('excluded.jsonl', '')
    else {
      this.#excluded.end()
      await finished(this.#excluded)
    }
    const text = JSON.stringify({ rankward: version, files: this.files }, undefined, 2)
    await writeText(join(this.path, 'dataset.json'), [`${text}\n`])
  }
}

/** Names in the list of an earlier data set, only within its folder; undefined if there is none. */
function filesOf(path: string): string[] | undefined {
  if (!existsSync(path)) return undefined
  try {
    const { rankward, files } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
    if (typeof rankward !== 'string' || !Array.isArray(files)) return undefined
    return files.filter((name): name is string => typeof name === 'string' && !/^[/\\]|\.\.|:/.test(name))
  } catch {
    return undefined
  }
}
