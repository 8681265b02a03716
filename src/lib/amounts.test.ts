import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { linearTicks } from '../view/pictures/scale.ts'
import { fixed, tickLabel } from './amounts.ts'
import {
  agreeing,
  bytesText,
  certainPercent,
  durationText,
  finePercent,
  grouped,
  partPercent,
  percentText,
  plural,
  rateText,
  shareErrorMax,
  shortCount,
  written,
} from './amounts.ts'
import { seededRandom } from './random.ts'

const seed = Number(process.env['SEED'] ?? 1)

describe('an amount', () => {
  it.each([
    [0, '0 s'],
    [0.0004, '0 s'],
    [0.013, '13 ms'],
    [0.5, '500 ms'],
    [0.9996, '1 s'],
    [1.234, '1.23 s'],
    [9.996, '10 s'],
    [59.4, '59 s'],
    [59.6, '1:00 min'],
    [75, '1:15 min'],
    [3599.6, '1:00 h'],
    [7500, '2:05 h'],
    [86_399, '1 d'],
    [90_000, '1 d 1 h'],
    [1e6, '11 d 14 h'],
    [1e9, '11,574 d 2 h'],
  ])('of %d seconds is %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text)
    expect(written(seconds, 'seconds')).toBe(text)
    expect(tickLabel(seconds, 'seconds')).toBe(text)
  })

  it.each([
    [0, '0'],
    [0.123, '0.12'],
    [12.34, '12.3'],
    [1234, '1,234'],
    [52_231, '52,231'],
    [99_999, '99,999'],
    [123_456, '123 k'],
    [1_234_567, '1.23 M'],
    [89_000_000, '89 M'],
    [5.1e12, '5.1 T'],
  ])('of %d, if it may be short, is %s', (value, text) => {
    expect(shortCount(value)).toBe(text)
  })

  it('of bytes, of a rate', () => {
    expect([0, 1, 999, 999_600, 1e9, 2.5e12].map(bytesText)).toEqual([
      '0 bytes',
      '1 byte',
      '999 bytes',
      '1 MB',
      '1 GB',
      '2.5 TB',
    ])
    expect([0, 0.0512, 1.234, 41.26, 1234.5].map(rateText)).toEqual(['0', '0.051', '1.23', '41.3', '1,235'])
  })
})

describe('ticks of a time axis', () => {
  it('have labels that tell them apart and say exactly where they are', () => {
    for (const high of [0.4, 3, 20, 75, 90, 130, 700, 3000, 5400, 40_000, 200_000, 5e6]) {
      for (const wanted of [4, 8, 12]) {
        const labels = linearTicks([0, high], wanted, 'seconds').map((tick) => [
          tick,
          secondsOf(tickLabel(tick, 'seconds')),
        ])
        for (const [tick, meant] of labels) expect(meant).toBeCloseTo(tick, 6)
      }
    }
  })
})

/** What a reader understands. */
function secondsOf(text: string): number {
  const sizes: Record<string, number> = { ms: 0.001, s: 1, min: 60, h: 3600, d: 86_400 }
  const parts = [...text.replaceAll(',', '').matchAll(/([\d.]+)(?::(\d\d))? (ms|s|min|h|d)/g)]
  return parts.reduce(
    (sum, [, whole, part = '0', unit]) => sum + sizes[unit] * (Number(whole) + Number(part) / 60),
    0,
  )
}

describe('a share', () => {
  it.each([
    [0, '0%', '0.0%'],
    [5e-8, '<0.0001%', '0.0%'],
    [0.000_123, '0.012%', '<0.1%'],
    [0.001, '0.10%', '0.1%'],
    [0.0557, '5.57%', '5.6%'],
    [0.5, '50.0%', '50.0%'],
    [0.999_99, '99.9%', '99.9%'],
    [1, '100%', '100.0%'],
  ])('of %d is %s if it is certain and may be small, otherwise %s', (share, fine, part) => {
    expect([finePercent(share), partPercent(share)]).toEqual([fine, part])
  })

  it('that is certain is never overstated, and all its texts are beginnings of one number', () => {
    const random = seededRandom(seed)
    const wrong: string[] = []
    for (let i = 0; i < 20_000; i++) {
      const share = i % 2 === 0 ? random.fraction() : 10 ** (-6 * random.fraction())
      const texts = [
        certainPercent(share),
        percentText(share),
        finePercent(share),
        written(100 * share, 'certain'),
      ]
      const digits = texts.filter((text) => !text.startsWith('<')).map((text) => text.slice(0, -1))
      const longest = digits.toSorted((x, y) => y.length - x.length)[0]
      const isTrue = digits.every(
        (text) =>
          Number(text) / 100 <= share + 1e-8 &&
          (longest.startsWith(text) || Number(text) === Math.trunc(Number(longest))),
      )
      if (!isTrue) wrong.push(`seed ${seed}: ${share} as ${texts.join(', ')}`)
    }
    expect(wrong).toEqual([])
  })

  it('counts as the whole within the error of computed shares', () => {
    const almost = 1 - shareErrorMax / 2
    expect([certainPercent(almost), finePercent(almost), partPercent(almost)]).toEqual([
      '100%',
      '100%',
      '100.0%',
    ])
    const less = 1 - 2 * shareErrorMax
    expect([certainPercent(less), finePercent(less), partPercent(less)]).toEqual(['99.9%', '99.9%', '99.9%'])
  })
})

it('numbers of more than three digits have separators', () => {
  expect(grouped(52_231)).toBe('52,231')
})

it('no other code formats amounts', () => {
  const src = new URL('..', import.meta.url).pathname
  const formatters = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|^lib\/amounts\.ts$/.test(file))
    .filter((file) =>
      /toLocaleString|Intl\.NumberFormat|^(export )?function \w*([dD]uration|[bB]ytes|[sS]econds)(Text)?\(.*\): string/m.test(
        readFileSync(join(src, file), 'utf8'),
      ),
    )
  expect(formatters).toEqual([])
})

it('noun and verb agree with the count', () => {
  const sentence = (count: number): string =>
    `${plural(count, 'link')} ${agreeing(count, 'is', 'are')} left out`
  expect([0, 1, 2, 52_231].map(sentence)).toEqual([
    '0 links are left out',
    '1 link is left out',
    '2 links are left out',
    '52,231 links are left out',
  ])
  expect(plural(1, 'fetch', 'fetches')).toBe('1 fetch')
  expect(plural(3, 'fetch', 'fetches')).toBe('3 fetches')
})

it('large counts have separators', () => {
  expect([999, 1000, 1_234_567].map(grouped)).toEqual(['999', '1,000', '1,234,567'])
})

describe('a number with fixed decimals', () => {
  it('keeps its zeros, so that a column is aligned; what is no number is a dash', () => {
    expect([fixed(2.5, 2), fixed(3, 1), fixed(-0.04, 1), fixed(NaN, 2), fixed(Infinity, 0)]).toEqual([
      '2.50',
      '3.0',
      '-0.0',
      '–',
      '–',
    ])
  })
})
