/** Dialogs. The browser keeps the focus inside, closes them with Escape and returns the focus. */
import { render, type ComponentChildren, type VNode } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

export interface Question {
  readonly title: string
  readonly text: ComponentChildren
  /** Name of the button that confirms. */
  readonly confirm: string
  readonly isDangerous?: boolean
  /** Called when confirmed. If it throws, the dialog stays open and shows the message. */
  readonly act: (form: FormData) => Promise<void>
}

/** Resolves to true if the user confirmed and the action succeeded. */
export function ask(question: Question): Promise<boolean> {
  const place = document.createElement('div')
  document.body.append(place)
  return new Promise((resolve) => {
    const close = (isDone: boolean): void => {
      render(null, place)
      place.remove()
      resolve(isDone)
    }
    render(<Dialog {...question} close={close} />, place)
  })
}

function Dialog(props: Question & { readonly close: (isDone: boolean) => void }): VNode {
  const { title, text, confirm, isDangerous = false, act, close } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const cancel = useRef<HTMLButtonElement>(null)
  const isDone = useRef(false)
  const [state, setState] = useState<{ isBusy: boolean; message: string }>({ isBusy: false, message: '' })
  useLayoutEffect(() => {
    dialog.current!.showModal()
    // Not the button that acts, so that a second Enter does nothing.
    ;(dialog.current!.querySelector('input') ?? cancel.current!).focus()
  }, [])
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    setState({ isBusy: true, message: '' })
    act(new FormData(event.currentTarget as HTMLFormElement))
      .then(() => {
        isDone.current = true
        dialog.current!.close()
      })
      .catch((error: unknown) =>
        setState({ isBusy: false, message: error instanceof Error ? error.message : String(error) }),
      )
  }
  return (
    <dialog ref={dialog} aria-labelledby="dialog-title" onClose={() => close(isDone.current)}>
      <form method="dialog" onSubmit={submit}>
        <h2 id="dialog-title">{title}</h2>
        {text}
        <p class="message" role="alert">
          {state.message}
        </p>
        <div class="buttons">
          <button ref={cancel} type="button" onClick={() => dialog.current!.close()}>
            Cancel
          </button>
          <button type="submit" class={isDangerous ? 'danger' : 'primary'} disabled={state.isBusy}>
            {confirm}
          </button>
        </div>
      </form>
    </dialog>
  )
}
