/** What a user is told when LevelDB cannot do its work: which folder, why, and what to do. */
import { RankwardError } from '../lib/errors.ts'

export function openingFailed(folder: string, error: unknown): RankwardError {
  const codes = [codeOf(error), codeOf(causeOf(error))]
  if (codes.includes('LEVEL_LOCKED')) {
    return new RankwardError(
      'FILE_UNWRITABLE',
      `The journal in ${folder} is in use by another process. Let that crawl end, or choose another folder.`,
      { cause: error },
    )
  }
  if (codes.includes('LEVEL_CORRUPTION') || error instanceof RangeError) return unreadable(folder, error)
  return new RankwardError(
    'FILE_UNWRITABLE',
    `The journal in ${folder} cannot be opened (${reasonOf(error)}). Check that the folder can be written.`,
    { cause: error },
  )
}

export function unreadable(folder: string, error: unknown): RankwardError {
  return new RankwardError(
    'FILE_UNREADABLE',
    `The journal in ${folder} cannot be read (${reasonOf(error)}). Restore the folder from a copy, or start the crawl anew in another.`,
    { cause: error },
  )
}

export function unwritable(folder: string, error: unknown): RankwardError {
  return new RankwardError(
    'FILE_UNWRITABLE',
    `The journal in ${folder} cannot be written (${reasonOf(error)}). Make room or restore access, then resume: everything up to the last write is kept.`,
    { cause: error },
  )
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

/** What LevelDB or the system said, without the wrapper that only says that something failed. */
function reasonOf(error: unknown): string {
  const inner = causeOf(error) ?? error
  return inner instanceof Error ? inner.message : String(inner)
}
