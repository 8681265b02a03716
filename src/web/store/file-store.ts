/** A place that keeps whole files: a folder, or a bucket. A file is there completely or not at all. */
import { isBucket } from './store-address.ts'

export interface FileStore {
  /**
   * Makes a file of the place out of a local one, unless it is there with the same content. Once this has resolved, the file is there:
   * its size and a checksum were compared. A file of that name with other content is replaced.
   */
  send(path: string, name: string): Promise<void>
  /** Creates a small file; returns its content, which is another one if there is a file of that name. */
  claim(name: string, text: string): Promise<string>
  /** Bytes of a file from an offset on; fewer than asked for if it ends there. Undefined if there is no such file. */
  read(name: string, offset: number, length: number): Promise<Buffer | undefined>
  /** Undefined if there is no such file. */
  size(name: string): Promise<number | undefined>
}

/** `place`: as recorded. Throws USAGE if it is neither. */
export async function openStore(place: string): Promise<FileStore> {
  if (!isBucket(place)) return new (await import('./folder-store.ts')).FolderStore(place)
  return new (await import('./s3-store.ts')).S3Store(place)
}
