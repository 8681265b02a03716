// bare-undici.mjs URL PAGES CONCURRENCY: a minimal crawler made of good parts: undici, htmlparser2,
// the built-in URL and a Set. A list instead of a frontier; pages are not stored.
import { Parser } from 'htmlparser2'
import { Agent, request } from 'undici'

const [start, pages, concurrency] = process.argv.slice(2)
const dispatcher = new Agent({ connections: 8, pipelining: 1 })
const seen = new Set([start])
const list = [start]
let next = 0
let fetched = 0
let active = 0

function links(html, base) {
  const parser = new Parser({
    onopentag(name, { href }) {
      if (href === undefined || (name !== 'a' && name !== 'area') || !URL.canParse(href, base)) return
      const url = new URL(href, base)
      url.hash = ''
      if (url.protocol !== 'http:' && url.protocol !== 'https:') return
      if (seen.has(url.href)) return
      seen.add(url.href)
      list.push(url.href)
    },
  })
  parser.end(html)
}

async function fetchPage(url) {
  const { statusCode, headers, body } = await request(url, { dispatcher })
  const html = statusCode === 200 && headers['content-type']?.startsWith('text/html')
  if (!html) {
    await body.dump()
    return
  }
  fetched++
  links(await body.text(), url)
}

await new Promise((resolve) => {
  const fill = () => {
    while (active < Number(concurrency) && next < list.length && fetched + active < Number(pages)) {
      active++
      void fetchPage(list[next++])
        .catch(() => {})
        .finally(() => {
          active--
          fill()
        })
    }
    if (active === 0) resolve()
  }
  fill()
})
await dispatcher.close()
