import { accessSync, constants } from 'node:fs'
import { basename, join, resolve } from 'node:path'

/** Where a command writes `name`, which is about this folder: into it, or into the current folder if it is read-only. */
export function defaultOutput(folder: string, name: string): string {
  return isReadOnly(folder) ? `${basename(resolve(folder))}-${name}` : join(folder, name)
}

function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return false
  } catch (error) {
    // A folder that is missing is reported by what reads it.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}
