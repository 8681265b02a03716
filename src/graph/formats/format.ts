/** What every graph format offers. The table of them is in `index.ts`. */
import type { Progress } from '../../lib/progress.ts'
import type { KeepOptions } from '../list-sink.ts'
import type { UrlList } from '../url-list.ts'
import type { Web } from '../web.ts'
import type { ByteSource } from '../../files/byte-source.ts'

export interface ReadOptions extends KeepOptions {
  /** URLs read from a list beside the graph: line i is the URL of node i. */
  readonly urls?: UrlList | undefined
  /** Where those URLs came from, for messages. */
  readonly urlsPath?: string | undefined
  readonly progress?: Progress | undefined
}

export interface GraphReader {
  readonly name: string
  /** Is this file, by its first bytes, one of ours? */
  recognises(source: ByteSource): boolean
  read(source: ByteSource, options: ReadOptions): Promise<Web>
}

export interface GraphWriter {
  readonly name: string
  /** File name endings that mean this format. */
  readonly endings: readonly string[]
  /** Leaves no partial file behind when it fails. */
  write(web: Web, path: string, progress: Progress): Promise<void>
}
