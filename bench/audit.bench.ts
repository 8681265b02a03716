/**
 * An audit of a site with planted faults: how many are found, false alarms, processor time and memory.
 *
 *   npm run bench -- audit [--pages 100000] [--faults 20]
 *
 * The site is crawled over loopback; the audit is a process of its own, the command as users run it. `small`: 300 pages.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AuditResult } from '../src/crawler/audit/audit.ts'
import { crawl } from '../src/crawler/crawler.ts'
import { plantedKinds, servePlanted } from '../test/planted-site.ts'
import { benchmarkMain, type Benchmark } from './benchmark.ts'
import { numberOption } from './webs.ts'

/** Built beside the benchmark, or, if that runs from its source, the bundle. */
const program = ['../src/cli/main.js', '../dist/bundle/main.js']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find(existsSync)!
/** The last line of the process: its processor time and peak memory. */
const costs = `process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  process.stderr.write(JSON.stringify({ cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1024 }))
})`

export const auditBenchmark: Benchmark = async (size) => {
  const pages = size === 'small' ? 300 : numberOption('pages', 100_000)
  const faults = size === 'small' ? 1 : numberOption('faults', 20)
  const folder = mkdtempSync(join(tmpdir(), 'rankward-bench-audit-'))
  // A crawl with pages that fail for a while is not complete, so it has no orphans.
  const kinds = plantedKinds.filter((kind) => kind !== 'failing-link')
  const site = await servePlanted(kinds, faults, pages)
  try {
    const out = join(folder, 'crawl')
    const { hostname } = new URL(site.seed)
    await crawl({
      seeds: [site.seed],
      out,
      sitemap: true,
      own: [hostname],
      wait: 0,
      allowPrivate: true,
      traps: false,
    }).run()
    const start = process.hrtime.bigint()
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [
        '--import',
        `data:text/javascript,${encodeURIComponent(costs)}`,
        program,
        'audit',
        out,
        '--json',
        '--no-progress',
      ],
      { encoding: 'utf8', maxBuffer: 1 << 30 },
    )
    if (status !== 0) throw new Error(stderr)
    const seconds = Number(process.hrtime.bigint() - start) / 1e9
    const result = JSON.parse(stdout) as AuditResult
    const { cpuSeconds, megabytes } = JSON.parse(stderr) as { cpuSeconds: number; megabytes: number }
    const path = (url: string): string => url.slice(site.seed.length - 1).replace(/^(\/dp\/\d+)b/, '$1a')
    const found = new Set(result.findings.map(({ kind, url }) => `${kind} ${path(url)}`))
    const missed = [...site.expected].filter((finding) => !found.has(finding)).length
    const row = {
      pages: result.pages,
      kinds: kinds.length,
      planted: site.expected.size,
      missed,
      'false alarms': found.size - site.expected.size + missed,
      'CPU-s': cpuSeconds.toFixed(1),
      s: seconds.toFixed(1),
      MB: Math.round(megabytes),
    }
    return { rows: [row], check: found.size }
  } finally {
    site.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

await benchmarkMain(import.meta.url, auditBenchmark)
