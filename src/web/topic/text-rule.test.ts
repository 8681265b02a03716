import { describe, expect, it } from 'vitest'
import { parseTextRule, type Measured } from './text-rule.ts'

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
    expect(parseTextRule(text).isHot(value)).toBe(isHot)
  })

  it('lists the words and metrics that it uses', () => {
    const { words, metrics } = parseTextRule('(title:Été or body:été>=3) and 2*pagerank+similarity>=1')
    expect(words).toEqual(['Été', 'été'])
    expect(metrics).toEqual(['pagerank', 'similarity'])
  })

  it.each([
    ['', 'expected a word to count or a metric, but found the end'],
    ['title:', 'nothing fits at ":"'],
    ['title:a or', 'expected a word to count or a metric, but found the end'],
    ['not and title:a', 'expected a word to count or a metric, but found and'],
    ['(title:a', 'expected ), but found the end'],
    ['title:a)', 'expected and, or, or the end, but found )'],
    ['backlinks>=', 'expected a number to compare with, but found the end'],
    ['3 backlinks', 'expected * and what the number weighs, but found backlinks'],
    ['title:a title:b', 'expected and, or, or the end, but found title:b'],
    ['backlinks<5', 'nothing fits at "<5"'],
  ])('%j is refused', (text, why) => {
    expect(() => parseTextRule(text)).toThrow(why)
  })
})
