/**
 * Webs made from documentation packages of Debian 12: `apt-get download` and `dpkg-deb` fetch and unpack them, folder-web.ts
 * reads their links. Needs Debian 12 (another release has other versions of the packages, and other webs) and about 6 GB.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readGraph } from '../src/webgraph/formats/index.ts'
import { makeFolderWeb } from './folder-web.ts'
import { documentation } from './documentation-list.ts'
import { tell, type NamedWeb } from './webs.ts'

/** The webs of a folder, by name. */
export async function* websOf(folder: string): AsyncGenerator<NamedWeb> {
  for (const file of readdirSync(folder).toSorted()) {
    if (!file.endsWith('.edges.tsv.gz')) continue
    const path = join(folder, file)
    const urls = path.replace('.edges.tsv.gz', '.urls.txt.gz')
    yield { name: basename(file, '.edges.tsv.gz'), web: await readGraph(path, { urls }) }
  }
}

/** Makes the webs that `folder` lacks. Only they are kept, not the packages. */
export function makeDocumentationWebs(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const { name } of documentation) {
    if (existsSync(join(folder, `${name}.edges.tsv.gz`))) continue
    const root = mkdtempSync(join(folder, 'unpacked-'))
    try {
      tell(`Making the web of ${name}`)
      execFileSync('apt-get', ['-qq', 'download', name], { cwd: root })
      const [file] = readdirSync(root)
      renameSync(join(root, file), join(root, 'package.deb'))
      execFileSync('dpkg-deb', ['-x', 'package.deb', 'files'], { cwd: root })
      makeFolderWeb(join(root, 'files'), join(folder, name))
    } finally {
      rmSync(root, { recursive: true })
    }
  }
}
