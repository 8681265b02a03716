// The sites: their addresses, what a reader wants of each (the content), and the configuration of Apache that serves them.
import { join } from 'node:path'

/** Where crawlers find the sites (front.mjs), and where Apache has them. */
export const port = 8800
export const backendPort = 8801

/** A commit, or a file of the newest version: `h` names the branch, and there is one. Other views of them are no content. */
const cgitContent = ({ pathname, searchParams }) => {
  const { h, id, ...others } = Object.fromEntries(searchParams)
  if (Object.keys(others).length > 0) return undefined
  if (pathname === '/rankward.git/commit/' && id !== undefined) return `commit ${id}`
  const [, file] = /^\/rankward\.git\/(?:tree|plain)\/(.+?)\/?$/.exec(pathname) ?? []
  return file !== undefined && id === undefined && (h ?? 'main') === 'main' ? `file ${file}` : undefined
}

/** The commit, or the commit with its difference: both have its message. */
const gitwebContent = ({ search }) => {
  const fields = search
    .slice(1)
    .split(/[;&]/)
    .map((field) => field.split('='))
  const { a, h, hb, p, ...others } = Object.fromEntries(fields)
  const isCommit =
    (a === 'commit' || a === 'commitdiff') &&
    /^[0-9a-f]{40}$/.test(h ?? '') &&
    hb === undefined &&
    p !== undefined
  return isCommit && Object.keys(others).length === 0 ? `commit ${h}` : undefined
}

/** `content`: the identity of what a reader wants, undefined for everything else. */
export const sites = {
  cgit: { host: '127.0.8.1', start: '/', content: cgitContent },
  gitweb: { host: '127.0.8.2', start: '/', content: gitwebContent },
  autoindex: {
    host: '127.0.8.3',
    start: '/',
    content: ({ pathname, search }) => (search === '' ? pathname : undefined),
  },
  dokuwiki: {
    host: '127.0.8.4',
    start: '/doku.php',
    content: ({ pathname, searchParams }) =>
      pathname === '/doku.php' &&
      [...searchParams.keys()].join() === 'id' &&
      /:.*[a-z]/.test(searchParams.get('id')) &&
      !/^(?:wiki|playground)\b/.test(searchParams.get('id'))
        ? searchParams.get('id')
        : undefined,
  },
  mhonarc: {
    host: '127.0.8.5',
    start: '/',
    content: ({ pathname, search }) =>
      /^\/msg\d+\.html$/.test(pathname) && search === '' ? pathname : undefined,
  },
  sphinx: {
    host: '127.0.8.6',
    start: '/index.html',
    content: ({ pathname, search }) =>
      pathname.endsWith('.html') && !/genindex|search\.html/.test(pathname) && search === ''
        ? pathname
        : undefined,
  },
  mediawiki: {
    host: '127.0.8.7',
    start: '/index.php/Main_Page',
    content: ({ pathname, searchParams }) => {
      const [, path] = /^\/index\.php\/(.+)$/.exec(pathname) ?? []
      const keys = [...searchParams.keys()].join()
      const title =
        path !== undefined && keys === ''
          ? decodeURIComponent(path)
          : pathname === '/index.php' && keys === 'title'
            ? searchParams.get('title')
            : undefined
      return title === undefined || /^(?!Category:)[A-Za-z_]+:/.test(title)
        ? undefined
        : title.replaceAll(' ', '_')
    },
  },
  wordpress: {
    host: '127.0.8.8',
    start: '/',
    content: ({ pathname, search }) =>
      /^\/\d{4}\/\d\d\/[^/]+\/$/.test(pathname) && search === '' ? pathname : undefined,
  },
  hgweb: {
    host: '127.0.8.9',
    start: '/',
    content: ({ pathname, search }) => {
      const [, id] = /^\/rev\/([0-9a-f]{12})[0-9a-f]*$/.exec(pathname) ?? []
      return id !== undefined && search === '' ? `commit ${id}` : undefined
    },
  },
  doxygen: {
    host: '127.0.8.10',
    start: '/annotated.html',
    content: ({ pathname, search }) =>
      /^\/(?:class|namespace|struct|md_)[^/]*\.html$/.test(pathname) &&
      !/-members\.html$|^\/(?:classes|namespaces|namespacemembers\w*)\.html$/.test(pathname) &&
      search === ''
        ? pathname
        : undefined,
  },
}

const modules = 'mpm_prefork authz_core dir mime alias autoindex cgi rewrite env setenvif'.split(' ')

export function apacheConfig(folder, listenPort = backendPort) {
  const at = (...names) => join(folder, ...names)
  const allowed = (path, more = '') => `<Directory "${path}">\n${more}Require all granted\n</Directory>\n`
  const hosts = {
    cgit: `SetEnv CGIT_CONFIG ${at('cgitrc')}\nAlias /static/ /usr/share/cgit/\nScriptAlias / /usr/lib/cgit/cgit.cgi/\n`,
    gitweb: `SetEnv GITWEB_CONFIG ${at('gitweb.conf')}\nDocumentRoot /usr/share/gitweb\nAlias /static/ /usr/share/gitweb/static/\nScriptAlias / /usr/share/gitweb/gitweb.cgi/\n`,
    autoindex: `DocumentRoot ${at('autoindex')}\n`,
    dokuwiki: `DocumentRoot ${at('dokuwiki')}\n`,
    mhonarc: `DocumentRoot ${at('mhonarc')}\n`,
    sphinx: `DocumentRoot ${at('sphinx')}\n`,
    mediawiki: `SetEnv MW_CONFIG_FILE ${at('LocalSettings.php')}\nDocumentRoot /usr/share/mediawiki\n`,
    wordpress: `DocumentRoot ${at('wordpress')}\n`,
    doxygen: `DocumentRoot ${at('doxygen/html')}\n`,
  }
  return `ServerRoot /usr/lib/apache2
PidFile ${at('apache.pid')}
ErrorLog ${at('apache-error.log')}
User www-data
Group www-data
ServerName localhost
${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
LoadModule php_module /usr/lib/apache2/modules/libphp8.2.so
TypesConfig /etc/mime.types
AddType text/plain .ts .tsx .md
AddHandler application/x-httpd-php .php
DirectoryIndex index.html index.php
StartServers 2
MaxRequestWorkers 8
KeepAlive On
MaxKeepAliveRequests 0
KeepAliveTimeout 60
${Object.entries(sites)
  .filter(([name]) => hosts[name] !== undefined)
  .map(
    ([name, { host }]) => `Listen ${host}:${listenPort}
<VirtualHost ${host}:${listenPort}>
ServerName ${host}
UseCanonicalPhysicalPort Off
${hosts[name]}</VirtualHost>`,
  )
  .join('\n')}
${allowed(folder, 'Options Indexes FollowSymLinks\nIndexOptions FancyIndexing\nAllowOverride All\n')}
${allowed('/usr/lib/cgit', 'Options ExecCGI FollowSymLinks\n')}${allowed('/usr/share/cgit')}
${allowed('/usr/share/gitweb', 'Options ExecCGI FollowSymLinks\n')}${allowed('/usr/share/mediawiki', 'AcceptPathInfo On\n')}${allowed('/var/lib/mediawiki', 'AcceptPathInfo On\n')}
`
}
