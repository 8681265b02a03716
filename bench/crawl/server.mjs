// Serves the web on every one of its hosts: by nginx, or for `--small` where there is none, by Node.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hostAddress } from './web.mjs'

/** nginx holds log lines back for this long; readers of the log must wait it out. */
export const logDelayMs = 100

/** Starts the server and returns `{ stop }` once it answers; the promise of `stop` is kept when it has ended. */
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
 * One worker, so that a core is left for the crawler; no compression, so that nobody is measured by its inflate; a
 * connection is never closed for the number of its requests. Bound to loopback addresses only. Pages are found by
 * the Host header, which lets wrk ask for every host's pages over connections to one.
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

/** A port free at the moment, for small runs: several may run on one machine. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
