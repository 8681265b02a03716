/** A host of the user's own has several sites of the same name, its channels. Tables show it once: as the first of them. */
export function firstOfName(names: readonly string[]): Uint32Array {
  const first = new Map<string, number>()
  return Uint32Array.from(names, (name, site) => {
    const known = first.get(name) ?? site
    first.set(name, known)
    return known
  })
}
