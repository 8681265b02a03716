/** Writes a config file with comments, to be edited. */
import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { unwritable } from '../../lib/files/whole-file.ts'
import { RankwardError } from '../../lib/errors.ts'
import { checkOptions, listOf, ofKind, type OptionChecks } from '../../lib/option-checks.ts'
import { anyText } from '../../lib/value-kinds.ts'
import { configTemplate } from '../options/config-template.ts'

export interface InitOptions {
  /** URLs to start from. Default: one to be replaced. */
  readonly seeds?: readonly string[] | undefined
}

export interface InitResult {
  /** The path of the file. */
  readonly file: string
}

const checks: OptionChecks<InitOptions> = { seeds: listOf(ofKind(anyText('a URL'))) }

/** Writes all options of a crawl with their explanations to a new file. An existing file is never replaced. */
export async function init(path: string, options: InitOptions = {}): Promise<InitResult> {
  checkOptions('init', options, checks)
  try {
    await writeFile(path, configTemplate(basename(path), options.seeds ?? []), { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unwritable(path, error)
    throw new RankwardError(
      'FOREIGN_FILES',
      `${path} already exists and is not replaced: choose another name, or remove it.`,
      { cause: error },
    )
  }
  return { file: path }
}
