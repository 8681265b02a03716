// An endless web, in a separate process: every page has unique links, spread over many hosts. With 50 links
// per page, page n links to pages 50n + 1 … 50n + 50. A bare socket server, so that it takes little of the
// processor. Argument: links per page. Prints its port when it listens.
import { createServer } from 'node:net'

const linksPerPage = Number(process.argv[2] ?? 50)
const hosts = 250

const hostOf = (page) => `127.2.0.${1 + (page % hosts)}`

const server = createServer((socket) => {
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  let request = ''
  socket.on('data', (bytes) => {
    request += bytes.toString('latin1')
    for (let end = request.indexOf('\r\n\r\n'); end >= 0; end = request.indexOf('\r\n\r\n')) {
      socket.write(response(request.slice(0, end)))
      request = request.slice(end + 4)
    }
  })
})

function response(request) {
  const path = /^GET \/page-(\d+)\.html /.exec(request)
  const body = path === null ? '' : pageBody(Number(path[1]))
  const status = path === null ? '404 Not Found' : '200 OK'
  return `HTTP/1.1 ${status}\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}

function pageBody(page) {
  const { port } = server.address()
  let links = ''
  for (let to = linksPerPage * page + 1; to <= linksPerPage * (page + 1); to++)
    links += `<li><a href="http://${hostOf(to)}:${port}/page-${to}.html">Page ${to}</a></li>\n`
  return `<title>Page ${page}</title><p>This is page ${page} of many.</p><ul>${links}</ul>`
}

server.listen(0, '0.0.0.0', () => console.log(server.address().port))
