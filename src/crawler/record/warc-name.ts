/**
 * The names of a crawl's WARC files. They follow from the settings and from a file's thread and serial number, so that the record
 * need not have them.
 *
 *   rankward-THREAD-SERIAL.warc.gz              by default; a worker of a cluster has its name after `rankward`
 *   PREFIX-TIMESTAMP-SERIAL-HOST.warc.gz        with `warcPrefix`, as the WARC guidelines suggest; HOST~THREAD for further threads;
 *                                               a worker has its name, which begins with that of its host, in place of HOST
 *
 * TIMESTAMP is that of the beginning of the crawl.
 */
import type { WarcEnd } from './group.ts'
import type { WarcPlace } from './outcome-record.ts'
import type { FinishedWarc } from './record-index.ts'

/** Names of WARC files as PREFIX-TIMESTAMP-SERIAL-HOST. */
export interface WarcNames {
  readonly prefix: string
  /** When the crawl began, in 14 digits. */
  readonly timestamp: string
  readonly host: string
}

/** Settings that the names follow from. A crawl without an archive has none. */
interface NamingSettings {
  readonly warcLevel?: number | undefined
  readonly warcNames?: WarcNames | undefined
}

/** What the names of all files of a crawl have in common. */
export interface WarcNaming {
  readonly isGzipped: boolean
  /** Undefined for the default. */
  readonly names?: WarcNames | undefined
}

/** `settings`: those of a crawl. */
export function warcNaming(settings: object): WarcNaming {
  const { warcLevel = 0, warcNames: names }: NamingSettings = settings
  return { isGzipped: warcLevel > 0, names }
}

/** The name of a thread's files before and after the serial number. */
export function warcAffixes(
  { thread, worker }: Pick<WarcPlace, 'thread' | 'worker'>,
  names?: WarcNames,
): { readonly prefix: string; readonly suffix: string } {
  if (names !== undefined) {
    const { prefix, timestamp, host } = names
    const writer = worker ?? host
    return { prefix: `${prefix}-${timestamp}`, suffix: `-${writer}${thread === 0 ? '' : `~${thread}`}` }
  }
  return { prefix: worker === undefined ? `rankward-${thread}` : `rankward-${worker}-${thread}`, suffix: '' }
}

/** The WARC file with this thread and serial number, in the folder `warc/` of the crawl. */
export function warcName(
  place: Pick<WarcPlace, 'worker' | 'thread' | 'serial'>,
  { isGzipped, names }: WarcNaming,
): string {
  const { prefix, suffix } = warcAffixes(place, names)
  return `${prefix}-${String(place.serial).padStart(5, '0')}${suffix}.warc${isGzipped ? '.gz' : ''}`
}

/** What a record says about the WARC files. */
export interface ArchiveEnds {
  readonly warcEnds: ReadonlyMap<number, WarcEnd>
  readonly finishedWarcs: readonly FinishedWarc[]
}

/** A WARC file of a crawl, up to the last record that counts. */
export interface RecordedWarc extends WarcEnd {
  readonly thread: number
  readonly name: string
}

/** All WARC files of a crawl, by name. */
export function recordedWarcs(record: ArchiveEnds, naming: WarcNaming): RecordedWarc[] {
  const current = [...record.warcEnds].map(([thread, end]) => ({ thread, ...end }))
  return [...record.finishedWarcs, ...current]
    .filter(({ length }) => length > 0)
    .map((file) => ({ ...file, name: warcName(file, naming) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** A file in the folder `warc/`: of a WARC file or an index, or undefined if its name is none of this crawl's. */
export function parsedWarcName(
  name: string,
  names?: WarcNames,
):
  | { readonly stem: string; readonly thread: number; readonly serial: number; readonly kind: string }
  | undefined {
  const ending = '\\.(?<kind>warc(?:\\.gz)?|cdxj(?:\\.part)?)$'
  const form =
    names === undefined
      ? '^(?<stem>rankward-(?<thread>\\d+)-(?<serial>\\d+))'
      : `^(?<stem>${escaped(`${names.prefix}-${names.timestamp}`)}-(?<serial>\\d+)-${escaped(names.host)}(?:~(?<thread>\\d+))?)`
  const parts = new RegExp(form + ending).exec(name)?.groups
  if (parts === undefined) return undefined
  return {
    stem: parts['stem'],
    thread: Number(parts['thread'] ?? 0),
    serial: Number(parts['serial']),
    kind: parts['kind'],
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[.\\]/g, '\\$&')
}
