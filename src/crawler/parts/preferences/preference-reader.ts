/** Takes the statements of responses about their use, in a fetch thread. Header names are compared as bytes: most have none of them. */
import { ascii, spells } from '../../../web/html/bytes.ts'
import { miningMetas, robotsMetas } from '../../../web/html/marked-page.ts'
import {
  metaStatements,
  statement,
  statementsMax,
  statingHeaders,
} from '../../../web/preferences/statement.ts'
import type { PartReader } from '../part-reader.ts'

interface KnownHeader {
  readonly name: string
  readonly bytes: Uint8Array
  readonly isStatement: (value: string) => boolean
}

const byLength: KnownHeader[][] = []
for (const [name, isStatement] of Object.entries(statingHeaders))
  (byLength[name.length] ??= []).push({ name, bytes: ascii(name), isStatement })

export function makeReader(): PartReader {
  /** Of the headers of the response whose page is read next. */
  let stated: string[] | undefined
  return {
    response({ headers }) {
      stated = undefined
      for (let i = 0; i + 1 < headers.length; i += 2) {
        const known = byLength[headers[i].length]?.find(({ bytes }) => spells(headers[i], 0, bytes))
        if (known === undefined) continue
        const value = headers[i + 1].toString('latin1')
        if (known.isStatement(value)) (stated ??= []).push(statement(known.name, value))
      }
      return stated && { preferences: stated.slice(0, statementsMax) }
    },
    page({ source, marks }) {
      const metas = metaStatements(robotsMetas(source, marks) ?? [], miningMetas(source, marks))
      return metas.length === 0
        ? undefined
        : { preferences: [...(stated ?? []), ...metas].slice(0, statementsMax) }
    },
  }
}
