/** Files with the user's secrets. No message repeats a line of them. */
import { readFileSync, statSync } from 'node:fs'
import { RankwardError } from '../errors.ts'
import { unreadable } from './byte-source.ts'

/** The lines of a small text file that others may not read, without empty lines and comments. */
export function secretLines(path: string): { text: string; number: number }[] {
  return privateText(path)
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line, i) => ({ text: line.trim(), number: i + 1 }))
    .filter((line) => line.text !== '' && !line.text.startsWith('#'))
}

/** The text of a file that others may not read. */
export function privateText(path: string): string {
  const text = secretText(path)
  checkPrivate(path)
  return text
}

export function secretText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw unreadable(path, error)
  }
}

export function badSecret(path: string, line: number, expected: string): RankwardError {
  return new RankwardError('BAD_SECRETS', `${path}:${line}: expected ${expected}.`)
}

/** As ssh does. Windows has no such modes. */
function checkPrivate(path: string): void {
  const mode = statSync(path).mode & 0o777
  if (process.platform === 'win32' || (mode & 0o077) === 0) return
  throw new RankwardError(
    'BAD_SECRETS',
    `${path} has secrets, and other users may read or change it (mode ${mode.toString(8).padStart(3, '0')}): chmod 600 ${path}`,
  )
}
