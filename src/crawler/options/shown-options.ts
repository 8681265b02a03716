/** The options that `--help` shows; `--help-all` shows the whole table. */
import type { OptionName } from './option-table.ts'

export const commonOptions: readonly OptionName[] = [
  ...(['out', 'seedsFile', 'sitemap', 'scope', 'include', 'exclude', 'maxDepth', 'topic'] as const),
  ...(['onPage', 'items'] as const),
  ...(['pages', 'coverage', 'time', 'bytes', 'strategy', 'wait', 'connections', 'contact'] as const),
  ...(['continuous', 'rate', 'recrawlPolicy', 'rest', 'warc', 'dashboard'] as const),
  ...(['config', 'dryRun', 'json', 'events', 'progress'] as const),
]
