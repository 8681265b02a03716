/** Request headers with credentials: neither archived nor shown, since archives are passed on. */
const secretNames = new Set(['authorization', 'cookie', 'proxy-authorization'])

export function isSecretHeader(name: string): boolean {
  return secretNames.has(name.toLowerCase())
}
