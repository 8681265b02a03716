import type { WarcPlace } from '../../record/outcome-record.ts'

/** The WARC file that a page is in, inside the crawl's folder `warc/`. */
export function warcName({ thread, serial }: WarcPlace, isGzipped: boolean): string {
  return `rankward-${thread}-${String(serial).padStart(5, '0')}.warc${isGzipped ? '.gz' : ''}`
}
