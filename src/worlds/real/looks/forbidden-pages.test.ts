import { describe, expect, it } from 'vitest'
import { parseRobots } from '../robots/robots-file.ts'
import { ForbiddenPages } from './forbidden-pages.ts'

const day = 86_400
const rules = (text: string): ReturnType<typeof parseRobots> => parseRobots(Buffer.from(text), 'rankward')
const pathOf = (page: number): string => `/${page}`

describe('pages that robots.txt has come to disallow', () => {
  it('make the robots.txt of their origin due after a day, and daily from then on', () => {
    const forbidden = new ForbiddenPages()
    expect(forbidden.nextDue).toBe(Infinity)
    forbidden.add(1, 'http://a', 100)
    forbidden.add(2, 'http://b', 200)
    forbidden.add(3, 'http://a', 300)
    expect(forbidden.take(100 + day - 1)).toBeUndefined()
    expect(forbidden.nextDue).toBe(100 + day)
    expect(forbidden.take(300 + day)).toBe('http://a')
    expect(forbidden.take(300 + day)).toBe('http://b')
    expect(forbidden.take(300 + day)).toBeUndefined()
    expect(forbidden.nextDue).toBe(300 + 2 * day)
    expect(forbidden.pageOf('http://a')).toBe(1)
  })

  it('are fetched again once they are allowed, each once', () => {
    const forbidden = new ForbiddenPages()
    for (const page of [1, 2, 3]) forbidden.add(page, 'http://a', 0)
    const only3 = rules('User-agent: *\nDisallow: /3')
    expect(forbidden.allowed('http://a', rules('User-agent: *\nDisallow: /'), pathOf)).toEqual([])
    expect(forbidden.allowed('http://a', only3, pathOf)).toEqual([1, 2])
    expect(forbidden.allowed('http://a', only3, pathOf)).toEqual([])
    expect(forbidden.allowed('http://b', rules(''), pathOf)).toEqual([])
    expect(forbidden.allowed('http://a', rules(''), pathOf)).toEqual([3])
    expect(forbidden.nextDue).toBe(Infinity)
  })
})
