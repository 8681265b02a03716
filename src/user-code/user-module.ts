/** Loads a user's module, JavaScript or TypeScript. esbuild, if installed, strips the types. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Throws an error whose message gives the reason in one line. */
export async function importModule(path: string): Promise<Record<string, unknown>> {
  const url = pathToFileURL(resolve(path)).href
  try {
    if (!/\.m?ts$/.test(path)) return (await import(url)) as Record<string, unknown>
    const { transform } = await import('esbuild')
    const { code } = await transform(await readFile(path, 'utf8'), { loader: 'ts', format: 'esm' })
    return (await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)) as Record<
      string,
      unknown
    >
  } catch (error) {
    const { code } = Object(error) as NodeJS.ErrnoException
    const why =
      code === 'ENOENT' || (code === 'ERR_MODULE_NOT_FOUND' && !existsSync(path))
        ? 'there is no such file'
        : code === 'ERR_MODULE_NOT_FOUND' && thrown(error).includes("'esbuild'")
          ? 'TypeScript needs the package esbuild; install it or compile the module to .js'
          : thrown(error)
    throw new Error(why, { cause: error })
  }
}

/** The first line of a thrown value; for a syntax error from esbuild, its position and text. */
export function thrown(error: unknown): string {
  const [first] = (error as { errors?: { text: string; location?: { line: number } | null }[] })?.errors ?? []
  if (first !== undefined) return `line ${first.location?.line ?? 1}: ${first.text}`
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]
}
