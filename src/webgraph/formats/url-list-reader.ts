/**
 * URL lists of a graph, plain or gzip: line i is the URL of node i. Common Crawl's vertices are recognised
 * too: `id<TAB>reversed.host`, with or without a third column; the URL is then the host's home page.
 */
import { RankwardError } from '../../lib/errors.ts'
import type { Progress } from '../../lib/progress.ts'
import { hostOf } from '../sites.ts'
import { UrlListBuilder, type UrlList } from '../url-list.ts'
import { openBytes } from '../../lib/files/byte-source.ts'
import { printable } from './edge-parser.ts'
import { readLines } from '../../lib/files/lines.ts'

export async function readUrlList(path: string, progress?: Progress): Promise<UrlList> {
  const source = await openBytes(path)
  const vertices = /^\d+\t[^\s/:]+(\t\d+)?\r?\n/.test(source.head.toString('latin1'))
  const builder = new UrlListBuilder()
  const takeLine = vertices
    ? (line: Uint8Array) =>
        builder.pushString(vertexUrl(path, builder.length, Buffer.from(line).toString('utf8')))
    : (line: Uint8Array) => {
        checkUrl(path, builder.length, line)
        builder.push(line, 0, line.length)
      }
  for await (const line of readLines(source, progress)) takeLine(line)
  return builder.finish()
}

function checkUrl(path: string, index: number, line: Uint8Array): void {
  if (hostOf(Buffer.from(line.buffer, line.byteOffset, line.length).toString('latin1')) !== undefined) return
  throw new RankwardError(
    'BAD_URL_LIST',
    `${path}:${index + 1}: no URL with a host (read "${printable(line.subarray(0, 80))}"). Each line must be like http://host/path.`,
  )
}

function vertexUrl(path: string, index: number, line: string): string {
  const [id, reversed] = line.split('\t')
  if (Number(id) !== index || reversed === undefined) {
    throw new RankwardError(
      'BAD_URL_LIST',
      `${path}:${index + 1}: expected vertex ${index} as "${index}<TAB>reversed.host" (read "${printable(Buffer.from(line.slice(0, 80)))}").`,
    )
  }
  return `http://${reversed.split('.').toReversed().join('.')}/`
}
