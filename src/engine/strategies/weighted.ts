/**
 * A weighted combination of strategies: the score of each part is divided by its maximum over all waiting
 * pages at the last batch boundary (every K pages), multiplied by its weight, and summed (S22).
 */
import type { Strategy, StrategyServices } from '../strategy.ts'
import type { StateCodec } from '../../lib/state.ts'

interface WeightedPart {
  readonly strategy: Strategy
  readonly weight: number
}

export function weighted(name: string, parts: readonly WeightedPart[], options: { every: number }): Strategy {
  let services: StrategyServices | undefined
  const scales = new Float64Array(parts.length)
  /** The same for masses, which count although no page waits. */
  const massScales = new Float64Array(parts.length).fill(1)
  let hasMasses = false
  /** The share that the links of the last fetched page carry in each part. */
  const shares = new Float64Array(parts.length)
  const score = (page: number): number =>
    parts.reduce((sum, { strategy, weight }, i) => sum + weight * scales[i] * strategy.score(page), 0)

  const rescale = (): void => {
    const largest = new Float64Array(parts.length)
    for (let page = 0; page < services!.known(); page++) {
      if (!services!.isWaiting(page)) continue
      parts.forEach(({ strategy }, i) => {
        const value = strategy.score(page)
        if (value > largest[i]) largest[i] = value
      })
    }
    largest.forEach((value, i) => {
      scales[i] = value > 0 ? 1 / value : 0
      if (value > 0) massScales[i] = scales[i]
    })
  }

  const transfer = (state: StateCodec): void => {
    state.section(name, 1)
    state.fixed(scales)
    if (hasMasses) state.fixed(massScales)
    for (const { strategy } of parts) strategy.transfer!(state)
  }

  const readers = parts.flatMap(({ strategy }) => (strategy.read === undefined ? [] : [strategy]))
  return {
    name,
    ...(readers.length === 0
      ? {}
      : { read: (page, reading) => readers.forEach((strategy) => strategy.read?.(page, reading)) }),
    every: options.every,
    start(given) {
      services = given
      // If a part changes scores by itself, the sum changes.
      for (const { strategy } of parts) strategy.start?.(given)
    },
    seeded: (seeds) => parts.forEach(({ strategy }) => strategy.seeded?.(seeds)),
    discovered(page, parent) {
      for (const { strategy } of parts) strategy.discovered(page, parent)
      return score(page)
    },
    visited(page, linkCount) {
      parts.forEach(({ strategy }, i) => {
        shares[i] = strategy.visited(page, linkCount)
      })
      return shares.some((share) => share !== 0) ? 1 : 0
    },
    linked(page) {
      parts.forEach(({ strategy }, i) => {
        if (shares[i] !== 0) strategy.linked(page, shares[i])
      })
      return score(page)
    },
    masses() {
      hasMasses = true
      const masses = parts.map(({ strategy }) => strategy.masses?.() ?? (() => 1))
      return (page) => parts.reduce((sum, { weight }, i) => sum + weight * massScales[i] * masses[i](page), 0)
    },
    relinking: (page) => parts.forEach(({ strategy }) => strategy.relinking?.(page)),
    relinked(page, linkCount, newCount) {
      parts.forEach(({ strategy }, i) => {
        shares[i] = strategy.relinked?.(page, linkCount, newCount) ?? 0
      })
      return shares.some((share) => share !== 0) ? 1 : 0
    },
    rerouted: (page) => parts.forEach(({ strategy }) => strategy.rerouted?.(page)),
    left: (page) => parts.forEach(({ strategy }) => strategy.left?.(page)),
    rejoined: (page) => parts.forEach(({ strategy }) => strategy.rejoined?.(page)),
    repair: () => parts.forEach(({ strategy }) => strategy.repair?.()),
    hinted(page, parent) {
      const { links } = services!
      links.seek(parent)
      const linkCount = links.end - links.start + 1
      for (const { strategy } of parts) {
        if (strategy.hinted !== undefined) strategy.hinted(page, parent)
        else strategy.linked(page, strategy.relinked?.(parent, linkCount, 1) ?? 0)
      }
    },
    failed: (page) => parts.forEach(({ strategy }) => strategy.failed?.(page)),
    retried: (page) => parts.forEach(({ strategy }) => strategy.retried?.(page)),
    score,
    advance: (best) =>
      parts.reduce((changed, { strategy }) => strategy.advance?.(best) === true || changed, false),
    rescore() {
      for (const { strategy } of parts) {
        if (strategy.every !== undefined) strategy.rescore?.()
      }
      rescale()
    },
    ...(parts.every(({ strategy }) => strategy.transfer !== undefined) ? { transfer } : {}),
  }
}
