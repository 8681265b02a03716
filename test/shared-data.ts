/**
 * The real graphs and conformance cases that may stand beside the checkout, in ../shared. They are not ours to ship:
 * tests that need one are skipped, with the reason in their name, where it is absent.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Benchmarks run it built, two folders deeper. */
const isBuilt = import.meta.url.includes('/out/bench/')
const shared = new URL(isBuilt ? '../../../../shared/' : '../../shared/', import.meta.url)

export function sharedPath(name: string): string {
  return fileURLToPath(new URL(name, shared))
}

/** For `describe.skipIf`/`it.skipIf`: is any of these files absent? */
export function absent(...names: string[]): boolean {
  return names.some((name) => !existsSync(sharedPath(name)))
}
