// npm run build: compiles src/ to dist/, removes outputs whose source is gone, and writes the stamp that
// tests compare with the sources.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const stamp = join('dist', '.built')
const startMs = Date.now()
rmSync(stamp, { force: true })
const { status } = spawnSync(join('node_modules', '.bin', 'tsc'), ['-p', 'tsconfig.build.json'], {
  stdio: 'inherit',
})
if (status !== 0) process.exit(status ?? 1)
for (const file of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
  const name = /^(.*?)(\.d\.ts|\.js)$/.exec(file)?.[1]
  if (name !== undefined && !existsSync(join('src', `${name}.ts`))) rmSync(join('dist', file))
}
writeFileSync(stamp, '')
// A source that changed during the build is newer than the stamp.
utimesSync(stamp, startMs / 1000, startMs / 1000)
