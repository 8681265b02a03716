/**
 * Patterns for hosts, in options that apply to some sites only:
 *
 *   | pattern | matches |
 *   | --- | --- |
 *   | `example.org` | this host, on any port |
 *   | `*.example.org` | all hosts below it, and not itself |
 *   | `example.org:8443` | this host on this port |
 *   | `*` | every host |
 */
const pattern = /^(?:\*|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

export function isHostPattern(text: string): boolean {
  return pattern.test(text)
}

/** Whether a pattern matches this host, as in a canonical URL: in lower case, with the port unless it is the default. */
export function matchesHost(given: string, host: string): boolean {
  const { name, port } = partsOf(given.toLowerCase())
  const site = partsOf(host)
  if (port !== undefined && port !== site.port) return false
  if (name === '*') return true
  return name.startsWith('*.') ? site.name.endsWith(name.slice(1)) : site.name === name
}

function partsOf(host: string): { name: string; port: string | undefined } {
  const [, name = host, port] = /^(.*?)(?::(\d+))?$/.exec(host) ?? []
  return host.endsWith(']') ? { name: host, port: undefined } : { name, port }
}
