// npm run build: compiles src/ to dist/, removes outputs whose source is gone, bundles the code and the page of the
// dashboard, and writes the stamp that tests compare with the sources. The package has the bundle and the types; tests
// and benchmarks of single parts import the compiled modules.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'vite'
import { bundle } from './bundle.mjs'

const stamp = join('dist', '.built')
const startMs = Date.now()
rmSync(stamp, { force: true })
const page = join('view', 'dashboard', 'page')
for (const config of ['tsconfig.build.json', join('src', page)]) {
  const { status } = spawnSync(join('node_modules', '.bin', 'tsc'), ['-p', config], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
for (const file of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
  const name = /^(.*?)(\.d\.ts|\.js)$/.exec(file)?.[1]
  if (file.startsWith(page) || file.startsWith('bundle')) continue
  const sources = ['ts', 'tsx'].map((kind) => join('src', `${name}.${kind}`))
  if (name !== undefined && !sources.some(existsSync)) rmSync(join('dist', file))
}
await bundle()
await buildPage()
writeFileSync(stamp, '')
// A source that changed during the build is newer than the stamp.
utimesSync(stamp, startMs / 1000, startMs / 1000)

/** Three files without hashes in their names: the server sends ETags. */
async function buildPage() {
  const licences = [
    'uPlot: Copyright (c) 2022 Leon Sorokin, MIT licence',
    'd3: Copyright 2010-2023 Mike Bostock, ISC licence',
    'Preact: Copyright (c) 2015-present Jason Miller, MIT licence',
  ]
  await build({
    configFile: false,
    root: join('src', page),
    base: './',
    publicDir: false,
    logLevel: 'warn',
    build: {
      outDir: resolve('dist', page),
      emptyOutDir: true,
      target: 'es2022',
      // The first with light-dark().
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      modulePreload: false,
      assetsInlineLimit: 0,
      rolldownOptions: {
        // Modules of which only types and constants are used stay out.
        treeshake: { moduleSideEffects: false },
        output: {
          entryFileNames: 'page.js',
          assetFileNames: 'page[extname]',
          postBanner: `/*! Contains ${licences.join('; ')}. */`,
        },
      },
    },
  })
}
