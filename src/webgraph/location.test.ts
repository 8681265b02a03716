import { expect, it } from 'vitest'
import { locationScore } from './location.ts'

it('a home page is worth more than a deep page, and that more than a query', () => {
  expect(locationScore('http://a.org/')).toBe(16)
  expect(locationScore('http://a.org')).toBe(16)
  expect(locationScore('http://a.org/x/y.html')).toBe(14)
  expect(locationScore('http://a.org/x/y.html?z=1')).toBe(13)
  expect(locationScore('http://a.org/?z=http://b/c/d')).toBe(15)
})

it('domains and words add to it', () => {
  expect(locationScore('http://a.EDU:8080/Home', { tlds: { edu: 3 }, words: { home: 2 } })).toBe(20)
})

it('never falls below zero by depth', () => {
  expect(locationScore(`http://a.org/${'x/'.repeat(40)}`)).toBe(0)
})
