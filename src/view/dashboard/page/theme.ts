/** Light or dark: as the system says, or as the user chose. */
import { html } from './element.ts'

const key = 'rankward-theme'
type Theme = 'light' | 'dark'

const isTheme = (text: string | null): text is Theme => text === 'light' || text === 'dark'
const systemIsDark = matchMedia('(prefers-color-scheme: dark)')

function chosen(): Theme | undefined {
  const text = localStorage.getItem(key)
  return isTheme(text) ? text : undefined
}

const current = (): Theme => chosen() ?? (systemIsDark.matches ? 'dark' : 'light')

function apply(): void {
  const theme = chosen()
  if (theme === undefined) delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

/** The button that switches the theme. */
export function themeButton(onChange: () => void): HTMLElement {
  apply()
  const button = html('button', { type: 'button', class: 'quiet', id: 'theme' })
  const label = (): void => {
    const other = current() === 'dark' ? 'light' : 'dark'
    button.textContent = current() === 'dark' ? '☀' : '☾'
    button.setAttribute('aria-label', `Use the ${other} theme`)
    button.title = `Use the ${other} theme`
  }
  label()
  button.addEventListener('click', () => {
    const other: Theme = current() === 'dark' ? 'light' : 'dark'
    // The choice of the system needs no entry.
    if ((other === 'dark') === systemIsDark.matches) localStorage.removeItem(key)
    else localStorage.setItem(key, other)
    apply()
    label()
    onChange()
  })
  systemIsDark.addEventListener('change', () => {
    label()
    onChange()
  })
  return button
}
