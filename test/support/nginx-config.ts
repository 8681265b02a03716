/** The configuration of a test's nginx: one worker, one `server` for each address, everything in its own folder. */
import { join } from 'node:path'

export interface NginxConfigOptions {
  readonly folder: string
  readonly port: number
  readonly folderOfAddress: ReadonlyMap<string, string>
  readonly keepAliveSeconds?: number
  readonly keepAliveRequests?: number
  readonly siteDirectives?: string
}

const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

export function nginxConfig(options: NginxConfigOptions): string {
  const { folder, port, folderOfAddress, siteDirectives = '' } = options
  const { keepAliveSeconds = 120, keepAliveRequests = 1000 } = options
  const sites = [...folderOfAddress].map(
    ([address, root]) => `  server {
    listen ${address}:${port};
    root ${quoted(root)};
    ${siteDirectives}
  }`,
  )
  return `daemon off;
worker_processes 1;
${process.getuid?.() === 0 ? 'user root root; # or it could not read a folder of root' : ''}
pid ${quoted(join(folder, 'nginx.pid'))};
error_log ${quoted(join(folder, 'error.log'))} notice;
events {
  worker_connections 1024;
}
http {
${temporaryPaths.map((name) => `  ${name}_temp_path ${quoted(join(folder, `${name}_temp`))};`).join('\n')}
  log_format timed '$msec $request_time $server_addr $connection $connection_requests $status $body_bytes_sent "$request_uri" "$http_user_agent"';
  access_log ${quoted(join(folder, 'access.log'))} timed;
  types {
    text/html html htm;
    text/plain txt;
    text/css css;
    application/xml xml;
    application/gzip gz;
    application/pdf pdf;
    image/png png;
  }
  default_type application/octet-stream;
  charset utf-8;
  index index.html;
  keepalive_timeout ${keepAliveSeconds};
  keepalive_requests ${keepAliveRequests};
${sites.join('\n')}
}
`
}

function quoted(path: string): string {
  return `"${path.replace(/["\\$]/g, '\\$&')}"`
}
