/** The view Control: pause, continue, stop, settings, exclude, seeds, retries, and what was changed. */
import type { ComponentChildren, VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { plural } from '../../../../lib/amounts.ts'
import type { ControlName, ControlRequests, ControlState, QueryOf } from '../../api/index.ts'
import { Empty, Pending, useAnswer } from '../answer.tsx'
import { useLive, usePage } from '../context.ts'
import { ask, type Question } from '../dialog.tsx'
import { dateTime } from '../format.ts'
import { Card, Feed, ViewFrame, WebText } from '../parts.tsx'
import { changesOf, settingInputs } from '../settings.ts'

/** Asks, acts, and shows the result. */
type Act = <Name extends ControlName>(
  name: Name,
  body: QueryOf<Name>,
  question: Omit<Question, 'act'>,
) => Promise<void>

interface ControlProps {
  readonly state: ControlState
  readonly act: Act
}

export function ControlView(): VNode {
  const { client } = usePage()
  const answer = useAnswer('control', {})
  const [done, setDone] = useState<string>()
  /** Counts changes: the forms then begin with the new state. */
  const [changes, setChanges] = useState(0)
  const banner = useRef<HTMLParagraphElement>(null)
  useLive('control', () => void answer.refresh())
  useLive('crawl', () => void answer.refresh())
  const act: Act = async (name, body, question) => {
    let what = ''
    const isDone = await ask({
      ...question,
      act: async () => void (what = (await client.post(name, body)).entry.what),
    })
    if (!isDone) return
    await answer.refresh()
    setDone(`Done: ${what}`)
    setChanges((count) => count + 1)
    // The button that had the focus is replaced.
    banner.current?.focus()
  }
  return (
    <ViewFrame title="Control">
      <p ref={banner} class="banner good" role="status" tabindex={-1} hidden={done === undefined}>
        {done}
      </p>
      <Pending name="control" answer={answer}>
        {(state) => (
          <>
            <Controls key={changes} state={state} act={act} />
            <Card title="Changes">
              {state.entries.length === 0 ? (
                <Empty text="Nothing was changed since the crawl began." />
              ) : (
                <Feed
                  entries={state.entries.map(({ atMs, action, what }) => [
                    action,
                    <>
                      <WebText text={what} max={300} /> <span class="soft">{dateTime(atMs)}</span>
                    </>,
                  ])}
                />
              )}
            </Card>
          </>
        )}
      </Pending>
    </ViewFrame>
  )
}

function Controls({ state, act }: ControlProps): VNode {
  const { info, askToken } = usePage()
  const isCluster = info.has.cluster
  if (!info.access.hasToken) {
    return (
      <Card>
        <Empty
          text={`Changing the crawl needs the token that ${isCluster ? 'the dashboard' : 'it'} printed when it started.`}
        >
          <button type="button" class="primary" onClick={() => void askToken()}>
            Enter the token
          </button>
        </Empty>
      </Card>
    )
  }
  if (!state.isPossible) {
    const why = isCluster
      ? 'The crawl is finished, or its journals are damaged: nothing can be changed.'
      : 'The crawl has ended, or another process runs it: nothing can be changed.'
    return (
      <Card>
        <Empty text={why} />
      </Card>
    )
  }
  const can = (action: keyof ControlRequests): boolean => state.actions.includes(action)
  const props = { state, act }
  return (
    <div class="columns">
      <Card title="Run">
        <RunButtons {...props} isCluster={isCluster} />
      </Card>
      {can('settings') && (
        <Card title="Settings" class="span2">
          <SettingsForm {...props} />
        </Card>
      )}
      {can('exclude') && (
        <Card title="Exclude">
          <ExcludeForm {...props} />
        </Card>
      )}
      {can('seed') && (
        <Card title="Add a page">
          <SeedForm {...props} />
        </Card>
      )}
      {can('retry') && (
        <Card title="Retry">
          <RetryForm {...props} />
        </Card>
      )}
    </div>
  )
}

function RunButtons({ state, act, isCluster }: ControlProps & { readonly isCluster: boolean }): VNode {
  const { actions, isPaused, isStopping, isStopped } = state
  const abrupt = useRef<HTMLInputElement>(null)
  const pause = (): void =>
    void act(
      'control/pause',
      {},
      {
        title: 'Pause the crawl?',
        text: <p>No more pages are requested. Requests in flight finish.</p>,
        confirm: 'Pause',
      },
    )
  const resume = (): void =>
    void act(
      'control/resume',
      {},
      {
        title: 'Continue the crawl?',
        text: (
          <>
            <p>Pages are requested again.</p>
            {isStopped && <p>Workers that ended with the stop must be started again.</p>}
          </>
        ),
        confirm: 'Continue',
      },
    )
  const stop = (): void => {
    const isAbrupt = abrupt.current?.checked ?? false
    void act('control/stop', isCluster ? {} : { isAbrupt }, {
      title: 'Stop the crawl?',
      text: isCluster ? <StopOnCluster /> : <StopHere isAbrupt={isAbrupt} />,
      confirm: 'Stop the crawl',
      isDangerous: true,
    })
  }
  const now = isStopping ? 'stopping' : isStopped ? 'stopped' : isPaused ? 'paused' : 'running'
  return (
    <div class="stack tight">
      <p>{`The crawl is ${now}.`}</p>
      <div class="buttons start">
        {actions.includes('resume') && (
          <button type="button" class="primary" onClick={resume}>
            Continue…
          </button>
        )}
        {actions.includes('pause') && (
          <button type="button" onClick={pause}>
            Pause…
          </button>
        )}
        {actions.includes('stop') && (
          <button type="button" class="danger" onClick={stop}>
            Stop…
          </button>
        )}
      </div>
      {actions.includes('stop') && !isCluster && (
        <p class="check">
          <input ref={abrupt} type="checkbox" id="abrupt" />
          <label for="abrupt">Abort requests in flight when stopping</label>
        </p>
      )}
    </div>
  )
}

function StopOnCluster(): VNode {
  return (
    <>
      <p>Workers finish their requests, release their shards and end.</p>
      <p>The crawl can be continued here; workers must then be started again.</p>
    </>
  )
}

function StopHere({ isAbrupt }: { isAbrupt: boolean }): VNode {
  return (
    <>
      <p>{isAbrupt ? 'Requests in flight are aborted.' : 'Requests in flight finish first.'}</p>
      <p>
        The crawl ends and cannot be continued here. <code>rankward resume</code> continues it.
      </p>
    </>
  )
}

interface FormProps {
  readonly button: string
  readonly disabled?: boolean
  /** Beside the button. */
  readonly note?: ComponentChildren
  readonly children: ComponentChildren
  readonly submit: (values: ReadonlyMap<string, string>) => void
}

/** Passes the texts of its inputs by name. */
function Form({ button, disabled = false, note, children, submit }: FormProps): VNode {
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault()
    const given = [...new FormData(event.currentTarget as HTMLFormElement)]
    submit(new Map(given.map(([name, value]) => [name, (value as string).trim()])))
  }
  return (
    <form class="stack tight" onSubmit={onSubmit}>
      {children}
      <div class="buttons start">
        <button type="submit" disabled={disabled}>
          {button}
        </button>
        {note}
      </div>
    </form>
  )
}

