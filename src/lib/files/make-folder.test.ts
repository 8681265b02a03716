import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { makeFolder } from './make-folder.ts'

const folder = temporaryFolder()

describe('a folder', () => {
  it('is made with those above it, and left alone where it is there', () => {
    const path = join(folder, 'a', 'b', 'c')
    makeFolder(path)
    expect(statSync(path).isDirectory()).toBe(true)
    makeFolder(path)
  })

  it('cannot be made below a file', () => {
    writeFileSync(join(folder, 'file'), '')
    expect(() => makeFolder(join(folder, 'file', 'x'))).toThrow('Cannot write')
  })

  it.skipIf(!existsSync('/proc/self'))('cannot be made where there can be none, and that is said', () => {
    expect(() => makeFolder('/proc/rankward/crawl')).toThrow('Cannot write /proc/rankward/crawl')
  })
})
