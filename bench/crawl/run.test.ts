import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

interface Report {
  web: { pages: number; hosts: number }
  rows: { name: string; pages: number; hosts: number; runs: { distinct: number; cpuSeconds: number }[] }[]
}

const program = fileURLToPath(new URL('run.mjs', import.meta.url))

// Links, pages and log are right if a crawler without a limit finds each page once, and the made index pages.
test('the crawl benchmark serves a web that can be reached as a whole', () => {
  const args = [program, '--small', '--json', '--pages', '100000', '--only', 'bare-net']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  const { web, rows } = JSON.parse(stdout) as Report
  const found = rows.map(({ name, pages, hosts, runs }) => ({
    name,
    pages,
    hosts,
    distinct: runs[0]?.distinct,
  }))
  const pages = web.pages + web.hosts
  expect(found).toEqual([{ name: 'bare-net', pages, hosts: web.hosts, distinct: pages }])
  expect(rows[0]?.runs[0]?.cpuSeconds).toBeGreaterThan(0)
})
