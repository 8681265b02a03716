/**
 * Makes a data set of archived pages: the main content of each, cleaned, counted and judged, as shards of documents; every page that is left
 * out, with the reason; and a data card. The archive is read twice: what the pages of a site share is counted first.
 */
import { RankwardError } from '../../lib/errors.ts'
import { checkOptions, flag, listOf, ofKind, callback, type OptionChecks } from '../../lib/option-checks.ts'
import { silent, type Progress } from '../../lib/progress.ts'
import { anyText, oneOf } from '../../lib/value-kinds.ts'
import { decodeHtml } from '../../web/charset/html-text.ts'
import { ContentReader } from '../../web/content/content-reader.ts'
import { SiteTemplates } from '../../web/content/site-template.ts'
import { isHtml } from '../../web/http/html-type.ts'
import { usePurposes, type UsePurpose } from '../../web/preferences/known-signals.ts'
import { useVerdict } from '../../web/preferences/verdict.ts'
import { siteOf } from '../../web/url/site.ts'
import { Copies, dedupNames, type Dedup } from './copies.ts'
import { cardText, DatasetCounts } from './data-card.ts'
import { DatasetFolder } from './dataset-folder.ts'
import type { Document } from './document.ts'
import { languageOfText } from './languages.ts'
import { purposeOf, SiteStatements, statementsOf } from './owner-use.ts'
import { qualityOf, qualityRules, type QualityRule } from './quality.ts'
import { sourceOf, type ArchivedPage, type PageSource } from './sources.ts'
import { datasetFormats, writeDocuments, type DatasetFormat } from './writers.ts'

export interface DatasetOptions {
  /** The folder of the data set. */
  readonly to: string
  readonly format?: DatasetFormat | undefined
  /** Only documents in these languages, as `en`. */
  readonly languages?: readonly string[] | undefined
  /** Which copies are left out: of the same text, also of nearly the same, or none; `near` unless given. */
  readonly dedup?: Dedup | undefined
  /** Leave out what fails these rules. The numbers of all rules are written in any case. */
  readonly quality?: readonly QualityRule[] | undefined
  /** Leave out pages whose owners do not allow this use; that of the crawl unless given. */
  readonly purpose?: UsePurpose | undefined
  /** Leave out no page because of the purpose of its crawl. */
  readonly includeOptedOut?: boolean | undefined
  /** Use the folder even if it has files. */
  readonly overwrite?: boolean | undefined
  /** As typed, for the data card. */
  readonly command?: string | undefined
  readonly progress?: Progress | undefined
}

export interface DatasetResult {
  readonly documents: number
  readonly excluded: number
  /** Number of pages by reason of exclusion. */
  readonly reasons: Readonly<Record<string, number>>
  readonly languages: Readonly<Record<string, number>>
  readonly words: number
  /** With a purpose: the pages left out because of it, and the documents about whose use for it nothing is said. */
  readonly use?:
    | { readonly purpose: UsePurpose; readonly leftOut: number; readonly unknown: number }
    | undefined
  readonly files: readonly string[]
}

/** The reason of pages whose owners do not allow the purpose. */
const optedOut = 'opted-out'

const checks: OptionChecks<DatasetOptions> = {
  to: ofKind(anyText('a folder')),
  format: ofKind(oneOf(datasetFormats)),
  languages: listOf(ofKind(anyText('a language, such as en'))),
  dedup: ofKind(oneOf(dedupNames)),
  quality: listOf(ofKind(oneOf(qualityRules))),
  purpose: ofKind(oneOf(usePurposes)),
  includeOptedOut: flag,
  overwrite: flag,
  command: ofKind(anyText('a command')),
  progress: callback,
}

/** `inputs`: the folder of a crawl, or WARC files. */
export async function dataset(
  inputs: string | readonly string[],
  options: DatasetOptions,
): Promise<DatasetResult> {
  checkOptions('dataset', options, checks)
  if ((options.to as string | undefined) === undefined)
    throw new RankwardError('USAGE', 'dataset needs a folder to write to: give `to`.')
  const { format = 'parquet', progress = silent } = options
  const folder = new DatasetFolder(options.to, options.overwrite)
  const source = await sourceOf(typeof inputs === 'string' ? [inputs] : inputs)
  try {
    const counts = new DatasetCounts()
    const purpose = purposeOf(options, source.purpose)
    const sites = countedSites(source, progress)
    const documents = documentsOf(source, { options, purpose, ...sites, counts, folder, progress })
    await writeDocuments(documents, format, folder, counts)
    await folder.write('README.md', cardText(counts, { ...options, format, purpose }))
    await folder.finish()
    const { excluded, reasons, languages, words } = counts
    const use = purpose && {
      purpose,
      leftOut: reasons.get(optedOut) ?? 0,
      unknown: counts.uses[purpose].unknown,
    }
    const { documents: kept } = counts
    return {
      documents: kept,
      excluded,
      reasons: Object.fromEntries(reasons),
      languages: Object.fromEntries(languages),
      words,
      ...(use !== undefined && { use }),
      files: folder.files,
    }
  } finally {
    source.close()
  }
}

