import { describe, expect, it } from 'vitest'
import { SharedAnswers } from './shared-answers.ts'

describe('answers that viewers share', () => {
  let nowMs = 0
  const asked = (answers: SharedAnswers, key: string, tookMs: number, asks: string[]): Promise<string> =>
    answers.get(key, async () => {
      asks.push(key)
      await Promise.resolve()
      nowMs += tookMs
      return `${key} ${asks.length}`
    })

  it('are computed once for requests at the same time, and again when they are old', async () => {
    const answers = new SharedAnswers(() => nowMs)
    const asks: string[] = []
    const all = await Promise.all([1, 2, 3].map(() => asked(answers, 'sites', 10, asks)))
    expect(all).toEqual(['sites 1', 'sites 1', 'sites 1'])
    nowMs += 999
    expect(await asked(answers, 'sites', 10, asks)).toBe('sites 1')
    nowMs += 1
    expect(await asked(answers, 'sites', 10, asks)).toBe('sites 2')
  })

  it('are used longer if they took long, but never for more than five seconds', async () => {
    const answers = new SharedAnswers(() => nowMs)
    const asks: string[] = []
    await asked(answers, 'slow', 150, asks)
    nowMs += 2999
    await asked(answers, 'slow', 150, asks)
    expect(asks).toHaveLength(1)
    nowMs += 1
    await asked(answers, 'slow', 10_000, asks)
    nowMs += 5000
    await asked(answers, 'slow', 1, asks)
    expect(asks).toHaveLength(3)
  })

  it('are not shared if they failed, and are forgotten after a change', async () => {
    const answers = new SharedAnswers(() => nowMs)
    await expect(answers.get('page', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await answers.get('page', () => Promise.resolve('1'))).toBe('1')
    answers.clear()
    expect(await answers.get('page', () => Promise.resolve('2'))).toBe('2')
  })
})
