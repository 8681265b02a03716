/** A report as one self-contained HTML file: style, pictures, script and data are inline. */
import type { ComponentChildren, JSX, VNode } from 'preact'
import { renderToStaticMarkup } from 'preact-render-to-string'
import { plotCsv, tableCsv } from './csv.ts'
import { pageScript } from './page-script.ts'
import { pageStyle, pictureStyle } from './page-style.ts'
import { PlotSvg } from '../pictures/plot-svg.tsx'
import type { Plot, Point, Series } from '../pictures/plot.ts'
import { ShareBar } from '../pictures/share-bar.tsx'
import { Grid } from '../pictures/table.tsx'
import { LegibleTreemap } from '../pictures/treemap.tsx'
import { sentence, shortened } from '../pictures/words.tsx'
import {
  blocksOf,
  type Cell,
  type Column,
  type Figure,
  type Origin,
  type Picture,
  type Report,
  type Summary,
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

/** What XML does not allow: control characters, and surrogates without their pair, as the flag u says. */
// eslint-disable-next-line no-control-regex
const noXml = /[\uD800-\uDFFF\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF]/gu

/** Elements as HTML, and as XML. */
export function markup(element: JSX.Element): string {
  return renderToStaticMarkup(element).replaceAll(noXml, '\uFFFD')
}

export function pageHtml(report: Report, origin: Origin): string {
  return `<!doctype html>\n${markup(<ReportPage report={report} origin={origin} />)}\n`
}

/** A plot as a separate SVG file, legible on light and dark pages. */
export function standaloneSvg(plot: Plot, description: string): string {
  return `${markup(<PlotSvg plot={plot} layout="wide" id="plot" description={description} style={pictureStyle} />)}\n`
}

const policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"

interface PageProps {
  readonly report: Report
  readonly origin: Origin
}

function ReportPage({ report, origin }: PageProps): VNode {
  const { name, title, lead, summary, remarks } = report
  const facts = <Facts facts={[...report.facts, ...originFacts(origin)]} />
  const sections = report.sections.map((section, i) => ({ ...section, id: `section-${i + 1}` }))
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <meta name="generator" content={`Rankward ${origin.version}`} />
        <title>{`${title} · Rankward`}</title>
        <link rel="icon" href="data:," />
        <style dangerouslySetInnerHTML={{ __html: pageStyle }} />
      </head>
      <body>
        <header>
          <p class="over">{`Rankward · ${name}`}</p>
          <h1>{sentence(title)}</h1>
          {lead.map((paragraph) => (
            <p>{sentence(paragraph)}</p>
          ))}
          {summary === undefined ? facts : <Opening {...summary} />}
          <nav aria-label="Sections">
            <ul>
              {sections.map((section) => (
                <li>
                  <a href={`#${section.id}`}>{sentence(section.title)}</a>
                </li>
              ))}
              {summary !== undefined && (
                <li>
                  <a href="#facts">{factsTitle}</a>
                </li>
              )}
            </ul>
          </nav>
        </header>
        <main>
          {sections.map(({ id, title: heading, about, blocks }) => (
            <TitledSection id={id} title={sentence(heading)}>
              {about !== undefined && <p>{sentence(about)}</p>}
              {blocks.map((block) => blockOf(report, block))}
            </TitledSection>
          ))}
          {remarks.length > 0 && (
            <TitledSection id="remarks" title="How the sources were read">
              <ul>
                {remarks.map((remark) => (
                  <li>{sentence(remark)}</li>
                ))}
              </ul>
            </TitledSection>
          )}
          {summary !== undefined && (
            <TitledSection id="facts" title={factsTitle}>
              {facts}
            </TitledSection>
          )}
        </main>
        <footer>
          <p>
            {`Made by Rankward ${origin.version} on ${origin.date} with `}
            <code>{origin.command}</code>.
          </p>
        </footer>
        <script dangerouslySetInnerHTML={{ __html: pageScript }} />
      </body>
    </html>
  )
}

interface TitledProps {
  readonly id: string
  readonly title: ComponentChildren
  readonly children: ComponentChildren
}

