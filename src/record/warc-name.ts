import type { WarcPlace } from './outcome-record.ts'

/** The WARC file with this thread and serial number, in the folder `warc/` of the crawl. */
export function warcName(
  { thread, serial }: Pick<WarcPlace, 'thread' | 'serial'>,
  isGzipped: boolean,
): string {
  return `rankward-${thread}-${String(serial).padStart(5, '0')}.warc${isGzipped ? '.gz' : ''}`
}
