/**
 * Which pages are rendered, what that finds, and what it costs.
 *
 *   npm run bench -- render [--sites 10] [--pages 60] [--static 2000]
 *
 * The web of render/scripted-sites.ts is crawled without rendering, with `auto` and with `always`; an oracle renders the pages that
 * gain, and no other. Then a web without scripts, without rendering and with `auto`.
 */
import { crawl, type CrawlOptions } from '../src/crawler/crawler.ts'
import { serveSmall, type SmallPage } from '../test/support/small-web.ts'
import { benchmarkMain, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import { pathOf, scriptedSites, words } from './render/scripted-sites.ts'
import { numberOption } from './webs.ts'

interface Measured {
  readonly pages: number
  readonly links: number
  readonly rendered: number
  readonly checked: number
  readonly requests: number
  readonly ownCpu: number
  readonly chromiumCpu: number
  readonly seconds: number
}

async function measured(seeds: readonly string[], render: CrawlOptions['render']): Promise<Measured> {
  const cpu = process.cpuUsage()
  const start = performance.now()
  const {
    pages,
    links,
    render: counts,
  } = await crawl({
    seeds,
    allowPrivate: true,
    wait: 0,
    strategy: 'breadth-first',
    render,
    ...(render === 'never' ? {} : { renderNoSandbox: process.getuid?.() === 0 }),
  }).run()
  const { user, system } = process.cpuUsage(cpu)
  return {
    pages,
    links,
    rendered: counts?.rendered ?? 0,
    checked: counts?.checked ?? 0,
    requests: counts?.requests ?? 0,
    ownCpu: (user + system) / 1e6,
    chromiumCpu: counts?.cpuSeconds ?? 0,
    seconds: (performance.now() - start) / 1000,
  }
}

export const renderBenchmark: Benchmark = async (size) => {
  const isSmall = size === 'small'
  const sites = isSmall ? 1 : numberOption('sites', 10)
  const pages = isSmall ? 24 : numberOption('pages', 60)
  const { sites: web, oracle } = await scriptedSites(sites, pages)
  const served = await serveSmall(web)
  const seeds = Object.keys(web).map((host) => served.url(`${host}${pathOf(0)}`))
  const rows: Record<string, string | number>[] = []
  let check = 0
  try {
    for (const render of ['never', 'auto', 'always'] as const) {
      const one = await measured(seeds, render)
      if (render === 'auto') check = one.pages
      rows.push({
        render,
        pages: `${one.pages} of ${sites * pages}`,
        links: one.links,
        rendered: one.rendered,
        oracle,
        'as checks': one.checked,
        requests: one.requests,
        'own CPU, s': one.ownCpu.toFixed(1),
        'Chromium CPU, s': one.chromiumCpu.toFixed(1),
        'CPU a rendering, s': one.rendered === 0 ? '–' : (one.chromiumCpu / one.rendered).toFixed(2),
        seconds: one.seconds.toFixed(0),
      })
    }
  } finally {
    await served.close()
  }
  rows.push(await withoutScripts(isSmall ? 20 : numberOption('static', 2000)))
  return { rows, check } satisfies BenchmarkResult
}

/** CPU of `auto` against `never` where no page has a script; the smallest of four runs each, alternating. */
async function withoutScripts(pages: number): Promise<Record<string, string | number>> {
  const answers: Record<string, SmallPage> = {}
  for (let n = 0; n < pages; n++) {
    const links = [3 * n + 1, 3 * n + 2, 3 * n + 3].filter((next) => next < pages)
    answers[`/p/${n}`] =
      `<!doctype html><title>Page ${n}</title>${links.map((next) => `<a href="/p/${next}">${next}</a>`).join('')}<p>${`${words}${n}. `.repeat(100)}</p>`
  }
  const served = await serveSmall({ '127.63.200.1': answers })
  const least = { never: Infinity, auto: Infinity }
  try {
    for (let round = 0; round < 4; round++)
      for (const render of ['never', 'auto'] as const)
        least[render] = Math.min(
          least[render],
          (await measured([served.url('127.63.200.1/p/0')], render)).ownCpu,
        )
  } finally {
    await served.close()
  }
  return {
    render: 'no scripts: auto against never',
    pages,
    'own CPU, s': (least.auto / least.never).toFixed(3),
  }
}

await benchmarkMain(import.meta.url, renderBenchmark)
