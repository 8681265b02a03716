/** The files of a data set: shards of documents as Parquet, JSON lines or Markdown, and the list of excluded pages. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, existsSync, readFileSync, rmSync, type WriteStream } from 'node:fs'
import { dirname, join } from 'node:path'
import { finished } from 'node:stream/promises'
import { makeFolder } from '../../lib/files/make-folder.ts'
import { checkOutputFolder } from '../../lib/files/output-files.ts'
import { unwritable, writeText } from '../../lib/files/whole-file.ts'
import { version } from '../options/version.ts'
import { writeParquet } from '../read/export/parquet-file.ts'
import type { Batch, Value } from '../read/export/table.ts'
import { writeTextFile } from '../read/export/text-file.ts'
import { documentColumns, type Document } from './document.ts'
import { MarkdownPages } from './markdown-pages.ts'
import type { DatasetCounts } from './data-card.ts'

export const datasetFormats = ['parquet', 'jsonl', 'markdown'] as const
export type DatasetFormat = (typeof datasetFormats)[number]

/** Characters of texts in a row group, and in a shard. */
const batchCharsMax = 8 << 20
const shardCharsMax = 256 << 20

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

export async function writeDocuments(
  documents: AsyncGenerator<Document>,
  format: DatasetFormat,
  folder: DatasetFolder,
  counts: DatasetCounts,
): Promise<void> {
  if (format === 'markdown') {
    const pages = new MarkdownPages(folder)
    for await (const document of documents) await pages.add(document)
    await pages.finish(counts)
    return
  }
  let next = await documents.next()
  for (let shard = 0; shard === 0 || next.done !== true; shard++) {
    const path = folder.add(`documents-${String(shard).padStart(5, '0')}.${format}`)
    const batches = (async function* (): AsyncGenerator<Batch> {
      let shardChars = 0
      while (next.done !== true && shardChars < shardCharsMax) {
        const batch: Value[][] = documentColumns.map(() => [])
        let chars = 0
        while (next.done !== true && chars < batchCharsMax) {
          const document = next.value
          documentColumns.forEach((column, i) => batch[i].push(column.of(document)))
          chars += document.text.length + document.markdown.length
          next = await documents.next()
        }
        shardChars += chars
        yield batch
      }
    })()
    if (format === 'parquet') await writeParquet(path, documentColumns, batches)
    else await writeTextFile(path, { columns: documentColumns, batches, format })
  }
}

/** A short name for texts that are not names of files. */
export function shortDigest(text: string): string {
  return createHash('sha1').update(text).digest('hex').slice(0, 8)
}
