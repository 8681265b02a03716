/** Gives audits their page. Loaded with the first one. */
import { auditReports } from '../../crawler/audit/audit-reports.ts'

auditReports.provide(async (audit, options, args) =>
  (await import('./audit-page.ts')).writeAuditPage(audit, options, args),
)
