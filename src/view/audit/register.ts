/** Gives audits their page. Loaded with the first one. */
import { auditReports } from '../../crawler/audit/audit-reports.ts'

auditReports.provide({
  check: async ({ out, overwrite }) => (await import('../report-output.ts')).checkReport(out, { overwrite }),
  write: async (audit, options, args) =>
    (await import('./audit-page.ts')).writeAuditPage(audit, options, args),
})
