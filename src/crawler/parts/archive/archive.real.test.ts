import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { WarcSettings } from './archive-writer.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { base32 } from '../../../lib/base32.ts'
import { readWarc } from '../../../web/warc/reader.ts'
import { noArchive } from '../../fetch/archive.ts'
import { httpServer, ThreadProbe } from '../../fetch/fetch-thread.cases.ts'

const page = Buffer.from('<!doctype html><title>Hello</title><a href=/b>b</a>')
const root = temporaryFolder()
let folders = 0

function warcIn(changes: Partial<WarcSettings> = {}): WarcSettings {
  const folder = join(root, String(folders++))
  mkdirSync(folder)
  return { folder, bytesMax: 1e9, level: 1, info: { software: 'test' }, resume: undefined, ...changes }
}

const server = (): Promise<string> =>
  httpServer((request, response) => {
    if (request.url === '/gzip') response.setHeader('Content-Encoding', 'gzip')
    if (request.headers['if-none-match'] !== undefined) response.statusCode = 304
    if (request.url === '/moved') response.writeHead(301, { Location: '/there' })
    response.end(response.statusCode === 200 ? (request.url === '/gzip' ? gzipSync(page) : page) : undefined)
  })

const digest = (bytes: Uint8Array): string => `sha1:${base32(createHash('sha1').update(bytes).digest())}`

function records(
  folder: string,
  file = 'rankward-0-00000.warc.gz',
): { type: string; block: string; [field: string]: string }[] {
  return [...readWarc(join(folder, file))].map((record) => ({
    type: record.type,
    id: record.id,
    url: record.field('WARC-Target-URI') ?? '',
    ip: record.field('WARC-IP-Address') ?? '',
    payload: record.field('WARC-Payload-Digest') ?? '',
    profile: record.field('WARC-Profile') ?? '',
    refersTo: record.field('WARC-Refers-To') ?? '',
    truncated: record.field('WARC-Truncated') ?? '',
    block: Buffer.from(record.block).toString('latin1'),
  }))
}

