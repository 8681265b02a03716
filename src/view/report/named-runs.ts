/** The runs of saved simulations side by side: their names, figures and ranking. */
import { written } from '../../lib/amounts.ts'
import type { Figure } from './report.ts'
import type { SavedRun } from './saved-simulation.ts'

export interface NamedRun extends SavedRun {
  /** Its strategy or recrawl policy, and its file if there are several. */
  readonly name: string
}

/** Maximum number of lines per plot; the others get plots of their own. */
const linesMax = 9

/** One figure for each group of runs. */
export function inParts(
  runs: readonly NamedRun[],
  figure: (part: readonly NamedRun[], id: string, note: string) => Figure,
): Figure[] {
  const parts = Math.ceil(runs.length / linesMax)
  return Array.from({ length: parts }, (_, i) =>
    figure(
      runs.slice(Math.round((i * runs.length) / parts), Math.round(((i + 1) * runs.length) / parts)),
      parts === 1 ? '' : `-${i + 1}`,
      parts === 1 ? '' : ` (${i + 1} of ${parts})`,
    ),
  )
}

/** `a 0.71, b 0.65 and c 0.60`, the largest first; as shares unless another format is given. */
export function standing(
  runs: readonly NamedRun[],
  value: (run: NamedRun) => number,
  format: (value: number) => string = shareText,
): string {
  const words = runs.toSorted((a, b) => value(b) - value(a)).map((run) => `${run.name} ${format(value(run))}`)
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** With four decimals. */
export const shareText = (share: number): string => written(share, 'share')
