/** How threads start: the URL of a thread's module, and the arguments of Node that it inherits. */

/**
 * The URL of a worker's module. `name` is its path from the caller's source. In the bundle, all modules are in one folder
 * (`scripts/bundle.mjs`). Node 20 does not run TypeScript, and a worker starts outside the test runner's transforms:
 * a caller that is a source file gets the module of the bundle (`npm test` builds first).
 */
export function workerEntry(callerUrl: string, name: string): URL {
  const file = `${name.slice(name.lastIndexOf('/') + 1)}.js`
  if (/\/dist\/bundle\/[^/]+$/.test(callerUrl)) return new URL(file, callerUrl)
  if (!callerUrl.endsWith('.ts')) return new URL(`${name}.js`, callerUrl)
  return new URL(callerUrl.replace(/\/src\/(?!.*\/src\/).*/, `/dist/bundle/${file}`))
}

/** Arguments of Node that decide how modules are loaded; those in short form have their value in the next argument. */
const moduleArgument = /^(--import|--require|--loader|--experimental-loader|--conditions|-r|-C)(=|$)/

/** `--input-type` and its value in NODE_OPTIONS. */
const inputType = /(^|\s)--input-type(=|\s+)\S+/g

/** How a process was started. */
interface ProcessStart {
  readonly execArgv: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Options of a worker for a process that was started with these arguments of Node, and with those in NODE_OPTIONS. A worker
 * inherits both, but fails with `--input-type` (`node --input-type=module -e …`), which is for code without a file. Such a process
 * passes on only the arguments that decide how modules are loaded, since Node refuses a list with, say, limits of memory.
 * NODE_OPTIONS may have any others.
 */
export function threadOptions({ execArgv, env }: ProcessStart): {
  execArgv?: string[]
  env?: Record<string, string | undefined>
} {
  const { NODE_OPTIONS: inherited = '' } = env
  const nodeOptions = inherited.replace(inputType, '')
  return {
    ...(execArgv.some((argument) => /^--input-type(=|$)/.test(argument))
      ? { execArgv: moduleArguments(execArgv) }
      : {}),
    ...(nodeOptions === inherited ? {} : { env: { ...env, NODE_OPTIONS: nodeOptions } }),
  }
}

function moduleArguments(execArgv: readonly string[]): string[] {
  return execArgv.flatMap((argument, index) => {
    const [, , equals] = moduleArgument.exec(argument) ?? []
    if (equals === undefined) return []
    return equals === '=' ? [argument] : execArgv.slice(index, index + 2)
  })
}
