import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit, auditReport, crawl, resumeCrawl, type AuditResult } from '../src/index.ts'
import { rankward } from './command-line.ts'
import { plantedKinds, servePlanted, type PlantedSite } from './planted-site.ts'

const lasting = plantedKinds.filter((kind) => kind !== 'failing-link')

let scratch: string
let site: PlantedSite
let folder: string
let result: AuditResult

const crawlOf = async (
  out: string,
  options: object = {},
  { seed }: { readonly seed: string } = site,
): Promise<string> => {
  await crawl({
    seeds: [seed],
    out,
    wait: 0,
    connections: 8,
    allowPrivate: true,
    attempts: 1,
    retrySeconds: 0.01,
    ...options,
  }).run()
  return out
}

/** Which of two copies was fetched first depends on the order. */
function foundIn({ findings }: AuditResult, { seed }: PlantedSite): string[] {
  const path = (url: string): string => url.slice(seed.length - 1).replace(/^(\/dp\/\d)b/, '$1a')
  return findings.map(({ kind, url }) => `${kind} ${path(url)}`).toSorted()
}

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'rankward-site-audit-'))
  // A page that fails for a while may have links: no crawl with one is complete.
  site = await servePlanted(lasting, 3, 40)
  folder = await crawlOf(join(scratch, 'crawl'), { sitemap: true })
  result = await audit(folder)
})

afterAll(() => {
  site.close()
  rmSync(scratch, { recursive: true, force: true })
})

