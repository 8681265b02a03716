/** What the user can do about errors: the same words after a crawl, in `resume` and in `check`. */
const advice: readonly (readonly [RegExp, string])[] = [
  [/proxy/, 'No connection to the proxy: check --proxy, its port and its password'],
  [/dns|no-address|no-answer/, 'Does the host exist? Check its name and your network'],
  [/private-address/, 'It is a private or local address: --allow-private allows those'],
  [/tls/, 'No TLS connection: try http:// if the server has no TLS; --insecure accepts invalid certificates'],
  [
    /connect|unreachable|reset/,
    'Is a server running there? Check host and port, and whether you need --proxy',
  ],
  [/timeout|^slow$/, 'It did not respond in time: --limit-time sets a longer timeout'],
  [/http-4/, 'The server refused it: check the URL'],
  [/http-5/, 'The server reported an error: try again later'],
]

/** Advice for these errors; undefined if there is none. */
export function adviceOn(errors: string): string | undefined {
  return advice.find(([pattern]) => pattern.test(errors))?.[1]
}
