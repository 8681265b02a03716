/** Errors of reading or writing a WARC file: the file, the position, and the problem. */
import { RankwardError } from '../../lib/errors.ts'

export function unreadableWarc(path: string, offset: number, what: string, cause?: unknown): RankwardError {
  return new RankwardError('BAD_WARC', `${path} is not a valid WARC file at byte ${offset}: ${what}.`, {
    cause,
  })
}

/** A file that has lost records, or has more than were written. */
export function shortWarc(path: string, bytes: number, expected: number): RankwardError {
  return new RankwardError(
    'BAD_WARC',
    `${path} is damaged: it has ${bytes} bytes, but the crawl wrote ${expected}. \`rankward verify DIR\` says what is missing.`,
  )
}

/** An index that has lost lines, or has others. */
export function incompleteIndex(path: string, bytes: number, expected: number): RankwardError {
  return new RankwardError(
    'BAD_WARC',
    `${path} is damaged: its lines have ${bytes} bytes, but the crawl wrote ${expected}. \`rankward verify DIR --repair\` rebuilds it from its WARC file.`,
  )
}

export function damagedGzip(path: string, offset: number, what: string, cause?: unknown): RankwardError {
  return new RankwardError('BAD_GZIP', `${path} is damaged at byte ${offset}: ${what}.`, { cause })
}

export function unwritableWarc(path: string, cause: unknown): RankwardError {
  const { code, message } = cause as NodeJS.ErrnoException
  const why: Record<string, string> = {
    ENOENT: 'its directory does not exist',
    ENOSPC: 'the disk is full',
    EEXIST: 'it exists already',
    EACCES: 'it is not allowed here',
    EROFS: 'the file system is read-only',
  }
  return new RankwardError('FILE_UNWRITABLE', `Cannot write ${path}: ${why[code ?? ''] ?? message}.`, {
    cause,
  })
}
