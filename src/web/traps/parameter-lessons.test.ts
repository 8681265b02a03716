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
})
