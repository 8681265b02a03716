import { describe, expect, it } from 'vitest'
import { threadOptions, workerEntry } from './worker-entry.ts'

describe('the options of a thread', () => {
  const optionsOf = (execArgv: string[], env: Record<string, string> = {}) => threadOptions({ execArgv, env })

  it('leave the arguments of Node alone if a thread can inherit them', () => {
    expect(optionsOf([])).toEqual({})
    expect(optionsOf(['--max-old-space-size=100', '--import', './a.mjs'])).toEqual({})
    expect(optionsOf(['-e', 'import("rankward")'])).toEqual({})
    expect(optionsOf([], { NODE_OPTIONS: '--max-old-space-size=100 --import tsx' })).toEqual({})
  })

  it('drop code and input type of `node --input-type=module -e`, and keep how modules are loaded', () => {
    expect(optionsOf(['--input-type=module', '-e', 'import "rankward"'])).toEqual({ execArgv: [] })
    const given = ['--import', './a.mjs', '--max-old-space-size=9', '--require=b', '-C', 'dev']
    expect(optionsOf([...given, '--input-type', 'module', '--eval', 'code'])).toEqual({
      execArgv: ['--import', './a.mjs', '--require=b', '-C', 'dev'],
    })
  })

  it.each([
    ['--input-type=module', ''],
    ['--import tsx --input-type module --max-old-space-size=9', '--import tsx --max-old-space-size=9'],
  ])('drop the input type in NODE_OPTIONS=%s', (NODE_OPTIONS, left) => {
    expect(optionsOf(['-e', 'code'], { A: 'b', NODE_OPTIONS })).toEqual({
      env: { A: 'b', NODE_OPTIONS: left },
    })
  })
})

describe('the module of a thread', () => {
  const entry = (callerUrl: string): string => workerEntry(callerUrl, 'fetch/fetch-worker').href

  it('is in the folder of the bundle, for sources that of the build', () => {
    expect(entry('file:///a/dist/bundle/for-crawl.js')).toBe('file:///a/dist/bundle/fetch-worker.js')
    expect(entry('file:///src/a/src/worlds/real/spare-threads.ts')).toBe(
      'file:///src/a/dist/bundle/fetch-worker.js',
    )
  })

  it('is beside a compiled module', () => {
    expect(entry('file:///a/dist/worlds/real/spare-threads.js')).toBe(
      'file:///a/dist/worlds/real/fetch/fetch-worker.js',
    )
    expect(entry('file:///a/out/bench/src/worlds/real/spare-threads.js')).toBe(
      'file:///a/out/bench/src/worlds/real/fetch/fetch-worker.js',
    )
  })
})