function SettingsForm({ state, act }: ControlProps): VNode {
  const [isSame, setSame] = useState(false)
  const submit = (values: ReadonlyMap<string, string>): void => {
    const changes = changesOf(state, values)
    setSame(changes.length === 0)
    if (changes.length === 0) return
    void act('control/settings', Object.fromEntries(changes.map(({ name, value }) => [name, value])), {
      title: 'Change the settings?',
      text: (
        <ul>
          {changes.map(({ text }) => (
            <li>{text}</li>
          ))}
        </ul>
      ),
      confirm: 'Change',
    })
  }
  const note = (
    <p class="soft" role="status">
      {isSame && 'Nothing was changed.'}
    </p>
  )
  return (
    <Form button="Change…" note={note} submit={submit}>
      <div class="fields">
        {settingInputs(state).map(({ name, label, ...input }) => (
          <div class="field">
            <label for={`setting-${name}`}>{label}</label>
            <input type="number" id={`setting-${name}`} name={name} {...input} />
          </div>
        ))}
      </div>
    </Form>
  )
}

function ExcludeForm({ state: { exclude }, act }: ControlProps): VNode {
  const submit = (values: ReadonlyMap<string, string>): void => {
    const pattern = values.get('pattern') ?? ''
    void act(
      'control/exclude',
      { pattern },
      {
        title: 'Exclude these pages?',
        text: (
          <p>
            Pages that match <code>{pattern}</code> are not fetched any more. This cannot be undone.
          </p>
        ),
        confirm: 'Exclude',
        isDangerous: true,
      },
    )
  }
  const form = (
    <Form button="Exclude…" submit={submit}>
      <label for="exclude">Pattern</label>
      <input
        type="text"
        id="exclude"
        name="pattern"
        required
        maxlength={1000}
        placeholder="/calendar/**"
        spellcheck={false}
      />
      <p class="soft">As of --exclude. Waiting pages that match are refused; fetched ones stay.</p>
    </Form>
  )
  if (exclude.length === 0) return form
  return (
    <div class="stack tight">
      {form}
      <ul class="patterns">
        {exclude.map((pattern) => (
          <li>
            <code>{pattern}</code>
          </li>
        ))}
      </ul>
    </div>
  )
}

function SeedForm({ act }: ControlProps): VNode {
  const submit = (values: ReadonlyMap<string, string>): void => {
    const url = values.get('url') ?? ''
    void act(
      'control/seed',
      { url },
      { title: 'Add this page?', text: <p class="web">{url}</p>, confirm: 'Add' },
    )
  }
  return (
    <Form button="Add…" submit={submit}>
      <label for="seed">URL</label>
      <input
        type="url"
        id="seed"
        name="url"
        required
        maxlength={2000}
        placeholder="https://…"
        spellcheck={false}
      />
      <p class="soft">It is fetched like any page. It gets no trust, so the coverage stays comparable.</p>
    </Form>
  )
}

function RetryForm({ state: { retryable }, act }: ControlProps): VNode {
  const { sites, pages } = retryable
  const which = `${plural(pages, 'page')} on ${plural(sites, 'site')}`
  const submit = (values: ReadonlyMap<string, string>): void => {
    const site = values.get('site') ?? ''
    void act('control/retry', site === '' ? {} : { site }, {
      title: site === '' ? 'Retry all failed sites?' : 'Retry this site?',
      text: (
        <p>
          {site === ''
            ? `${which} are requested again.`
            : `Pages on ${site} that failed for a temporary reason are requested again.`}
        </p>
      ),
      confirm: 'Retry',
    })
  }
  return (
    <Form button="Retry…" disabled={pages === 0} submit={submit}>
      <p>
        {pages === 0 ? 'No page failed for a temporary reason.' : `${which} failed for a temporary reason.`}
      </p>
      <label for="retry-site">Site</label>
      <input type="text" id="retry-site" name="site" placeholder="all sites" spellcheck={false} />
    </Form>
  )
}
