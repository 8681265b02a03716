/**
 * Loaded before each test file: makes Node run TypeScript, which older releases than 22.18 do not by themselves. Tests and sources run as
 * modules of Node. With the test runner's own loader, each use of an imported name reads a property, which costs a third of the processor
 * time of unit tests.
 */
import { register } from 'node:module'

// Once per process, although unit tests share theirs.
const isRegistered = Symbol.for('rankward: Node runs TypeScript')
if (!process.features.typescript && !(isRegistered in globalThis)) {
  globalThis[isRegistered] = true
  register('./typescript-hooks.mjs', import.meta.url)
}
