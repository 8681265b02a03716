/** Recorded sites for experiments: one folder, or a folder of such folders. */
import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { unreadable } from '../../lib/files/byte-source.ts'
import type { NamedSite } from '../../papers/freshness-sites.ts'
import { hasRecordedChanges, readRecordedSite } from '../../webgraph/formats/recorded-site-reader.ts'
import { RankwardError } from '../../lib/errors.ts'

export async function recordedSites(folder: string): Promise<NamedSite[]> {
  if (hasRecordedChanges(folder)) return [await named(folder)]
  const found = subfolders(folder).filter((each) => hasRecordedChanges(each))
  if (found.length === 0)
    throw new RankwardError(
      'BAD_CHANGES',
      `${folder} has no recorded site: no versions.tsv.gz in it or in its folders.`,
    )
  const sites: NamedSite[] = []
  for (const each of found) sites.push(await named(each))
  return sites
}

async function named(folder: string): Promise<NamedSite> {
  return { name: basename(folder), site: await readRecordedSite(folder) }
}

function subfolders(folder: string): string[] {
  try {
    return readdirSync(folder)
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isDirectory())
      .sort()
  } catch (error) {
    throw unreadable(folder, error)
  }
}
