/**
 * A data set as Markdown: a file a page with YAML front matter, `llms.txt` with links to all of them, best pages first, and
 * `llms-full.txt` with all of their texts in the same order.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { writeText } from '../../lib/files/whole-file.ts'
import type { DatasetCounts } from './data-card.ts'
import type { Document } from './document.ts'
import { carriedColumns } from './sources.ts'
import type { DatasetFolder } from './dataset-folder.ts'

const massAt = carriedColumns.findIndex(({ name }) => name === 'rank_mass')
const descriptionCharsMax = 200

interface ListedPage {
  readonly file: string
  readonly url: string
  readonly title: string
  readonly description: string | undefined
  readonly mass: number
}

export class MarkdownPages {
  readonly #folder: DatasetFolder
  readonly #pages: ListedPage[] = []
  readonly #names = new Set<string>()

  constructor(folder: DatasetFolder) {
    this.#folder = folder
  }

  async add({ page, metadata, markdown, language, type }: Document): Promise<void> {
    const file = this.#fileOf(page.url)
    const { title, description, author, publishedAt, license } = metadata
    const fields = {
      url: page.url,
      title,
      description,
      author,
      published_at: publishedAt,
      license,
      language,
      page_type: type,
      fetched_at: page.fetchedMs === undefined ? undefined : new Date(page.fetchedMs).toISOString(),
      id: page.id,
    }
    // A JSON text is a YAML text.
    const front = Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}: ${JSON.stringify(value)}\n`],
    )
    await writeText(this.#folder.add(file), [`---\n${front.join('')}---\n\n`, markdown, '\n'])
    const mass = massAt === -1 ? 0 : Number(page.carried[massAt] ?? 0)
    this.#pages.push({ file, url: page.url, title: title ?? page.url, description, mass })
  }

  async finish({ sites }: DatasetCounts): Promise<void> {
    const ranked = this.#pages.toSorted((one, other) => other.mass - one.mass)
    const name = sites.size === 1 ? [...sites.keys()][0] : `${sites.size} sites`
    const lines = ranked.map(({ file, title, description }) => {
      const about = description === undefined ? '' : `: ${oneLine(description).slice(0, descriptionCharsMax)}`
      return `- [${oneLine(title).replace(/[[\]]/g, '\\$&')}](${encodeURI(file)})${about}\n`
    })
    const head = `# ${name}\n\n> ${ranked.length} pages, the most important first.\n\n## Pages\n\n`
    await writeText(this.#folder.add('llms.txt'), [head, ...lines])
    const full = this.#folder.add('llms-full.txt')
    await writeText(full, [`# ${name}\n\n`])
    for (const { file } of ranked) {
      await pipeline(createReadStream(join(this.#folder.path, file)), createWriteStream(full, { flags: 'a' }))
      await pipeline([Buffer.from('\n')], createWriteStream(full, { flags: 'a' }))
    }
  }

  /** Host and path of a URL as a path; a query or a name that is used adds a digest. */
  #fileOf(url: string): string {
    const { host, pathname, search } = new URL(url)
    const parts = [host, ...pathname.split('/').filter(Boolean)].map(
      (part) =>
        part
          .replace(/[^\p{L}\p{N}._-]/gu, '-')
          .replace(/^\.+/, '')
          .slice(0, 100) || '-',
    )
    const stem = (parts.length === 1 ? [...parts, 'index'] : parts)
      .slice(0, 12)
      .join('/')
      .replace(/\.html?$/, '')
    const plain = `pages/${stem}${search === '' ? '' : `-${shortDigest(url)}`}.md`
    const file = this.#names.has(plain.toLowerCase()) ? `pages/${stem}-${shortDigest(url)}.md` : plain
    this.#names.add(file.toLowerCase())
    return file
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** A short name for texts that are not names of files. */
function shortDigest(text: string): string {
  return createHash('sha1').update(text).digest('hex').slice(0, 8)
}
