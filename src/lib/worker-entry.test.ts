import { describe, expect, it } from 'vitest'
import { threadOptions } from './worker-entry.ts'

describe('the options of a thread', () => {
  it('leave the arguments of Node alone if a thread can inherit them', () => {
    expect(threadOptions([])).toEqual({})
    expect(threadOptions(['--max-old-space-size=100', '--import', './a.mjs'])).toEqual({})
    expect(threadOptions(['-e', 'import("rankward")'])).toEqual({})
  })

  it('drop code and input type of `node --input-type=module -e`, and keep how modules are loaded', () => {
    expect(threadOptions(['--input-type=module', '-e', 'import "rankward"'])).toEqual({ execArgv: [] })
    const given = ['--import', './a.mjs', '--max-old-space-size=9', '--require=b', '-C', 'dev']
    expect(threadOptions([...given, '--input-type', 'module', '--eval', 'code'])).toEqual({
      execArgv: ['--import', './a.mjs', '--require=b', '-C', 'dev'],
    })
  })
})
