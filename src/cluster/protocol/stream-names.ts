/**
 * The names of a crawl's streams and buckets in JetStream, and the subjects of the streams. All subjects begin with `RW.`, so
 * that one permission covers them.
 */
import { RankwardError } from '../../lib/errors.ts'

const crawlName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/
const controlName = /^RW_([A-Za-z0-9][A-Za-z0-9_-]{0,63})_CONTROL$/

/** Returns the name of a crawl, or throws USAGE. */
export function checkedCrawlName(name: string): string {
  if (crawlName.test(name)) return name
  throw new RankwardError(
    'USAGE',
    `${JSON.stringify(name)} is no name for a crawl on a cluster. Expected up to 64 letters, digits, - and _, beginning with a letter or digit.`,
  )
}

export function controlStream(crawl: string): string {
  return `RW_${crawl}_CONTROL`
}

/** The crawl of a control stream; undefined for any other stream. */
export function crawlOfControl(stream: string): string | undefined {
  return controlName.exec(stream)?.[1]
}

export function journalStream(crawl: string, shard: number): string {
  return `RW_${crawl}_J${shard}`
}

export function linksStream(crawl: string): string {
  return `RW_${crawl}_LINKS`
}

export function membersBucket(crawl: string): string {
  return `RW_${crawl}_MEMBERS`
}

export function snapshotsBucket(crawl: string): string {
  return `RW_${crawl}_SNAPSHOTS`
}

/** Whether a stream belongs to this crawl. Buckets and object stores are streams too. */
export function streamsOfCrawl(crawl: string): (stream: string) => boolean {
  const others = new Set([
    controlStream(crawl),
    linksStream(crawl),
    `KV_${membersBucket(crawl)}`,
    `OBJ_${snapshotsBucket(crawl)}`,
  ])
  const start = `RW_${crawl}_J`
  return (stream) =>
    others.has(stream) || (stream.startsWith(start) && /^\d+$/.test(stream.slice(start.length)))
}

/** The subject that messages of a stream are published to. */
export function subjectOf(stream: string): string {
  return `RW.${stream}`
}
