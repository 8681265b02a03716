import { describe, expect, it } from 'vitest'
import { ParameterLessons } from './parameter-lessons.ts'

describe('a parameter', () => {
  it('that made no difference a few times is left out from then on', () => {
    const lessons = new ParameterLessons()
    for (let id = 1; id <= 3; id++) {
      for (const session of ['a', 'b']) lessons.fetched(0, `http://h/x?id=${id}&s=${session}${id}`, id)
    }
    expect(lessons.without(0, 'http://h/x?id=9&s=zzz')).toBe('http://h/x?id=9')
    expect(lessons.isCopy(0, 'http://h/x?id=2&s=zzz')).toBe(true)
    expect(lessons.isCopy(0, 'http://h/x?id=9&s=zzz')).toBe(false)
  })

  it('that makes a difference stays', () => {
    const lessons = new ParameterLessons()
    for (let id = 1; id <= 20; id++) lessons.fetched(0, `http://h/x?id=${id}`, id)
    expect(lessons.without(0, 'http://h/x?id=21')).toBe('http://h/x?id=21')
  })

  it('is learnt for its own kind of page alone', () => {
    const lessons = new ParameterLessons()
    for (let i = 1; i <= 5; i++) lessons.fetched(0, `http://h/x?sort=${i}`, 7)
    expect(lessons.without(0, 'http://h/x?sort=9')).toBe('http://h/x')
    expect(lessons.without(1, 'http://h/y?sort=9')).toBe('http://h/y?sort=9')
  })

  it('is left out if pages with and without it have the same text', () => {
    const lessons = new ParameterLessons()
    for (let id = 1; id <= 3; id++) {
      lessons.fetched(0, `http://h/commit/?id=${id}`, id)
      lessons.fetched(1, `http://h/commit/?h=main&id=${id}`, id)
    }
    expect(lessons.without(1, 'http://h/commit/?h=main&id=9')).toBe('http://h/commit/?id=9')
    expect(lessons.without(0, 'http://h/commit/?id=9')).toBe('http://h/commit/?id=9')
  })

  it('is compared with recent pages, and the oldest are forgotten', () => {
    const lessons = new ParameterLessons()
    const compare = (id: number): void => lessons.fetched(1, `http://h/commit/?h=main&id=${id}`, id)
    for (let id = 0; id < 40_000; id++) lessons.fetched(0, `http://h/commit/?id=${id}`, id)
    for (let id = 0; id < 20_000; id += 1000) compare(id)
    expect(lessons.without(1, 'http://h/commit/?h=main&id=9')).toBe('http://h/commit/?h=main&id=9')
    for (let id = 39_990; id < 40_000; id++) compare(id)
    expect(lessons.without(1, 'http://h/commit/?h=main&id=9')).toBe('http://h/commit/?id=9')
  })

  it('is judged by its folder where its kind has few pages, which puts pages last and is never sure', () => {
    const lessons = new ParameterLessons()
    for (let i = 0; i < 40; i++) {
      lessons.fetched(2 * i, `http://h/repo/plain/d${i}/f`, i)
      lessons.fetched(2 * i + 1, `http://h/repo/plain/d${i}/f?h=main`, i)
    }
    expect(lessons.without(99, 'http://h/repo/plain/new/f?h=main')).toBe('http://h/repo/plain/new/f')
    expect(lessons.isSure(99, 'http://h/repo/plain/new/f?h=main')).toBe(false)
    expect(lessons.without(99, 'http://h/repo/log/new/f?h=main')).toBe('http://h/repo/log/new/f?h=main')
  })
})
