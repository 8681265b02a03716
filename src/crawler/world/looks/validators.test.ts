import { describe, expect, it } from 'vitest'
import { restoreState, savedState } from '../../../lib/state.ts'
import { auditEvery, Validators, type HeldLook, type Validator } from './validators.ts'

const dayMs = 86_400_000
const start = Date.UTC(2026, 10, 1)
const httpDate = (day: number): string => new Date(start + day * dayMs).toUTCString()
const seconds = (day: number): number => (start + day * dayMs) / 1000
const tag = { etag: '"a"' }

/**
 * A look at page 0 of site 0 on day 2, after one on day 1, with an unchanged full response unless stated
 * otherwise.
 */
function look(more: Partial<HeldLook> = {}): HeldLook {
  return {
    page: 0,
    site: 0,
    status: 200,
    isConditional: false,
    isChanged: false,
    isOtherBody: more.isChanged ?? false,
    before: {},
    now: {},
    lastLookAt: seconds(1),
    at: seconds(2),
    date: httpDate(2),
    ...more,
  }
}

/** What a look at a page sends, for each of its looks from the second on. */
function sentBy(validators: Validators, held: Validator, looks: number): Validator[] {
  validators.first(0)
  return Array.from({ length: looks }, () => {
    const sent = validators.conditions(0, 0, held)
    const isConditional = Object.keys(sent).length > 0
    validators.looked(look({ status: isConditional ? 304 : 200, isConditional, before: held, now: held }))
    return sent
  })
}

describe('a conditional request', () => {
  it('carries the ETag, or Last-Modified if there is none, never both', () => {
    const validators = new Validators()
    validators.first(0)
    const lastModified = httpDate(0)
    expect(validators.conditions(0, 0, { etag: 'W/"x"', lastModified })).toEqual({ etag: 'W/"x"' })
    expect(validators.conditions(0, 0, { lastModified })).toEqual({ lastModified })
    expect(validators.conditions(0, 0, {})).toEqual({})
  })

  it('is sent from the second look on, but not at every eighth', () => {
    const sent = sentBy(new Validators(), tag, 24)
    const unconditional = sent.flatMap((each, i) => (each.etag === undefined ? [i + 2] : []))
    expect(unconditional).toEqual([auditEvery, 2 * auditEvery, 3 * auditEvery])
  })

  it('starts again after a page was gone', () => {
    const validators = new Validators()
    sentBy(validators, tag, 6)
    expect(validators.conditions(0, 0, tag)).toEqual({})
    validators.first(0)
    expect(validators.conditions(0, 0, tag)).toEqual(tag)
  })
})

describe('an audit', () => {
  /** A 304 for `held`, then a full response with `now` and other content. */
  function afterNotModified(held: Validator, now: Validator): boolean {
    const validators = new Validators()
    validators.first(0)
    validators.looked(look({ status: 304, isConditional: true, before: held, now: held }))
    return validators.looked(look({ isChanged: true, before: held, now })).isLie
  }

  it('shows a lie if content changed after a 304 under the same validator', () => {
    const dated = { lastModified: httpDate(0) }
    expect(afterNotModified(tag, tag)).toBe(true)
    expect(afterNotModified({ etag: 'W/"a"' }, { etag: 'W/"a"' })).toBe(true)
    expect(afterNotModified(dated, dated)).toBe(true)
    expect(afterNotModified({ ...tag, ...dated }, { etag: '"b"', ...dated })).toBe(false)
    expect(afterNotModified(tag, { etag: '"b"' })).toBe(false)
    expect(afterNotModified(dated, { lastModified: httpDate(1.5) })).toBe(false)
  })

  it('shows a lie if any byte changed under the same strong ETag, also without a 304', () => {
    const lies = (etag: string, more: Partial<HeldLook>): boolean =>
      new Validators().looked(look({ before: { etag }, now: { etag }, ...more })).isLie
    expect(lies('"a"', { isOtherBody: true })).toBe(true)
    expect(lies('"a"', { isOtherBody: true, isConditional: true })).toBe(true)
    expect(lies('"a"', {})).toBe(false)
    expect(lies('W/"a"', { isOtherBody: true })).toBe(false)
    expect(lies('W/"a"', { isChanged: true })).toBe(false)
  })

  it('does not count a change that the server reported', () => {
    const validators = new Validators()
    for (let i = 0; i < 50; i++) {
      const before = { etag: `"${i}"` }
      const changed = { isConditional: true, isChanged: true, before, now: { etag: `"${i + 1}"` } }
      expect(validators.looked(look(changed)).isLie).toBe(false)
    }
    expect(validators.isLiar(0)).toBe(false)
  })
})

