import { Command, Option } from 'commander'
import type { ReportedAudit } from '../crawler/audit/audit-reports.ts'
import { changeNames, type ComparedFinding } from '../crawler/audit/comparison.ts'
import type { AuditedPlace } from '../crawler/audit/finding.ts'
import { auditFormats, type AuditFormat } from '../crawler/audit/formats.ts'
import { auditKindNames, auditKinds, severities, type AuditKindName } from '../crawler/audit/kinds.ts'
import { RankwardError } from '../lib/errors.ts'
import { checkOutputs } from '../lib/files/output-files.ts'
import { writeText } from '../lib/files/whole-file.ts'
import { partPercent } from '../lib/amounts.ts'
import { plural } from './crawl/words.ts'
import { readFolder, type CrawlsElsewhere } from './crawls-elsewhere.ts'
import { printJson, wholeNumber, withOutputOptions, withWritingOptions } from './options.ts'
import type { OutputOptions, WritingOptions } from './options.ts'
import { bold, dim, grouped, progressBar, reportLine, safe } from './terminal.ts'

interface AuditCliOptions extends OutputOptions, WritingOptions {
  readonly external?: boolean
  readonly depth?: number
  readonly against?: string
  readonly failOn?: string
  readonly format?: AuditFormat
  readonly to?: string
  readonly report?: string
  readonly findings?: number
}

/** Of each kind, in the text output. */
const findingsShown = 10
const pagesShown = 3
/** 1 is a command that failed. */
const exitFound = 4

export function auditCommand(elsewhere?: CrawlsElsewhere): Command {
  const command = new Command('audit')
    .description('List broken links, redirects, orphans and other faults of a crawled site')
    .argument('[folder]', 'the folder of a crawl; without it, --cluster and --name')
    .option('--external', 'also request links that lead out of the crawl, politely')
    .option('--depth <n>', 'report pages more than n clicks from a seed (default: 5)', wholeNumber())
    .option('--against <earlier>', 'compare with an earlier crawl, or with a file of --format jsonl')
    .option(
      '--fail-on <names>',
      `exit with code ${exitFound} if there are such findings: ${severities.join(', ')}, new, or kinds, with commas`,
    )
    .addOption(new Option('--format <name>', 'write all findings in this format').choices(auditFormats))
    .option('--to <file>', 'where to write them (default: standard output)')
    .option('--report <file>', 'also write an HTML page; its tables go beside it as CSV')
    .option('--findings <n>', `show n of each kind (default: ${findingsShown})`, wholeNumber())
    .addHelpText(
      'after',
      `
Reads the record and the archive of a crawl; without --external it sends no request. Findings are sorted by the share of
PageRank on the pages that have the fault. What was not checked is listed at the end, with the reason. Orphans are reported
only if the crawl fetched every page that it found, and read the sitemaps (crawl --sitemap).

Examples:
  rankward crawl https://example.org/ --sitemap --out site && rankward audit site
  rankward audit site --against last-week --fail-on new
  rankward audit site --format junit --to audit.xml --fail-on error
  rankward audit site --report audit.html
  rankward audit site --format csv --to faults.csv
  rankward audit --cluster nats://10.0.0.1:4222 --name site

docs/guide/audit.md explains every kind of finding.`,
    )
    .action(async (folder: string | undefined, options: AuditCliOptions) =>
      run(await readFolder(elsewhere, command, folder, options.progress), options),
    )
  withOutputOptions(withWritingOptions(command))
  return elsewhere?.withCopyOptions(command) ?? command
}

async function run(folder: string, options: AuditCliOptions): Promise<void> {
  const isFault = failTest(options)
  checkOutputs([options.to], options)
  const writePage = await pageWriter(options)
  const { audit } = await import('../crawler/audit/audit.ts')
  const { compared, earlierFindings } = await import('../crawler/audit/comparison.ts')
  const reading = progressBar(`Reading ${folder}`, options.progress)
  const { depth, external, against } = options
  const result = await audit(folder, { depth, external, progress: reading.progress }).finally(() =>
    reading.end(),
  )
  const findings: readonly ComparedFinding[] =
    against === undefined
      ? result.findings
      : compared(result.findings, await earlierFindings(against, { depth }))
  await print({ ...result, findings }, options)
  if (writePage !== undefined)
    process.stderr.write(`${reportLine(await writePage({ ...result, findings }))}\n`)
  if (findings.some((finding) => finding.change !== 'fixed' && isFault(finding))) process.exitCode = exitFound
}

