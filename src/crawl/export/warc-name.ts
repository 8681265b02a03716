import type { OutcomeRecord } from '../records.ts'

/** The WARC file that a page is in, inside the crawl's folder `warc/`. */
export function warcName([thread, serial]: NonNullable<OutcomeRecord['warc']>, isGzipped: boolean): string {
  return `rankward-${thread}-${String(serial).padStart(5, '0')}.warc${isGzipped ? '.gz' : ''}`
}
