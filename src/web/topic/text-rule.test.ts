import { describe, expect, it } from 'vitest'
import { holds, parseTextRule, type Measured } from './text-rule.ts'

const page: Record<string, number> = {
  'title:computer': 1,
  'body:computer': 4,
  'body:solar': 12,
  'url:news': 1,
  backlinks: 5,
  similarity: 0.5,
}
const value = (of: Measured): number =>
  page[of.field === undefined ? of.metric : `${of.field}:${of.word}`] ?? 0

describe('a rule for hot pages', () => {
  it.each<[string, boolean]>([
    ['title:computer', true],
    ['title:music', false],
    ['body:computer>=4', true],
    ['body:computer>4', false],
    ['body:computer ≥ 5', false],
    ['title:computer or body:computer>=10', true],
    ['title:music or body:computer>=10', false],
    ['(title:music or body:solar>=10) and backlinks>=5', true],
    ['title:music or body:solar>=10 and backlinks>=6', false],
    ['title:computer or body:solar>=10 and backlinks>=6', true],
    ['(title:computer or body:solar>=10) and backlinks>=6', false],
    ['not title:music and not (url:archive or url:old)', true],
    ['body:computer + body:solar >= 16', true],
    ['0.7*similarity+0.03*backlinks>=0.5', true],
    ['0.7*similarity+0.03*backlinks>0.5', false],
    ['URL:news AND Backlinks>=5', true],
    ['body:"computer"', true],
  ])('%s', (text, isHot) => {
    expect(holds(parseTextRule(text).tree, value)).toBe(isHot)
  })

  it('lists the words and metrics that it uses', () => {
    const { words, metrics } = parseTextRule('(title:Été or body:été>=3) and 2*pagerank+similarity>=1')
    expect(words).toEqual(['Été', 'été'])
    expect(metrics).toEqual(['pagerank', 'similarity'])
  })

  it.each([
    ['', 'it is empty'],
    ['title:', 'what is'],
    ['title:a or', 'something is missing'],
    ['(title:a', 'a bracket is not closed'],
    ['title:a)', 'there is something left over'],
    ['backlinks>=', 'a number must follow >='],
    ['3 backlinks', 'a number must be followed by *'],
    ['title:a title:b', 'there is something left over'],
    ['backlinks<5', 'what is "<5"?'],
  ])('%j is refused', (text, why) => {
    expect(() => parseTextRule(text)).toThrow(why)
  })
})
