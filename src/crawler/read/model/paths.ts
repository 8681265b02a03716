/** Parts of a site: the directories and pages below a directory. */

/** Path and query of a URL. */
export function pathOf(url: string): string {
  return url.slice(url.indexOf('/', url.indexOf('://') + 3))
}

/** What a path below `folder` belongs to: the next directory, whose name ends with a slash, or the page itself. */
export function partOfPath(
  path: string,
  folder: string,
): { readonly name: string; readonly isFolder: boolean } {
  const query = path.indexOf('?')
  const slash = path.indexOf('/', folder.length)
  const isFolder = slash >= 0 && (query < 0 || slash < query)
  return { name: isFolder ? path.slice(0, slash + 1) : path, isFolder }
}
