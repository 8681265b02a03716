// An endless web, in a separate process: every page has 50 unique links, spread over many hosts.
// Page n of the web links to pages 50n + 1 … 50n + 50. Prints its port when it listens.
import { createServer } from 'node:http'

const linksPerPage = 50
const hosts = 250

const hostOf = (page) => `127.2.0.${1 + (page % hosts)}`

const server = createServer((request, response) => {
  const page = Number(/^\/page-(\d+)\.html$/.exec(request.url)?.[1] ?? NaN)
  if (Number.isNaN(page)) {
    response.writeHead(404).end()
    return
  }
  const { port } = server.address()
  const links = Array.from({ length: linksPerPage }, (_, i) => {
    const to = linksPerPage * page + i + 1
    return `<li><a href="http://${hostOf(to)}:${port}/page-${to}.html">Page ${to}</a></li>`
  })
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  response.end(`<title>Page ${page}</title><p>This is page ${page} of many.</p><ul>${links.join('\n')}</ul>`)
})
server.listen(0, '0.0.0.0', () => console.log(server.address().port))
