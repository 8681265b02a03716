/** The parts of a URL that a request needs: origin, path, and the credentials in it. */
export interface RequestPlace {
  /** `https://example.org:8080` */
  readonly origin: string
  /** As in the Host header. */
  readonly host: string
  /** With the query. */
  readonly path: string
  readonly isSecure: boolean
  /** The value of an Authorization header, if the URL has a user name. */
  readonly authorization: string | undefined
}

export function requestPlace(url: string): RequestPlace {
  const hostStart = url.indexOf('://') + 3
  const pathStart = url.indexOf('/', hostStart)
  const host = url.slice(hostStart, pathStart)
  // Nearly all URLs are canonical and plain; only the others are parsed.
  if (hostStart < 7 || pathStart < 0 || /[@?#\\]/.test(host) || url.includes('#', pathStart)) {
    return parsedPlace(url)
  }
  return {
    origin: url.slice(0, pathStart),
    host,
    path: url.slice(pathStart),
    isSecure: url.startsWith('https:'),
    authorization: undefined,
  }
}

function parsedPlace(url: string): RequestPlace {
  const { origin, host, pathname, search, protocol, username, password } = new URL(url)
  const credentials = `${decoded(username)}:${decoded(password)}`
  return {
    origin,
    host,
    path: pathname + search,
    isSecure: protocol === 'https:',
    authorization:
      username === '' ? undefined : `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}`,
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