/** What is known of sites after the first reading. */
interface CountedSites {
  readonly templates: SiteTemplates
  readonly owners: SiteStatements
  readonly pages: number
}

function countedSites(source: PageSource, progress: Progress): CountedSites {
  const owners = new SiteStatements()
  const templates = new SiteTemplates()
  const reader = new ContentReader()
  let pages = 0
  for (const page of source.pages()) {
    progress(++pages, undefined, 'counting what sites repeat')
    owners.add(page)
    const site = siteOf(page.url) ?? ''
    const html = templates.isCounting(site) ? htmlOf(page) : undefined
    if (html === undefined) continue
    reader.readBlocks(html)
    templates.add(site, reader.scan)
  }
  return { templates, owners, pages }
}

function htmlOf({ status, contentType, body, isCoded }: ArchivedPage): string | undefined {
  const isPage = status >= 200 && status < 300 && isHtml(contentType, body, isCoded)
  return isPage ? decodeHtml(body, contentType).text : undefined
}

interface Making extends CountedSites {
  readonly options: DatasetOptions
  readonly purpose: UsePurpose | undefined
  readonly counts: DatasetCounts
  readonly folder: DatasetFolder
  readonly progress: Progress
}

/** The documents to keep. The others are counted and written to the list of excluded pages. */
async function* documentsOf(source: PageSource, making: Making): AsyncGenerator<Document> {
  const { counts, folder, progress, pages, options, purpose } = making
  const reader = new ContentReader()
  const copies = new Copies(options.dedup ?? 'near')
  const languages = options.languages?.map((language) => language.toLowerCase())
  let done = 0
  for (const page of source.pages()) {
    progress(++done, pages, 'extracting')
    const exclude = (reason: string, of?: string): Promise<void> => {
      counts.exclude(page.url, reason)
      return folder.addExcluded({ url: page.url, id: page.id, reason, ...(of === undefined ? {} : { of }) })
    }
    if (page.status < 200 || page.status >= 300) {
      await exclude(page.status === 304 ? 'revisit' : 'status')
      continue
    }
    const html = htmlOf(page)
    if (html === undefined) {
      await exclude('type')
      continue
    }
    const statements = statementsOf(page, making.owners)
    if (purpose !== undefined && useVerdict(purpose, statements).answer === 'disallowed') {
      await exclude(optedOut)
      continue
    }
    const document = documentOf(reader, page, html, statements, making.templates)
    if (document.text === '') await exclude('empty')
    else if (languages !== undefined && !languages.includes(document.language ?? ''))
      await exclude('language')
    else {
      const failed = options.quality?.find((rule) => document.quality.failures[rule] !== undefined)
      const copy = failed === undefined ? copies.find(page.id, document.text) : undefined
      if (failed !== undefined) await exclude(`${failed}: ${document.quality.failures[failed]}`)
      else if (copy?.isLeftOut === true) await exclude(copy.kind, copy.of)
      else {
        const kept = copy === undefined ? document : { ...document, copy }
        counts.add(kept)
        yield kept
      }
    }
  }
}

function documentOf(
  reader: ContentReader,
  page: ArchivedPage,
  html: string,
  statements: readonly string[],
  templates: SiteTemplates,
): Document {
  const site = siteOf(page.url) ?? ''
  reader.read(html, page.url, templates.of(site))
  const text = reader.text()
  const metadata = reader.metadata()
  const { language, score } = languageOfText(text, metadata.language)
  return {
    page,
    site,
    type: reader.type,
    metadata,
    text,
    markdown: reader.markdown(),
    language,
    languageScore: score,
    counts: reader.counts(),
    quality: qualityOf(text),
    statements,
    copy: undefined,
  }
}
