/** The members of a ZIP file in order, as yauzl reads them. */
import type { Readable } from 'node:stream'
import { open, type Entry, type ZipFile } from 'yauzl'

export type { Entry }

export async function zipMembers(path: string): Promise<AsyncIterable<[Entry, Readable]>> {
  const zip = await new Promise<ZipFile>((resolve, reject) =>
    open(path, { lazyEntries: true, autoClose: true }, (error, opened) =>
      opened ? resolve(opened) : reject(error),
    ),
  )
  return members(zip)
}

async function* members(zip: ZipFile): AsyncGenerator<[Entry, Readable]> {
  for (;;) {
    const entry = await new Promise<Entry | undefined>((resolve, reject) => {
      zip.once('entry', resolve)
      zip.once('end', () => resolve(undefined))
      zip.once('error', reject)
      zip.readEntry()
    })
    if (entry === undefined) return
    const stream = await new Promise<Readable>((resolve, reject) =>
      zip.openReadStream(entry, (error, opened) => (opened ? resolve(opened) : reject(error))),
    )
    yield [entry, stream]
  }
}
