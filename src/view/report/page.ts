/** A report as one self-contained HTML file: style, pictures, script and data are inline. */
import { plotCsv, tableCsv } from './csv.ts'
import { escaped, scriptJson, sentence, shortened } from '../pictures/markup.ts'
import { bigNumbersHtml } from '../pictures/big-numbers.ts'
import { shareBarTag } from '../pictures/share-bar.ts'
import { gridHtml } from '../pictures/table.ts'
import { tagHtml } from '../pictures/tags.ts'
import { pageScript } from './page-script.ts'
import { pageStyle, pictureStyle } from './page-style.ts'
import type { Plot, Point, Series } from '../pictures/plot.ts'
import { plotSvg } from '../pictures/plot-svg.ts'
import {
  blocksOf,
  type Cell,
  type Column,
  type Figure,
  type Origin,
  type Picture,
  type Report,
  type Table,
} from './report.ts'

const factsTitle = 'Settings and totals'

/** A file written beside the page. */
export interface ReportFile {
  readonly name: string
  readonly text: string
}

/** The page and its data: one CSV file per figure and table. */
export function reportFiles(report: Report, origin: Origin): ReportFile[] {
  return [
    { name: `${report.name}.html`, text: pageHtml(report, origin) },
    ...blocksOf(report).map((block) => ({ name: csvName(report, block), text: csvOf(report, block) })),
  ]
}

function csvName(report: Report, block: Figure | Table): string {
  return `${report.name}-${block.id}.csv`
}

function csvOf({ rawCells }: Report, block: Figure | Table): string {
  return block.kind === 'figure' ? plotCsv(block.plot, rawCells) : tableCsv(block, rawCells)
}

export function pageHtml(report: Report, origin: Origin): string {
  const sections = report.sections.map((section, i) => ({ ...section, id: `section-${i + 1}` }))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<meta name="generator" content="Rankward ${escaped(origin.version)}">
<title>${escaped(report.title)} · Rankward</title>
<link rel="icon" href="data:,">
<style>${pageStyle}</style>
</head>
<body>
<header>
<p class="over">Rankward · ${escaped(report.name)}</p>
<h1>${sentence(report.title)}</h1>
${report.lead.map((paragraph) => `<p>${sentence(paragraph)}</p>`).join('\n')}
${openingHtml(report, origin)}
<nav aria-label="Sections"><ul>
${sections.map(({ id, title }) => `<li><a href="#${id}">${sentence(title)}</a></li>`).join('\n')}
${report.summary === undefined ? '' : `<li><a href="#facts">${factsTitle}</a></li>`}
</ul></nav>
</header>
<main>
${sections
  .map(
    ({ id, title, about, blocks }) => `<section aria-labelledby="${id}">
<h2 id="${id}">${sentence(title)}</h2>
${about === undefined ? '' : `<p>${sentence(about)}</p>`}
${blocks.map((block) => blockHtml(report, block)).join('\n')}
</section>`,
  )
  .join('\n')}
${remarksHtml(report.remarks)}
${closingHtml(report, origin)}
</main>
<footer><p>Made by Rankward ${escaped(origin.version)} on ${escaped(origin.date)} with <code>${escaped(origin.command)}</code>.</p></footer>
<script>${pageScript}</script>
</body>
</html>
`
}

/** The summary, or the facts if there is none. */
function openingHtml({ summary, facts }: Report, origin: Origin): string {
  if (summary === undefined) return factsHtml([...facts, ...originFacts(origin)])
  return `${bigNumbersHtml(summary.numbers)}\n${barHtml(summary.bar)}`
}

function barHtml({ id, title, bar, caption }: NonNullable<Report['summary']>['bar']): string {
  return `<figure id="${escaped(id)}">
<h3>${escaped(title)}</h3>
<div class="plot">${tagHtml(shareBarTag(bar))}</div>
<figcaption>${escaped(caption)}</figcaption>
</figure>`
}

/** The facts at the end of a page with a summary. */
function closingHtml({ summary, facts }: Report, origin: Origin): string {
  if (summary === undefined) return ''
  return `<section aria-labelledby="facts"><h2 id="facts">${factsTitle}</h2>${factsHtml([...facts, ...originFacts(origin)])}</section>`
}

function blockHtml(report: Report, block: Figure | Table | Picture): string {
  if (block.kind === 'figure') return figureHtml(report, block)
  return block.kind === 'table' ? tableHtml(report, block) : pictureHtml(block)
}

function pictureHtml({ id, title, svg, caption }: Picture): string {
  return `<figure id="${escaped(id)}">
<h3>${sentence(title)}</h3>
<div class="plot">${svg('wide')}${svg('narrow')}</div>
<figcaption>${sentence(caption)}</figcaption>
</figure>`
}

function originFacts({ command, seed, version, date }: Origin): [string, string][] {
  return [
    ['command', `\`${command.replaceAll('`', 'ˋ')}\``],
    ...(seed === undefined ? [] : [['seed', String(seed)] as [string, string]]),
    ['version', `Rankward ${version}`],
    ['date', date],
  ]
}

