/** The files of the page, from dist/. Only files that were there when the server started are served. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}

export interface StaticFile {
  readonly bytes: Buffer
  readonly type: string
  readonly etag: string
}

/** The folder of the built page, from the module at this URL; sources use the built one too. */
export function builtPage(callerUrl = import.meta.url): string {
  const fromModule = /\/dist\/bundle\/[^/]+$/.test(callerUrl) ? '../view/dashboard/page' : 'page'
  const { href } = new URL(fromModule, callerUrl)
  // A package may be installed in a folder `src`, such as /usr/src/app.
  return fileURLToPath(callerUrl.endsWith('.ts') ? href.replace(/\/src\/(?!.*\/src\/)/, '/dist/') : href)
}

/** By path of the URL: `/`, `/page.js`. Empty if the page is not built. */
export function staticFiles(folder: string): ReadonlyMap<string, StaticFile> {
  const files = new Map<string, StaticFile>()
  if (!existsSync(folder)) return files
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = types[extname(entry.name)]
    if (!entry.isFile() || type === undefined) continue
    const path = join(entry.parentPath, entry.name)
    const bytes = readFileSync(path)
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
    const name = relative(folder, path).split(sep).join('/')
    files.set(`/${name === 'index.html' ? '' : name}`, { bytes, type, etag })
  }
  return files
}
