/** Dialogs. The browser keeps the focus inside, closes them with Escape and returns the focus. */
import { html, replace, type Child } from './element.ts'

export interface Question {
  readonly title: string
  readonly text: readonly Child[]
  /** Name of the button that confirms. */
  readonly confirm: string
  readonly isDangerous?: boolean
  /** Called when confirmed. If it throws, the dialog stays open and shows the message. */
  readonly act: () => Promise<void>
}

/** Resolves to true if the user confirmed and the action succeeded. */
export function ask(question: Question): Promise<boolean> {
  const { title, text, confirm, isDangerous = false } = question
  const message = html('p', { class: 'message', role: 'alert' })
  const confirmButton = html(
    'button',
    { type: 'submit', class: isDangerous ? 'danger' : 'primary', value: 'confirm' },
    confirm,
  )
  const cancel = html('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel')
  const form = html(
    'form',
    { method: 'dialog' },
    html('h2', { id: 'dialog-title' }, title),
    ...text,
    message,
    html('div', { class: 'buttons' }, cancel, confirmButton),
  )
  const dialog = html('dialog', { 'aria-labelledby': 'dialog-title' }, form)
  document.body.append(dialog)
  let isDone = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    confirmButton.disabled = true
    replace(message)
    question
      .act()
      .then(() => {
        isDone = true
        dialog.close()
      })
      .catch((error: unknown) => {
        replace(message, error instanceof Error ? error.message : String(error))
        confirmButton.disabled = false
      })
  })
  dialog.showModal()
  // Not the button that acts, so that a second Enter does nothing.
  ;(form.querySelector('input') ?? cancel).focus()
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(isDone)
    })
  })
}
