/** The pages of a crawl as `export` shows them, and whether the archive has each of them where the record says. */
import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readWarcAt } from '../../src/web/warc/reader.ts'

export interface ExportedPages {
  /** Pages in the state `fetched`, each once. */
  readonly fetched: ReadonlySet<string>
  /** Rows of fetched pages. */
  readonly rows: number
  /** By WARC file: the URL at each offset. */
  readonly places: ReadonlyMap<string, ReadonlyMap<number, string>>
}

interface Row {
  readonly url: string
  readonly state: string
  readonly warc_file?: string
  readonly warc_offset?: number
}

/** Reads a table of pages in JSON lines. */
export async function exportedPages(path: string): Promise<ExportedPages> {
  const fetched = new Set<string>()
  const places = new Map<string, Map<number, string>>()
  let rows = 0
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const { url, state, warc_file: file, warc_offset: offset } = JSON.parse(line) as Row
    if (state !== 'fetched') continue
    rows++
    fetched.add(url)
    if (file === undefined || offset === undefined) continue
    if (!places.has(file)) places.set(file, new Map())
    places.get(file)!.set(offset, url)
  }
  return { fetched, rows, places }
}

/** Fetched pages whose response is in one of these folders, at the place that the record names. */
export function archivedCount({ places }: ExportedPages, folders: readonly string[]): number {
  let count = 0
  for (const [file, urls] of places) {
    const path = folders.map((folder) => join(folder, file)).find((each) => existsSync(each))
    if (path === undefined) continue
    const offsets = [...urls.keys()].toSorted((a, b) => a - b)
    for (const record of readWarcAt(path, offsets)) {
      if (record.field('WARC-Target-URI') === urls.get(record.offset)) count++
    }
  }
  return count
}
