import { existsSync, readFileSync } from 'node:fs'

/** package.json is two folders above the bundle, and three above this module and its compiled form. */
const file = ['../../package.json', '../../../package.json']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(url))!

/** The package's version. */
export const version: string = (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