function factsHtml(facts: readonly (readonly [string, string])[]): string {
  return `<dl>${facts.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${sentence(value)}</dd>`).join('\n')}</dl>`
}

function remarksHtml(remarks: readonly string[]): string {
  if (remarks.length === 0) return ''
  return `<section aria-labelledby="remarks"><h2 id="remarks">How the sources were read</h2><ul>${remarks.map((remark) => `<li>${sentence(remark)}</li>`).join('\n')}</ul></section>`
}

function figureHtml(report: Report, { id, plot, caption, ...block }: Figure): string {
  const description = `${caption} ${plot.series.length === 1 ? 'One series' : `${plot.series.length} series`}: ${plot.series.map(({ name }) => name).join(', ')}.`
  const svg = (layout: 'wide' | 'narrow'): string =>
    plotSvg(plot, { layout, id: `${escaped(id)}-${layout}`, description })
  return `<figure id="${escaped(id)}">
<h3>${sentence(plot.title)}</h3>
<div class="plot">${svg('wide')}${svg('narrow')}<div class="tip" hidden></div></div>
<figcaption>${sentence(caption)}</figcaption>
<div class="more">
<details><summary>Values</summary>${gridHtml(...valuesOf(plot))}</details>
${download(report, { id, plot, caption, ...block })}
</div>
<script type="application/json">${scriptJson(hoverData(plot))}</script>
</figure>`
}

/** The data of the hover script. Ten digits: with fewer, a certain share could be rounded up. */
function hoverData({ x, y, series }: Plot): unknown {
  const short = (value: number): number => Number(value.toPrecision(10))
  return {
    x: { label: x.label, numbering: x.numbering },
    y: { numbering: y.numbering },
    series: series.map(({ name, points, kind = 'line' }) => ({
      name,
      kind,
      points: points
        .filter((point) => point.every(Number.isFinite))
        .map(([atX, atY]) => [short(atX), short(atY)]),
    })),
  }
}

const valueRows = 11

/** Some values of a plot as a table, for readers who cannot see the plot. */
function valuesOf({ x, y, series }: Plot): [Column[], Cell[][]] {
  const columns: Column[] = [
    { title: x.label, numbering: x.numbering },
    ...series.map(({ name }) => ({ title: shortened(name, 40), numbering: y.numbering })),
  ]
  const longest = series.reduce<readonly Point[]>(
    (best, { points }) => (points.length > best.length ? points : best),
    [],
  )
  const rows = Array.from({ length: Math.min(valueRows, longest.length) }, (_, i) => {
    const [at] =
      longest[Math.round((i * (longest.length - 1)) / Math.max(1, Math.min(valueRows, longest.length) - 1))]
    return [at, ...series.map((each) => valueAt(each, at))]
  })
  return [columns, rows]
}

/**
 * The value at this position as plotted: interpolated between two points, or constant since the last step.
 */
function valueAt({ points, kind = 'line' }: Series, at: number): number | null {
  const next = points.findIndex(([x]) => x >= at)
  if (next >= 0 && points[next][0] === at) return points[next][1]
  const before = next < 0 ? points.at(-1) : points[next - 1]
  if (kind === 'step') return before?.[1] ?? null
  if (kind !== 'line' || before === undefined || next < 0) return null
  const [x, y] = points[next]
  return before[1] + ((y - before[1]) * (at - before[0])) / (x - before[0])
}

function tableHtml(report: Report, table: Table): string {
  return `<div class="table${table.isWide === true ? ' broad' : ''}" id="${escaped(table.id)}">
<h3 id="${escaped(table.id)}-title">${sentence(table.title)}</h3>
${gridHtml(table.columns, table.rows, { labelledBy: `${table.id}-title`, isSortable: true })}
<p class="caption">${sentence(table.caption)}</p>
<div class="more">${download(report, table)}</div>
</div>`
}

function download(report: Report, block: Figure | Table): string {
  const name = escaped(csvName(report, block))
  return `<a download="${name}" href="data:text/csv;charset=utf-8,${escaped(encodeURIComponent(csvOf(report, block)))}">${name}</a>`
}

/** A plot as a separate SVG file, legible on light and dark pages. */
export function standaloneSvg(plot: Plot, description: string): string {
  const svg = plotSvg(plot, { layout: 'wide', id: 'plot', description })
  const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg) ?? []
  const ground = `<style>${pictureStyle}</style><rect class="ground" x=".5" y=".5" width="${Number(width) - 1}" height="${Number(height) - 1}" rx="8"/>`
  return `${svg.replace('<svg ', `<svg width="${width}" height="${height}" `).replace('</desc>', () => `</desc>\n${ground}`)}\n`
}
