import type { WarcPlace } from './outcome-record.ts'

/** The beginning of the names of a thread's WARC files. A worker of a cluster has names of its own. */
export function warcPrefix(thread: number, worker?: string): string {
  return worker === undefined ? `rankward-${thread}` : `rankward-${worker}-${thread}`
}

/** The WARC file with this thread and serial number, in the folder `warc/` of the crawl. */
export function warcName(
  { worker, thread, serial }: Pick<WarcPlace, 'worker' | 'thread' | 'serial'>,
  isGzipped: boolean,
): string {
  return `${warcPrefix(thread, worker)}-${String(serial).padStart(5, '0')}.warc${isGzipped ? '.gz' : ''}`
}
