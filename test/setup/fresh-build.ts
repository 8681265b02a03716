/** Global setup of the tests that run built code: a stale build would test something other than the sources. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** What is wrong with the build; undefined if nothing is. */
export function staleness(folder: string): string | undefined {
  const stamp = join(folder, 'dist', '.built')
  if (!existsSync(stamp)) return 'dist/ is missing or incomplete'
  const builtMs = statSync(stamp).mtimeMs
  const newer = ['tsconfig.build.json', 'scripts/bundle.mjs', ...sources(folder)].find(
    (file) => statSync(join(folder, file)).mtimeMs > builtMs,
  )
  return newer === undefined ? undefined : `${newer} is newer than dist/`
}

function sources(folder: string): string[] {
  return readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(tsx?|css|html|svg)$/.test(file) && !/\.(test|cases)\.ts$/.test(file))
    .map((file) => join('src', file))
}

/** Called by vitest. */
export function setup(): void {
  const reason = staleness(root)
  if (reason !== undefined) throw new Error(`${reason}: run \`npm run build\` first.`)
}
