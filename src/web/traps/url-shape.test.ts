import { describe, expect, it } from 'vitest'
import { trapShape } from './url-shape.ts'

describe('the shape of a URL', () => {
  it.each([
    'http://h/',
    'http://h/a/b/c/d/e/f/g/h',
    'http://h/a/a/b',
    'http://h/2024/05/05/',
    'http://h/src/main/java/org/example/main/Main.java',
    'http://h/x?a[]=1&a[]=2&a[]=3&a[]=4&a[]=5&a[]=6&a[]=7',
    'http://h/x?a=1&b=2&c=3',
  ])('%s is nothing unusual', (url) => expect(trapShape(url)).toBeUndefined())

  it.each([
    ['http://h/a/b/a/b/a/b/', 'repeated-path'],
    ['http://h/x/a/a/a/', 'repeated-path'],
    ['http://h/about/us/about/x/about/y/about/z/about', 'repeated-path'],
    [`http://h/${'s/'.repeat(3)}${Array.from({ length: 30 }, (_, i) => i).join('/')}`, 'too-many-levels'],
    [`http://h/${'x'.repeat(3000)}`, 'too-long'],
    ['http://h/x?s=1&s=2&s=3&s=4&s=5&s=6', 'repeated-parameter'],
  ])('%s is that of a trap: %s', (url, shape) => expect(trapShape(url)).toBe(shape))

  it('of deep pages with a query is refused earlier, as in the literature', () => {
    const limits = { depthMax: 15, dynamicDepthMax: 5, lengthMax: 2000 }
    expect(trapShape('http://h/1/2/3/4/5/6', limits)).toBeUndefined()
    expect(trapShape('http://h/1/2/3/4/5/6?x', limits)).toBe('too-many-levels')
  })
})