function TitledSection({ id, title, children }: TitledProps): VNode {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

/** A few large numbers, and the bar: the first thing to read on a page. */
function Opening({ numbers, bar: { id, title, bar, caption } }: Summary): VNode {
  return (
    <>
      <dl class="big">
        {numbers.map(({ name, value, remark }) => (
          <div>
            <dt>{name}</dt>
            <dd>
              <strong>{value}</strong>
              {remark !== undefined && <span>{remark}</span>}
            </dd>
          </div>
        ))}
      </dl>
      <Framed id={id} title={title} caption={caption} picture={<ShareBar {...bar} />} />
    </>
  )
}

function originFacts({ command, seed, version, date }: Origin): [string, string][] {
  return [
    ['command', `\`${command.replaceAll('`', 'ˋ')}\``],
    ...(seed === undefined ? [] : [['seed', String(seed)] as [string, string]]),
    ['version', `Rankward ${version}`],
    ['date', date],
  ]
}

function Facts({ facts }: Pick<Report, 'facts'>): VNode {
  return (
    <dl>
      {facts.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{sentence(value)}</dd>
        </>
      ))}
    </dl>
  )
}

interface FramedProps {
  readonly id: string
  readonly title: string
  readonly caption: string
  readonly picture: ComponentChildren
  readonly children?: ComponentChildren
}

function Framed({ id, title, caption, picture, children }: FramedProps): VNode {
  return (
    <figure id={id}>
      <h3>{sentence(title)}</h3>
      <div class="plot">{picture}</div>
      <figcaption>{sentence(caption)}</figcaption>
      {children}
    </figure>
  )
}

function blockOf(report: Report, block: Figure | Table | Picture): VNode {
  if (block.kind === 'figure') return <PlotFigure report={report} block={block} />
  if (block.kind === 'table') return <TitledTable report={report} block={block} />
  const { id, title, parts, caption } = block
  const map = (layout: 'wide' | 'narrow'): VNode => <LegibleTreemap {...{ parts, id, title, layout }} />
  return <Framed id={id} title={title} caption={caption} picture={[map('wide'), map('narrow')]} />
}

function PlotFigure({ report, block }: { report: Report; block: Figure }): VNode {
  const { id, plot, caption } = block
  const { series } = plot
  const names = series.map(({ name }) => name).join(', ')
  const description = `${caption} ${series.length === 1 ? 'One series' : `${series.length} series`}: ${names}.`
  const svg = (layout: 'wide' | 'narrow'): VNode => (
    <PlotSvg plot={plot} layout={layout} id={`${id}-${layout}`} description={description} />
  )
  const picture = [svg('wide'), svg('narrow'), <div class="tip" hidden />]
  return (
    <Framed id={id} title={plot.title} caption={caption} picture={picture}>
      <div class="more">
        <details>
          <summary>Values</summary>
          <Grid {...valuesOf(plot)} />
        </details>
        <Download report={report} block={block} />
      </div>
      <script type="application/json" dangerouslySetInnerHTML={{ __html: scriptJson(hoverData(plot)) }} />
    </Framed>
  )
}

/** JSON that is safe inside a script element: nothing in it ends the element. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
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
function valuesOf({ x, y, series }: Plot): { columns: Column[]; rows: Cell[][] } {
  const columns: Column[] = [
    { title: x.label, numbering: x.numbering },
    ...series.map(({ name }) => ({ title: shortened(name, 40), numbering: y.numbering })),
  ]
  const longest = series.reduce<readonly Point[]>(
    (best, { points }) => (points.length > best.length ? points : best),
    [],
  )
  const count = Math.min(valueRows, longest.length)
  const rows = Array.from({ length: count }, (_, i) => {
    const [at] = longest[Math.round((i * (longest.length - 1)) / Math.max(1, count - 1))]
    return [at, ...series.map((each) => valueAt(each, at))]
  })
  return { columns, rows }
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

function TitledTable({ report, block }: { report: Report; block: Table }): VNode {
  const { id, title, columns, rows, caption, isWide = false } = block
  return (
    <div class={isWide ? 'table broad' : 'table'} id={id}>
      <h3 id={`${id}-title`}>{sentence(title)}</h3>
      <Grid columns={columns} rows={rows} labelledBy={`${id}-title`} isSortable />
      <p class="caption">{sentence(caption)}</p>
      <div class="more">
        <Download report={report} block={block} />
      </div>
    </div>
  )
}

function Download({ report, block }: { report: Report; block: Figure | Table }): VNode {
  const name = csvName(report, block)
  const href = `data:text/csv;charset=utf-8,${encodeURIComponent(csvOf(report, block))}`
  return (
    <a download={name} href={href}>
      {name}
    </a>
  )
}
