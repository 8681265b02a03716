import { describe, expect, it } from 'vitest'
import { changeRules, changeVerdict, isOtherBody, type ChangeRule, type Found } from './change.ts'

/** A full response; each argument stands for two words. */
const page = (body: number, text: number, links: number): Found => ({
  status: 200,
  prints: Uint32Array.of(body, body && 1, text, text && 1, links, links && 1),
})
const verdict = (before: Found, now: Found, rule?: ChangeRule, isConditional = false): unknown =>
  changeVerdict(before, { ...now, isConditional }, rule)
const held = page(1, 1, 1)

describe('the verdict of a look', () => {
  it('depends on the text and the links by default, not on bytes', () => {
    expect(verdict(held, page(1, 1, 1))).toBe('same')
    expect(verdict(held, page(2, 1, 1))).toBe('same')
    expect(verdict(held, page(2, 2, 1))).toBe('changed')
    expect(verdict(held, page(2, 1, 2))).toBe('changed')
  })

  it.each([
    ['text', 'same', 'changed', 'same'],
    ['links', 'same', 'same', 'changed'],
    ['bytes', 'changed', 'changed', 'changed'],
  ] as const)('depends only on %s if the user says so', (rule, bytes, text, links) => {
    expect(verdict(held, page(2, 1, 1), rule)).toBe(bytes)
    expect(verdict(held, page(2, 2, 1), rule)).toBe(text)
    expect(verdict(held, page(2, 1, 2), rule)).toBe(links)
  })

  it('depends on the bytes of a body without text', () => {
    expect(verdict(page(1, 0, 0), page(2, 0, 0))).toBe('changed')
    expect(verdict(page(1, 0, 0), page(1, 0, 0))).toBe('same')
    expect(verdict(page(1, 0, 0), page(2, 1, 0))).toBe('changed')
    expect(verdict(page(1, 1, 0), page(2, 0, 0), 'text')).toBe('changed')
  })

  it('is "same" if the body stays empty', () => {
    const empty: Found = { status: 200 }
    for (const rule of changeRules) expect(verdict(empty, empty, rule)).toBe('same')
    expect(verdict(held, empty)).toBe('changed')
    expect(verdict(empty, held)).toBe('changed')
  })

  it('is "same" after 304, and none if the request was not conditional', () => {
    expect(verdict(held, { status: 304 }, 'content', true)).toBe('same')
    expect(verdict(held, { status: 304 })).toBeUndefined()
  })

  it('is "changed" if the page redirects elsewhere or no longer redirects', () => {
    const to = (location: string): Found => ({ status: 301, location })
    expect(verdict(held, to('http://h/b'))).toBe('changed')
    expect(verdict(to('http://h/b'), to('http://h/b'))).toBe('same')
    expect(verdict(to('http://h/b'), to('http://h/c'))).toBe('changed')
    expect(verdict(to('http://h/b'), held)).toBe('changed')
  })

  it('is "missing" after 404 and "gone" after 410', () => {
    expect([404, 410].map((status) => verdict(held, { status }))).toEqual(['missing', 'gone'])
  })

  it('is none after a part of a page', () => {
    expect(verdict(held, { ...page(2, 2, 2), status: 206 })).toBeUndefined()
  })

  it('is none after other errors and without a response', () => {
    for (const status of [0, 301, 401, 403, 429, 451, 500, 502, 503]) {
      expect(verdict(held, { status })).toBeUndefined()
    }
  })
})

describe('a body', () => {
  it('is another one if its bytes changed, or if only one of the two is empty', () => {
    expect(isOtherBody(held.prints, page(1, 2, 2).prints)).toBe(false)
    expect(isOtherBody(held.prints, page(2, 1, 1).prints)).toBe(true)
    expect(isOtherBody(undefined, held.prints)).toBe(true)
    expect(isOtherBody(undefined, undefined)).toBe(false)
  })
})
