/** What a data set has and leaves out, as counts and as the README of its folder. */
import { version } from '../options/version.ts'
import { usePurposes } from '../../web/preferences/known-signals.ts'
import { useVerdict } from '../../web/preferences/verdict.ts'
import { siteOf } from '../../web/url/site.ts'
import type { DatasetOptions } from './dataset.ts'
import type { Document } from './document.ts'

const sitesShown = 20

export class DatasetCounts {
  documents = 0
  excluded = 0
  words = 0
  readonly reasons = new Map<string, number>()
  readonly languages = new Map<string, number>()
  readonly types = new Map<string, number>()
  readonly sites = new Map<string, number>()
  readonly licences = new Map<string, number>()
  /** What owners say about the use of documents. */
  readonly uses = {
    'train-ai': { allowed: 0, disallowed: 0, unknown: 0 },
    'ai-input': { allowed: 0, disallowed: 0, unknown: 0 },
    search: { allowed: 0, disallowed: 0, unknown: 0 },
  }

  add({ site, type, language, metadata, counts, statements }: Document): void {
    this.documents++
    this.words += counts.mainWords
    count(this.languages, language ?? 'unknown')
    count(this.types, type)
    count(this.sites, site)
    count(this.licences, metadata.license ?? 'none stated')
    for (const purpose of usePurposes) this.uses[purpose][useVerdict(purpose, statements).answer]++
  }

  exclude(url: string, reason: string): void {
    this.excluded++
    count(this.reasons, reason)
    // A site of which everything was left out is part of the card.
    this.sites.set(siteOf(url) ?? '', this.sites.get(siteOf(url) ?? '') ?? 0)
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

export function cardText(counts: DatasetCounts, options: DatasetOptions): string {
  const { documents, excluded, words, reasons, languages, types, sites, licences, uses } = counts
  return `# Data set

${documents} documents with ${words} words, made by Rankward ${version} from ${documents + excluded} archived responses of ${sites.size} sites.
${options.command === undefined ? '' : `\n    ${options.command}\n`}
Each document is the main content of a web page, without menus, footers and what the pages of its site repeat. Its text belongs to its author:
see the column \`license\`, and the terms of each site, before you use it.

- Format: ${options.format ?? 'parquet'}. docs/guide/content.md of Rankward explains the columns.
- Languages kept: ${options.languages?.join(', ') ?? 'all'}. Copies left out: ${options.dedup ?? 'near'}. Quality rules applied: ${options.quality?.join(', ') ?? 'none (their numbers are columns)'}.
- Purpose: ${options.purpose === undefined ? 'none. No page was left out because of what its owner allows' : `${options.purpose}. Pages whose owners do not allow it are left out (opted-out)`}.
- \`excluded.jsonl\` has every response that was left out, with the reason.

## Left out

${table(['reason', 'pages'], reasons)}
## Languages

${table(['language', 'documents'], languages)}
## Page types

${table(['type', 'documents'], types)}
## Licences

${table(['licence', 'documents'], licences)}
## What owners allow

Of the documents, by the statements in the column \`preferences\`:

| use | allowed | not allowed | nothing is said |
| --- | ---: | ---: | ---: |
${usePurposes.map((purpose) => `| ${purpose} | ${Object.values(uses[purpose]).join(' | ')} |`).join('\n')}

## Sites

${table(['site', 'documents'], sites)}`
}

function table([first, second]: readonly [string, string], counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].toSorted((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1))
  if (sorted.length === 0) return 'None.\n'
  const rows = sorted
    .slice(0, sitesShown)
    .map(([name, pages]) => `| ${name.replaceAll('|', '\\|')} | ${pages} |`)
  const more = sorted.length > sitesShown ? `\n… and ${sorted.length - sitesShown} more.\n` : ''
  return `| ${first} | ${second} |\n| --- | ---: |\n${rows.join('\n')}\n${more}`
}
