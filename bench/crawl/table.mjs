// Formats the figures as a table.

/** For an even number of values the lower of the two middle ones: an actual run, not a mean of two. */
export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)]

/** One row per competitor: medians over its rounds. */
export function summarize({ name, title, version, runs }) {
  const of = (figure) => median(runs.map(figure))
  return {
    name,
    title,
    version,
    cpuSecondsPer1000: of((run) => (run.cpuSeconds / run.pages) * 1000),
    pagesPerSecond: of((run) => (run.seconds > 0 ? run.pages / run.seconds : 0)),
    peakMegabytes: of((run) => run.peakBytes / 1e6),
    pages: of((run) => run.pages),
    cpuSecondsPerGigabyte: of((run) => (run.cpuSeconds / run.bytes) * 1e9),
    kilobytesPerPage: of((run) => run.bytes / run.pages / 1000),
    hosts: of((run) => run.hosts),
    connections: of((run) => run.connections),
    wallSeconds: of((run) => run.wallSeconds),
    runs,
  }
}

/** `against` names the row that the ratios compare with; without it there are no ratios. */
export function markdownTable(rows, against) {
  const base = rows.find(({ name }) => name === against)
  const ratio = (value, other) => (base === undefined ? '–' : `${Number((value / other).toPrecision(2))}×`)
  const cells = rows.map((row) => [
    row.version === undefined ? row.title : `${row.title} ${row.version}`,
    row.cpuSecondsPerGigabyte.toFixed(1),
    ratio(row.cpuSecondsPerGigabyte, base?.cpuSecondsPerGigabyte),
    row.cpuSecondsPer1000.toFixed(3),
    row.pagesPerSecond.toFixed(0),
    ratio(row.pagesPerSecond, base?.pagesPerSecond),
    row.peakMegabytes.toFixed(0),
    String(row.pages),
    row.kilobytesPerPage.toFixed(1),
    String(row.hosts),
    String(row.connections),
  ])
  const comparison = base?.title ?? 'Rankward'
  const heads = [
    '',
    'CPU-s / GB',
    `× ${comparison}`,
    'CPU-s / 1,000 pages',
    'pages / s',
    `× ${comparison}`,
    'peak RSS MB',
  ]
  heads.push('pages', 'kB / page', 'hosts', 'connections')
  return alignColumns([heads, ...cells])
}

function alignColumns(rows) {
  const widths = rows[0].map((_, column) => Math.max(3, ...rows.map((row) => row[column].length)))
  const line = (row) =>
    `| ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join(' | ')} |`
  const rule = widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [line(rows[0]), line(rule), ...rows.slice(1).map(line)].join('\n')
}
