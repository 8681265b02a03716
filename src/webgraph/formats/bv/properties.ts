/**
 * The `.properties` file of a BV graph: a Java property file that describes the coding of the `.graph` file.
 * Every number is checked against its range here, and the reader compares it with the stream.
 */
import { RankwardError } from '../../../lib/errors.ts'
import { parseFlags, type Codings } from './codings.ts'

export interface BvProperties {
  readonly nodes: number
  readonly arcs: number
  /** How many lists back a reference may reach; 0 without references. */
  readonly windowSize: number
  /** The shortest run of consecutive successors that is written as an interval; 0 without intervals. */
  readonly minIntervalLength: number
  /** The parameter of the zeta (or Golomb) code. */
  readonly zetaK: number
  readonly codings: Codings
}

/** Rankward holds successors as 32-bit numbers. */
const bvNodesMax = 0xffff_ffff
/** The window's lists are held in memory. Published graphs have windows of 7 to about a hundred. */
export const bvWindowMax = 0xffff

/**
 * The entries of a Java property file: `key=value`, `key: value` or `key value`, comments after # or !,
 * backslash escapes, lines continued by a backslash at their end. Of two equal keys the last wins, as in
 * Java.
 */
export function parseJavaProperties(text: string): Map<string, string> {
  const entries = new Map<string, string>()
  const lines = text.split(/\r\n|\n|\r/)
  for (let i = 0; i < lines.length; i++) {
    let line = lines[i].trimStart()
    if (line === '' || line.startsWith('#') || line.startsWith('!')) continue
    while (/(?<!\\)(\\\\)*\\$/.test(line) && i + 1 < lines.length)
      line = line.slice(0, -1) + lines[++i].trimStart()
    const [, key, value] = /^((?:\\.|[^\\=:\s])*)\s*[=:]?\s*(.*)$/.exec(line) ?? ['', line, '']
    entries.set(unescape(key), unescape(value).trimEnd())
  }
  return entries
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f' }

function unescape(text: string): string {
  return text.replace(/\\(u[0-9a-fA-F]{4}|.)/g, (_, escape: string) =>
    escape.length === 5
      ? String.fromCharCode(Number.parseInt(escape.slice(1), 16))
      : (escapes[escape] ?? escape),
  )
}

/** Parses the property file `file`; throws a BAD_BV_GRAPH error with the invalid entry. */
export function parseBvProperties(text: string, file: string): BvProperties {
  const entries = parseJavaProperties(text)
  const fail = (message: string): never => {
    throw new RankwardError('BAD_BV_GRAPH', `${file}: ${message}`)
  }
  const whole = (key: string, min: number, max: number, otherwise?: number): number => {
    const value = entries.get(key) ?? otherwise?.toString()
    if (value === undefined) return fail(`the property ${key} is missing; a BV graph needs it.`)
    const number = /^-?\d{1,16}$/.test(value) ? Number(value) : Number.NaN
    if (number >= min && number <= max) return number
    return fail(`${key}=${shown(value)} is not a whole number from ${min} to ${max}.`)
  }

  checkForm(entries, fail)
  const version = whole('version', 0, Number.MAX_SAFE_INTEGER)
  if (version > 0)
    fail(`version=${version}, but Rankward reads version 0 only. Store the graph again with Java WebGraph.`)
  const flags = entries.get('compressionflags') ?? ''
  const codings = parseFlags(flags, entries.has('endianness'))
  if ('unknownFlag' in codings)
    return fail(`compressionflags has ${shown(codings.unknownFlag)}, an unknown flag.`)
  const nodes = whole('nodes', 0, Number.MAX_SAFE_INTEGER)
  if (nodes > bvNodesMax) {
    throw new RankwardError(
      'GRAPH_TOO_LARGE',
      `${file}: nodes=${nodes}, but Rankward holds at most ${bvNodesMax}.`,
    )
  }
  return {
    nodes,
    arcs: whole('arcs', 0, Math.min(nodes * nodes, Number.MAX_SAFE_INTEGER)),
    windowSize: whole('windowsize', 0, bvWindowMax),
    minIntervalLength: whole('minintervallength', 0, 0x7fff_ffff),
    zetaK: whole('zetak', 1, codings.residuals === 'golomb' ? 0x7fff_ffff : 31, 3),
    codings,
  }
}

function checkForm(entries: Map<string, string>, fail: (message: string) => never): void {
  const graphClass = entries.get('graphclass')
  if (graphClass === undefined) fail('the property graphclass is missing; it should name BVGraph.')
  // Old versions of WebGraph put `class` before the name, and the big version has its own package.
  if (!/^(class )?it\.unimi\.dsi\.(big\.)?webgraph\.BVGraph$/.test(graphClass)) {
    fail(
      `graphclass is ${shown(graphClass)}, but Rankward reads BVGraph only. Store it as BVGraph with WebGraph.`,
    )
  }
  const endianness = entries.get('endianness') ?? 'big'
  if (endianness !== 'big') {
    fail(
      `endianness is ${shown(endianness)}, but Rankward reads big-endian graphs only. Convert it with webgraph-rs.`,
    )
  }
}

/** An untrusted value for a one-line message: short and without line breaks. */
function shown(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
}

/** A property file with these entries, in order. Our keys and values need no escapes. */
export function formatJavaProperties(
  title: string,
  entries: Readonly<Record<string, string | number>>,
): string {
  const lines = Object.entries(entries).map(([key, value]) => `${key}=${value}\n`)
  return `#${title}\n${lines.join('')}`
}
