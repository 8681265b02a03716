/** The seeds of a crawl, in canonical form and without repeats. */
import { existsSync } from 'node:fs'
import { RankwardError } from '../../lib/errors.ts'
import { openBytes } from '../../files/byte-source.ts'
import { readLines } from '../../files/lines.ts'
import { printable } from '../../graph/formats/edge-parser.ts'
import type { CanonicalRules } from '../../worlds/real/url/canonical-rules.ts'
import { canonicalUrl } from '../../worlds/real/url/canonical-url.ts'
import { safe } from '../terminal.ts'

export interface GivenSeeds {
  readonly seeds: readonly string[]
  readonly seedsFile?: string | undefined
  readonly trustFile?: string | undefined
  readonly rules: CanonicalRules
}

export interface Seeds {
  /** Canonical, each once, in the order given. */
  readonly urls: readonly string[]
  readonly trust: ReadonlyMap<string, number> | undefined
  /** Notes to the user: https was assumed. */
  readonly notes: readonly string[]
}

export async function readSeeds({ seeds, seedsFile, trustFile, rules }: GivenSeeds): Promise<Seeds> {
  const urls = new Set<string>()
  const assumed: string[] = []
  const add = (text: string, where: string): void => {
    const { url, isAssumed } = seedOf(text, rules, where)
    urls.add(url)
    if (isAssumed) assumed.push(url)
  }
  for (const seed of seeds) add(seed, '')
  if (seedsFile !== undefined) {
    const before = urls.size
    for await (const { text, number } of textLines(seedsFile)) add(text, `${seedsFile}:${number}: `)
    if (urls.size === before && seeds.length === 0) throw noSeed(`${seedsFile} names no seed`)
  }
  const trust = trustFile === undefined ? undefined : await readUrlNumbers(trustFile, rules, 'weight')
  for (const url of trust?.keys() ?? []) urls.add(url)
  if (urls.size === 0) throw noSeed('There is no seed')
  return { urls: [...urls], trust, notes: assumed.length === 0 ? [] : [assumedNote(assumed)] }
}

const noSeed = (what: string): RankwardError =>
  new RankwardError(
    'BAD_SEED',
    `${what}: give a URL to start from, such as rankward crawl https://example.org/ --out crawl`,
  )

function assumedNote([first, ...more]: readonly string[]): string {
  return `https is assumed where no scheme was given: ${first}${more.length === 0 ? '' : ` and ${more.length} more`}`
}

/** A seed as a canonical URL; `where` is the prefix of messages. */
export function seedOf(
  text: string,
  rules: CanonicalRules,
  where = '',
): { readonly url: string; readonly isAssumed: boolean } {
  const bad = (why: string): RankwardError =>
    new RankwardError('BAD_SEED', `${where}"${shortened(text)}" ${why}`)
  const seed = text.trim()
  const scheme = /^([a-z][a-z\d+.-]*):(?:\/\/|(?!\d))/i.exec(seed)?.[1].toLowerCase()
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https')
    throw bad(`is not a web page: Rankward crawls http: and https: URLs, not ${scheme}:`)
  if (scheme === undefined && where === '' && !seed.includes('/') && existsSync(seed))
    throw bad(`is a file. If it lists seeds, one per line, use --seeds-file ${shortened(seed)}`)
  const url = canonicalUrl(scheme === undefined ? `https://${seed}` : seed, undefined, rules)
  // Without a scheme, a single word is more likely a mistake than a host name.
  const isHost = scheme !== undefined || /^(?:[^/?#]*[.:[][^/?#]*|localhost)(?:[/?#]|$)/i.test(seed)
  if (url === undefined || !isHost) throw bad('is not a URL: expected one such as https://example.org/')
  return { url, isAssumed: scheme === undefined }
}

/** Lines `URL<TAB>number`: weights or scores by canonical URL. Lines for the same page are added up. */
export async function readUrlNumbers(
  path: string,
  rules: CanonicalRules,
  what: 'weight' | 'score',
): Promise<Map<string, number>> {
  const numbers = new Map<string, number>()
  for await (const { text, number } of textLines(path)) {
    const [, given = '', digits = ''] = /^(\S+)\s+(\S+)$/.exec(text) ?? []
    const value = digits === '' ? NaN : Number(digits)
    if (!Number.isFinite(value) || value < 0 || (value === 0 && what === 'weight')) {
      const range = what === 'weight' ? 'above 0' : 'of at least 0'
      throw new RankwardError(
        'BAD_SCORE_FILE',
        `${path}:${number}: expected "URL<TAB>${what}", a number ${range} (read "${shortened(text)}").`,
      )
    }
    const { url } = seedOf(given, rules, `${path}:${number}: `)
    numbers.set(url, (numbers.get(url) ?? 0) + value)
  }
  if (numbers.size === 0) throw new RankwardError('BAD_SCORE_FILE', `${path} has no line "URL<TAB>${what}".`)
  return numbers
}

/** The trimmed lines, without empty lines and comments. Plain or gzip. */
async function* textLines(path: string): AsyncGenerator<{ text: string; number: number }> {
  let number = 0
  for await (const bytes of readLines(await openBytes(path))) {
    number++
    if (bytes.includes(0)) {
      const read = printable(bytes.subarray(0, 60))
      throw new RankwardError('UNKNOWN_FORMAT', `${path}:${number}: this is not text (read "${read}").`)
    }
    const text = Buffer.from(bytes)
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .trim()
    if (text !== '' && !text.startsWith('#')) yield { text, number }
  }
}

function shortened(text: string): string {
  const clean = safe(text)
  return clean.length > 80 ? `${clean.slice(0, 79)}…` : clean
}
