/**
 * Hooks for modules of Node: removes the types of a TypeScript file. The result is kept in node_modules/.cache with the time of the file,
 * since every process of a test run loads hundreds of the same files.
 */
import { mkdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const { version } = createRequire(import.meta.url)('rolldown/package.json')
const cache = join(root, 'node_modules', '.cache', 'rankward-tests', version)

export async function load(url, context, next) {
  const [file] = url.split('?', 1)
  if (!file.startsWith('file:') || !file.endsWith('.ts')) return next(url, context)
  return { format: 'module', shortCircuit: true, source: await withoutTypes(fileURLToPath(file)) }
}

async function withoutTypes(path) {
  const { mtimeMs } = statSync(path)
  const kept = join(cache, `${relative(root, path)}.js`)
  if (Math.round(timeOf(kept)) === Math.round(mtimeMs)) return readFileSync(kept, 'utf8')
  const { transformSync } = await import('rolldown/utils')
  const { code, map, errors } = transformSync(path, readFileSync(path, 'utf8'), { sourcemap: true })
  if (errors.length > 0) throw errors[0]
  const source = `${code}\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}\n`
  mkdirSync(dirname(kept), { recursive: true })
  // Other processes may write or read it at the same time.
  const written = `${kept}.${process.pid}`
  writeFileSync(written, source)
  utimesSync(written, mtimeMs / 1000, mtimeMs / 1000)
  renameSync(written, kept)
  return source
}

/** When the file was changed; 0 if there is none. */
function timeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
