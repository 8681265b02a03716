/** Webs for the experiments: recorded sites, and webs with words, from a file or generated. */
import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { unreadable } from '../../lib/files/byte-source.ts'
import type { NamedSite } from '../../papers/freshness-sites.ts'
import { hasRecordedChanges, readRecordedSite } from '../../webgraph/formats/recorded-site-reader.ts'
import { RankwardError } from '../../lib/errors.ts'
import type { TopicalWords, TrialsOptions } from '../../papers/trials.ts'
import { topicalWeb } from '../../webgraph/synthetic/topical-web.ts'
import type { Web } from '../../webgraph/web.ts'
import { webWords, type WordsOfPage } from '../../simulator/web-words.ts'
import type { TopicSettings } from '../../web/topic/topic.ts'
import { extractText } from '../../web/html/page.ts'
import { grouped } from '../terminal.ts'

/** Recorded sites: one folder, or a folder of such folders. */
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

export function topicalFile(
  web: Web,
  file: string,
  { pagesContent }: { readonly pagesContent?: string },
): Pick<TrialsOptions, 'topical'> {
  if (pagesContent === undefined) return {}
  return {
    topical: async (topic) => {
      const { readWebWords } = await import('../../simulator/contents/web-contents.ts')
      return { web, about: file, words: await readWebWords(web, pagesContent, { topic }) }
    },
  }
}

export async function generatedTopical(
  topic: TopicSettings,
  pages: number,
  seed: number,
): Promise<TopicalWords> {
  const web = topicalWeb({ pages, seed })
  async function* contents(): AsyncGenerator<WordsOfPage> {
    for (let page = 0; page < web.graph.pages; page++) {
      const url = web.urls.at(page)
      const { title, text, links } = extractText(web.html(page), url)
      yield { page, words: { url, title, body: text, links } }
    }
  }
  const words = await webWords(web, contents(), { topic, urlKey: (url) => url })
  return { web, about: `a generated web with topics, ${grouped(pages)} pages, seed ${seed}`, words }
}
