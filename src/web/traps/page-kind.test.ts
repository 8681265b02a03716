import { describe, expect, it } from 'vitest'
import { kindOf } from './page-kind.ts'

describe('the kind of a page', () => {
  it.each([
    ['http://h/', 'h/'],
    ['http://h:8080/p/12.html', 'h:8080/p/#.html'],
    ['http://h/2024/05/17/some-title?page=3&sort=up', 'h/#/#/#/~?page&sort'],
    ['http://h/wiki/Crawler', 'h/wiki/~'],
    ['http://h/wiki/', 'h/wiki/'],
    ['http://h/a;jsessionid=1F2E/b/', 'h/a;~/b/'],
    ['http://h/item/9f86d081884c7d659a2feaa0c55ad015', 'h/item/~'],
    ['http://h/rev/9f86d081884c', 'h/rev/~'],
    ['http://h/rev/20240517', 'h/rev/#'],
    ['http://h/x?b=1&a=2&b=3', 'h/~?a&b'],
    ['http://h/x?f[12]=1', 'h/~?f[#]'],
  ])('of %s is %s', (url, kind) => expect(kindOf(url)).toBe(kind))
})
