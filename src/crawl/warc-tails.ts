/**
 * The WARC files of a crawl that was cut off. What was archived after the last group of the journal is not part of the
 * crawl: files that the journal does not know are removed here; the last one of each thread is cut by whoever goes on
 * writing it.
 */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { WarcEnd } from '../record/group.ts'

const fileName = /^rankward-(\d+)-(\d+)\.(?:warc(?:\.gz)?|cdxj)$/

export function removeUnknownFiles(folder: string, ends: ReadonlyMap<number, WarcEnd>): void {
  for (const name of readdirSync(folder)) {
    // An index that was being rewritten when the process was killed; the old one is in place.
    if (name.endsWith('.part')) rmSync(join(folder, name))
    const [, thread, serial] = fileName.exec(name) ?? []
    if (thread === undefined) continue
    const end = ends.get(Number(thread))
    const isKnown =
      end !== undefined && (Number(serial) < end.serial || (Number(serial) === end.serial && end.length > 0))
    if (!isKnown) rmSync(join(folder, name))
  }
}
