/**
 * Loads a user's module, JavaScript or TypeScript. esbuild, if installed, strips the types and bundles the module with the
 * files that it imports; packages are loaded from where they are installed.
 */
import { existsSync } from 'node:fs'
import { createRequire, isBuiltin, SourceMap } from 'node:module'
import { dirname, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'

interface LoadedModule {
  readonly file: string
  /** From the lines of the compiled module to those of its sources. */
  readonly map?: SourceMap
}

/** The loaded modules by the names that stack traces have for them. */
const loaded = new Map<string, LoadedModule>()

/** Throws an error whose message gives the reason in one line. */
export async function importModule(path: string): Promise<Record<string, unknown>> {
  const file = resolve(path)
  try {
    if (/\.m?ts$/.test(path)) return await importCompiled(file)
    loaded.set(file, { file })
    return (await import(pathToFileURL(file).href)) as Record<string, unknown>
  } catch (error) {
    const { code } = Object(error) as NodeJS.ErrnoException
    const why =
      !existsSync(file) || code === 'ENOENT'
        ? 'there is no such file'
        : code === 'ERR_MODULE_NOT_FOUND' && thrown(error).includes("'esbuild'")
          ? 'TypeScript needs the package esbuild; install it or compile the module to .js'
          : thrown(error)
    throw new Error(why, { cause: error })
  }
}

async function importCompiled(file: string): Promise<Record<string, unknown>> {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [file],
    outfile: `${file}.mjs`,
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    sourcemap: 'external',
    sourcesContent: false,
    logLevel: 'silent',
    plugins: [installedPackages],
  })
  const [map, code] = ['.map', '.mjs'].map((end) => outputFiles.find((each) => each.path.endsWith(end))!.text)
  // Named like its source in stack traces.
  const named = `${code}\n//# sourceURL=${file}`
  const url = `data:text/javascript;base64,${Buffer.from(named).toString('base64')}`
  const module = { file, map: new SourceMap(JSON.parse(map) as ConstructorParameters<typeof SourceMap>[0]) }
  // A program with stack traces of its own form may use the other name.
  for (const name of [file, url]) loaded.set(name, module)
  return (await import(url)) as Record<string, unknown>
}

/** A data URL cannot import packages by name, so they are resolved from the importing file. */
const installedPackages: Plugin = {
  name: 'installed-packages',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
      if (kind === 'entry-point') return undefined
      if (isBuiltin(path)) return { path, external: true }
      try {
        return { path: pathToFileURL(createRequire(importer).resolve(path)).href, external: true }
      } catch {
        // A package that only `import` can resolve is bundled.
        return undefined
      }
    })
  },
}

/**
 * The first line of a thrown value, and where a user's module threw it; for a syntax error, its position and text. Never throws,
 * whatever a user's code has thrown.
 */
export function thrown(error: unknown): string {
  try {
    return described(error)
  } catch {
    return 'a value that has no text'
  }
}

function described(error: unknown): string {
  const { errors } = Object(error) as { errors?: unknown }
  // As esbuild reports syntax errors; other errors have other lists, such as AggregateError.
  const [first] = (Array.isArray(errors) ? errors : []) as {
    text?: unknown
    location?: { line: number } | null
  }[]
  if (typeof first?.text === 'string') return `line ${first.location?.line ?? 1}: ${first.text}`
  if (!(error instanceof Error)) return String(error).split('\n')[0]
  const place = placeOf(error)
  const [message] = error.message.split('\n')
  return place === undefined ? message : `${message} (${place})`
}

/** File and line of the innermost frame in a user's module. */
function placeOf({ stack = '' }: Error): string | undefined {
  for (const [, path, line, column] of stack.matchAll(/\(?(?:file:\/\/)?([^\s()]+):(\d+):(\d+)\)?$/gm)) {
    const module = loaded.get(decoded(path))
    if (module === undefined) continue
    const { file, map } = module
    const entry = map?.findEntry(Number(line) - 1, Number(column) - 1)
    if (entry === undefined || !('originalLine' in entry)) return `${shownPath(file)}:${line}`
    return `${shownPath(resolve(dirname(file), entry.originalSource))}:${entry.originalLine + 1}`
  }
  return undefined
}

/** Paths of ES modules are encoded, those of CommonJS modules are not. */
function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

function shownPath(file: string): string {
  const short = relative('.', file)
  return short.startsWith('..') ? file : short
}
