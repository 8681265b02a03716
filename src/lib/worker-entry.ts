/**
 * The address of a worker's module, `name` beside the caller. Node 20 runs no TypeScript, and a worker starts outside
 * the test runner's transforms: from a source file the built module of the same name is taken (`npm test` builds first).
 */
export function workerEntry(callerUrl: string, name: string): URL {
  const url = new URL(`${name}.js`, callerUrl)
  if (callerUrl.endsWith('.ts')) url.pathname = url.pathname.replace(/\/src\/(?!.*\/src\/)/, '/dist/')
  return url
}