/** Writes the page of `--report` and returns its path; undefined if none is wanted. */
async function pageWriter(
  options: AuditCliOptions,
): Promise<((audit: ReportedAudit) => Promise<string>) | undefined> {
  const { report: out, overwrite } = options
  if (out === undefined) return undefined
  const { auditReports } = await import('../crawler/audit/audit-reports.ts')
  const reports = auditReports.get()
  await reports.check({ out, overwrite })
  return async (audit) => (await reports.write(audit, { out, overwrite }, process.argv.slice(2))).report
}

async function print(result: ReportedAudit, { format, to, json, findings }: AuditCliOptions): Promise<void> {
  if (format === undefined) {
    if (json === true) printJson(result)
    else process.stdout.write(`${auditText(result, findings ?? findingsShown)}\n`)
    return
  }
  const { formatted } = await import('../crawler/audit/formats.ts')
  if (to === undefined) for (const piece of formatted(result.findings, format)) process.stdout.write(piece)
  else await writeText(to, formatted(result.findings, format))
}

/** The findings that make the command fail. */
function failTest({ failOn, against }: AuditCliOptions): (finding: ComparedFinding) => boolean {
  if (failOn === undefined) return () => false
  const names = new Set(failOn.split(',').map((name) => name.trim()))
  const known: readonly string[] = [...severities, 'new', ...auditKindNames]
  const unknown = [...names].find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new RankwardError('USAGE', `--fail-on ${unknown}: no such finding. Use one of ${known.join(', ')}.`)
  if (names.has('new') && against === undefined)
    throw new RankwardError('USAGE', '--fail-on new needs --against, an earlier crawl to compare with.')
  return ({ kind, severity, change }) =>
    names.has(kind) || names.has(severity) || (names.has('new') && change === 'new')
}

function auditText(result: ReportedAudit, shown: number): string {
  const { pages, findings, notChecked } = result
  const lines = [`${plural(pages, 'page')} audited: ${severitiesText(findings)}.`]
  for (const severity of severities)
    for (const kind of auditKindNames) {
      const ofKind = findings.filter((finding) => finding.kind === kind && finding.severity === severity)
      if (ofKind.length > 0) lines.push('', ...kindLines(kind, ofKind, shown))
    }
  lines.push('', bold('Not checked'), ...notChecked.map(({ what, why }) => `  ${safe(what)}: ${safe(why)}`))
  return lines.join('\n')
}

function severitiesText(findings: readonly ComparedFinding[]): string {
  const count = (isCounted: (finding: ComparedFinding) => boolean): number =>
    findings.filter(isCounted).length
  const texts = severities.map((severity) =>
    plural(
      count((one) => one.severity === severity && one.change !== 'fixed'),
      severity,
    ),
  )
  const changes = changeNames.map((change) => `${grouped(count((one) => one.change === change))} ${change}`)
  const isCompared = findings.some(({ change }) => change !== undefined)
  return `${texts.join(', ')}${isCompared ? ` (${changes.join(', ')})` : ''}`
}

function kindLines(kind: AuditKindName, findings: readonly ComparedFinding[], shown: number): string[] {
  const { title, fix, severity } = auditKinds[kind]
  const left = findings.length - shown
  return [
    `${bold(title)}: ${grouped(findings.length)}  ${dim(`${severity}, ${kind}`)}`,
    `  ${dim(fix)}`,
    ...findings.slice(0, shown).flatMap(findingLines),
    ...(left > 0 ? [dim(`  … and ${grouped(left)} more (--findings)`)] : []),
  ]
}

function findingLines({ url, detail, weight, pages, change }: ComparedFinding): string[] {
  const isItself = pages.length === 1 && pages[0].url === url
  const note = detail === undefined ? '' : `  ${safe(detail)}`
  const mark = change === undefined ? '' : `${change} `
  const left = pages.length - pagesShown
  return [
    `  ${mark}${partPercent(weight).padStart(6)}  ${safe(url)}${note}`,
    ...(isItself ? [] : pages.slice(0, pagesShown).map(placeLine)),
    ...(!isItself && left > 0 ? [dim(`            … and on ${plural(left, 'more page')}`)] : []),
  ]
}

function placeLine({ url, anchor, place }: AuditedPlace): string {
  const where = place === undefined ? '' : ` in ${place}`
  return dim(`            on ${safe(url)}${anchor === undefined ? '' : `, “${safe(anchor)}”`}${where}`)
}
