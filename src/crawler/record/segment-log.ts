/**
 * The log of a crawl on local disk: append-only segment files. Each group has checksums and is synced to disk
 * before it counts.
 *
 * A writer claims the log by creating the next segment file, which only one process can do. A writer that
 * finds a later segment than its own after an append is fenced: the group does not count as written, although
 * the new writer may have read it. A writer that appends nothing leaves no segment.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { RankwardError } from '../../lib/errors.ts'
import { fenced, type GroupLog, type GroupPlace, type StoredGroup } from './group-log.ts'
import { SegmentFiles } from './segment-files.ts'
import { encodeFrame, encodeHeader, frameBytes, frameHeaderBytes, headerBytes } from './segment.ts'

interface SegmentLogOptions {
  /** A new segment is started after this size. */
  readonly segmentBytes?: number
  /** Whether each group is synced to disk, and later writers are looked for. Default: true. */
  readonly isSynced?: boolean
  /** The number of a group that the log is known to have had (segment-files.ts). Default: 0. */
  readonly groupsMin?: number
}

/** Groups up to this size are written at once with their headers. */
const joinedBytesMax = 1 << 16

export class SegmentLog implements GroupLog {
  readonly files: SegmentFiles
  readonly #segmentBytes: number
  readonly #isSynced: boolean
  readonly #writer: string
  #file: FileHandle
  #segment: number
  #offset = headerBytes
  #last: number
  /** Whether the next group starts a new segment. */
  #rotates = false
  /** Nothing was appended. A group that was fenced counts as well: the next writer may have read it. */
  #isUnused = true
  #failure: RankwardError | undefined
  /** The first segment of this writer is durable. No group counts before. */
  readonly #begun: Promise<void>

  private constructor(
    files: SegmentFiles,
    claim: Claim,
    begun: Promise<void>,
    last: number,
    { segmentBytes, isSynced }: Required<Omit<SegmentLogOptions, 'groupsMin'>>,
  ) {
    this.files = files
    this.#file = claim.file
    this.#segment = claim.segment
    this.#writer = claim.writer
    this.#begun = begun
    // A failure is that of the first group.
    begun.catch(() => {})
    this.#last = last
    this.#segmentBytes = segmentBytes
    this.#isSynced = isSynced
  }

  /**
   * Claims the log in this folder, which is created if missing. `after` is a group known to be in it; only
   * later groups are read.
   */
  static async open(
    folder: string,
    { segmentBytes = 256 << 20, isSynced = true, groupsMin = 0 }: SegmentLogOptions = {},
    after = 0,
  ): Promise<SegmentLog> {
    const files = new SegmentFiles(folder, groupsMin)
    let claim: Claim | undefined
    try {
      mkdirSync(folder, { recursive: true })
      claim = await claimNext(files)
      let last = after
      for await (const { number } of files.groups(after)) last = number
      await writeHeader(claim, last + 1)
      // Not awaited: the crawl may send its first requests in the meantime.
      return new SegmentLog(files, claim, synced(files, claim), last, { segmentBytes, isSynced })
    } catch (error) {
      if (claim !== undefined) await removeEmpty(files, claim)
      throw error instanceof RankwardError ? error : unwritable(folder, error)
    }
  }

  get last(): number {
    return this.#last
  }

  async append(group: Uint8Array): Promise<GroupPlace> {
    if (this.#failure !== undefined) throw this.#failure
    try {
      return await this.#append(group)
    } catch (error) {
      this.#failure = error instanceof RankwardError ? error : unwritable(this.files.folder, error)
      throw this.#failure
    }
  }

  /**
   * Starts a new segment with the next group, so that reading after this point need not read the groups
   * before it.
   */
  rotate(): void {
    this.#rotates = true
  }

  get writer(): string {
    return this.#writer
  }

  read(after: number): AsyncIterable<StoredGroup> {
    return upTo(this.#last, this.files.groups(after))
  }

  async close(): Promise<void> {
    this.#failure ??= new RankwardError('FILE_UNWRITABLE', `The record in ${this.files.folder} is closed.`)
    this.files.close()
    await this.#begun.catch(() => {})
    if (this.#isUnused) await removeEmpty(this.files, { file: this.#file, segment: this.#segment })
    else await this.#file.close()
  }

  async #append(group: Uint8Array): Promise<GroupPlace> {
    const bytes = frameBytes(group.length)
    const isFull = this.#rotates || this.#offset + bytes > this.#segmentBytes
    if (this.#offset > headerBytes && isFull) await this.#nextSegment()
    this.#isUnused = false
    const place = { segment: this.#segment, offset: this.#offset + frameHeaderBytes }
    let offset = this.#offset
    const pieces = encodeFrame(this.#last + 1, group)
    for (const piece of group.length > joinedBytesMax ? pieces : [Buffer.concat(pieces)]) {
      await writeAll(this.#file, piece, offset)
      offset += piece.length
    }
    await this.#begun
    if (this.#isSynced) {
      await this.#file.datasync()
      if (this.files.end().segment > this.#segment) throw fenced(this.files.folder)
    }
    this.#offset = offset
    this.#last++
    return place
  }

  async #nextSegment(): Promise<void> {
    const claim = await claimNext(this.files, this.#segment + 1, this.#writer)
    await writeHeader(claim, this.#last + 1)
    await synced(this.files, claim)
    await this.#file.close()
    this.#file = claim.file
    this.#segment = claim.segment
    this.#offset = headerBytes
    this.#rotates = false
  }
}

export interface Claim {
  readonly file: FileHandle
  readonly segment: number
  readonly writer: string
}

/** Creates the segment after the last one, or exactly this one. */
export async function claimNext(
  files: SegmentFiles,
  only?: number,
  writer = randomBytes(16).toString('hex'),
): Promise<Claim> {
  for (;;) {
    const segment = only ?? (files.numbers().at(-1) ?? 0) + 1
    try {
      return { file: await open(files.path(segment), 'wx'), segment, writer }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      if (only !== undefined) throw fenced(files.folder)
    }
  }
}

/** Removes a claimed segment without groups. Writers before it are fenced by any later segment, so it may be missing. */
async function removeEmpty(files: SegmentFiles, { file, segment }: Omit<Claim, 'writer'>): Promise<void> {
  await file.close()
  rmSync(files.path(segment), { force: true })
}

function writeHeader({ file, segment, writer }: Claim, first: number): Promise<void> {
  return writeAll(file, encodeHeader({ segment, first, writer, isPacked: false }), 0)
}

/** Makes a new segment durable. */
async function synced(files: SegmentFiles, { file, segment }: Claim): Promise<void> {
  await file.datasync()
  await syncFolder(dirname(files.path(segment)))
}

export async function writeAll(file: FileHandle, bytes: Uint8Array, offset: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, offset + done)
    done += bytesWritten
  }
}

/** Makes the name of a new file durable. */
export async function syncFolder(folder: string): Promise<void> {
  const file = await open(folder, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

async function* upTo(last: number, groups: AsyncIterable<StoredGroup>): AsyncGenerator<StoredGroup> {
  for await (const group of groups) {
    if (group.number > last) return
    yield group
  }
}

export function unwritable(folder: string, cause: unknown): RankwardError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new RankwardError(
    'FILE_UNWRITABLE',
    `The record in ${folder} cannot be written (${reason}). Free some space or restore access, then resume: everything up to the last write is kept.`,
    { cause },
  )
}
