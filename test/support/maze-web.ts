/**
 * Sites for trap detection by text: mazes against crawlers, with ever new kinds of URL and text by a Markov chain, and the pages
 * and views of a browser for repositories.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom, type Random } from '../../src/lib/random.ts'
import { prose, type Site } from './trap-web.ts'

/** The words of some of our own documents, as the source of a chain. */
function sourceWords(files: readonly string[]): string[] {
  const text = files.map((file) => readFileSync(join(process.cwd(), file), 'utf8')).join(' ')
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
}

/** Makes text in which any two words and the one after them are from the source. */
function markovChain(source: readonly string[]): (random: Random, length: number) => string[] {
  const next = new Map<string, string[]>()
  for (let i = 0; i + 2 < source.length; i++) {
    const key = `${source[i]} ${source[i + 1]}`
    const after = next.get(key)
    if (after === undefined) next.set(key, [source[i + 2]])
    else after.push(source[i + 2])
  }
  return (random, length) => {
    const start = random.below(source.length - 1)
    const words = [source[start], source[start + 1]]
    while (words.length < length) {
      const after = next.get(`${words.at(-2)} ${words.at(-1)}`)
      words.push(
        after === undefined ? source[random.below(source.length)] : after[random.below(after.length)],
      )
    }
    return words
  }
}

function randomOf(path: string): Random {
  let seed = 11
  for (const char of path) seed = (Math.imul(seed, 31) + char.charCodeAt(0)) >>> 0
  return seededRandom(seed)
}

type Names = (path: string, name: () => string) => string

/** Pages of these words and links; `back`: links of every page. */
function maze(
  files: readonly string[],
  shape: {
    readonly words: number
    readonly links: number
    readonly back: readonly string[]
    readonly to: Names
  },
): Site {
  const source = sourceWords(files)
  const text = markovChain(source)
  return (path) => {
    const random = randomOf(path)
    const words = text(random, shape.words)
    const name = (): string => source[random.below(source.length)].toLowerCase()
    const links = Array.from({ length: shape.links }, () => shape.to(path, name))
    return { text: words.join(' '), links: [...links, ...shape.back] }
  }
}

/** The text of a page depends on its path alone, and there is no end of them. */
export const mazes: Readonly<Record<string, () => Site>> = {
  /** Links lead ever deeper, and back. */
  nested: () =>
    maze(['docs/reference/crawl.md', 'docs/internals/record.md', 'docs/theory/coverage.md'], {
      words: 250,
      links: 8,
      back: ['../', '/'],
      to: (path, name) => `${path.replace(/[^/]*$/, '')}${name()}-${name()}/`,
    }),
  /** Links to new paths below the top, as those of Nepenthes. */
  scattered: () =>
    maze(['docs/theory/semantics.md', 'docs/theory/findings.md', 'README.md'], {
      words: 250,
      links: 8,
      back: [],
      to: (_, name) => `/${name()}/${name()}/${name()}-${name()}`,
    }),
  /** Short pages below one key, ever deeper and never back, as those of iocaine. */
  keyed: () =>
    maze(['docs/theory/freshness.md', 'docs/reference/cluster.md', 'docs/theory/semantics.md'], {
      words: 120,
      links: 4,
      back: [],
      to: (path, name) => `${path === '/' ? '/sKUIm-AVXhCYdL0n8HWDoQ' : path}${name()}/`,
    }),
}

/** A browser for a repository: lists of commits, commits, and views of each commit and of each of its files. */
export function repositorySite(name: string, commits: number): Site {
  const perList = 50
  const files = 40
  const hash = (i: number): string => {
    const random = randomOf(`${name} commit ${i}`)
    return Array.from({ length: 40 }, () => random.below(16).toString(16)).join('')
  }
  const hashes = Array.from({ length: commits }, (_, i) => hash(i))
  const numberOf = new Map(hashes.map((id, i) => [id, i]))
  const file = (i: number): string => `src/part${i % 5}/file${'abcdefghijklmnopqrst'[i % 20]}${i}.c`
  const message = (i: number): string => prose(`${name} message ${i}`, 30)
  const change = (i: number): string => prose(`${name} change ${i}`, 150)
  return (path, query) => {
    const id = query.get('id') ?? hashes[0]
    const i = numberOf.get(id)
    const [, command = '', rest = ''] = /^\/repo\/([a-z]*)\/?(.*)$/.exec(path) ?? []
    const tabs = ['/repo/log/', '/repo/tree/', '/repo/commit/', '/repo/diff/']
    if (path === '/' || path === '/repo/') return { text: prose(name), links: tabs }
    if (i === undefined) return undefined
    const touched = file(i % files)
    switch (command) {
      case 'log': {
        const from = Number(query.get('ofs') ?? 0)
        const listed = hashes.slice(from, from + perList)
        const more = from + perList < commits ? [`/repo/log/?ofs=${from + perList}`] : []
        const texts = listed.map((_, at) => message(from + at).slice(0, 60))
        return {
          text: texts.join(' '),
          links: [...tabs, ...listed.map((other) => `/repo/commit/?id=${other}`), ...more],
        }
      }
      case 'commit': {
        const parent =
          i + 1 < commits
            ? [`/repo/commit/?id=${hashes[i + 1]}`, `/repo/diff/?id=${id}&id2=${hashes[i + 1]}`]
            : []
        const views = ['diff', 'patch', 'tree', 'log', 'refs'].map((view) => `/repo/${view}/?id=${id}`)
        const ofFile = ['tree', 'blame', 'log', 'plain', 'diff'].map(
          (view) => `/repo/${view}/${touched}?id=${id}`,
        )
        const links = [...tabs, ...views, ...ofFile, `/repo/snapshot/repo-${id}.tar.gz`, ...parent]
        return { text: `${message(i)} ${touched} ${change(i)}`, links }
      }
      case 'diff':
      case 'patch':
        return { text: `${touched} ${change(i)}`, links: [...tabs, `/repo/commit/?id=${id}`] }
      case 'snapshot':
        return { text: '', links: [] }
      default: {
        const links = Array.from(
          { length: files },
          (_, at) => `/repo/tree/${file(at)}${query.has('id') ? `?id=${id}` : ''}`,
        )
        return {
          text: prose(`${name} file ${rest} ${rest === '' ? '' : i >> 5}`, 200),
          links: [...tabs, ...links],
        }
      }
    }
  }
}
