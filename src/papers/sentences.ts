/** Sentences of the reports that depend on the results. */
import { sampleSize } from '../webgraph/measures/kendall.ts'
import { grouped } from '../lib/amounts.ts'
import { listed } from './curves.ts'

/** The pages on which Kendall's tau was computed. */
export function sampleText(pages: number): string {
  return pages > sampleSize ? `a sample of ${grouped(sampleSize)} pages` : `all ${grouped(pages)} pages`
}

/** A crawl and the number of downloads for its guarantee; null if it was never reached. */
export interface Needed {
  readonly name: string
  readonly downloads: number | null
}

const orNever = ({ downloads }: Needed): number => downloads ?? Infinity

/** Whether smaller windows took fewer downloads. `needed` is in order of window size, ascending. */
export function windowSentence(needed: readonly Needed[]): string {
  const steps = needed.slice(1).map((each, i) => [orNever(needed[i]), orNever(each)] as const)
  if (steps.every(([smaller, larger]) => smaller === larger)) {
    return 'The size of the window makes no difference here.'
  }
  if (steps.every(([smaller, larger]) => smaller <= larger)) {
    return 'The smaller the window, the fewer downloads the guarantee takes here.'
  }
  if (steps.every(([smaller, larger]) => smaller >= larger)) {
    return 'The larger the window, the fewer downloads the guarantee takes here.'
  }
  return 'The number of downloads is not monotone in the window size here.'
}

/** How `exact-rankmass` compares with the algorithms of the slides. */
export function exactSentence(needed: readonly Needed[], level: string): string {
  const exact = needed.find(({ name }) => name === 'exact-rankmass')
  const others = needed.filter(({ name }) => name !== 'exact-rankmass')
  if (exact === undefined || others.length === 0) return ''
  if (exact.downloads === null) return `Here it never reached a guarantee of ${level}.`
  const fewest = Math.min(...others.map(orNever))
  const took = `Here it took ${grouped(exact.downloads)} downloads for a guarantee of ${level}`
  if (fewest === Infinity) return `${took}; no other algorithm reached it.`
  const names = others.filter((each) => orNever(each) === fewest).map(({ name }) => name)
  return `${took}; of the others, ${listed(names)} took the fewest, ${grouped(fewest)}.`
}
