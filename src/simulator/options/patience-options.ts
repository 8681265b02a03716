/** Patience: of all runs, or several values to be compared. A run has one. */
import { patienceValue as one } from '../../engine/patience.ts'
import { ofKind, type OptionCheck } from '../../lib/option-checks.ts'
import { typed, value, type Rows } from '../../lib/option-rows.ts'
import type { RowSet } from '../../lib/option-table.ts'
import { ValueError, type ValueKind } from '../../lib/value-kinds.ts'

type Patience = number | readonly number[]

const patiencesValue: ValueKind<Patience> = {
  read: (text) => {
    const given = text.split(',').map((part) => one.read(part))
    if (new Set(given).size < given.length) throw new ValueError('different numbers from 0 to 1')
    return given.length === 1 ? given[0] : given
  },
  json: ['number', 'string'],
}

const isPatience: OptionCheck = (given) => {
  const values: readonly unknown[] = Array.isArray(given) ? given : [given]
  for (const each of values) ofKind(one)(each)
  if (values.length === 0 || new Set(values).size < values.length)
    throw new ValueError('a number from 0 to 1, or an array of different ones')
}

export const patienceRows = {
  /**
   * Under a clock or on shards: take a page only if its score is at least this share of that of the best page that waits for its site (S73),
   * or compare several such shares. 0 unless given; on shards only pages put last wait if the crawl ends at a coverage or after a number of
   * pages.
   */
  patience: value(
    'x',
    patiencesValue,
    'timed or on shards: take a page only if it is worth this share of the best page that waits for its site; several with commas (default: 0)',
    { level: 'common', check: typed<Patience>(isPatience) },
  ),
} satisfies Rows

export const patienceSet = { heading: 'In what order:', rows: patienceRows } satisfies RowSet

/** One for each run: undefined for the default. */
export function patiencesOf(patience: Patience | undefined): readonly (number | undefined)[] {
  return typeof patience === 'object' ? patience : [patience]
}
