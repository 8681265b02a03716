// Serves the web on all its hosts: with nginx, or for `--small` without nginx, with Node.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hostAddress } from './web.mjs'

/** nginx buffers log lines for this long; readers of the log must wait. */
export const logDelayMs = 100

/**
 * Starts the server and returns `{ stop }` once it responds; the promise of `stop` resolves when it has
 * ended.
 */
export async function startServer({ nginx, web, webFolder, runFolder, log }) {
  mkdirSync(join(runFolder, 'temp'), { recursive: true })
  writeFileSync(log, '')
  const addresses = Array.from({ length: web.hosts }, (_, host) => hostAddress(host))
  let command
  if (nginx === undefined) {
    const program = fileURLToPath(new URL('stand-in-server.mjs', import.meta.url))
    command = [process.execPath, program, webFolder, log, String(web.port), String(web.hosts)]
  } else {
    const config = join(runFolder, 'nginx.conf')
    writeFileSync(config, nginxConfig({ addresses, port: web.port, webFolder, runFolder, log }))
    command = [nginx, '-c', config, '-e', join(runFolder, 'nginx-error.log')]
  }
  const server = spawn(command[0], command.slice(1), { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = new Promise((resolve) => server.on('exit', resolve))
  const stop = () => {
    server.kill('SIGTERM')
    return ended
  }
  const answers = () => connects(addresses.at(-1), web.port)
  for (let tries = 0; !(await answers()); tries++) {
    if (server.exitCode !== null || tries === 100) {
      void stop()
      throw new Error(`The server did not start on port ${web.port}; another one can be chosen with --port.`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return { stop }
}

/**
 * One worker, to leave a core for the crawler; no compression, so that decompression is not measured; no
 * limit of requests per connection. Bound to loopback addresses only. Pages are selected by the Host header,
 * so that wrk can request all hosts' pages over connections to one.
 */
function nginxConfig({ addresses, port, webFolder, runFolder, log }) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
user ${userInfo().username};
worker_processes 1;
worker_rlimit_nofile 8192;
daemon off;
pid ${join(runFolder, 'nginx.pid')};
error_log ${join(runFolder, 'nginx-error.log')} crit;
events { worker_connections 8000; }
http {
${temporary.map((name) => `  ${name}_temp_path ${join(runFolder, 'temp', name)};`).join('\n')}
  types {
    text/html html htm;
    text/css css;
    text/plain txt;
    text/xml xml;
    image/png png;
    image/gif gif;
    image/jpeg jpg jpeg;
    image/svg+xml svg;
    application/javascript js;
    application/pdf pdf;
  }
  default_type application/octet-stream;
  log_format pages '$msec\\t$host\\t$status\\t$bytes_sent\\t$sent_http_content_type\\t$connection\\t$request_uri';
  access_log ${log} pages buffer=64k flush=${logDelayMs}ms;
  gzip off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000;
  keepalive_timeout 60s;
  server {
${addresses.map((address) => `    listen ${address}:${port};`).join('\n')}
    root ${webFolder};
    location / { try_files /$host$uri /$host\${uri}index.html /assets$uri =404; }
  }
}
`
}

function connects(host, port) {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port })
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}

/** A port that is currently free, for small runs: several may run on one machine. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
