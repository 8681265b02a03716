/** Request headers that let somebody in: neither archived nor shown. An archive is given to others. */
const secretNames = new Set(['authorization', 'cookie', 'proxy-authorization'])

export function isSecretHeader(name: string): boolean {
  return secretNames.has(name.toLowerCase())
}
