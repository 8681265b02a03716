/** An archive belongs to one crawl: a file there names it, so that no other crawl replaces its files. */
import { RankwardError } from '../../../lib/errors.ts'
import { openStore } from '../../../web/store/file-store.ts'
import { shownPlace } from '../../../web/store/store-address.ts'

export const ownerFile = 'rankward-crawl.json'

function ownerText(crawlId: string): string {
  return `${JSON.stringify({ crawl: crawlId })}\n`
}

/** Makes the place that of this crawl. FOREIGN_FILES if it is that of another one. */
export async function claimArchive(place: string, crawlId: string): Promise<void> {
  const text = await (await openStore(place)).claim(ownerFile, ownerText(crawlId))
  if (text !== ownerText(crawlId)) throw foreignArchive(place)
}

/** Whether the place has files of this crawl; false if it is new. FOREIGN_FILES if it is that of another one. */
export async function isOwnArchive(place: string, crawlId: string): Promise<boolean> {
  const text = (await (await openStore(place)).read(ownerFile, 0, 4096))?.toString('utf8')
  if (text !== undefined && text !== ownerText(crawlId)) throw foreignArchive(place)
  return text !== undefined
}

export function unclaimedArchive(place: string): RankwardError {
  return new RankwardError(
    'STORE_UNAVAILABLE',
    `${shownPlace(place)} does not have ${ownerFile}, which this crawl put there: is the folder mounted?`,
  )
}

function foreignArchive(place: string): RankwardError {
  return new RankwardError(
    'FOREIGN_FILES',
    `${shownPlace(place)} is the archive of another crawl (${ownerFile} there names it): give this one a place of its own with --archive.`,
  )
}
