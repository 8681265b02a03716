/** Findings in the formats of other tools. */
import { csvCell } from '../../lib/text-cell.ts'
import { version } from '../options/version.ts'
import type { ComparedFinding } from './comparison.ts'
import { auditKindNames, auditKinds } from './kinds.ts'

export const auditFormats = ['jsonl', 'csv', 'junit', 'sarif'] as const
export type AuditFormat = (typeof auditFormats)[number]

/** The text, in pieces. Findings that are fixed are in JSON lines and CSV only. */
export function* formatted(findings: readonly ComparedFinding[], format: AuditFormat): Generator<string> {
  if (format === 'jsonl') for (const finding of findings) yield `${JSON.stringify(finding)}\n`
  else if (format === 'csv') yield* csv(findings)
  else {
    const present = findings.filter(({ change }) => change !== 'fixed')
    yield* format === 'junit' ? junit(present) : sarif(present)
  }
}

/** One row for each page with the fault. */
function* csv(findings: readonly ComparedFinding[]): Generator<string> {
  yield 'kind,severity,change,weight,url,detail,page,anchor,place\n'
  for (const { kind, severity, change = '', weight, url, detail = '', pages } of findings)
    for (const { url: page, anchor = '', place = '' } of pages) {
      const cells = [kind, severity, change, String(weight), url, detail, page, anchor, place]
      yield `${cells.map((cell) => csvCell(cell, false)).join(',')}\n`
    }
}

/** A suite for each kind, a failed case for each finding. A kind without findings has one case that passes. */
function* junit(findings: readonly ComparedFinding[]): Generator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="rankward audit" failures="${findings.length}">\n`
  for (const kind of auditKindNames) {
    const { title, fix } = auditKinds[kind]
    const ofKind = findings.filter((finding) => finding.kind === kind)
    yield `  <testsuite name="${xml(kind)}" tests="${Math.max(1, ofKind.length)}" failures="${ofKind.length}">\n`
    if (ofKind.length === 0) yield `    <testcase classname="${xml(kind)}" name="${xml(title)}: none"/>\n`
    for (const finding of ofKind) {
      yield `    <testcase classname="${xml(kind)}" name="${xml(finding.url)}">\n`
      yield `      <failure message="${xml(messageOf(finding))}">${xml([fix, ...finding.pages.map(({ url }) => url)].join('\n'))}</failure>\n`
      yield `    </testcase>\n`
    }
    yield '  </testsuite>\n'
  }
  yield '</testsuites>\n'
}

/** SARIF 2.1.0: a result for each finding, with the pages that have it as locations. */
function* sarif(findings: readonly ComparedFinding[]): Generator<string> {
  const rules = auditKindNames.map((kind) => ({
    id: kind,
    shortDescription: { text: auditKinds[kind].title },
    help: { text: auditKinds[kind].fix },
    defaultConfiguration: { level: auditKinds[kind].severity },
  }))
  const head = JSON.stringify({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'rankward', version, rules } }, results: [] }],
  })
  // The results are the last list: written one by one, since there may be many.
  yield head.slice(0, -']}]}'.length)
  let separator = ''
  for (const finding of findings) {
    yield `${separator}${JSON.stringify(resultOf(finding))}`
    separator = ','
  }
  yield ']}]}\n'
}

function resultOf(finding: ComparedFinding): object {
  const { kind, severity, url, weight, change, pages } = finding
  return {
    ruleId: kind,
    level: severity,
    message: { text: messageOf(finding) },
    rank: 100 * Math.min(1, weight),
    ...(change === undefined ? {} : { baselineState: change === 'new' ? 'new' : 'unchanged' }),
    partialFingerprints: { finding: `${kind} ${url}` },
    locations: pages.map((page) => ({ physicalLocation: { artifactLocation: { uri: page.url } } })),
  }
}

function messageOf({ kind, url, detail }: ComparedFinding): string {
  return `${auditKinds[kind].title}: ${url}${detail === undefined ? '' : ` (${detail})`}`
}

function xml(text: string): string {
  // oxlint-disable-next-line no-control-regex -- characters that XML 1.0 does not allow
  const allowed = text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
  return allowed.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
}
