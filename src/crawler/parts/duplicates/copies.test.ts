import { expect, it } from 'vitest'
import { ContentSeen } from './content-seen.ts'
import { leadsOn, noCopy } from '../../world/copy.ts'

it('only a copy found on a copy, whose site has used up its allowance, leads to known pages alone', () => {
  expect(leadsOn(noCopy)).toBe(true)
  expect(leadsOn({ ...noCopy, duplicateOf: 3 })).toBe(true)
  expect(leadsOn({ ...noCopy, duplicateOf: 3, siteOriginal: 3 })).toBe(true)
  expect(leadsOn({ ...noCopy, duplicateOf: 3, siteOriginal: 3, copyOnCopy: 'followed' })).toBe(true)
  expect(leadsOn({ ...noCopy, duplicateOf: 3, siteOriginal: 3, copyOnCopy: 'known' })).toBe(false)
  expect(leadsOn({ ...noCopy, duplicateOf: 3, sameText: true })).toBe(true)
  expect(leadsOn({ ...noCopy, nearDuplicateOf: 7, similarity: 0.95 })).toBe(true)
})

it('the allowance of a site is eight, and one for each of its new bodies', () => {
  const content = new ContentSeen()
  const spend = (site: number): number => {
    let times = 0
    while (content.spendAllowance(site)) times++
    return times
  }
  expect(spend(5)).toBe(8)
  for (let body = 1; body <= 3; body++) expect(content.body(body, 5, body, 1)).toBe(-1)
  expect(content.body(9, 5, 2, 1)).toBe(2)
  expect(spend(5)).toBe(3)
  expect(spend(6)).toBe(8)
})

it('the first page with a body is known for each site', () => {
  const content = new ContentSeen()
  expect(content.body(0, 0, 7, 7)).toBe(-1)
  for (const site of [1, 2, 3]) expect(content.siteBody(10 * site, site, 7, 7)).toBe(-1)
  for (const site of [1, 2, 3]) expect(content.siteBody(10 * site + 1, site, 7, 7)).toBe(10 * site)
  expect(content.siteBody(40, 1, 7, 8)).toBe(-1)
})
