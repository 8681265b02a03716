/**
 * Makes a folder and those above it that are missing. One by one: Node's own way (`recursive`) never ends where a file system has no
 * folders to be made in, such as /proc.
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
