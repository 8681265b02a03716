/** Metrics and logs of a crawl: valid for Prometheus, documented, bounded, and without secrets. */
import '../src/view/dashboard/register.ts'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { get as httpGet } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ErrorCounts, metricTable } from '../src/view/dashboard/metrics.ts'
import { workerFigures } from '../src/cluster/crawl/worker-endpoint.ts'
import { freePorts } from '../src/webgraph/served/listening.ts'
import { get, send, until, watchedCrawl, type WatchedCrawl } from './support/dashboard.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const promtool = '/usr/bin/promtool'
const prometheus = '/usr/bin/prometheus'
/** In CI it must be there: `npm run setup` installs it. */
const has = (program: string): boolean => existsSync(program) || process.env['CI'] === 'true'
const needs = (program: string): string =>
  has(program) ? '' : ` (skipped: needs ${program}, Debian package prometheus)`

describe('the metrics of a crawl', () => {
  let watched: WatchedCrawl
  beforeAll(async () => {
    watched = await watchedCrawl(join(folder, 'crawl'), {
      heldAfter: 60,
      serve: {
        onRequest({ page }, response) {
          if (page === undefined || page % 9 !== 0) return false
          response.writeHead(404).end()
          return true
        },
      },
    })
    await until(async () => (await get(watched.url, 'now')).pages > 30)
  })
  afterAll(() => watched.close())

  const scraped = async (accept: string): Promise<string> =>
    (await send(`${watched.url}metrics`, { headers: { accept } })).text

  it('are those of the table and of docs/reference/metrics.md, in both text formats', async () => {
    const document = readFileSync('docs/reference/metrics.md', 'utf8')
    const rows = metricTable.map(
      ({ name, type, label, help }) =>
        `| \`${name}\` | ${type} | ${label === undefined ? '–' : `\`${label}\``} | ${help} |`,
    )
    const ofWorkers = workerFigures.map(({ name, type, help }) => `| \`${name}\` | ${type} | ${help} |`)
    const documented = document.split('\n').filter((line) => line.startsWith('| `'))
    expect(documented).toEqual([...rows, ...ofWorkers])
    const text = await scraped('text/plain')
    const open = await scraped('application/openmetrics-text')
    expect(open.endsWith('# EOF\n')).toBe(true)
    const names = new Set(metricTable.map(({ name }) => name))
    for (const [, name] of text.matchAll(/^# TYPE (\S+) /gm)) expect(names).toContain(name)
    const { pages } = await get(watched.url, 'now')
    const [, value] = /^rankward_pages_fetched_total (\d+)$/m.exec(open) ?? []
    expect(Number(value)).toBeLessThanOrEqual(pages)
    expect(Number(value)).toBeGreaterThan(30)
    expect(text).toMatch(/^rankward_errors_total\{kind="http-4xx"\} \d+$/m)
  })

  it('have few label values, none of them from the web', async () => {
    const text = await scraped('text/plain')
    const values = [...text.matchAll(/="([^"]*)"/g)].map(([, value]) => value)
    expect(values.length).toBeGreaterThan(10)
    expect(values.length).toBeLessThan(60)
    for (const value of values) expect(value).toMatch(/^[a-z\d.-]{1,20}$/)
    const counts = new ErrorCounts()
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`http-${100 + i}`, 1]))
    const read = counts.read({ ...many, 'http://attacker.example/': 3, 'retried-timeout': 2, timeout: 1 })
    expect([...read.keys()].toSorted()).toEqual([
      'http-1xx',
      'http-2xx',
      'http-3xx',
      'http-4xx',
      'http-5xx',
      'other',
      'timeout',
    ])
    expect(read.get('timeout')).toBe(3)
    // A retry takes an error back; the counter stays.
    expect(counts.read({ timeout: 1 }).get('timeout')).toBe(3)
  })

  it('say whether the crawl lives and is ready', async () => {
    expect(await send(`${watched.url}healthz`)).toMatchObject({ status: 200, text: 'ok\n' })
    expect(await send(`${watched.url}readyz`)).toMatchObject({ status: 200, text: 'ready\n' })
  })

  it.runIf(has(promtool))(`pass promtool, and so do the alert rules${needs(promtool)}`, async () => {
    const check = (args: readonly string[], input = ''): string => {
      const { status, stdout, stderr } = spawnSync(promtool, args, { input, encoding: 'utf8' })
      expect({ status, problems: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, problems: '' })
      return stdout + stderr
    }
    expect(check(['check', 'metrics'], await scraped('text/plain'))).toBe('')
    expect(check(['check', 'rules', 'docs/reference/metrics/alerts.yml'])).toContain('SUCCESS')
  })

  it('are the only ones that the Grafana board and the alert rules use', () => {
    const names = new Set([...metricTable, ...workerFigures].map(({ name }) => name))
    const board = JSON.parse(readFileSync('docs/reference/metrics/grafana.json', 'utf8')) as {
      panels: { title: string; targets: { expr: string }[] }[]
    }
    const expressions = board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
    const rules = readFileSync('docs/reference/metrics/alerts.yml', 'utf8')
    const used = [...expressions, rules].flatMap((text) => text.match(/\b(?:rankward|process)_\w+/g) ?? [])
    expect(used.length).toBeGreaterThan(20)
    for (const name of used) expect(names).toContain(name)
  })

  it.runIf(has(prometheus))(`are scraped by a real Prometheus${needs(prometheus)}`, async () => {
    const config = join(folder, 'prometheus.yml')
    const { host } = new URL(watched.url)
    const [port] = await freePorts(1)
    writeFileSync(
      config,
      JSON.stringify({
        global: { scrape_interval: '1s', scrape_timeout: '1s' },
        scrape_configs: [{ job_name: 'rankward', static_configs: [{ targets: [host] }] }],
      }),
    )
    const server = spawn(
      prometheus,
      [
        `--config.file=${config}`,
        `--storage.tsdb.path=${join(folder, 'tsdb')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    )
    try {
      const query = async (
        expression: string,
      ): Promise<{ data?: { result: { value: [number, string] }[] } }> => {
        const path = `/api/v1/query?query=${encodeURIComponent(expression)}`
        return JSON.parse(await text(`http://127.0.0.1:${port}${path}`)) as Awaited<ReturnType<typeof query>>
      }
      await until(async () => {
        const { data } = await query('rankward_pages_fetched_total').catch(() => ({ data: undefined }))
        return (data?.result.length ?? 0) > 0
      })
      const { data } = await query('rankward_pages_fetched_total')
      expect(Number(data!.result[0].value[1])).toBeGreaterThan(30)
    } finally {
      server.kill('SIGKILL')
    }
  })
})

