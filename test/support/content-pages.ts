/**
 * The pages of uci-ics with their text, from a JSONL file that is read as a stream. Bodies are kept compressed: 570 MB
 * of HTML in 165 MB.
 *
 * Nine in ten of these pages were fetched by https. They are served by plain http, so that a test needs no
 * certificates; in each page, `https://` before the name of a host that is served becomes `http://`, in links and text
 * alike. Which page links to which does not change by that: the graph that goes with the pages ignores the scheme.
 */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createBrotliDecompress, gunzipSync, gzipSync } from 'node:zlib'

/** The part of a line that is not known from the graph. */
interface StoredPage {
  readonly content: string
}

export class ContentPages {
  readonly #bodies = new Map<number, Buffer>()
  /** Of the bodies as they are kept. */
  bytes = 0

  get count(): number {
    return this.#bodies.size
  }

  has(page: number): boolean {
    return this.#bodies.has(page)
  }

  add(page: number, html: string): void {
    const body = gzipSync(html, { level: 1 })
    this.#bodies.set(page, body)
    this.bytes += body.length
  }

  gzipped(page: number): Buffer | undefined {
    return this.#bodies.get(page)
  }

  html(page: number): string | undefined {
    const body = this.#bodies.get(page)
    return body === undefined ? undefined : gunzipSync(body).toString('utf8')
  }
}

/** Reads the pages that are wanted, up to the last of them: the file has pages in ascending order. */
export async function readContentPages(
  path: string,
  { hosts, wanted, last }: { hosts: ReadonlySet<string>; wanted: (page: number) => boolean; last: number },
): Promise<ContentPages> {
  const pages = new ContentPages()
  const file = createReadStream(path)
  const text = file.pipe(createBrotliDecompress())
  for await (const line of createInterface({ input: text })) {
    const page = Number(/^\{"id": ?(\d+)/.exec(line)?.[1])
    if (page > last) break
    if (wanted(page)) pages.add(page, withPlainHttp((JSON.parse(line) as StoredPage).content, hosts))
  }
  file.destroy()
  text.destroy()
  return pages
}

/** Text in which the hosts that are served are linked to by http. */
export function withPlainHttp(html: string, hosts: ReadonlySet<string>): string {
  return html.replace(/https:\/\/([a-z\d.-]+)/gi, (whole, host: string) =>
    hosts.has(host.toLowerCase()) ? `http://${host}` : whole,
  )
}
