// Bundles src/ into dist/bundle/, a flat folder: Node takes a third of a millisecond for each module that it loads, and a crawl
// needs hundreds. Packages stay outside, as dependencies. Names are kept, so that stack traces can be read.
import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { rolldown } from 'rolldown'

const folder = join('dist', 'bundle')
const source = (name) => resolve('src', `${name}.ts`)

/** The modules of a part that threads load: `-worker` starts a thread, `-reader` and `-writer` are loaded in fetch threads. */
const partEntries = readdirSync(resolve('src', 'crawler', 'parts'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /-(?:worker|reader|writer)\.ts$/.test(file))
  .map((file) => `crawler/parts/${file.replaceAll(sep, '/').replace(/\.ts$/, '')}`)

/** The files that package.json names, and those of the threads; without those of a folder that was deleted. */
const entries = [
  'cli/main',
  'index',
  'crawler/crawlee/index',
  'engine/index',
  'web/warc/index',
  'webgraph/index',
  'engine/user-code/scorer-worker',
  'view/dashboard/reader/reader-worker',
  'web/store/range-worker',
  'webgraph/pagerank/pagerank-worker',
  'simulator/simulation-worker',
  'crawler/fetch/fetch-worker',
  ...partEntries.toSorted(),
].filter((entry) => existsSync(dirname(source(entry))))
/** `crawlee` for crawler/crawlee/index. */
const nameOf = (entry) => entry.replace(/\/index$/, '').replace(/.*\//, '')

/** `cli-cluster-crawl` for src/cli/cluster/crawl.ts. */
const flatName = (id) =>
  relative('src', id)
    .replace(/\.tsx?$/, '')
    .replaceAll(sep, '-')

/**
 * Modules that start often, or must start fast, some with modules that they load next in most crawls. A chunk has the modules that the
 * same of these reach, so that each of them loads a few files and no code that it does not need. They themselves stay out of these
 * chunks: they run when loaded. All other chunks are chosen by the bundler.
 */
const starts = {
  'cli/main': [],
  'cli/crawl': ['cli/cluster/elsewhere'],
  'crawler/crawler': [
    'crawler/parts/archive/earlier-files',
    'crawler/parts/duplicates/crawl-duplicates',
    'crawler/parts/traps/crawl-traps',
  ],
  'crawler/fetch/fetch-worker': [
    'crawler/parts/archive/archive-writer',
    'crawler/parts/duplicates/sketch-reader',
  ],
  'simulator/simulation-worker': [],
}
const startModules = new Set([...Object.keys(starts), ...entries].map(source))

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
            reached ??= Object.entries(starts).map(([start, next]) => [
              start,
              closure([start, ...next], graph),
            ])
            const names = reached.filter(([, modules]) => modules.has(id)).map(([start]) => nameOf(start))
            return names.length === 0 || startModules.has(id) ? null : `for-${names.join('-')}`
          },
        },
      ],
    },
  })
  await build.close()
  // `npx rankward` in the checkout runs the file itself.
  chmodSync(join(folder, 'main.js'), 0o755)
}

/** The modules and all that they import statically. */
function closure(starts, graph) {
  const modules = new Set(starts.map(source))
  for (const id of modules)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) modules.add(imported)
  return modules
}
