/** What the documents state and code can check. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { frontiers } from '../src/frontiers/index.ts'
import { loadStrategyModule } from '../src/user-code/strategy-module.ts'
import { strategies } from '../src/strategies/index.ts'
import { simulatedCrawl } from './simulated-crawl.ts'
import { temporaryFolder } from './temporary-folder.ts'

const root = new URL('../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')
const folder = temporaryFolder()

describe('the documents', () => {
  it.each(['README.md', 'docs/strategies.md'])('name every strategy in %s', (path) => {
    const text = read(path)
    const short = (name: string): string => name.replace(/^historical-pagerank-.*/, 'historical-pagerank-')
    expect(strategies.map(({ name }) => short(name)).filter((name) => !text.includes(name))).toEqual([])
  })

  it('name every frontier in docs/simulate.md', () => {
    expect(frontiers.filter(({ name }) => !read('docs/simulate.md').includes(`\`${name}\``))).toEqual([])
  })

  it('show a strategy of one’s own that runs as printed', async () => {
    const code = /```ts\n(\/\/ mine\.ts[\s\S]*?)```/.exec(read('docs/strategies.md'))?.[1] ?? ''
    expect(code.split('\n').length).toBeLessThan(25)
    const path = join(folder, 'mine.ts')
    writeFileSync(path, code)
    const strategy = await loadStrategyModule(path, { damping: 0.85, webPages: 5, seed: 1 })
    const { order } = await simulatedCrawl({ lists: [[1, 2], [3], [], [], []], seeds: [0] }, () => strategy)
    expect(order).toEqual([0, 1, 3, 2])
  })

  it('link only to files that exist', () => {
    const documents = [
      'README.md',
      'ARCHITECTURE.md',
      'CONTRIBUTING.md',
      ...readdirSync(new URL('docs', root)).map((name) => `docs/${name}`),
    ]
    const missing = documents
      .filter((path) => path.endsWith('.md'))
      .flatMap((path) =>
        [...read(path).matchAll(/\]\((?!http|#)([^)#]+)[^)]*\)/g)].map(
          ([, link]) => new URL(link, new URL(path, root)),
        ),
      )
      .filter((url) => {
        try {
          readFileSync(url)
          return false
        } catch {
          return true
        }
      })
    expect(missing.map(String)).toEqual([])
  })
})
