/** Writes the documents of a data set as Parquet, JSON lines or Markdown. */
import { writeParquet } from '../read/export/parquet-file.ts'
import type { Batch, Value } from '../read/export/table.ts'
import { writeTextFile } from '../read/export/text-file.ts'
import type { DatasetCounts } from './data-card.ts'
import type { DatasetFolder } from './dataset-folder.ts'
import { documentColumns, type Document } from './document.ts'
import { MarkdownPages } from './markdown-pages.ts'

export const datasetFormats = ['parquet', 'jsonl', 'markdown'] as const
export type DatasetFormat = (typeof datasetFormats)[number]

/** Characters of texts in a row group, and in a shard. */
const batchCharsMax = 8 << 20
const shardCharsMax = 256 << 20

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
