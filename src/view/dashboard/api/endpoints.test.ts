/** The table of endpoints, its document and its types say the same. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { apiPrefix, endpoints, type Change, type Reading } from './index.ts'

const document = readFileSync(new URL('../../../../docs/reference/dashboard-api.md', import.meta.url), 'utf8')
const table: Readonly<Record<string, Reading | Change>> = endpoints

const crawls = { any: 'any', record: 'on one machine', cluster: 'on a cluster' }

/** The rows of the tables of docs/reference/dashboard-api.md. */
function row([path, endpoint]: [string, Reading | Change]): string {
  const cells =
    endpoint.method === 'GET'
      ? [
          endpoint.about,
          endpoint.parameters.map((name) => `\`${name}\``).join(', ') || '–',
          crawls[endpoint.of],
        ]
      : [
          endpoint.body
            .split(' or ')
            .map((body) => `\`${body}\``)
            .join(' or '),
          endpoint.about,
          endpoint.access === 'control' ? 'the token' : '–',
        ]
  return `| ${[`\`${apiPrefix}/${path}\``, ...cells].join(' | ')} |`
}

describe('the endpoints of the dashboard', () => {
  it.each(['GET', 'POST'])('with %s are the table of docs/reference/dashboard-api.md', (method) => {
    const lines = document.split('\n')
    const start = lines.findIndex((line) => line.startsWith(`| ${method} |`)) + 2
    const end = lines.indexOf('', start)
    const entries = Object.entries(table).filter(([, endpoint]) => endpoint.method === method)
    expect(entries.length).toBeGreaterThan(5)
    expect(lines.slice(start, end)).toEqual(entries.map(row))
  })

  it('name types that exist', () => {
    const folder = new URL('./', import.meta.url)
    const source = readdirSync(folder)
      .map((name) => readFileSync(new URL(name, folder), 'utf8'))
      .join('\n')
    const types = Object.values(table).flatMap(({ about }) => about.match(/(?<=`)[A-Z]\w+(?=`)/g) ?? [])
    expect(types.length).toBeGreaterThan(20)
    const isType = (name: string): boolean => new RegExp(`export (interface|type) ${name}\\b`).test(source)
    expect(types.filter((name) => !isType(name))).toEqual([])
  })

  it('let nobody change the crawl without the token', () => {
    const open = Object.entries(table).filter(
      ([, { method, access }]) => method === 'POST' && access !== 'control',
    )
    expect(open.map(([path]) => path)).toEqual(['login'])
  })
})
