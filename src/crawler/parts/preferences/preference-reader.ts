/** Takes the statements of responses about their use, in a fetch thread. Header names are compared as bytes: most have none of them. */
import { ascii, spells } from '../../../web/html/bytes.ts'
import { miningMetas, robotsMetas } from '../../../web/html/marked-page.ts'
import { namesLicence, speaksOfUse, statement, statementsMax } from '../../../web/preferences/statement.ts'
import type { PartReader } from '../part-reader.ts'

/** By header: whether its value is a statement. */
const headers: Readonly<Record<string, (value: string) => boolean>> = {
  'content-usage': () => true,
  'content-signal': () => true,
  'tdm-reservation': () => true,
  'tdm-policy': () => true,
  'x-robots-tag': speaksOfUse,
  link: namesLicence,
}

interface KnownHeader {
  readonly name: string
  readonly bytes: Uint8Array
  readonly isStatement: (value: string) => boolean
}

const byLength: KnownHeader[][] = []
for (const [name, isStatement] of Object.entries(headers))
  (byLength[name.length] ??= []).push({ name, bytes: ascii(name), isStatement })

export function makeReader(): PartReader {
  /** Of the headers of the response whose page is read next. */
  let stated: string[] | undefined
  return {
    response({ headers: raw }) {
      stated = undefined
      for (let i = 0; i + 1 < raw.length; i += 2) {
        const known = byLength[raw[i].length]?.find(({ bytes }) => spells(raw[i], 0, bytes))
        if (known === undefined) continue
        const value = raw[i + 1].toString('latin1')
        if (known.isStatement(value)) (stated ??= []).push(statement(known.name, value))
      }
      return stated && { preferences: stated.slice(0, statementsMax) }
    },
    page({ source, marks }) {
      const metas = robotsMetas(source, marks)?.filter(speaksOfUse) ?? []
      const mining = miningMetas(source, marks)
      if (metas.length + mining.length === 0) return undefined
      const all = [
        ...(stated ?? []),
        ...metas.map((content) => statement('meta robots', content)),
        ...mining.map(([name, content]) => statement(`meta ${name}`, content)),
      ]
      return { preferences: all.slice(0, statementsMax) }
    },
  }
}
