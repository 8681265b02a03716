/**
 * Creates a folder and its missing parents, one by one: Node's `recursive` option never ends on file systems
 * without writable folders, such as /proc.
 */
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { unwritable } from './whole-file.ts'

export function makeFolder(path: string): void {
  const missing: string[] = []
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.push(at)
  try {
    for (const folder of missing.toReversed()) makeOne(folder)
  } catch (error) {
    throw unwritable(path, error)
  }
}

/** Another process may create the same folder in the meantime, such as a second worker below the same parent. */
function makeOne(folder: string): void {
  try {
    mkdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(folder).isDirectory()) throw error
  }
}
