/**
 * Readability and Defuddle on the annotated pages of WCXB: F1 by page type, with the score of its authors, and CPU time per page.
 *
 *   mkdir peers && cd peers && npm install @mozilla/readability@0.6.0 defuddle@0.19.4 happy-dom@21.0.4 linkedom@0.18.9
 *   node bench/content/peer-javascript.mjs peers PEER DOM [every]
 *
 * PEER is readability or defuddle, DOM linkedom or happy-dom; `every` takes each n-th page only. A page on which a peer fails counts as
 * empty text. The packages are no dependencies of the project: they are installed in a folder of their own.
 */
import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { createBrotliDecompress } from 'node:zlib'

const [folder, peer, dom, every = '1'] = process.argv.slice(2)
const require = createRequire(join(resolve(folder), 'package.json'))
const load = async (name) => import(pathToFileURL(require.resolve(name)).href)

const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}\p{M}_]+/gu) ?? []

function f1(found, expected) {
  const [one, other] = [wordsOf(found), wordsOf(expected)]
  if (one.length === 0 && other.length === 0) return 1
  const counts = new Map()
  for (const word of other) counts.set(word, (counts.get(word) ?? 0) + 1)
  let hits = 0
  for (const word of one) {
    const left = counts.get(word) ?? 0
    if (left > 0) hits++
    counts.set(word, left - 1)
  }
  return (2 * hits) / (one.length + other.length)
}

async function documents() {
  if (dom === 'linkedom') {
    const { parseHTML } = await load('linkedom')
    return (html) => ({ document: parseHTML(html).document, close: () => {} })
  }
  const { Window } = await load('happy-dom')
  return (html, url) => {
    const settings = {
      disableJavaScriptEvaluation: true,
      disableJavaScriptFileLoading: true,
      disableCSSFileLoading: true,
    }
    const window = new Window({ url, settings })
    window.document.write(html)
    return { document: window.document, close: () => window.happyDOM.close() }
  }
}

/** The HTML of the main content. */
async function extractor() {
  if (peer === 'readability') {
    const { Readability } = await load('@mozilla/readability')
    return (document) => new Readability(document).parse()?.content ?? ''
  }
  const { default: Defuddle } = await load('defuddle')
  return (document, url) => new (Defuddle.default ?? Defuddle)(document, { url }).parse().content ?? ''
}

const blocks =
  /<\/?(?:p|div|h[1-6]|li|ul|ol|d[dtl]|table|t[rdh]|br|hr|blockquote|pre|section|article|fig\w+|header|footer|main)\b/gi

/** Without a space between blocks, the last word of one and the first of the next would be one word. */
function textOf(content, url) {
  const spaced = content.replace(blocks, ' $&')
  const { document, close } = documentOf(`<!doctype html><html><body>${spaced}</body></html>`, url)
  const text = document.body?.textContent ?? ''
  close()
  return text
}

const documentOf = await documents()
const extract = await extractor()
// They write warnings about pages.
console.warn = console.error = console.debug = () => {}
const log = console.log
console.log = () => {}
const scores = new Map()
let [pages, failures, number] = [0, 0, 0]
let micros = 0
const path = join('..', 'shared', 'data', 'content', 'wcxb-dev.jsonl.br')
const input = createReadStream(path).pipe(createBrotliDecompress())
for await (const line of createInterface({ input })) {
  if (number++ % Number(every) !== 0) continue
  const { html, url, type, content } = JSON.parse(line)
  const start = process.cpuUsage()
  let text = ''
  try {
    const base = url || 'https://example.org/'
    const made = documentOf(html, base)
    text = textOf(extract(made.document, base), base)
    made.close()
  } catch {
    failures++
  }
  const { user, system } = process.cpuUsage(start)
  micros += user + system
  pages++
  for (const name of [type, 'all']) scores.set(name, [...(scores.get(name) ?? []), f1(text, content)])
}
for (const [name, each] of scores)
  log(
    `${name.padEnd(15)} ${String(each.length).padStart(5)} ${(each.reduce((sum, score) => sum + score, 0) / each.length).toFixed(3)}`,
  )
log(`${(micros / 1000 / pages).toFixed(1)} ms of CPU per page; ${failures} failures`)
process.exit()
