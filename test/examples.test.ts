import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const folder = join(import.meta.dirname, '..', 'examples')
const programs = readdirSync(folder).filter((name) => name.endsWith('.mjs'))

/** What each one prints when all is well. */
const expected: Record<string, RegExp> = {
  'coverage.mjs': /^9\d(?:\.\d)?% of the importance is certain: .+\n\d+ responses are in the archive\.\n$/,
  'items.mjs': /^25 items, the first: \{"title":".+","links":\d+\}\n$/,
  'own-strategy.mjs': /^Depths in fetch order: 0( \d+){39}\n$/,
  'pages.mjs':
    /^(\d\.\d{4} {2}\d+ links {2}.+\n){25}These 25 pages hold at least [\d.]+% of the importance\.\n$/,
  'parts.mjs': /is forbidden[^]*http:\/\/example\.org\/b\n[^]*https:\/\/example\.org\/docs\/intro\.html/,
  'search.mjs': /^\d+ of \d+ pages:\n(\d+\.\d\d {2}\w+ \w+ \d+ {2}….+…\n){3}$/,
  'simulate-first.mjs':
    /^([\w-]+: [\d.]+% of the PageRank with 60 pages\n){4}Crawled 60 pages by [\w-]+\.\n$/,
  'stop-and-resume.mjs':
    /^First 50 pages, stopped because of pages\.\nThen 120 in all; 0 were requested twice\.\n$/,
  'topic.mjs': /^breadth-first: \d+ pages about computers\nlearned-topic: \d+ pages about computers\n$/,
}

describe('the examples', () => {
  it.each(programs)('%s runs and prints the expected output', (name) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [join(folder, name)], {
      encoding: 'utf8',
      timeout: 600_000,
    })
    expect(stderr).toBe('')
    expect(status).toBe(0)
    expect(stdout).toMatch(expected[name])
  })

  it('are all named in their README', () => {
    const readme = readFileSync(join(folder, 'README.md'), 'utf8')
    expect([...readme.matchAll(/examples\/([\w-]+\.mjs)/g)].map(([, name]) => name).toSorted()).toEqual(
      programs,
    )
  })
})
