/** The URL of the compiled module of `src/NAME.ts`, for threads and processes that run one part of the code. */
export const builtModule = (name: string): string => new URL(`../../dist/${name}.js`, import.meta.url).href
