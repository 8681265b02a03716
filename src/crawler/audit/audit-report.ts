import { checkOptions, flag, ofKind, type OptionChecks } from '../../lib/option-checks.ts'
import { anyText } from '../../lib/value-kinds.ts'
import type { AuditResult } from './audit.ts'
import { auditReports, type AuditReport, type AuditReportOptions } from './audit-reports.ts'

const checks: OptionChecks<AuditReportOptions> = { out: ofKind(anyText('a path')), overwrite: flag }

/** Writes a page that shows what an audit has found. */
export async function auditReport(audit: AuditResult, options: AuditReportOptions): Promise<AuditReport> {
  checkOptions('auditReport', options, checks)
  return auditReports.get().write(audit, options)
}
