/** The seeds of a crawl, in canonical form and without repeats. */
import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { RankwardError } from '../../lib/errors.ts'
import { openBytes, type ByteSource } from '../../lib/files/byte-source.ts'
import { readLines } from '../../lib/files/lines.ts'
import { printable } from '../../webgraph/formats/edge-parser.ts'
import type { CanonicalRules } from '../../web/url/canonical-rules.ts'
import { canonicalUrl } from '../../web/url/canonical-url.ts'
import { safe } from '../terminal.ts'
import type { SchemeOf } from './seed-scheme.ts'

interface GivenSeeds {
  readonly seeds: readonly string[]
  readonly seedsFile?: string | undefined
  readonly trustFile?: string | undefined
  readonly rules: CanonicalRules
  /** Finds the scheme of a seed without one; undefined: https. */
  readonly schemeOf?: SchemeOf | undefined
  /** The lines of the seed `-`; default: standard input. */
  readonly input?: AsyncIterable<Uint8Array> | undefined
}

interface Seeds {
  /** Canonical, each once, in the order given. */
  readonly urls: readonly string[]
  readonly trust: ReadonlyMap<string, number> | undefined
  /** Notes to the user: which scheme is used where none was given. */
  readonly notes: readonly string[]
}

export async function readSeeds(given: GivenSeeds): Promise<Seeds> {
  const { seeds, seedsFile, trustFile, rules, schemeOf, input = process.stdin } = given
  const found: GivenSeed[] = []
  const readFile = async (path: string): Promise<void> => {
    const before = found.length
    const name = path === '-' ? 'standard input' : path
    const source = path === '-' ? { chunks: () => chunksOf(input) } : await openBytes(path)
    for await (const { text, number } of textLines(name, source))
      found.push(seedOf(text, rules, `${name}:${number}: `))
    if (found.length === before && seeds.every((seed) => seed === '-')) throw noSeed(`${name} names no seed`)
  }
  for (const seed of seeds) {
    if (seed === '-') await readFile('-')
    else found.push(seedOf(seed, rules))
  }
  if (seedsFile !== undefined) await readFile(seedsFile)
  const resolved = await Promise.all(found.map((seed) => withScheme(seed, rules, schemeOf)))
  const urls = new Set(resolved.map(({ url }) => url))
  const trust = trustFile === undefined ? undefined : await readUrlNumbers(trustFile, rules, 'weight')
  for (const url of trust?.keys() ?? []) urls.add(url)
  if (urls.size === 0) throw noSeed('There is no seed')
  const of = (scheme: GivenSeed['assumed']): string[] =>
    resolved.filter(({ assumed }) => assumed === scheme).map(({ url }) => url)
  const notes = [
    ...schemeNote('https is used where no scheme was given', of('https')),
    ...schemeNote('http is used where https does not respond', of('http')),
    ...schemeNote('http is used for addresses and localhost without a scheme', of('local')),
  ]
  return { urls: [...urls], trust, notes }
}

const noSeed = (what: string): RankwardError =>
  new RankwardError(
    'BAD_SEED',
    `${what}: give a URL to start from, such as rankward crawl https://example.org/ --out crawl`,
  )

function schemeNote(what: string, [first, ...more]: readonly string[]): string[] {
  return first === undefined
    ? []
    : [`${what}: ${first}${more.length === 0 ? '' : ` and ${more.length} more`}`]
}

/** A seed, and the scheme that is used because it has none; `local`: http, for an address or localhost. */
interface GivenSeed {
  readonly url: string
  readonly assumed?: 'https' | 'http' | 'local' | undefined
}

async function withScheme(
  seed: GivenSeed,
  rules: CanonicalRules,
  schemeOf: SchemeOf | undefined,
): Promise<GivenSeed> {
  if (seed.assumed !== 'https' || (await schemeOf?.(seed.url)) !== 'http') return seed
  return { url: canonicalUrl(seed.url.replace('https:', 'http:'), undefined, rules)!, assumed: 'http' }
}

async function* chunksOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of input) yield Buffer.from(chunk)
}

/** A seed as a canonical URL; `where` is the prefix of messages. */
export function seedOf(text: string, rules: CanonicalRules, where = ''): GivenSeed {
  const bad = (why: string): RankwardError =>
    new RankwardError('BAD_SEED', `${where}"${shortened(text)}" ${why}`)
  const noUrl = 'is not a URL: expected one such as https://example.org/'
  const seed = text.trim()
  const scheme = /^([a-z][a-z\d+.-]*):(?:\/\/|(?!\d))/i.exec(seed)?.[1].toLowerCase()
  if (scheme !== undefined) {
    if (!/^https?$/.test(scheme))
      throw bad(`is not a web page: Rankward crawls http: and https: URLs, not ${scheme}:`)
    const url = canonicalUrl(seed, undefined, rules)
    if (url === undefined) throw bad(noUrl)
    return { url }
  }
  if (where === '' && !seed.includes('/') && existsSync(seed))
    throw bad(`is a file. If it lists seeds, one per line, use --seeds-file ${shortened(seed)}`)
  const assumed = isLocalHost(seed) ? 'local' : 'https'
  const url = canonicalUrl(`${assumed === 'local' ? 'http' : 'https'}://${seed}`, undefined, rules)
  // Without a scheme, a single word is more likely a mistake than a host name.
  const isHost = /^(?:[^/?#]*[.:[][^/?#]*|localhost)(?:[/?#]|$)/i.test(seed)
  if (url === undefined || !isHost) throw bad(noUrl)
  return { url, assumed }
}

/** An address or localhost: certificates are rare there. */
function isLocalHost(seed: string): boolean {
  const host = /^(?:\[([^\]]*)\]|([^/?#:]*))/.exec(seed)
  const name = host?.[1] ?? host?.[2] ?? ''
  return isIP(name) !== 0 || /^(?:.*\.)?localhost$/i.test(name)
}

/** Lines `URL<TAB>number`: weights or scores by canonical URL. Lines for the same page are added up. */
export async function readUrlNumbers(
  path: string,
  rules: CanonicalRules,
  what: 'weight' | 'score',
): Promise<Map<string, number>> {
  const numbers = new Map<string, number>()
  for await (const { text, number } of textLines(path, await openBytes(path))) {
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
async function* textLines(
  path: string,
  source: Pick<ByteSource, 'chunks'>,
): AsyncGenerator<{ text: string; number: number }> {
  let number = 0
  for await (const bytes of readLines(source)) {
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
