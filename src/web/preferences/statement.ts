/**
 * A statement of an owner about the use of a page, as it was made: `SOURCE: TEXT`, such as `content-usage: train-ai=n`. The record keeps
 * statements; what they mean is derived when they are read (verdict.ts).
 *
 *   | source | of |
 *   | --- | --- |
 *   | content-usage, content-signal, tdm-reservation, tdm-policy, x-robots-tag, link | the response's headers |
 *   | meta robots, meta tdm-reservation, meta tdm-policy | the page |
 *   | robots.txt content-usage, robots.txt content-signal, robots.txt license | lines of robots.txt that apply to the page |
 *   | robots.txt disallows | AI agents that may not fetch the page |
 *   | tdmrep.json tdm-reservation, tdmrep.json tdm-policy | the first rule of that file that matches the page |
 *   | licence permits, licence permits only, licence prohibits | the RSL licence that robots.txt names |
 */
import { robotsWords } from './known-signals.ts'

export interface StatementParts {
  readonly source: string
  readonly text: string
}

/** Longer statements are cut at a comma. */
const charactersMax = 1000
/** More statements of a page are not recorded. */
export const statementsMax = 16

export function statement(source: string, text: string): string {
  return `${source}: ${cut(text.trim())}`
}

export function statementParts(written: string): StatementParts {
  const colon = written.indexOf(': ')
  return colon < 0
    ? { source: written, text: '' }
    : { source: written.slice(0, colon), text: written.slice(colon + 2) }
}

function cut(text: string): string {
  if (text.length <= charactersMax) return text
  const comma = text.lastIndexOf(',', charactersMax)
  return text.slice(0, comma < 0 ? charactersMax : comma)
}

const words = new RegExp(String.raw`\b(?:${Object.keys(robotsWords).join('|')})\b`, 'i')

/** Whether robots directives say anything about use: of AI, or `noindex`. */
export function speaksOfUse(directives: string): boolean {
  return words.test(directives)
}

/** Whether a Link header leads to a licence. */
export function namesLicence(link: string): boolean {
  return /;\s*rel\s*=\s*(?:license\b|"[^"]{0,200}\blicense\b)/i.test(link.slice(0, 8 * charactersMax))
}

/** Headers of responses, by their names in lower case, and whether a value is a statement. */
export const statingHeaders: Readonly<Record<string, (value: string) => boolean>> = {
  'content-usage': () => true,
  'content-signal': () => true,
  'tdm-reservation': () => true,
  'tdm-policy': () => true,
  'x-robots-tag': speaksOfUse,
  link: namesLicence,
}

/** The statements in the headers of a response, such as one of an archive. */
export function headerStatements(headers: Iterable<readonly [name: string, value: string]>): string[] {
  const stated: string[] = []
  for (const [name, value] of headers) {
    const source = name.toLowerCase()
    const isStatement = Object.hasOwn(statingHeaders, source) && statingHeaders[source](value)
    if (isStatement && stated.length < statementsMax) stated.push(statement(source, value))
  }
  return stated
}

/** The statements in the meta elements of a page: contents of those named robots, names and contents of those of TDMRep. */
export function metaStatements(
  robots: readonly string[],
  mining: readonly (readonly [name: string, content: string])[],
): string[] {
  return [
    ...robots.filter(speaksOfUse).map((content) => statement('meta robots', content)),
    ...mining.map(([name, content]) => statement(`meta ${name}`, content)),
  ]
}