describe('a site with two lies in its last 32 audits', () => {
  const lie = look({ isChanged: true, before: tag, now: tag })
  const honest = look({ before: tag, now: tag })

  it('gets no conditional requests any more, on any of its pages', () => {
    const validators = new Validators()
    validators.looked(lie)
    expect(validators.conditions(3, 0, tag)).toEqual(tag)
    for (let i = 0; i < 30; i++) validators.looked(honest)
    validators.looked({ ...lie, page: 1 })
    for (let i = 0; i < 100; i++) validators.looked(honest)
    expect(validators.conditions(3, 0, tag)).toEqual({})
    expect(validators.conditions(3, 1, tag)).toEqual(tag)
  })

  it('is found among many pages without validators', () => {
    const validators = new Validators()
    validators.looked(lie)
    for (let i = 0; i < 100; i++) validators.looked(look({ page: 2, isChanged: true }))
    validators.looked(lie)
    expect(validators.isLiar(0)).toBe(true)
  })

  it('does not count an older lie', () => {
    const validators = new Validators()
    validators.looked(lie)
    for (let i = 0; i < 31; i++) validators.looked(honest)
    validators.looked(lie)
    expect(validators.isLiar(0)).toBe(false)
  })

  it('is remembered in a saved state, as are the looks at its pages', () => {
    const validators = new Validators()
    sentBy(validators, tag, 6)
    validators.looked({ ...lie, page: 1, site: 1 })
    validators.looked({ ...lie, page: 1, site: 1 })
    const restored = new Validators()
    restoreState([restored], savedState([validators]))
    expect(restored.conditions(1, 1, tag)).toEqual({})
    expect(restored.conditions(0, 0, tag)).toEqual({})
    expect(restored.conditions(2, 0, tag)).toEqual(tag)
    expect(restored.byteLength).toBeLessThan(5000)
  })
})

describe('Last-Modified', () => {
  const hour = 1 / 24
  const changedAgo = (validators: Validators, lastModified: string, more: Partial<HeldLook> = {}): unknown =>
    validators.looked(look({ isChanged: true, now: { lastModified }, ...more })).changedAgo

  it('dates a change between the last two looks', () => {
    expect(changedAgo(new Validators(), httpDate(1.5))).toBe(43_200)
    expect(changedAgo(new Validators(), httpDate(1.5), { date: undefined })).toBe(43_200)
  })

  it.each([
    ['in the future', { now: { lastModified: httpDate(2 + hour) } }],
    ['in 2038', { now: { lastModified: 'Tue, 19 Jan 2038 03:14:07 GMT' } }],
    ['before the last look, but the content changed', { now: { lastModified: httpDate(0.5) } }],
    ['after the last look, but nothing changed', { isChanged: false, now: { lastModified: httpDate(1.5) } }],
    ['the time of the response', { now: { lastModified: new Date(start + 2 * dayMs - 4000).toUTCString() } }],
    [
      'the Date of a server with a wrong clock',
      { now: { lastModified: httpDate(1.5) }, date: httpDate(1.5) },
    ],
  ])('is no evidence if it is %s; a site that does this twice loses it', (_, broken) => {
    const validators = new Validators()
    const implausible = look({ isChanged: true, ...broken })
    expect(validators.looked(implausible).changedAgo).toBeUndefined()
    expect(changedAgo(validators, httpDate(1.5))).toBe(43_200)
    expect(validators.looked(implausible).changedAgo).toBeUndefined()
    expect(validators.isUndated(0)).toBe(true)
    expect(changedAgo(validators, httpDate(1.5))).toBeUndefined()
    expect(changedAgo(validators, httpDate(1.5), { site: 1 })).toBe(43_200)
  })

  it('costs a site nothing if it is missing or no date', () => {
    const validators = new Validators()
    for (const now of [{}, { lastModified: 'yesterday' }, { lastModified: '' }]) {
      expect(validators.looked(look({ isChanged: true, now })).changedAgo).toBeUndefined()
    }
    expect(validators.looked(look({ now: { lastModified: httpDate(0.5) } })).changedAgo).toBeUndefined()
    expect(validators.isUndated(0)).toBe(false)
  })
})
