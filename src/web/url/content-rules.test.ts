import { describe, expect, it } from 'vitest'
import { ContentFilter, isContentRule } from './content-rules.ts'

const at = (path: string): string => `https://example.org${path}`

describe('content rules', () => {
  it.each(['text/html', 'image/*', 'application/xhtml+xml', '.pdf', '.tar.gz'])('%s is a rule', (rule) => {
    expect(isContentRule(rule)).toBe(true)
  })
  it.each(['pdf', '*', '*/*', 'text/', '/html', '.', '..', '.p df', 'text/html; charset=utf-8', ''])(
    '%j is no rule',
    (rule) => {
      expect(isContentRule(rule)).toBe(false)
    },
  )

  it('a rejected extension is not requested, in any case and with a query', () => {
    const filter = new ContentFilter({ reject: ['.PDF', '.tar.gz'] })
    expect(['/a.pdf', '/a.PDF?x=.html', '/b.tar.gz'].map((path) => filter.admits(at(path)))).toEqual([
      false,
      false,
      false,
    ])
    expect(['/pdf', '/a.pdf/', '/a?file=.pdf', '/a.gz'].every((path) => filter.admits(at(path)))).toBe(true)
  })

  it('with accepted extensions alone, other extensions are not requested, and URLs without one are', () => {
    const filter = new ContentFilter({ accept: ['.html'] })
    expect(['/a.html', '/', '/about', '/v1.2'].every((path) => filter.admits(at(path)))).toBe(true)
    expect(['/a.pdf', '/a.jpg?b'].some((path) => filter.admits(at(path)))).toBe(false)
    expect(filter.checksTypes).toBe(false)
  })

  it('a type must be accepted or have an accepted extension, and must not be rejected', () => {
    const filter = new ContentFilter({ accept: ['text/*', '.pdf'], reject: ['text/css'] })
    expect(filter.admits(at('/a.jpg'))).toBe(true)
    expect(filter.wants(at('/a'), 'text/html')).toBe(true)
    expect(filter.wants(at('/a'), 'text/css')).toBe(false)
    expect(filter.wants(at('/a'), 'application/pdf')).toBe(false)
    expect(filter.wants(at('/a.pdf'), 'application/pdf')).toBe(true)
    expect(filter.wants(at('/a'), '')).toBe(true)
  })

  it('without accepted types, every type that is not rejected is read', () => {
    const filter = new ContentFilter({ reject: ['image/*'] })
    expect(filter.wants(at('/a'), 'image/png')).toBe(false)
    expect(filter.wants(at('/a'), 'application/zip')).toBe(true)
  })
})
