import { readFileSync } from 'node:fs'

/** Of the package, from its package.json, which lies two folders above both src/crawl and dist/crawl. */
export const version: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version