describe('the log of a crawl', () => {
  it('has a line of JSON for each event, and no secret in any of them', async () => {
    const log = join(folder, 'crawl.log')
    const secrets = ['header-secret-value', 'proxy-password', 'url-password']
    const watched = await watchedCrawl(join(folder, 'logged'), {
      options: {
        pages: 20,
        log,
        logLevel: 'debug',
        headers: [['X-Key', secrets[0]]],
        exclude: [`http://user:${secrets[2]}@h.example/**`],
      },
      serve: {
        onRequest({ page }, response) {
          if (page === undefined || page % 5 !== 0) return false
          // A server that repeats the secret in what it sends.
          response.writeHead(302, { location: `http://user:${secrets[2]}@127.0.0.1:9/${secrets[0]}` }).end()
          return true
        },
      },
    })
    await watched.totals
    await watched.close()
    const text = readFileSync(log, 'utf8')
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    const messages = new Set(lines.map(({ msg }) => msg))
    for (const message of ['start', 'dashboard', 'page', 'end']) expect(messages).toContain(message)
    expect(lines.filter(({ msg }) => msg === 'page')).toHaveLength(20)
    for (const secret of [...secrets, watched.token]) expect(text).not.toContain(secret)
    expect(text).toContain('[redacted]')
  })

  it('that cannot be written is an error before the crawl begins', async () => {
    const log = join(folder, 'no', 'such', 'folder', 'crawl.log')
    await expect(watchedCrawl(join(folder, 'unlogged'), { options: { log } })).rejects.toThrow(
      /The log .* cannot be written/,
    )
  })
})

function text(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    httpGet(url, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (part: string) => (body += part))
      response.on('end', () => resolve(body))
    }).on('error', reject)
  })
}
