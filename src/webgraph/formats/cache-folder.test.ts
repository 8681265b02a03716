import { homedir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { cacheFolder } from './graph-cache.ts'

describe('the folder for caches', () => {
  it.each([
    ['linux', { XDG_CACHE_HOME: '/var/caches' }, '/var/caches/rankward'],
    ['linux', { XDG_CACHE_HOME: 'relative' }, `${homedir()}/.cache/rankward`],
    ['linux', {}, `${homedir()}/.cache/rankward`],
    ['darwin', {}, `${homedir()}/Library/Caches/rankward`],
    ['win32', { LOCALAPPDATA: '/local' }, '/local/rankward/Cache'],
  ] as const)('on %s with %o is %s', (platform, environment, folder) => {
    expect(cacheFolder(environment, platform)).toBe(folder)
  })
})
