/**
 * Output files, and the rule that all commands follow: files that Rankward did not write are never
 * overwritten. An existing file is replaced only if its content proves that the same command wrote it, or if
 * the user allows it (`--overwrite`). The check runs before any work, so a refusal costs no time and changes
 * nothing.
 */
import { accessSync, constants, lstatSync, readdirSync, statSync, type Stats } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { RankwardError } from '../errors.ts'

interface OutputRule {
  /** Replace existing files. */
  readonly overwrite?: boolean | undefined
  /** Proves from its content that the file is an earlier output of this command. */
  readonly isOurs?: ((path: string) => boolean) | undefined
}

/**
 * Throws `FOREIGN_FILES` for the first path that would overwrite a file. Empty files, devices and pipes may
 * be overwritten.
 */
export function checkOutputs(
  paths: readonly (string | undefined)[],
  { overwrite = false, isOurs = () => false }: OutputRule = {},
): void {
  for (const path of paths) {
    if (path === undefined || isFree(path) || overwrite || isOurs(path)) continue
    throw new RankwardError(
      'FOREIGN_FILES',
      `${printed(path)} already exists: choose another name, or replace it with --overwrite.`,
    )
  }
}

/** Throws `FOREIGN_FILES` for a folder with files of which nothing proves that they are ours. */
export function checkOutputFolder(
  folder: string,
  { overwrite = false, isOurs = () => false }: OutputRule = {},
): void {
  const found = namesIn(folder)
  if (found.length === 0 || overwrite || isOurs(folder)) return
  throw foreignFolder(folder, found, 'Choose another folder, or write into this one with --overwrite.')
}

export function foreignFolder(folder: string, found: readonly string[], advice: string): RankwardError {
  const more = found.length > 3 ? ` and ${found.length - 3} more` : ''
  const names = found.slice(0, 3).map(printed).join(', ')
  return new RankwardError(
    'FOREIGN_FILES',
    `${printed(folder)} holds files that Rankward did not write (${names}${more}). ${advice}`,
  )
}

/** The entries of a folder in order; empty if there is no folder. */
export function namesIn(folder: string): string[] {
  if (found(folder, statSync)?.isDirectory() !== true) return []
  try {
    return readdirSync(folder).toSorted()
  } catch (cause) {
    throw new RankwardError('FILE_UNREADABLE', `Cannot read the folder ${printed(folder)}.`, { cause })
  }
}

/** A device, a pipe or an open descriptor: written in place. A rename would replace the device itself. */
export function isStream(path: string): boolean {
  if (/^\/(?:dev\/(?:stdin|stdout|stderr|fd\/\d+)|proc\/(?:self|\d+)\/fd\/\d+)$/.test(resolve(path)))
    return true
  const stats = found(path, statSync)
  return stats !== undefined && !stats.isFile() && !stats.isDirectory()
}

/** A folder in the way is not free, but a rename cannot destroy it: the writer reports the error. */
function isFree(path: string): boolean {
  const stats = found(path, lstatSync)
  return stats === undefined || stats.isDirectory() || (stats.isFile() && stats.size === 0) || isStream(path)
}

/** Undefined for a path that does not exist, including one through a file: the writer reports the error. */
function found(path: string, look: typeof statSync): Stats | undefined {
  try {
    return look(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** A name from a file system may have any characters; a message is one line. */
function printed(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '\uFFFD')
}

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
