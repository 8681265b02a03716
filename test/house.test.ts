/**
 * Where the house stands: its size and shape, printed for the next reader. It fails only where there must be one of a thing and
 * there are two.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { commandGroups } from '../src/cli/commands.ts'
import { decidedFields, fetchedFields } from '../src/crawler/page-fields.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const src = join(root, 'src')
const files = readdirSync(src, { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.(test|cases)\.ts$/.test(entry.name))
  .map((entry) => relative(src, join(entry.parentPath, entry.name)))
const textOf = new Map(files.map((file) => [file, readFileSync(join(src, file), 'utf8')]))

/** Exported names that so many other files of src/ import, by that number. */
function exportsByUsers(): Map<number, number> {
  const users = new Map<string, Set<string>>()
  const imports = /^(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*'(\.[^']+)'/gm
  for (const [file, text] of textOf) {
    for (const [, list, name] of text.matchAll(imports)) {
      const target = posix.join(posix.dirname(file), name)
      for (const each of list.split(',')) {
        const [imported] = each
          .trim()
          .replace(/^type\s+/, '')
          .split(/\s+as\s+/)
        const key = `${target}#${imported}`
        users.set(key, (users.get(key) ?? new Set()).add(file))
      }
    }
  }
  const counts = new Map<number, number>()
  const exported =
    /^export\s+(?:async\s+)?(?:abstract\s+)?(?:const|let|function\*?|class|interface|type)\s+(\w+)/gm
  for (const [file, text] of textOf) {
    for (const [, name] of text.matchAll(exported)) {
      const count = users.get(`${file}#${name}`)?.size ?? 0
      counts.set(count, (counts.get(count) ?? 0) + 1)
    }
  }
  return counts
}

/** Functions whose cyclomatic complexity is at least this. */
function complexFunctions(atLeast: number): number {
  const folder = mkdtempSync(join(tmpdir(), 'rankward-house-'))
  try {
    const config = join(folder, 'oxlint.json')
    const rules = { complexity: ['error', { max: atLeast - 1 }] }
    writeFileSync(config, JSON.stringify({ categories: { correctness: 'off' }, plugins: [], rules }))
    const args = ['--config', config, '--format', 'json', src]
    const output = ((): string => {
      try {
        return execFileSync(join(root, 'node_modules', '.bin', 'oxlint'), args, { encoding: 'utf8' })
      } catch (error) {
        // It exits with 1 if it finds any.
        return (error as { stdout: string }).stdout
      }
    })()
    const { diagnostics } = JSON.parse(output) as { diagnostics: { filename: string }[] }
    return diagnostics.filter(({ filename }) => !/\.(test|cases)\.ts$/.test(filename)).length
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe('the house', () => {
  it('has these measures', () => {
    const lines = [...textOf.values()].reduce((sum, text) => sum + text.split('\n').length - 1, 0)
    const byUsers = exportsByUsers()
    const measures = {
      'folders at the top of src/': readdirSync(src, { withFileTypes: true }).filter((each) =>
        each.isDirectory(),
      ).length,
      'lines without tests': lines,
      files: files.length,
      'files under 30 lines': [...textOf.values()].filter((text) => text.split('\n').length < 30).length,
      'functions with a complexity of 15 or more': complexFunctions(15),
      'exports that no other file imports': byUsers.get(0) ?? 0,
      'exports that one other file imports': byUsers.get(1) ?? 0,
      commands: Object.values(commandGroups).flatMap((group) => Object.keys(group)).length,
    }
    console.log(measures)
    expect(measures['folders at the top of src/']).toBe(10)
  })

  it('has one place that sends requests', () => {
    const senders = files.filter((file) =>
      /\bthreads\.fetch\(|kind: 'fetch', connections/.test(textOf.get(file)!),
    )
    // The wire, the threads behind it, and `check`, which has one fetch thread in the main thread.
    expect(senders).toEqual([
      'crawler/desk/fetch-threads.ts',
      'crawler/desk/wire.ts',
      'crawler/session/robots-check.ts',
    ])
  })

  it('has one place with the lengths of gaps of a crawl', () => {
    const users = files.filter(
      (file) => file.startsWith('crawler/') && /\bgapSeconds\(\{/.test(textOf.get(file)!),
    )
    expect(users).toEqual(['crawler/desk/rules.ts'])
  })

  it('has one list of the fields of a page', () => {
    const names = new Set([...Object.keys(fetchedFields), ...Object.keys(decidedFields)])
    // Members of types and objects, elements of lists.
    const listed = /^\s*(?:readonly )?\[?'?(\w+)'?\??[:,\]]|'(\w+)'/gm
    const lists = files.filter((file) => {
      const found = Array.from(textOf.get(file)!.matchAll(listed), ([, member, element]) => member ?? element)
      return new Set(found.filter((name) => names.has(name))).size > names.size / 3
    })
    expect(lists).toEqual(['crawler/page-fields.ts'])
  })

  it('has one home for the formats of amounts', () => {
    const others = files.filter((file) =>
      /function (?:durationText|bytesText|plural|grouped)\(/.test(textOf.get(file)!),
    )
    expect(others).toEqual(['lib/amounts.ts'])
    const formatting = files.filter((file) =>
      /\.toFixed\(|\.toLocaleString\(|Intl\.NumberFormat/.test(textOf.get(file)!),
    )
    expect(formatting.toSorted()).toEqual([
      // Rounds the similarity that is recorded.
      'crawler/parts/duplicates/copies.ts',
      'lib/amounts.ts',
      // Coordinates of a picture.
      'view/dashboard/page/site-graph.tsx',
      'view/pictures/plot-svg.tsx',
      // Rounds a logarithm before the next power of ten is taken.
      'view/report/crawl-plots.ts',
      // Numbers in the file of properties, as other readers expect them.
      'webgraph/formats/bv/bv-writer.ts',
    ])
  })
})