describe('the archive', () => {
  it('holds request and answer as they were, with the digest of what was transferred', async () => {
    const warc = warcIn()
    const base = await server()
    const probe = new ThreadProbe({ archive: warc })
    const came = await probe.fetch([`${base}/`, `${base}/gzip`])
    const kept = await probe.keep(came.map(({ id }) => ({ id })))
    probe.take({ kind: 'sync', number: 5 })
    const file = join(warc.folder, 'rankward-0-00000.warc.gz')
    expect(probe.messages.at(-1)).toEqual({
      kind: 'synced',
      number: 5,
      end: {
        serial: 0,
        length: statSync(file).size,
        indexBytes: statSync(file.replace('.warc.gz', '.cdxj')).size,
        finished: [],
      },
    })
    const [info, ...all] = records(warc.folder)
    expect(info.type).toBe('warcinfo')
    expect(all.map(({ type }) => type)).toEqual(['request', 'response', 'request', 'response'])
    expect(all[1]).toMatchObject({
      url: `${base}/`,
      ip: '127.0.0.1',
      payload: digest(page),
      id: kept[0].recordId,
    })
    expect(all[3].payload).toBe(digest(gzipSync(page)))
    const { host } = new URL(base)
    expect(all[0].block).toMatch(
      `GET / HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\nUser-Agent: rankward/0.1`,
    )
    expect(all[1].block).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(all[1].block.endsWith(`\r\n\r\n${page.toString()}`)).toBe(true)
    // The same page, in one coding or the other: what is compared is what it says.
    expect([came[0].bodyLow, came[0].bodyHigh]).toEqual([came[1].bodyLow, came[1].bodyHigh])
    expect(came[0].bodyLow).toBe(createHash('sha1').update(page).digest().readUInt32LE(0))
    expect(kept.map(({ offset, length }) => offset + length).at(-1)).toBe(statSync(file).size)
  })

  it('holds pages in the order of their verdicts, and none that is dropped or unknown', async () => {
    const warc = warcIn()
    const base = await server()
    const probe = new ThreadProbe({ archive: warc })
    const came = await probe.fetch([`${base}/1`, `${base}/2`, `${base}/moved`])
    const verdicts = [{ id: came[2].id }, { id: came[0].id, drop: true }, { id: 99 }, { id: came[1].id }]
    const kept = await probe.keep(verdicts)
    expect(kept.map(({ id }) => id)).toEqual(verdicts.map(({ id }) => id))
    expect(kept.map(({ serial }) => serial)).toEqual([0, -1, -1, 0])
    probe.take({ kind: 'sync', number: 1 })
    const urls = records(warc.folder).flatMap(({ type, url }) => (type === 'response' ? [url] : []))
    expect(urls).toEqual([`${base}/moved`, `${base}/2`])
  })

  it('has a revisit for what is the same as before', async () => {
    const warc = warcIn()
    const base = await server()
    const probe = new ThreadProbe({ archive: warc })
    const [first, second] = await probe.fetch([`${base}/1`, `${base}/2`])
    const [kept] = await probe.keep([{ id: first.id }])
    const sameAs = { id: kept.recordId, url: `${base}/1`, dateMs: Math.floor(first.startMs) }
    await probe.keep([{ id: second.id, sameAs }])
    const third = await probe.one({ url: `${base}/1`, etag: '"x"' })
    await probe.keep([{ id: third.id, sameAs }])
    probe.take({ kind: 'sync', number: 1 })
    const revisits = records(warc.folder).filter(({ type }) => type === 'revisit')
    const profiles = revisits.map(({ profile }) => profile.split('/').at(-1))
    expect(profiles).toEqual(['identical-payload-digest', 'server-not-modified'])
    expect(revisits[0]).toMatchObject({ payload: digest(page), refersTo: `<urn:uuid:${kept.recordId}>` })
    expect(revisits[0].block.endsWith('\r\n\r\n')).toBe(true)
  })

  it('has no revisit for the same body in another encoding, and the digest of the original after 304', async () => {
    const warc = warcIn()
    const base = await server()
    const probe = new ThreadProbe({ archive: warc })
    const [first, second] = await probe.fetch([`${base}/1`, `${base}/2`])
    const [kept] = await probe.keep([{ id: first.id }])
    expect(kept.payloadDigest).toBe(digest(page))
    const sameAs = { id: kept.recordId, url: `${base}/1`, dateMs: Math.floor(first.startMs) }
    await probe.keep([{ id: second.id, sameAs: { ...sameAs, payloadDigest: digest(Buffer.from('gzip')) } }])
    const third = await probe.one({ url: `${base}/1`, etag: '"x"' })
    await probe.keep([{ id: third.id, sameAs: { ...sameAs, payloadDigest: digest(page) } }])
    probe.take({ kind: 'sync', number: 1 })
    const types = records(warc.folder).map(({ type }) => type)
    expect(types.filter((type) => type !== 'request')).toEqual([
      'warcinfo',
      'response',
      'response',
      'revisit',
    ])
    expect(records(warc.folder).at(-1)).toMatchObject({ type: 'revisit', payload: digest(page) })
  })

  it('says where a body was cut', async () => {
    const warc = warcIn()
    const base = await server()
    const probe = new ThreadProbe({ archive: warc, bodyBytesMax: 10 })
    const came = await probe.one(`${base}/`)
    await probe.keep([{ id: came.id }])
    probe.take({ kind: 'sync', number: 1 })
    expect(records(warc.folder).at(-1)).toMatchObject({
      truncated: 'length',
      payload: digest(page.subarray(0, 10)),
    })
  })

  it('ends its file when the thread is closed, and is gone on with after a crash', async () => {
    const warc = warcIn()
    const base = await server()
    const probe = new ThreadProbe({ archive: warc })
    const came = await probe.fetch([`${base}/1`, `${base}/2`])
    const kept = await probe.keep(came.map(({ id }) => ({ id })))
    probe.close()
    expect(probe.messages.at(-1)).toEqual({ kind: 'closed' })
    const lines = readFileSync(join(warc.folder, 'rankward-0-00000.cdxj'), 'utf8').split('\n')
    const indexBytes = lines.find((line) => line.includes(`"${base}/1"`))!.length + 1
    const place = { serial: 0, length: kept[0].offset + kept[0].length, indexBytes }
    const later = new ThreadProbe({ archive: { ...warc, resume: place } })
    const [again] = await later.fetch([`${base}/3`])
    expect((await later.keep([{ id: again.id }]))[0]).toMatchObject({ serial: 0 })
    later.close()
    const urls = records(warc.folder).flatMap(({ type, url }) => (type === 'response' ? [url] : []))
    expect(urls).toEqual([`${base}/1`, `${base}/3`])
    const index = readFileSync(join(warc.folder, 'rankward-0-00000.cdxj'), 'utf8')
    expect(index.trim().split('\n').length).toBe(2)
    expect(readdirSync(warc.folder).length).toBe(2)
  })

  it('that cannot be written says so once, and keeps nothing more', async () => {
    const warc = warcIn({ folder: join(root, 'missing') })
    const base = await server()
    const probe = new ThreadProbe({ archive: warc })
    const came = await probe.fetch([`${base}/1`, `${base}/2`])
    probe.take({ kind: 'keep', verdicts: came.map(({ id }) => ({ id })) })
    probe.take({ kind: 'sync', number: 1 })
    await new Promise(setImmediate)
    const broken = probe.messages.filter(({ kind }) => kind === 'broken')
    expect(broken).toMatchObject([
      { code: 'FILE_UNWRITABLE', message: expect.stringContaining('its directory does not exist') },
    ])
    expect(probe.kept).toEqual([])
    expect(probe.messages.some(({ kind }) => kind === 'synced')).toBe(false)
    // Fetching is main's to stop.
    expect((await probe.one(`${base}/3`)).status).toBe(200)
  })

  it('that cannot be gone on with says so at the start', () => {
    const probe = new ThreadProbe({ archive: warcIn({ resume: { serial: 3, length: 100, indexBytes: 9 } }) })
    expect(probe.messages).toMatchObject([{ kind: 'broken' }])
  })

  it('is not there unless it is wanted: all verdicts are answered', async () => {
    const base = await server()
    const probe = new ThreadProbe()
    const came = await probe.one(`${base}/`)
    expect(await probe.keep([{ id: came.id }])).toMatchObject([{ id: came.id, serial: -1 }])
    probe.take({ kind: 'sync', number: 2 })
    expect(probe.messages.at(-1)).toEqual({ kind: 'synced', number: 2, end: noArchive })
  })
})
