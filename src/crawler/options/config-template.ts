/**
 * A config file with comments, generated from the table of options: every option with its explanation, and
 * commented out with its default or an example.
 */
import { aboutOf, usualValue } from '../../lib/option-table.ts'
import type { OptionRow } from './option-row.ts'
import { headings } from './option-row.ts'
import { options, type OptionName } from './option-table.ts'

/** The text of a config file that crawls these seeds. `name` is that of the file, for the comments. */
export function configTemplate(name: string, seeds: readonly string[]): string {
  return `// Options of a crawl. Start it:   rankward crawl --config ${name}
// What it would do:               rankward check ${name}
//
// Each option is commented out, with its default or, where there is none, an example. Remove the // before its name to
// set it. Options on the command line take precedence. Paths are relative to this file.
{
  // URLs to start from
  "seeds": ${json(seeds.length === 0 ? ['https://example.org/'] : seeds)},
${headings.flatMap(groupLines).join('\n')}
}
`
}

function groupLines(heading: string): string[] {
  const lines = [...options]
    .filter(([, option]) => option.heading === heading)
    .flatMap(([name, { row }]) => optionLines(name, row))
  return lines.length === 0 ? [] : ['', `  // ── ${heading.replace(/:$/, '')} ──`, ...lines]
}

function optionLines(name: OptionName, row: OptionRow): string[] {
  const value = templateValue(row)
  if (value === undefined) return []
  const about = row.form === 'off' ? `false: ${row.about}` : aboutOf(row).replace('; may be repeated', '')
  return ['', `  // ${about}`, `  // ${json(name)}: ${json(value)},`]
}

/** The default or the example; undefined if the template leaves the option out. */
export function templateValue(row: OptionRow): unknown {
  if (row.isOfRun === true) return undefined
  if (!('kind' in row)) return row.form !== 'on'
  return row.example ?? usualValue(row)
}

function json(value: unknown): string {
  return JSON.stringify(value).replaceAll('","', '", "')
}
