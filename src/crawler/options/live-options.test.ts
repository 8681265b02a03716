import { describe, expect, it } from 'vitest'
import { liveOptions, readLive } from './live-options.ts'

describe('options that may be changed while a crawl runs', () => {
  it('are those whose rows say so', () => {
    expect([...liveOptions.keys()]).toEqual([
      'pages',
      'failures',
      'coverage',
      'seconds',
      'bytes',
      'wait',
      'waitFactor',
      'connections',
      'rate',
    ])
  })

  it.each([...liveOptions])('have the range that the option accepts: %s', (name, { kind, live }) => {
    const { min, max, isOpen = false, isWhole = false } = kind.range
    const step = isWhole ? 1 : 1e-3
    const [low, high] = isOpen ? [min + step, (max ?? 2e5) - step] : [min, max ?? 1e5]
    for (const value of [low, high]) expect(readLive(name, value)).toBe(value)
    for (const value of [isOpen ? min : min - step, NaN, Infinity, String(low)])
      expect(readLive(name, value)).toBeUndefined()
    if (max !== undefined) expect(readLive(name, isOpen ? max : max + step)).toBeUndefined()
    if (isWhole && name !== 'bytes') expect(readLive(name, low + 0.5)).toBeUndefined()
    expect(readLive(name, null)).toBe(live.unlimited === undefined ? undefined : null)
  })
})
