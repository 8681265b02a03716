import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkLists, seeded } from '../../../test/arbitrary-graph.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { graphOf } from '../csr-graph.ts'
import { sitesFromNumbers } from '../sites.ts'
import { UrlListBuilder } from '../url-list.ts'
import { webOf, type Web } from '../web.ts'
import { readGraph, writeGraph } from './index.ts'

const folder = temporaryFolder()
const path = join(folder, 'web.rwg')

function contents(web: Web): unknown {
  const cursor = web.graph.cursor()
  const lists = Array.from({ length: web.graph.pages }, (_, page) => {
    cursor.seek(page)
    return [...cursor.targets.subarray(cursor.start, cursor.end)]
  })
  const urls = web.urls && Array.from({ length: web.urls.length }, (_, page) => web.urls!.at(page))
  return { lists, ids: web.ids && [...web.ids], urls, sites: [...web.sites.ofPage], counts: web.counts }
}

function exampleWeb(): Web {
  const urls = new UrlListBuilder()
  for (const name of ['a', 'b', 'ü', 'd']) urls.pushString(`http://${name}.example/`)
  return webOf({
    graph: graphOf([[3, 1], [0], [], [2, 0, 1]]),
    ids: Uint32Array.from([5, 6, 7, 4_294_967_295]),
    urls: urls.finish(),
    givenSites: sitesFromNumbers([9, 9, 3, 9]),
    counts: { linksInFile: 9, selfLinks: 2, repeatedLinks: 1 },
  })
}

describe("Rankward's own file", () => {
  it('keeps links in their order, ids, URLs, sites and counts', async () => {
    const web = exampleWeb()
    await writeGraph(web, path)
    expect(contents(await readGraph(path))).toEqual(contents(web))
  })

  it('keeps any graph', async () => {
    await fc.assert(
      fc.asyncProperty(linkLists(30, 20), async (lists) => {
        const web = webOf({ graph: graphOf(lists) })
        await writeGraph(web, path)
        expect(contents(await readGraph(path))).toEqual(contents(web))
      }),
      seeded(50),
    )
  })

  it('keeps a graph without pages', async () => {
    await writeGraph(webOf({ graph: graphOf([]) }), path)
    expect((await readGraph(path)).graph.pages).toBe(0)
  })

  it('is refused if it is truncated at any byte', async () => {
    await writeGraph(exampleWeb(), path)
    const whole = readFileSync(path)
    const cut = join(folder, 'cut.rwg')
    for (let length = 8; length < whole.length; length++) {
      writeFileSync(cut, whole.subarray(0, length))
      await expect(readGraph(cut)).rejects.toThrow(
        /cut\.rwg is not a usable Rankward graph: it (is truncated|ends within)/,
      )
    }
  })

  it('is refused whichever byte is changed', async () => {
    await writeGraph(exampleWeb(), path)
    const whole = readFileSync(path)
    const changed = join(folder, 'changed.rwg')
    for (let at = 8; at < whole.length; at++) {
      const bytes = Buffer.from(whole)
      bytes[at] ^= 0x10
      writeFileSync(changed, bytes)
      await expect(readGraph(changed)).rejects.toThrow(
        /changed\.rwg is not a usable Rankward graph: .*(corrupt|version)/,
      )
    }
  })

  it('of a newer version is refused with a message', async () => {
    await writeGraph(exampleWeb(), path)
    const bytes = readFileSync(path)
    bytes[8] = 2
    writeFileSync(path, bytes)
    await expect(readGraph(path)).rejects.toThrow(
      /it has version 2, but this version of Rankward reads version 1; update Rankward/,
    )
  })

  it('leaves nothing behind when it cannot be written', async () => {
    const web = exampleWeb()
    await expect(writeGraph(web, join(folder, 'absent', 'web.rwg'))).rejects.toThrow(
      /Cannot write .*its directory does not exist/,
    )
    const broken: Web = {
      ...web,
      get givenSites(): never {
        throw new Error('broken')
      },
    }
    await expect(writeGraph(broken, join(folder, 'broken.rwg'))).rejects.toThrow(/broken/)
    expect(existsSync(join(folder, 'broken.rwg'))).toBe(false)
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([])
  })
})
