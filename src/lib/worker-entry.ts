/**
 * The URL of a worker's module, `name` beside the caller. Node 20 does not run TypeScript, and a worker
 * starts outside the test runner's transforms: a caller that is a source file gets the built module of the
 * same name (`npm test` builds first).
 */
export function workerEntry(callerUrl: string, name: string): URL {
  const url = new URL(`${name}.js`, callerUrl)
  if (callerUrl.endsWith('.ts')) url.pathname = url.pathname.replace(/\/src\/(?!.*\/src\/)/, '/dist/')
  return url
}
