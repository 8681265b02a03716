/** The queries of docs/guide/data.md, run by DuckDB on the exported tables of a real crawl. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportCrawl } from '../src/crawler/read/export/export.ts'
import { smallCrawl, type SmallCrawl } from '../src/crawler/read/export/small-crawl.cases.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const text = readFileSync(join(import.meta.dirname, '..', 'docs', 'guide', 'data.md'), 'utf8')
const queries = [...text.matchAll(/^```sql\n([^]*?)^```/gm)].map(([, query]) => query)

let made: SmallCrawl
let connection: DuckDBConnection

async function rowsOf(query: string): Promise<Record<string, unknown>[]> {
  const local = query.replaceAll("'tables/", `'${folder}/tables/`)
  return (await connection.runAndReadAll(local)).getRowObjectsJS()
}

const queryWith = (part: string): string => queries.find((query) => query.includes(part))!

beforeAll(async () => {
  made = await smallCrawl(join(folder, 'crawl'))
  await exportCrawl(made.folder, { to: join(folder, 'tables') })
  await exportCrawl(made.folder, { to: join(folder, 'tables', 'versions.parquet'), table: 'versions' })
  connection = await (await DuckDBInstance.create()).connect()
})

afterAll(() => {
  connection.closeSync()
})

describe('docs/guide/data.md', () => {
  it.each(queries)('%s', async (query) => {
    await expect(rowsOf(query)).resolves.toBeInstanceOf(Array)
  })

  it('counts the pages of each site', async () => {
    const [site] = await rowsOf(queryWith('GROUP BY site'))
    expect(Number(site.known)).toBe(made.totals.known)
    expect(Number(site.fetched)).toBe(made.totals.pages)
    expect(site.held).toBeCloseTo(made.totals.coverage.guaranteed, 6)
  })

  it('finds dead links and redirects', async () => {
    expect(await rowsOf(queryWith('target.status >= 400'))).toEqual([
      { page: made.urls[3], link: made.urls[8], status: 404 },
    ])
    expect(await rowsOf(queryWith("state = 'redirect'"))).toEqual([
      { url: made.urls[6], location: made.urls[7], links: 1n },
    ])
  })
})

describe('an exported table', () => {
  it('has times, enumerations and lists of types that DuckDB knows', async () => {
    const described = await rowsOf("DESCRIBE SELECT * FROM 'tables/pages.parquet'")
    const types = Object.fromEntries(described.map((row) => [row.column_name, row.column_type]))
    expect(types).toMatchObject({
      page: 'INTEGER',
      bytes: 'BIGINT',
      fetched_at: 'TIMESTAMP',
      faults: 'VARCHAR[]',
      noindex: 'BOOLEAN',
      rank_mass: 'DOUBLE',
      state: 'VARCHAR',
    })
  })
})
