/** test/hostile/README.md and the tests of hostile servers list the same behaviours. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bodies } from './hostile/bodies.ts'
import { connections, outOfTurn } from './hostile/connections.ts'
import { content } from './hostile/content.ts'
import { headers } from './hostile/headers.ts'
import type { Behaviour } from './hostile/hostile-web.ts'
import { redirects } from './hostile/redirects.ts'
import { robots } from './hostile/robots.ts'
import { sitemaps } from './hostile/sitemaps.ts'
import { statusLines } from './hostile/status-lines.ts'
import { tls, tlsUnchecked } from './hostile/tls.ts'
import { urlSpace } from './hostile/url-space.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

/** The rows of the catalogue: number, what the server does, what Rankward does. */
const rows = [...read('hostile/README.md').matchAll(/^\| (H\d+) \| (.+?) \| (.+?) \|$/gm)]
const documented = rows.map(([, id]) => id)

const groups: readonly (readonly Behaviour[])[] = [
  [...connections, ...outOfTurn, ...statusLines, ...headers, ...bodies, ...redirects],
  [...urlSpace, ...content, ...tls, ...tlsUnchecked, ...robots, ...sitemaps],
]
/** Behaviours that a resolver, a clock or a single part shows are named in the titles of their tests: `… (H62, H106)`. */
const titles = readdirSync(new URL('.', import.meta.url))
  .filter((name) => /^hostile-.*\.test\.ts$/.test(name) && name !== 'hostile-catalogue.test.ts')
  .flatMap((name) => [...read(name).matchAll(/(?:describe|it)\b.*?\(\s*'[^'\n]*\((H\d[^)]*)\)/gs)])
  .flatMap(([, ids]) => ids.match(/H\d+/g) ?? [])
const tested = new Set([...groups.flat().map(({ id }) => id), ...titles])

describe('the catalogue of hostile servers', () => {
  it('numbers its rows from H01 without gaps or repeats', () => {
    expect(documented.length).toBeGreaterThan(100)
    expect(documented).toEqual(documented.map((_, i) => `H${String(i + 1).padStart(2, '0')}`))
  })

  it('has a test for each row', () => {
    expect(documented.filter((id) => !tested.has(id))).toEqual([])
  })

  it('has a row for each behaviour that is tested', () => {
    expect([...tested].filter((id) => !documented.includes(id))).toEqual([])
  })

  it('says in each row what the server does and what Rankward does', () => {
    expect(rows.filter(([, , server, crawler]) => server.length < 10 || crawler.length < 5)).toEqual([])
  })
})
