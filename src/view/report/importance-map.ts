/** The map of a crawl report: sites and directories by the importance that they hold or would hold. */
import { percentText, plural } from '../../lib/amounts.ts'
import type { MapPart } from '../pictures/treemap.tsx'
import { shortened } from '../pictures/words.tsx'
import { columnsOf, type Cell, type Picture, type Table } from './report.ts'
import type { ReportedCrawl } from '../../crawler/read/figures/reported-crawl.ts'

const nameMax = 100
const directoriesOfRow = 3

export function importanceMap({ importance }: ReportedCrawl): (Picture | Table)[] {
  if (importance.length === 0) return []
  const [first] = importance
  return [
    {
      kind: 'picture',
      id: 'importance-map',
      title: 'Importance of sites and their directories',
      parts: importance,
      caption: `The area is the importance of the pages of a site or directory, as far as it is certain; the blue part of it is held, the grey part lies on pages that were not fetched. ${shortened(first.name, nameMax)} has the most, ${percentText(first.held + first.waiting)}.`,
    },
    {
      kind: 'table',
      id: 'importance-sites',
      title: 'Sites by importance',
      columns: columnsOf({
        site: null,
        held: 'certain',
        'not fetched': 'certain',
        'largest directories': null,
      }),
      rows: importance.map((part): Cell[] => [
        shortened(part.name, nameMax),
        100 * part.held,
        100 * part.waiting,
        directoriesText(part),
      ]),
      caption: `Shares of all importance, for ${plural(importance.length, 'site')}${importance.length === 1 ? '' : ' and groups of sites'}.`,
    },
  ]
}

function directoriesText({ parts = [] }: MapPart): string {
  return parts
    .slice(0, directoriesOfRow)
    .map(({ name, held, waiting }) => `${shortened(name, nameMax)} ${percentText(held + waiting)}`)
    .join(', ')
}
