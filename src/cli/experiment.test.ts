import { expect, it } from 'vitest'
import { interruptedText } from './experiment.ts'

it('an interrupted experiment refers to reports only if it has written any', () => {
  expect(interruptedText(0)).toBe('Interrupted: no report was written.')
  expect(interruptedText(2)).toBe('Interrupted: the reports named above are complete.')
})
