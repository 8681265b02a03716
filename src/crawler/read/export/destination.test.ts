import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { formatsOf, plannedFiles, type ExportFormat } from './destination.ts'

const folder = temporaryFolder()

const paths = (to: string, formats: ExportFormat[]): string[] =>
  plannedFiles(to, formats).map(({ path }) => path)

describe('where an export goes', () => {
  it.each([
    ['out', [], ['out/pages.parquet', 'out/links.parquet']],
    ['out', ['tsv'], ['out/pages.tsv', 'out/links.tsv']],
    ['out', ['edges', 'tsv'], ['out/edges.tsv.gz', 'out/urls.txt.gz', 'out/pages.tsv', 'out/links.tsv']],
    ['a/web.parquet', [], ['a/web.parquet', 'a/web.links.parquet']],
    ['web.tsv.gz', [], ['web.tsv.gz', 'web.links.tsv.gz']],
    ['web.tsv.gz', ['edges'], ['web.tsv.gz', 'web.urls.txt.gz']],
    ['web.jsonl.gz', [], ['web.jsonl.gz', 'web.links.jsonl.gz']],
    ['web.csv', [], ['web.csv', 'web.links.csv']],
    ['web.txt', ['edges'], ['web.txt', 'web.urls.txt']],
    ['v1.2', [], ['v1.2/pages.parquet', 'v1.2/links.parquet']],
  ] as [string, ExportFormat[], string[]][])('%s as %j', (to, formats, expected) => {
    expect(paths(to, formats)).toEqual(expected)
  })

  it('has the versions of pages if there may be several, or if they are chosen', () => {
    const versions = (...[to, formats, choice]: Parameters<typeof plannedFiles>): string[] =>
      plannedFiles(to, formats, choice).map(({ path }) => path)
    expect(versions('out', ['jsonl'], { has: (table) => table === 'versions' })).toEqual([
      'out/pages.jsonl',
      'out/links.jsonl',
      'out/versions.jsonl',
    ])
    expect(versions('web.tsv', [], { has: (table) => table === 'versions' })[2]).toBe('web.versions.tsv')
    expect(versions('v.parquet', [], { only: 'versions' })).toEqual(['v.parquet'])
    expect(versions('out', ['edges'], { has: (table) => table === 'versions' })).toEqual([
      'out/edges.tsv.gz',
      'out/urls.txt.gz',
    ])
    expect(versions('-', ['jsonl'], { only: 'versions' })).toEqual(['-'])
  })

  it('is a folder where there is one, whatever its name ends in', () => {
    expect(plannedFiles(folder, ['tsv'])[0].path).toBe(`${folder}/pages.tsv`)
  })

  it('refuses what cannot be', () => {
    expect(() => plannedFiles('web.tsv', ['tsv', 'edges'])).toThrow(/one file, but 2 formats/)
    expect(() => plannedFiles('web.tsv', ['parquet'])).toThrow(/ends in \.parquet/)
    expect(() => plannedFiles('web.json', [])).toThrow(
      /^web\.json is not a file name of any format: .*\.jsonl/,
    )
    expect(() => plannedFiles('web.parquet.gz', ['parquet'])).toThrow(/is not a file name of any format/)
    expect(() => formatsOf('xml')).toThrow(/"xml" is not an export format/)
    expect(formatsOf('tsv, edges,tsv')).toEqual(['tsv', 'edges'])
  })
})
