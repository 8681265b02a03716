import { describe, expect, it } from 'vitest'
import { restoreState, savedState } from '../../../lib/state.ts'
import { shareAtMost } from './confidence.ts'
import { canRun, lookOf } from './evidence.ts'
import { KindTests } from './kind-tests.ts'
import { SiteMenus } from './site-menus.ts'

const never = 0.999

/** Samples until the kind is decided, with the verdict. */
function decided(
  gains: () => boolean,
  look: 'suspicious' | 'shell' = 'suspicious',
): [samples: number, verdict: string] {
  const tests = new KindTests()
  for (let samples = 0; samples < 100; samples++) {
    const verdict = tests.verdictOf('h/k', look)?.verdict ?? 'open'
    if (verdict !== 'open') return [samples, verdict]
    expect(tests.reasonFor('h/k', 'h', look, never)).toBe('sample')
    tests.sampled('h/k', 'h', look, 'sample', gains())
  }
  throw new Error('never decided')
}

describe('the test of a kind', () => {
  it('decides a kind that never gains after 10 samples, one that always gains after 2, and shells after 1', () => {
    expect(decided(() => false)).toEqual([10, 'static'])
    expect(decided(() => true)).toEqual([2, 'rendered'])
    expect(decided(() => true, 'shell')).toEqual([1, 'rendered'])
  })

  it('needs 24 samples at most', () => {
    for (let period = 2; period < 30; period++) {
      let n = 0
      expect(decided(() => n++ % period === 3)[0]).toBeLessThanOrEqual(24)
    }
  })

  it('is wrong in about one of 20 cases where 5% of pages gain, or 30%', () => {
    let state = 42
    const random = (): number => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32
    const wrong = (share: number, right: string): number => {
      let count = 0
      for (let i = 0; i < 2000; i++) if (decided(() => random() < share)[1] !== right) count++
      return count / 2000
    }
    expect(wrong(0.05, 'static')).toBeLessThan(0.08)
    expect(wrong(0.3, 'rendered')).toBeLessThan(0.1)
  })

  it('starts a new kind where the decided kinds of its site point to, and checks decided ones again', () => {
    const tests = new KindTests()
    for (let i = 0; i < 10; i++) tests.sampled('h/a', 'h', 'suspicious', 'sample', false)
    for (let i = 0; i < 5; i++) tests.sampled('h/b', 'h', 'suspicious', 'sample', false)
    expect(tests.verdictOf('h/b', 'suspicious')).toEqual({ verdict: 'static', samples: 5 })
    expect(tests.reasonFor('h/a', 'h', 'suspicious', never)).toBeUndefined()
    expect(tests.reasonFor('h/a', 'h', 'suspicious', 0.001)).toBe('again')
    for (let i = 0; i < 4; i++) tests.sampled('h/a', 'h', 'suspicious', 'again', true)
    expect(tests.verdictOf('h/a', 'suspicious')?.verdict).toBe('rendered')
  })

  it('audits plain pages by chance, and tests their kind once one gains', () => {
    const tests = new KindTests()
    expect(tests.reasonFor('h/k', 'h', 'plain', never)).toBeUndefined()
    expect(tests.reasonFor('h/k', 'h', 'plain', 0.02)).toBe('audit')
    for (let i = 0; i < 100; i++) tests.passed('h')
    expect(tests.reasonFor('h/k', 'h', 'plain', 0.02)).toBeUndefined()
    expect(tests.reasonFor('h/k', 'h', 'plain', 0.003)).toBe('audit')
    tests.sampled('h/k', 'h', 'plain', 'audit', false)
    expect(tests.reasonFor('h/k', 'h', 'plain', never)).toBeUndefined()
    tests.sampled('h/k', 'h', 'plain', 'audit', true)
    expect(tests.reasonFor('h/k', 'h', 'plain', never)).toBe('sample')
  })

  it('is restored from a snapshot, with the menus', () => {
    const [tests, menus] = [new KindTests(), new SiteMenus()]
    for (let i = 0; i < 7; i++) tests.sampled('h/k', 'h', 'suspicious', 'sample', i === 3)
    tests.passed('h')
    for (let i = 0; i < 3; i++) menus.fetched(4, Uint32Array.of(1, 2, 10 + i), 3)
    const [later, laterMenus] = [new KindTests(), new SiteMenus()]
    restoreState([later, laterMenus], savedState([tests, menus]))
    expect(savedState([later, laterMenus])).toEqual(savedState([tests, menus]))
    expect([laterMenus.isAll(4, [1, 2]), laterMenus.isAll(4, [1, 10]), laterMenus.isAll(4, [1, -1])]).toEqual(
      [true, false, false],
    )
    expect(laterMenus.isAll(5, [])).toBe(false)
  })
})

describe('what a source says', () => {
  const look = (html: string, text = 1000, links = 5): string | undefined =>
    canRun(html) ? lookOf(html, text, links) : undefined

  it('no script can run: a proof', () => {
    for (const html of [
      '<p>text</p><a href="/a">a</a>',
      '<script type="application/ld+json">{"on": "onload="}</script><p>text</p>',
      "<SCRIPT TYPE='text/template'><iframe></SCRIPT>",
      '<p>come on: a = b</p>',
    ])
      expect(look(html)).toBeUndefined()
  })

  it('anything that may run is no proof', () => {
    for (const html of [
      '<script>1</script>',
      '<SCRIPT SRC=a.js></SCRIPT>',
      '<script type="module">1</script>',
      '<script type=text/javascript>1</script>',
      '<img src=x onerror="go()">',
      '<svg/onload=go()>',
      '<a href="x"onclick="go()">',
      '<iframe src="/menu"></iframe>',
      '<a href="javascript:go()">',
      '<script type="application/json">{}</script><body onload="go()">',
    ])
      expect(look(html)).toBe('plain')
  })

  it('tells shells and suspicious pages from plain ones', () => {
    const script = '<script src="/app.js"></script>'
    expect(look(`<div id="root"></div>${script}`)).toBe('shell')
    expect(look(`<div class="a" id='__next' data-x></div>${script}`)).toBe('shell')
    expect(look(`<app-root>Loading…</app-root>${script}`)).toBe('shell')
    expect(look(`<noscript>Please enable JavaScript.</noscript>${script}`)).toBe('shell')
    expect(look(`<p>short</p>${script}`, 5)).toBe('shell')
    expect(look(`<div id="root"><p>text</p></div>${script}`)).toBe('plain')
    expect(look('<p>short</p><script>1</script>', 5)).toBe('suspicious')
    expect(look(`<p>text</p>${script}`, 1000, 0)).toBe('suspicious')
    expect(look(`<script id="__NEXT_DATA__" type="application/json">{}</script>${script}`)).toBe('suspicious')
  })
})

it('the bound of a share is that of Clopper and Pearson', () => {
  // 1 - 0.05^(1/n) if none of n has it.
  expect(shareAtMost(0, 122)).toBeCloseTo(1 - 0.05 ** (1 / 122), 10)
  expect(shareAtMost(0, 1)).toBeCloseTo(0.95, 10)
  expect(shareAtMost(1, 1)).toBe(1)
  // From tables of the F distribution.
  expect(shareAtMost(2, 20)).toBeCloseTo(0.2826, 4)
  expect(shareAtMost(5, 100)).toBeCloseTo(0.1023, 4)
})
