/**
 * Which WARC files are in the archive: a line for each, written when the archive was seen to have it. Without this file everything is
 * sent again, which costs one request for a file that is there.
 */
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { namesIn } from '../../../lib/files/output-files.ts'
import type { CrawlFolder } from '../../record/crawl-folder.ts'

export const sentFile = 'archived.jsonl'

interface Head {
  readonly crawl: string
  readonly archive: string
}

interface SentLine {
  readonly name: string
  /** Of the WARC file. */
  readonly bytes: number
}

export class SentFiles {
  readonly #path: string
  /** Bytes by name. */
  readonly #sent = new Map<string, number>()

  constructor(path: string, head: Head) {
    this.#path = path
    const [first, ...lines] = parsed(path)
    const { crawl, archive } = (first ?? {}) as Partial<Head>
    if (crawl === head.crawl && archive === head.archive) {
      for (const { name, bytes } of lines as readonly SentLine[]) this.#sent.set(name, bytes)
    } else writeFileSync(path, `${JSON.stringify(head)}\n`, { flush: true })
  }

  get isEmpty(): boolean {
    return this.#sent.size === 0
  }

  /** Whether the archive has the file with this length. */
  has(name: string, bytes: number): boolean {
    return this.#sent.get(name) === bytes
  }

  add(name: string, bytes: number): void {
    appendFileSync(this.#path, `${JSON.stringify({ name, bytes })}\n`, { flush: true })
    this.#sent.set(name, bytes)
  }
}

export function sentFilesOf({ path, file }: CrawlFolder, archive: string): SentFiles {
  return new SentFiles(join(path, sentFile), { crawl: file.id, archive })
}

/** The complete lines of a file; a killed process may have left a torn one. */
function parsed(path: string): unknown[] {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as unknown]
    } catch {
      return []
    }
  })
}

/** Whether a crawl that has ended has files that its archive does not have. */
export function hasUnsent(path: string): boolean {
  const sent = new Map((parsed(join(path, sentFile)) as SentLine[]).map(({ name, bytes }) => [name, bytes]))
  return namesIn(join(path, 'warc')).some(
    (name) => isWarcName(name) && sent.get(name) !== statSync(join(path, 'warc', name)).size,
  )
}

export function isWarcName(name: string): boolean {
  return /\.warc(?:\.gz)?$/.test(name)
}

/** Whether this crawl wrote such a file. */
export function isSentFileOf(text: string, crawlId: string): boolean {
  return text.startsWith(`{"crawl":"${crawlId}"`)
}
