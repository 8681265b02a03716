/** The importance bar of the view Now, which is computed some time after the other figures, and the bar of a site. */
import { importanceBar, shareBarTag, smallBarTag } from '../../pictures/share-bar.ts'
import type { ImportanceBar } from '../api/index.ts'
import { elementOf, html, replace } from './element.ts'

export class ImportanceBarElement {
  readonly element = html('div')

  show(bar: ImportanceBar | undefined): void {
    if (bar !== undefined) return replace(this.element, elementOf(shareBarTag(importanceBar(bar))))
    replace(
      this.element,
      html(
        'div',
        { class: 'importance' },
        html(
          'div',
          { class: 'bars', role: 'img', 'aria-label': 'The importance is being computed' },
          html('div', { class: 'bar' }),
        ),
        html('p', { class: 'soft' }, 'The importance is being computed.'),
      ),
    )
  }
}

/** Empty until the masses are computed. */
export function smallBar(held = 0, resting = 0, kind = ''): HTMLElement {
  return elementOf(smallBarTag(held, resting, kind))
}
