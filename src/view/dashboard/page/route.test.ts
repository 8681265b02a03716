import { describe, expect, it } from 'vitest'
import { choiceIn, hrefOf, numberIn, parseRoute } from './route.ts'

describe('a route', () => {
  it('is the same after it was written and read', () => {
    const params = { site: 'a.example:8080', q: 'a&b=c #?/ü', offset: '50' }
    expect(parseRoute(hrefOf('sites', params))).toEqual({ view: 'sites', params })
  })

  it('is the first view if the URL names none', () => {
    for (const hash of ['', '#', '#/', '#/now']) expect(parseRoute(hash)).toEqual({ view: 'now', params: {} })
  })

  it('leaves out parameters without a value', () => {
    expect(hrefOf('sites', { q: '', offset: undefined, sort: 'pages' })).toBe('#/sites?sort=pages')
  })

  it('ignores values that are not expected', () => {
    const route = parseRoute('#/sites?sort=__proto__&offset=-5&limit=1e9')
    expect(choiceIn(route, 'sort', ['held', 'pages'])).toBe('held')
    expect(numberIn(route, 'offset')).toBeUndefined()
    expect(numberIn(route, 'limit')).toBeUndefined()
  })
})