describe('an audit', () => {
  it('does not claim that a sitemap lacks a page if one could not be read, also after a resume', async () => {
    const server = createServer(({ url, headers: { host } }, response) => {
      if (url === '/robots.txt')
        response.end(`Sitemap: http://${host}/one.xml\nSitemap: http://${host}/two.xml\n`)
      else if (url === '/one.xml')
        response.end(`<urlset><url><loc>http://${host}/listed.html</loc></url></urlset>`)
      else if (url === '/two.xml') response.writeHead(404).end()
      else
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end('<a href=/b.html>b</a><a href=/c.html>c</a>')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const seed = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const out = await crawlOf(join(scratch, 'half-listed'), { sitemap: true, pages: 1 }, { seed })
    await resumeCrawl({ out, pages: 10 }).run()
    server.close()
    const { counts, notChecked } = await audit(out)
    expect(counts['sitemap-missing']).toBeUndefined()
    expect(notChecked.find(({ what }) => what === 'pages that sitemaps lack: inconclusive')?.why).toMatch(
      /^1 sitemap could not be read/,
    )
  })

  it('finds every planted fault, and nothing else', () => {
    expect(foundIn(result, site)).toEqual([...site.expected].toSorted())
    expect(plantedKinds.length).toBeGreaterThanOrEqual(25)
  })

  it('claims no orphans if a page failed for a while', async () => {
    const other = await servePlanted(['failing-link', 'orphan'], 2, 3)
    const some = await audit(await crawlOf(join(scratch, 'failing'), { sitemap: true }, other))
    other.close()
    const expected = [...other.expected].filter((finding) => finding.startsWith('failing'))
    expect(foundIn(some, other)).toEqual(expected.toSorted())
    expect(some.notChecked.some(({ what }) => what === 'orphans: inconclusive')).toBe(true)
  })

  it('names every page with a broken link, its anchor and its place', () => {
    const broken = result.findings.find(({ kind, url }) => kind === 'broken-link' && url.endsWith('/gone/1'))!
    expect(broken.detail).toBe('http-404')
    expect(broken.pages).toEqual([{ url: `${site.seed}bl/1.html`, anchor: 'Gone', place: 'nav' }])
  })

  it('names the final URL of a redirect', () => {
    const moved = result.findings.find(
      ({ kind, url }) => kind === 'link-to-redirect' && url.endsWith('/chain/0'),
    )!
    expect(moved.detail).toBe(`${site.seed}rc/0.html`)
  })

  it('is sorted by severity, then by the PageRank that it affects', () => {
    const order = ['error', 'warning', 'note']
    for (const [i, { severity, weight }] of result.findings.entries()) {
      const next = result.findings[i + 1]
      if (next?.severity === severity) expect(next.weight).toBeLessThanOrEqual(weight)
      else if (next !== undefined)
        expect(order.indexOf(next.severity)).toBeGreaterThan(order.indexOf(severity))
    }
  })

  it('claims no orphans if the crawl is not complete, and says why', async () => {
    const part = await audit(await crawlOf(join(scratch, 'part'), { sitemap: true, pages: 30 }))
    expect(part.counts.orphan).toBeUndefined()
    expect(part.notChecked.find(({ what }) => what === 'orphans: inconclusive')?.why).toMatch(/not fetched/)
  })

  it('finds broken links without an archive, by the record', async () => {
    const bare = await audit(await crawlOf(join(scratch, 'bare'), { sitemap: true, warc: false }))
    expect(bare.read).toBe(0)
    expect(bare.counts['broken-link']).toBe(result.counts['broken-link']! + 6)
    expect(bare.notChecked.some(({ why }) => why.includes('did not archive'))).toBe(true)
  })
})

describe('links out of the crawl', () => {
  it('are requested if asked for, and only then', async () => {
    const asked: string[] = []
    const serve = async (
      address: string,
      page: (path: string) => [number, string],
    ): Promise<[string, Server]> => {
      const server = createServer((request, response) => {
        if (address === '127.0.0.2') asked.push(request.url!)
        const [status, body] = page(request.url!)
        response.writeHead(status, { 'content-type': 'text/html' }).end(body)
      }).listen(0, address)
      await once(server, 'listening')
      return [`http://${address}:${(server.address() as AddressInfo).port}`, server]
    }
    const [there, other] = await serve('127.0.0.2', (path) => [path === '/good' ? 200 : 404, 'Some page.'])
    const body = `<title>Home</title><a href=${there}/good>Good</a> <footer><a href=${there}/bad>Bad</a></footer>`
    const [seed, own] = await serve('127.0.0.1', (path) => [path === '/' ? 200 : 404, body])
    const out = await crawlOf(join(scratch, 'outside'), {}, { seed })
    expect((await audit(out)).notChecked[0].what).toBe('2 links out of the crawl')
    expect(asked).toEqual([])
    const { findings, notChecked } = await audit(out, { external: true })
    for (const server of [other, own]) server.close()
    expect(new Set(asked)).toEqual(new Set(['/robots.txt', '/good', '/bad']))
    expect(findings.filter(({ kind }) => kind.startsWith('external'))).toMatchObject([
      {
        kind: 'external-broken',
        url: `${there}/bad`,
        pages: [{ url: `${seed}/`, anchor: 'Bad', place: 'footer' }],
      },
    ])
    expect(notChecked.some(({ what }) => what.includes('other sites'))).toBe(false)
  })
})

describe('rankward audit', () => {
  it('exits with 4 if there is what --fail-on names, and compares with an earlier audit', async () => {
    const earlier = join(scratch, 'earlier.jsonl')
    const lines = result.findings.map((finding) => JSON.stringify(finding))
    const gone = JSON.stringify({ ...result.findings[0], url: 'http://example.org/was-broken' })
    writeFileSync(earlier, [...lines.slice(1), gone].join('\n'))
    const { stdout, exitCode } = await rankward(['audit', folder, '--against', earlier, '--fail-on', 'new'])
    expect(exitCode).toBe(4)
    expect(stdout).toMatch(/1 new, [\d,]+ still, 1 fixed/)
    const calm = await rankward(['audit', folder, '--against', folder, '--fail-on', 'new'])
    expect(calm.exitCode).toBe(0)
  })

  it('writes formats of other tools', async () => {
    const write = async (format: string): Promise<string> => {
      const to = join(scratch, `audit.${format}`)
      expect((await rankward(['audit', folder, '--format', format, '--to', to])).exitCode).toBe(0)
      return readFileSync(to, 'utf8')
    }
    const count = result.findings.length
    const sarif = JSON.parse(await write('sarif')) as {
      runs: { results: object[]; tool: { driver: { rules: object[] } } }[]
    }
    expect(sarif.runs[0].results.length).toBe(count)
    expect((await write('jsonl')).trim().split('\n').length).toBe(count)
    const junit = await write('junit')
    expect(junit.match(/<failure /g)?.length).toBe(count)
    expect((await write('csv')).split('\n')[0]).toContain('kind,severity')
  })

  it('writes a page with the gravest findings of each kind, and its tables beside it', async () => {
    const out = join(scratch, 'page', 'audit.html')
    const earlier = join(scratch, 'none.jsonl')
    writeFileSync(earlier, '')
    await rankward(['audit', folder, '--against', earlier, '--report', out])
    const page = readFileSync(out, 'utf8')
    expect(page).toContain('Links to pages that do not exist')
    for (const { url } of result.findings.slice(0, 5)) expect(page).toContain(url)
    for (const { why } of result.notChecked) expect(page).toContain(why.split('`')[0])
    const kinds = readFileSync(join(scratch, 'page', 'audit-kinds.csv'), 'utf8')
      .trim()
      .split(/\r?\n/)
    expect(kinds.length - 1).toBe(Object.keys(result.counts).length)
    const broken = readFileSync(join(scratch, 'page', 'audit-broken-link.csv'), 'utf8')
      .trim()
      .split(/\r?\n/)
    expect(broken.length - 1).toBe(result.counts['broken-link'])
    expect(broken[1]).toMatch(/new$/)
    // The library has the same.
    const other = join(scratch, 'other.html')
    expect(await auditReport(result, { out: other })).toMatchObject({ report: other })
    await expect(auditReport(result, { out: folder })).rejects.toThrow(folder)
  })

  it('refuses a file in the place of the page before it reads the crawl', async () => {
    const out = join(scratch, 'mine.html')
    writeFileSync(out, 'mine')
    const { exitCode, stdout, stderr } = await rankward(['audit', folder, '--report', out])
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(`${out} already exists`)
    expect(readFileSync(out, 'utf8')).toBe('mine')
  })

  it('refuses an unknown name of --fail-on', async () => {
    const { exitCode, stderr } = await rankward(['audit', folder, '--fail-on', 'nothing'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('no such finding')
  })
})
