/**
 * Creates a folder and its missing parents, one by one: Node's `recursive` option never ends on file systems
 * without writable folders, such as /proc.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { unwritable } from './whole-file.ts'

export function makeFolder(path: string): void {
  const missing: string[] = []
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.push(at)
  try {
    for (const folder of missing.toReversed()) mkdirSync(folder)
  } catch (error) {
    throw unwritable(path, error)
  }
}
