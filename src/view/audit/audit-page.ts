/** The page of an audit: what was found, by severity and kind, with the pages that have each fault, and what was not checked. */
import { basename, dirname } from 'node:path'
import { grouped, percentOf, plural } from '../../lib/amounts.ts'
import type { AuditReport, AuditReportOptions, ReportedAudit } from '../../crawler/audit/audit-reports.ts'
import type { ComparedFinding } from '../../crawler/audit/comparison.ts'
import { auditKindNames, auditKinds, severities, type AuditKindName } from '../../crawler/audit/kinds.ts'
import { version } from '../../crawler/options/version.ts'
import { shortened, type Link } from '../pictures/words.tsx'
import { today, typedCommand, writeFiles } from '../report-output.ts'
import { reportFiles } from '../report/page.tsx'
import { columnsOf, type Report, type Section, type Table } from '../report/report.ts'

/** Of each kind; the other formats have all. */
const findingsMax = 200
const urlMax = 200

export async function writeAuditPage(
  audit: ReportedAudit,
  { out, overwrite }: AuditReportOptions,
  args: readonly string[] | undefined,
): Promise<AuditReport> {
  const name = basename(out).replace(/\.html?$/i, '')
  const command =
    args === undefined ? `auditReport(audit(${JSON.stringify(audit.folder)}))` : typedCommand(args)
  const origin = { command, version, date: today() }
  const [page, ...data] = reportFiles({ ...auditPage(audit), name }, origin)
  const [report, ...files] = await writeFiles(dirname(out), [{ ...page, name: basename(out) }, ...data], {
    overwrite,
  })
  return { report, files }
}

export function auditPage(audit: ReportedAudit): Report {
  const { findings, pages, read, folder, notChecked } = audit
  const present = findings.filter(({ change }) => change !== 'fixed')
  const fixed = findings.length - present.length
  const counts = severities.map((severity) =>
    plural(present.filter((finding) => finding.severity === severity).length, severity),
  )
  const newCount = present.filter(({ change }) => change === 'new').length
  const isCompared = findings.some(({ change }) => change !== undefined)
  return {
    name: 'audit',
    title: 'Audit of a site',
    lead: [
      `${plural(pages, 'page')} audited: ${counts.join(', ')}.${isCompared ? ` ${grouped(newCount)} new, ${grouped(fixed)} fixed since the earlier audit.` : ''}`,
      'The importance of a finding is the share of the PageRank on the pages that have the fault: faults that many visitors meet come first.',
    ],
    facts: [
      ['folder', folder],
      ['pages', `${grouped(pages)}; ${grouped(read)} of them were read from the archive`],
    ],
    sections: [
      ...(present.length === 0 ? [] : [overview(present)]),
      ...severities.flatMap((severity) => {
        const kinds = auditKindNames.filter((kind) => auditKinds[kind].severity === severity)
        const blocks = kinds.flatMap((kind) => kindTable(kind, findings))
        return blocks.length === 0 ? [] : [{ title: titles[severity], blocks }]
      }),
      notCheckedSection(notChecked),
    ],
    remarks: [],
  }
}

const titles = { error: 'Errors', warning: 'Warnings', note: 'Notes' }

function overview(findings: readonly ComparedFinding[]): Section {
  const rows = auditKindNames.flatMap((kind) => {
    const ofKind = findings.filter((finding) => finding.kind === kind)
    if (ofKind.length === 0) return []
    const { title, severity } = auditKinds[kind]
    const places = ofKind.reduce((sum, { pages }) => sum + pages.length, 0)
    return [[title, severity, ofKind.length, places, 100 * Math.max(...ofKind.map(({ weight }) => weight))]]
  })
  return {
    title: 'What was found',
    blocks: [
      {
        kind: 'table',
        id: 'kinds',
        title: 'Kinds of faults',
        columns: columnsOf({
          kind: null,
          severity: null,
          findings: 'count',
          places: 'count',
          'importance of the gravest': 'percent',
        }),
        rows,
        caption: 'A place is a page that has the fault. One cause is one finding.',
      },
    ],
  }
}

function kindTable(kind: AuditKindName, all: readonly ComparedFinding[]): Table[] {
  const findings = all.filter((finding) => finding.kind === kind)
  if (findings.length === 0) return []
  const { title, fix } = auditKinds[kind]
  const isCompared = findings.some(({ change }) => change !== undefined)
  const left = findings.length - findingsMax
  return [
    {
      kind: 'table',
      id: kind,
      title,
      isWide: true,
      columns: columnsOf({
        'at fault': null,
        detail: null,
        importance: 'percent',
        pages: 'count',
        'first on': null,
        'text of the link': null,
        ...(isCompared ? { change: null } : {}),
      }),
      rows: findings
        .slice(0, findingsMax)
        .map(({ url, detail, weight, pages, change }) => [
          addressOf(url),
          detail ?? '',
          100 * weight,
          pages.length,
          pages.length === 0 || (pages.length === 1 && pages[0].url === url) ? '' : addressOf(pages[0].url),
          pages[0]?.anchor ?? '',
          ...(isCompared ? [change ?? ''] : []),
        ]),
      caption: `${fix}${left > 0 ? ` These are the first ${grouped(findingsMax)} of ${grouped(findings.length)}; \`--format csv\` has all, with every page.` : ''} Gravest first: the largest has ${percentOf(findings[0].weight)} of the importance.`,
    },
  ]
}

function addressOf(url: string): Link {
  return { href: url, text: shortened(url, urlMax) }
}

function notCheckedSection(notChecked: ReportedAudit['notChecked']): Section {
  return {
    title: 'What was not checked',
    blocks: [
      {
        kind: 'table',
        id: 'not-checked',
        title: 'Not checked',
        columns: columnsOf({ what: null, why: null }),
        rows: notChecked.map(({ what, why }) => [what, why]),
        caption: 'Nothing is claimed about these.',
      },
    ],
  }
}
