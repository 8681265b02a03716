/**
 * When snapshots are due: by the growth of the log since the last one, as a part of its size. Small crawls write few snapshots. All snapshots
 * of a crawl but the last are together at most 16 times as large as its log, so their cost is linear. After a kill, a resume replays at most
 * 16 MiB of the log, or a sixteenth of the snapshot's size if that is more.
 */

/** Default minimum growth of the log between two snapshots, in bytes. */
export const growthMin = 4 << 20
/** Growth that is enough unless the state is large: about 60,000 pages to replay. */
const growthEnough = 16 << 20

/** The growth of the log, in bytes, after which a snapshot follows one of `lastBytes`. */
export function growthWanted(lastBytes: number, leastBytes = growthMin): number {
  return Math.max(leastBytes, Math.min(growthEnough, lastBytes / 2), lastBytes / 16)
}
