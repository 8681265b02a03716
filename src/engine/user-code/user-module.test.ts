import { expect, it } from 'vitest'
import { thrown } from './user-module.ts'

const stack = 'Error: late\n    at read (/home/100%/shop.cjs:3:7)'

it.each([
  ['an object without a prototype', Object.create(null), 'a value that has no text'],
  [
    'an error with fields as errors',
    Object.assign(new Error('invalid'), { errors: { price: 1 } }),
    'invalid',
  ],
  ['several errors', new AggregateError([new Error('first')], 'all failed'), 'all failed'],
  ['a path with a percent sign', Object.assign(new Error('late'), { stack }), 'late'],
  ['a message that is not text', Object.assign(new Error('x'), { message: 7 }), 'a value that has no text'],
  ['nothing', undefined, 'undefined'],
  [
    'a syntax error',
    { errors: [{ text: 'Unexpected "}"', location: { line: 4 } }] },
    'line 4: Unexpected "}"',
  ],
])('describes what user code throws: %s', (_, error, text) => {
  expect(thrown(error)).toBe(text)
})
