/** What owners say about the use of archived pages. */
import { decodeHtml } from '../../web/charset/html-text.ts'
import { miningMetas, robotsMetas } from '../../web/html/marked-page.ts'
import { HtmlScanner } from '../../web/html/scanner.ts'
import { isHtml, isXhtml } from '../../web/http/html-type.ts'
import { usePurposes } from '../../web/preferences/known-signals.ts'
import { headerStatements, metaStatements } from '../../web/preferences/statement.ts'
import { useVerdict } from '../../web/preferences/verdict.ts'
import type { RowColumn } from '../read/export/table.ts'
import type { ArchivedPage } from './sources.ts'

const scanner = new HtmlScanner()

/** Those that the crawl recorded; of a page in a WARC file, those in its headers and meta elements. */
export function statementsOf({
  recorded,
  headers,
  contentType,
  body,
  isCoded,
}: ArchivedPage): readonly string[] {
  if (recorded !== undefined) return recorded
  const stated = headerStatements(headers)
  if (!isHtml(contentType, body, isCoded)) return stated
  const source = decodeHtml(body, contentType)
  const marks = scanner.scan(source.bytes, isXhtml(contentType))
  return [...stated, ...metaStatements(robotsMetas(source, marks) ?? [], miningMetas(source, marks))]
}

export const useColumns: readonly RowColumn<{ readonly statements: readonly string[] }>[] = [
  { name: 'preferences', type: 'list', separator: '\n', of: ({ statements }) => statements },
  ...usePurposes.map((purpose) => ({
    name: `use_${purpose.replace('-', '_')}`,
    type: 'name' as const,
    of: ({ statements }: { readonly statements: readonly string[] }) => {
      const { answer } = useVerdict(purpose, statements)
      return answer === 'unknown' ? undefined : answer
    },
  })),
]
