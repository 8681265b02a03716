/** Checks that the archive of a crawl still has what was recorded, before the crawl is continued. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { CrawlFolder } from '../record/crawl-folder.ts'
import type { FinishedWarc } from '../record/record-index.ts'
import { warcName, warcNaming } from '../record/warc-name.ts'
import { incompleteIndex, shortWarc } from '../../web/warc/failure.ts'
import { indexPathOf } from '../../web/warc/cdxj.ts'

/**
 * Throws `BAD_WARC` if a finished WARC file or its index has another length than recorded. Only lengths are compared;
 * `rankward verify` reads the files. The thread that continues a file checks that one.
 */
export function checkFinishedWarcs(folder: CrawlFolder, finished: readonly FinishedWarc[]): void {
  const naming = warcNaming(folder.file.options)
  for (const file of finished) {
    const path = join(folder.warc, warcName(file, naming))
    const length = bytesOf(path)
    if (length !== file.length) throw shortWarc(path, length, file.length)
    const index = indexPathOf(path)
    const indexBytes = bytesOf(index)
    if (indexBytes !== file.indexBytes) throw incompleteIndex(index, indexBytes, file.indexBytes)
  }
}

/** 0 if the file is missing. */
function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
