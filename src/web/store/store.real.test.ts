import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { s3Server, type S3Server } from '../../../test/s3-server.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { openRanges } from './byte-ranges.ts'
import { openStore } from './file-store.ts'
import { S3Store } from './s3-store.ts'
import { fileAt } from './store-address.ts'

const folder = temporaryFolder()
let server: S3Server

beforeAll(async () => {
  server = await s3Server(join(folder, 's3'))
})

function fileOf(name: string, bytes: number | Buffer): { path: string; content: Buffer } {
  const path = join(folder, name)
  const content = typeof bytes === 'number' ? randomBytes(bytes) : bytes
  writeFileSync(path, content)
  return { path, content }
}

describe.each<[string, () => string]>([
  ['a bucket', () => server.direct('news/2026')],
  ['a folder', () => join(folder, 'shared')],
])('%s', (_, place) => {
  it('has files as they were sent, whole and by ranges', async () => {
    const store = await openStore(place())
    const { path, content } = fileOf('a (1)+ä~.warc.gz', 300_000)
    await store.send(path, 'a (1)+ä~.warc.gz')
    expect(await store.size('a (1)+ä~.warc.gz')).toBe(300_000)
    expect(await store.read('a (1)+ä~.warc.gz', 123_456, 1000)).toEqual(content.subarray(123_456, 124_456))
    expect(await store.read('a (1)+ä~.warc.gz', 299_990, 100)).toEqual(content.subarray(299_990))
    expect(await store.read('missing', 0, 10)).toBeUndefined()
    expect(await store.size('missing')).toBeUndefined()
  })

  it('takes a file again that has grown, and an empty one', async () => {
    const store = await openStore(place())
    const { path, content } = fileOf('grown', 1000)
    await store.send(path, 'grown')
    const more = Buffer.concat([content, randomBytes(500)])
    await store.send(fileOf('grown', more).path, 'grown')
    expect(await store.read('grown', 0, 10_000)).toEqual(more)
    await store.send(fileOf('empty', 0).path, 'empty')
    expect(await store.size('empty')).toBe(0)
  })

  it('belongs to whoever claims it first', async () => {
    const store = await openStore(place())
    expect(await store.claim('owner.json', 'the first')).toBe('the first')
    expect(await store.claim('owner.json', 'the second')).toBe('the first')
  })

  it('is read by ranges like a local file', async () => {
    const store = await openStore(place())
    const { path, content } = fileOf('ranges', 1_000_000)
    await store.send(path, 'ranges')
    const remote = openRanges(fileAt(place(), 'ranges'))
    const local = openRanges(path)
    for (let i = 0; i < 40; i++) {
      const offset = Math.floor((i * 7919 * 131) % 1_010_000)
      const length = Math.floor((i * 104_729) % 200_000)
      expect(remote.read(offset, length).equals(local.read(offset, length))).toBe(true)
    }
    expect(remote.read(0, 2_000_000).equals(content)).toBe(true)
    remote.close()
    local.close()
    expect(() => openRanges(fileAt(place(), 'none')).read(0, 1)).toThrow(/no such file/)
  })
})

describe('a bucket', () => {
  it('gets a large file in parts, which are seen together', async () => {
    const store = new S3Store(server.place('parts'), 100_000)
    const { path, content } = fileOf('large', 512_345)
    server.intercept = (request, response) => {
      const isLast = request.method === 'POST' && request.url!.includes('uploadId')
      if (isLast) response.writeHead(503).end()
      return isLast
    }
    await expect(store.send(path, 'large')).rejects.toThrow(/HTTP 503/)
    server.intercept = undefined
    expect(await store.size('large')).toBeUndefined()
    server.requests.length = 0
    await store.send(path, 'large')
    expect(server.requests.filter((each) => each.includes('partNumber')).length).toBe(6)
    expect(await store.read('large', 0, 1_000_000)).toEqual(content)
  })

  it('is not sent what it has', async () => {
    const store = await openStore(server.place('once'))
    const { path } = fileOf('once', 5000)
    await store.send(path, 'once')
    server.requests.length = 0
    await store.send(path, 'once')
    expect(server.requests.map((each) => each.split(' ')[0])).toEqual(['HEAD'])
  })

  it('is not believed: content that differs is a failure', async () => {
    const store = await openStore(server.place('checked'))
    const { path, content } = fileOf('checked', 5000)
    const stored = Buffer.from(content)
    stored[2500] ^= 1
    // A store that damages what it keeps, and whose ETag says nothing.
    server.intercept = (request, response) => {
      const { method } = request
      if (method === 'PUT') request.resume().on('end', () => response.end())
      else if (method === 'HEAD' && server.requests.length === 1) response.writeHead(404).end()
      else if (method === 'HEAD') response.writeHead(200, { 'content-length': 5000, etag: '"x"' }).end()
      else response.end(stored)
      return true
    }
    server.requests.length = 0
    await expect(store.send(path, 'checked')).rejects.toThrow(/its content differs/)
    stored[2500] ^= 1
    server.requests.length = 0
    await store.send(path, 'checked')
    server.intercept = undefined
  })

  it('says in one line why it refuses, without secrets', async () => {
    const body =
      '<Error><Code>SignatureDoesNotMatch</Code><Message>The signature &amp; the key differ</Message></Error>'
    server.intercept = (_, response) => {
      response.writeHead(403).end(body)
      return true
    }
    const store = await openStore(server.place('refused'))
    await expect(store.claim('x', 'y')).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: `The bucket crawls at ${new URL(server.endpoint).host} refuses refused/x: HTTP 403, SignatureDoesNotMatch, The signature & the key differ.`,
    })
    server.intercept = undefined
    await server.shut()
    await expect(store.claim('x', 'y')).rejects.toThrow(/cannot be reached: ECONN/)
    await server.open()
    expect(await store.claim('x', 'y')).toBe('y')
  })
})

describe('a folder', () => {
  it('shows no file before it is whole, and overwrites what a killed process has left', async () => {
    const shared = join(folder, 'killed')
    mkdirSync(shared)
    writeFileSync(join(shared, '.file.partial'), 'torn')
    const store = await openStore(shared)
    const { path, content } = fileOf('file', 100_000)
    await store.send(path, 'file')
    expect(readdirSync(shared)).toEqual(['file'])
    expect(readFileSync(join(shared, 'file'))).toEqual(content)
  })
})
