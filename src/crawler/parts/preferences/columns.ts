/** The columns of an exported page. */
import { usePurposes } from '../../../web/preferences/known-signals.ts'
import type { PageColumns } from '../shown.ts'

export const preferenceColumns: PageColumns['columns'] = [
  {
    name: 'preferences',
    type: 'list',
    separator: '\n',
    about:
      'what its owner says about its use: statements as they were made, each with its source ([below](#preferences))',
  },
  ...usePurposes.map((purpose) => ({
    name: `use_${purpose.replace('-', '_')}`,
    type: 'name' as const,
    about: `whether these statements allow its use for \`${purpose}\`: \`allowed\` or \`disallowed\`; empty if they do not say`,
  })),
]
