import { readFileSync } from 'node:fs'

/** The package's version, from package.json, two folders above both src/options and dist/options. */
export const version: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version
