/** An audit as a page with tables. It is provided from above (view/audit/register.ts), since a crawl draws nothing. */
import { Provided } from '../../lib/provided.ts'
import type { AuditResult } from './audit.ts'
import type { ComparedFinding } from './comparison.ts'

export interface AuditReportOptions {
  /** The path of the page; its tables go beside it as CSV. */
  readonly out: string
  /** Replace existing files, whatever they are. */
  readonly overwrite?: boolean | undefined
}

export interface AuditReport {
  /** The path of the page. */
  readonly report: string
  /** The paths of its data. */
  readonly files: readonly string[]
}

/** An audit, maybe compared with an earlier one. */
export interface ReportedAudit extends AuditResult {
  readonly findings: readonly ComparedFinding[]
}

export interface AuditReports {
  /** Refuses, before the audit, to replace files that are not reports. */
  check(options: AuditReportOptions): Promise<void>
  /** `args`: the command line; undefined if a program asks. */
  write(audit: ReportedAudit, options: AuditReportOptions, args?: readonly string[]): Promise<AuditReport>
}

export const auditReports = new Provided<AuditReports>('The page of an audit')
