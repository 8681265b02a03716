/** The tutorial of docs/guide/content.md: every command runs as printed, on a site of this machine, and the query in DuckDB too. */
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, it } from 'vitest'
import { program } from './command-line.ts'
import { runCommand } from './support/child.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const document = readFileSync(new URL('../docs/guide/content.md', import.meta.url), 'utf8')
const tutorial = /^## A clean data set of a site in ten minutes\n([^]*?)^## /m.exec(document)?.[1] ?? ''
const commands = [...tutorial.matchAll(/^ *```sh\n([^]*?)^ *```/gm)].flatMap(([, block]) =>
  block.trim().split('\n'),
)
const query = /`(SELECT [^`]+)`/.exec(tutorial.replaceAll(/\s+/g, ' '))?.[1] ?? ''

const pages = 8

/** Sentences of the documents: quality rules want prose. */
const sentences = readdirSync(new URL('../docs', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) => readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8').split(/\n{2,}/))
  .filter((paragraph) => /^[A-Z][^|`*<{[]{80,}\.$/.test(paragraph))
  .flatMap((paragraph) => paragraph.replaceAll('\n', ' ').split(/(?<=\.) /))

function pageOf(page: number): string {
  const menu = Array.from({ length: pages }, (_, i) => `<li><a href="/day-${i}">Day ${i}</a></li>`).join('')
  const each = Math.floor(sentences.length / pages)
  const own = sentences.slice(page * each, (page + 1) * each)
  const text = Array.from({ length: Math.ceil(own.length / 3) }, (_, i) =>
    own.slice(3 * i, 3 * i + 3).join(' '),
  )
  return `<!doctype html><html lang="en"><title>Day ${page}</title><body><nav><ul>${menu}</ul></nav>
<main><h1>Day ${page} of the harbour</h1>${text.map((paragraph) => `<p>${paragraph}</p>`).join('\n')}</main>
<footer>We use cookies. Imprint.</footer></body></html>`
}

describe('the tutorial of a clean data set', () => {
  it('ends in one, command by command', async () => {
    const server = createServer(({ url = '' }, response) => {
      const number = url === '/' ? 0 : Number(/^\/day-(\d+)$/.exec(url)?.[1] ?? NaN)
      if (Number.isNaN(number)) response.writeHead(404).end()
      else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(pageOf(number))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    expect(commands.map((line) => line.trim().split(' ').slice(0, 2).join(' '))).toEqual([
      'rankward crawl',
      ...Array.from({ length: 3 }, () => 'rankward dataset'),
    ])
    for (const line of commands) {
      const [, ...words] = line.trim().replace('https://example.org/', site).split(/\s+/)
      const more = words[0] === 'crawl' ? ['--allow-private', '--wait', '0'] : []
      const { status, stderr } = await runCommand(process.execPath, [program, ...words, ...more], folder)
      expect({ line, status, stderr: status === 0 ? '' : stderr }).toEqual({ line, status: 0, stderr: '' })
    }
    server.closeAllConnections()
    server.close()

    const connection = await (await DuckDBInstance.create()).connect()
    const asked = query.replace("'data/", `'${folder}/data/`)
    const rows = (await connection.runAndReadAll(asked)).getRowObjectsJS() as { text: string }[]
    connection.closeSync()
    expect(rows.length).toBeGreaterThan(pages / 2)
    for (const { text } of rows) {
      expect(text).not.toMatch(/cookies|Day 3\s+Day 4/)
    }
    expect(readFileSync(join(folder, 'data', 'README.md'), 'utf8')).toContain('excluded')
    expect(readFileSync(join(folder, 'site', 'llms.txt'), 'utf8')).toMatch(/^# .*\n\n> \d+ pages/)
  })
})
