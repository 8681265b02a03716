/**
 * Rules by which different URLs are the same page. Each can be turned on and off; by default those are on
 * that hardly ever merge two pages.
 *
 * | rule | default | example |
 * | --- | --- | --- |
 * | sessionIds | on | `/a;jsessionid=1F?PHPSESSID=2` is `/a` |
 * | trackingParameters | on | `/a?utm_source=x&b=1` is `/a?b=1` |
 * | indexPages | off | `/a/index.html` is `/a/` |
 * | sortedQuery | off | `/a?c=1&b=2` is `/a?b=2&c=1` |
 *
 * Each maps a URL that is otherwise canonical, and returns the same string if it does not apply.
 */
import { parsedUrl } from './plain-url.ts'

export interface CanonicalRules {
  readonly sessionIds?: boolean
  readonly trackingParameters?: boolean
  readonly indexPages?: boolean
  readonly sortedQuery?: boolean
}

export const defaultRules: Required<CanonicalRules> = {
  sessionIds: true,
  trackingParameters: true,
  indexPages: false,
  sortedQuery: false,
}

/** Names without any other use. */
const sessionNames = ['jsessionid', 'phpsessid', 'cfid', 'cftoken', 'zenid', 'oscsid']
const sessionName = /^aspsessionid[a-z]{8}$/
/** Ambiguous names: they count only with a generated value. */
const perhapsSessionNames = ['sid', 'sessionid', 'session_id', 'sessid', 'session', 'sess', 's']
const sessionValue = /^(?=.*\d)[0-9a-z]{24,}$/i

const trackingNames = new Set(
  `gclid gclsrc dclid gbraid wbraid fbclid msclkid yclid ymclid twclid ttclid igshid li_fat_id mc_cid mc_eid mkt_tok _ga _gl
   _hsenc _hsmi __hssc __hstc __hsfp hsctatracking vero_id vero_conv oly_anon_id oly_enc_id wickedid srsltid s_cid
   rb_clickid epik irclickid _openstat`.split(/\s+/),
)
const trackingPrefixes = ['utm_', 'hsa_', 'mtm_', 'pk_', 'piwik_', 'matomo_']

const indexPage = /\/(?:index\.(?:html?|php\d?|aspx?|jsp|jspx|shtml|cgi|cfm|pl)|default\.(?:html?|aspx?))$/i
/** ASP.NET has session ids in a path segment of their own. */
const sessionSegment = /\/\((?:[A-Z]\([0-9a-z]+\))*S\([0-9a-z]{24}\)(?:[A-Z]\([0-9a-z]+\))*\)(?=\/)/gi

/**
 * For each first letter of a dropped name: bit n is set if such a name has n letters, bit 0 if one of the
 * prefixes starts with it. Nearly all parameters pass with one lookup in this table.
 */
const suspects = suspectTable()

/** With the defaults of the rules that are not given. */
export function completeRules(given: CanonicalRules): Required<CanonicalRules> {
  const chosen = Object.entries(given).filter(([, isOn]) => isOn !== undefined)
  return { ...defaultRules, ...Object.fromEntries(chosen) }
}

export function applyRules(url: string, rules: Required<CanonicalRules>): string {
  const query = url.indexOf('?')
  return rules.indexPages || hasSuspectPath(url, rules) || (query >= 0 && hasSuspectQuery(url, query, rules))
    ? rewritten(url, query, rules)
    : url
}

function hasSuspectPath(url: string, { sessionIds }: Required<CanonicalRules>): boolean {
  return sessionIds && (url.includes(';') || url.includes('('))
}

function hasSuspectQuery(url: string, query: number, rules: Required<CanonicalRules>): boolean {
  return (
    rules.sortedQuery ||
    ((rules.sessionIds || rules.trackingParameters) && hasSuspectParameter(url, query + 1))
  )
}

function rewritten(url: string, query: number, rules: Required<CanonicalRules>): string {
  let path = query < 0 ? url : url.slice(0, query)
  if (rules.sessionIds) path = withoutPathSessions(path, url.indexOf('/', 'https://'.length))
  if (rules.indexPages) path = path.replace(indexPage, '/')
  if (query < 0) return path
  let parameters = url.slice(query + 1)
  if (rules.sessionIds || rules.trackingParameters) parameters = keptParameters(parameters, rules)
  if (rules.sortedQuery) parameters = sortedParameters(parameters)
  return parameters === '' ? path : `${path}?${parameters}`
}

/** `path`: a URL without query. Its path begins at `start`: names of hosts may look like session ids. */
function withoutPathSessions(path: string, start: number): string {
  const clean = path
    .slice(start)
    .replace(/;([^/;=]+)=([^/;]*)/g, (whole, name: string, value: string) =>
      isSession(name.toLowerCase(), value) ? '' : whole,
    )
    .replace(sessionSegment, '')
  // `/a/..;jsessionid=1/b` had no dot segments before the removal, but has them after it.
  return clean.length === path.length - start ? path : (parsedUrl(path.slice(0, start) + clean) ?? path)
}

function keptParameters(parameters: string, rules: Required<CanonicalRules>): string {
  const all = parameters.split('&')
  const kept = all.filter((one) => !isDropped(one, rules.sessionIds, rules.trackingParameters))
  return kept.length === all.length ? parameters : kept.join('&')
}

function hasSuspectParameter(url: string, from: number): boolean {
  while (from < url.length) {
    const lengths = suspects[url.charCodeAt(from) & 0x7f]
    let to = url.indexOf('&', from)
    if (to < 0) to = url.length
    if (lengths !== 0) {
      let equals = from
      while (equals < to && url.charCodeAt(equals) !== 0x3d /* = */) equals++
      if ((lengths & 1) !== 0 || (equals - from < 32 && (lengths & (1 << (equals - from))) !== 0)) return true
    }
    from = to + 1
  }
  return false
}

function suspectTable(): Int32Array {
  const table = new Int32Array(128)
  const add = (name: string, bit: number): void => {
    table[name.charCodeAt(0)] |= 1 << bit
    table[name.toUpperCase().charCodeAt(0)] |= 1 << bit
  }
  for (const name of [...sessionNames, ...perhapsSessionNames, ...trackingNames]) add(name, name.length)
  add('aspsessionid', 'aspsessionid'.length + 8)
  for (const prefix of trackingPrefixes) add(prefix, 0)
  return table
}

function isDropped(parameter: string, sessionIds: boolean, tracking: boolean): boolean {
  const equals = parameter.indexOf('=')
  const name = (equals < 0 ? parameter : parameter.slice(0, equals)).toLowerCase()
  if (tracking && (trackingNames.has(name) || trackingPrefixes.some((prefix) => name.startsWith(prefix))))
    return true
  return sessionIds && equals >= 0 && isSession(name, parameter.slice(equals + 1))
}

function isSession(name: string, value: string): boolean {
  if (sessionNames.includes(name) || sessionName.test(name)) return true
  return perhapsSessionNames.includes(name) && sessionValue.test(value)
}

/** By name; parameters of the same name keep their order, which may matter. */
function sortedParameters(parameters: string): string {
  const nameOf = (one: string): string => one.split('=', 1)[0]
  return parameters
    .split('&')
    .map((text) => ({ text, name: nameOf(text) }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map(({ text }) => text)
    .join('&')
}
