// Bundles src/ into dist/bundle/, a flat folder: Node takes a third of a millisecond for each module that it loads, and a crawl
// needs hundreds. Packages stay outside, as dependencies. Names are kept, so that stack traces can be read.
import { chmodSync, existsSync, rmSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { rolldown } from 'rolldown'

const folder = join('dist', 'bundle')
const source = (name) => resolve('src', `${name}.ts`)

/** The files that package.json names, and those of the threads; without those of a folder that was deleted. */
const entries = [
  'cli/main',
  'index',
  'crawler/crawlee/index',
  'crawler/parts/handlers/handler-worker',
  'engine/user-code/scorer-worker',
  'view/dashboard/reader/reader-worker',
  'webgraph/pagerank/pagerank-worker',
  'crawler/parts/search/index-worker',
  'simulator/simulation-worker',
  'crawler/fetch/fetch-worker',
].filter((entry) => existsSync(dirname(source(entry))))
const nameOf = (entry) => (entry === 'crawler/crawlee/index' ? 'crawlee' : entry.replace(/.*\//, ''))

/** `cli-cluster-crawl` for src/cli/cluster/crawl.ts. */
const flatName = (id) =>
  relative('src', id)
    .replace(/\.tsx?$/, '')
    .replaceAll(sep, '-')

/**
 * Modules that start often, or must start fast. A chunk has the modules that the same of these reach, so that each of
 * them loads a few files and no code that it does not need. They themselves stay out of these chunks: they run when
 * loaded. All other chunks are chosen by the bundler.
 */
const starts = [
  'cli/main',
  'cli/crawl',
  'crawler/crawler',
  'crawler/fetch/fetch-worker',
  'simulator/simulation-worker',
]

export async function bundle() {
  rmSync(folder, { recursive: true, force: true })
  const build = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [nameOf(entry), source(entry)])),
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    external: (id) => !id.startsWith('.') && !isAbsolute(id),
  })
  let reached
  await build.write({
    dir: folder,
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: ({ facadeModuleId: id }) => (id ? `${flatName(id)}.js` : '[name].js'),
    codeSplitting: {
      groups: [
        {
          debugName: 'by start',
          includeDependenciesRecursively: false,
          name(id, graph) {
            reached ??= starts.map((start) => [start, closure(source(start), graph)])
            const names = reached.filter(([, modules]) => modules.has(id)).map(([start]) => nameOf(start))
            return names.length === 0 || starts.some((start) => id === source(start))
              ? null
              : `for-${names.join('-')}`
          },
        },
      ],
    },
  })
  await build.close()
  // `npx rankward` in the checkout runs the file itself.
  chmodSync(join(folder, 'main.js'), 0o755)
}

/** The module and all that it imports statically. */
function closure(start, graph) {
  const modules = new Set([start])
  for (const id of modules)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) modules.add(imported)
  return modules
}
