/**
 * What finding the main content of a page costs, on annotated pages: CPU time per page for each step. Its quality is measured by
 * cross-validation (content-training.bench.ts), since the shipped model was trained on these pages.
 *
 *   npm run bench -- content [--pages 1497] [--web uci-ics] [--quality-texts FILE]
 *
 * --web uci-ics reads pages that no model was trained on. --quality-texts writes texts with their words and verdicts, for
 * compare-datatrove.py. The small size reads made-up pages.
 */
import { writeFileSync } from 'node:fs'
import { qualityOf, qualityWords, sentenceCount } from '../src/crawler/dataset/quality.ts'
import { ContentReader } from '../src/web/content/content-reader.ts'
import { benchmarkMain, type Benchmark } from './benchmark.ts'
import { madeUpPages } from './content/made-up-pages.ts'
import { annotatedPages, uciPagesIn, type AnnotatedPage } from './content/pages.ts'
import { numberOption, realPath, textOption } from './webs.ts'

export const contentBenchmark: Benchmark = async (size) => {
  const pages = await pagesOf(size)
  const texts = textOption('quality-texts')
  if (texts !== undefined) writeQualityTexts(texts, pages)
  const reader = new ContentReader()
  let check = 0
  const steps: [string, (page: (typeof pages)[number]) => void][] = [
    ['scanning', ({ html }) => reader.readBlocks(html)],
    ['scanning and selecting', ({ html, url }) => reader.read(html, url)],
    [
      'with text',
      ({ html, url }) => {
        reader.read(html, url)
        check += reader.text().length
      },
    ],
    [
      'with text, Markdown and metadata',
      ({ html, url }) => {
        reader.read(html, url)
        check += reader.text().length + reader.markdown().length + (reader.metadata().title?.length ?? 0)
      },
    ],
  ]
  for (const page of pages.slice(0, 100)) reader.read(page.html, page.url)
  const rows = steps.map(([step, run]) => {
    const start = process.cpuUsage()
    for (const page of pages) run(page)
    const { user, system } = process.cpuUsage(start)
    return { step, pages: pages.length, 'ms per page': Math.round((user + system) / pages.length) / 1000 }
  })
  return { rows, check }
}

type Page = Pick<AnnotatedPage, 'html' | 'url'>

async function pagesOf(size: 'small' | 'full'): Promise<Page[]> {
  const isUci = textOption('web') === 'uci-ics'
  const path =
    size === 'small' ? undefined : realPath(isUci ? 'uci-ics.pages.jsonl.br' : 'content/wcxb-dev.jsonl.br')
  if (path === undefined) return [...madeUpPages(50)]
  const wanted = numberOption('pages', 1497)
  const pages: Page[] = []
  for await (const { html, url } of isUci ? uciPagesIn(path, wanted, 1) : annotatedPages(path)) {
    if (pages.length < wanted) pages.push({ html, url })
    else break
  }
  return pages
}

function writeQualityTexts(path: string, pages: readonly Page[]): void {
  const reader = new ContentReader()
  const lines = pages.map(({ html, url }) => {
    reader.read(html, url)
    const text = reader.text()
    const words = qualityWords(text)
    const trimmed = text
      .split('\n')
      .map((line) => line.trim().replace(/\[\d*]|\[edit]|\[citation needed]/g, ''))
    const sentences = Object.fromEntries(trimmed.map((line) => [line, sentenceCount(line)]))
    return JSON.stringify({ url, text, words, sentences, failures: qualityOf(text, words).failures })
  })
  writeFileSync(path, `${lines.join('\n')}\n`)
}

await benchmarkMain(import.meta.url, contentBenchmark)
