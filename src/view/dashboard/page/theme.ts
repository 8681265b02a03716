/** Light or dark: as the system says, or as the user chose. */
import { useLayoutEffect, useState } from 'preact/hooks'

const key = 'rankward-theme'
type Theme = 'light' | 'dark'

const systemIsDark = matchMedia('(prefers-color-scheme: dark)')

function chosen(): Theme | undefined {
  const text = localStorage.getItem(key)
  return text === 'light' || text === 'dark' ? text : undefined
}

const current = (): Theme => chosen() ?? (systemIsDark.matches ? 'dark' : 'light')

/** The theme, and a function that switches it. */
export function useTheme(): [theme: Theme, turn: () => void] {
  const [theme, setTheme] = useState(current)
  useLayoutEffect(() => {
    const update = (): void => setTheme(current())
    systemIsDark.addEventListener('change', update)
    return () => systemIsDark.removeEventListener('change', update)
  }, [])
  useLayoutEffect(() => {
    const own = chosen()
    if (own === undefined) delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = own
  })
  const turn = (): void => {
    const other: Theme = current() === 'dark' ? 'light' : 'dark'
    // The choice of the system needs no entry.
    if ((other === 'dark') === systemIsDark.matches) localStorage.removeItem(key)
    else localStorage.setItem(key, other)
    setTheme(other)
  }
  return [theme, turn]
}
