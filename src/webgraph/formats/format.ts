/** The interface of graph formats. `index.ts` has the table of them. */
import type { Progress } from '../../lib/progress.ts'
import type { KeepOptions } from '../list-sink.ts'
import type { UrlList } from '../url-list.ts'
import type { Web } from '../web.ts'
import type { ByteSource } from '../../lib/files/byte-source.ts'

export interface ReadOptions extends KeepOptions {
  /** URLs from a separate list: line i is the URL of node i. */
  readonly urls?: UrlList | undefined
  /** The path of that list, for messages. */
  readonly urlsPath?: string | undefined
  readonly progress?: Progress | undefined
}

export interface GraphReader {
  readonly name: string
  /** Whether the file is in this format, by its first bytes. */
  recognises(source: ByteSource): boolean
  read(source: ByteSource, options: ReadOptions): Promise<Web>
}

export interface GraphWriter {
  readonly name: string
  /** File extensions of this format. */
  readonly endings: readonly string[]
  /** Leaves no partial file if it fails. */
  write(web: Web, path: string, progress: Progress): Promise<void>
}
