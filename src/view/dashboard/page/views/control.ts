/** The view Control: pause, continue, stop, settings, exclude, seeds, retries, and what was changed. */
import type { ControlName, ControlRequests, ControlResult, ControlState, QueryOf } from '../../api/index.ts'
import { ask, type Question } from '../dialog.ts'
import { html, replace, type Child } from '../element.ts'
import { dateTime, plural } from '../format.ts'
import { card, webText } from '../parts.ts'
import { empty, Pending } from '../pending.ts'
import { changesOf, SettingsForm } from '../settings-form.ts'
import type { View, ViewContext } from '../view.ts'

export function controlView(context: ViewContext): View {
  const { client, live, signal, info } = context
  const pending = new Pending('control')
  const message = html('p', { class: 'banner good', role: 'status', tabindex: -1, hidden: true })
  const forms = html('div')
  const entries = html('div')
  const load = (isRefresh: boolean): Promise<void> =>
    pending.load(
      () => client.get('control', {}, signal),
      (state) => {
        replace(entries, entriesCard(state))
        // What is being typed stays.
        if (isRefresh && state.isPossible && forms.contains(document.activeElement)) return undefined
        replace(forms, info().access.hasToken ? controls(state) : tokenNeeded(context))
        return [forms, entries]
      },
      { isRefresh },
    )

  /** Asks, acts, and shows the result. */
  const act = async <Name extends ControlName>(
    name: Name,
    body: QueryOf<Name>,
    question: Omit<Question, 'act'>,
  ): Promise<void> => {
    let result: ControlResult | undefined
    const isDone = await ask({
      ...question,
      act: async () => void (result = await client.post(name, body)),
    })
    if (!isDone || result === undefined) return
    message.hidden = false
    replace(message, `Done: ${result.entry.what}`)
    // The button that had the focus is replaced.
    message.focus()
    await load(true)
  }
  const controls = (state: ControlState): HTMLElement => {
    if (!state.isPossible)
      return card(
        undefined,
        {},
        empty(
          info().has.cluster
            ? 'The crawl is finished, or its journals are damaged: nothing can be changed.'
            : 'The crawl has ended, or another process runs it: nothing can be changed.',
        ),
      )
    return html('div', { class: 'columns' }, ...controlCards(state, act, info().has.cluster))
  }

  live.on('control', signal, () => void load(true))
  live.on('crawl', signal, () => void load(true))
  return {
    element: html(
      'div',
      { class: 'stack' },
      html('header', { class: 'head' }, html('h1', {}, 'Control')),
      message,
      pending.element,
    ),
    show: () => void load(false),
  }
}

type Act = <Name extends ControlName>(
  name: Name,
  body: QueryOf<Name>,
  question: Omit<Question, 'act'>,
) => Promise<void>

function tokenNeeded({ askToken, info }: ViewContext): HTMLElement {
  return card(
    undefined,
    {},
    empty(
      `Changing the crawl needs the token that ${info().has.cluster ? 'the dashboard' : 'it'} printed when it started.`,
      html('button', { type: 'button', class: 'primary', onclick: () => void askToken() }, 'Enter the token'),
    ),
  )
}

function controlCards(state: ControlState, act: Act, isCluster: boolean): HTMLElement[] {
  const can = (action: keyof ControlRequests): boolean => state.actions.includes(action)
  return [
    card('Run', {}, runButtons(state, act, isCluster)),
    ...(can('settings') ? [card('Settings', { class: 'span2' }, settings(state, act))] : []),
    ...(can('exclude') ? [card('Exclude', {}, excludeForm(state, act))] : []),
    ...(can('seed') ? [card('Add a page', {}, seedForm(act))] : []),
    ...(can('retry') ? [card('Retry', {}, retryButton(state, act))] : []),
  ]
}

function runButtons(state: ControlState, act: Act, isCluster: boolean): HTMLElement {
  const { actions, isPaused, isStopping, isStopped } = state
  const abrupt = html('input', { type: 'checkbox', id: 'abrupt' })
  const paragraphs = (...texts: readonly (string | false)[]): HTMLElement[] =>
    texts.filter((text) => text !== false).map((text) => html('p', {}, text))
  const pause = (): void =>
    void act(
      'control/pause',
      {},
      {
        title: 'Pause the crawl?',
        text: paragraphs('No more pages are requested. Requests in flight finish.'),
        confirm: 'Pause',
      },
    )
  const resume = (): void =>
    void act(
      'control/resume',
      {},
      {
        title: 'Continue the crawl?',
        text: paragraphs(
          'Pages are requested again.',
          isStopped && 'Workers that ended with the stop must be started again.',
        ),
        confirm: 'Continue',
      },
    )
  const stop = (): void =>
    void act('control/stop', isCluster ? {} : { isAbrupt: abrupt.checked }, {
      title: 'Stop the crawl?',
      text: isCluster
        ? paragraphs(
            'Workers finish their requests, release their shards and end.',
            'The crawl can be continued here; workers must then be started again.',
          )
        : [
            ...paragraphs(
              abrupt.checked ? 'Requests in flight are aborted.' : 'Requests in flight finish first.',
            ),
            html(
              'p',
              {},
              'The crawl ends and cannot be continued here. ',
              html('code', {}, 'rankward resume'),
              ' continues it.',
            ),
          ],
      confirm: 'Stop the crawl',
      isDangerous: true,
    })
  return html(
    'div',
    { class: 'stack tight' },
    html(
      'p',
      {},
      isStopping
        ? 'The crawl is stopping.'
        : isStopped
          ? 'The crawl is stopped.'
          : isPaused
            ? 'The crawl is paused.'
            : 'The crawl is running.',
    ),
    html(
      'div',
      { class: 'buttons start' },
      actions.includes('resume') &&
        html('button', { type: 'button', class: 'primary', onclick: resume }, 'Continue…'),
      actions.includes('pause') && html('button', { type: 'button', onclick: pause }, 'Pause…'),
      actions.includes('stop') && html('button', { type: 'button', class: 'danger', onclick: stop }, 'Stop…'),
    ),
    actions.includes('stop') &&
      !isCluster &&
      html(
        'p',
        { class: 'check' },
        abrupt,
        html('label', { for: 'abrupt' }, 'Abort requests in flight when stopping'),
      ),
  )
}

function settings(state: ControlState, act: Act): HTMLElement {
  const form = new SettingsForm(state)
  form.element.addEventListener('submit', (event) => {
    event.preventDefault()
    const changes = changesOf(state, form.values())
    if (changes.length === 0) return form.say('Nothing was changed.')
    form.say('')
    void act('control/settings', Object.fromEntries(changes.map(({ name, value }) => [name, value])), {
      title: 'Change the settings?',
      text: [html('ul', {}, ...changes.map(({ text }) => html('li', {}, text)))],
      confirm: 'Change',
    })
  })
  return form.element
}

/** A form with one input. */
function inputForm(
  id: string,
  label: string,
  input: HTMLInputElement,
  button: string,
  hint: readonly Child[],
  submit: (value: string) => void,
): HTMLElement {
  input.id = id
  return html(
    'form',
    {
      class: 'stack tight',
      onsubmit: (event) => {
        event.preventDefault()
        submit(input.value.trim())
      },
    },
    html('label', { for: id }, label),
    input,
    html('p', { class: 'soft' }, ...hint),
    html('div', { class: 'buttons start' }, html('button', { type: 'submit' }, button)),
  )
}

function excludeForm({ exclude }: ControlState, act: Act): HTMLElement {
  const input = html('input', {
    type: 'text',
    required: true,
    maxlength: 1000,
    placeholder: '/calendar/**',
    spellcheck: 'false',
  })
  const form = inputForm(
    'exclude',
    'Pattern',
    input,
    'Exclude…',
    ['As of --exclude. Waiting pages that match are refused; fetched ones stay.'],
    (pattern) =>
      void act(
        'control/exclude',
        { pattern },
        {
          title: 'Exclude these pages?',
          text: [
            html(
              'p',
              {},
              'Pages that match ',
              html('code', {}, pattern),
              ' are not fetched any more. This cannot be undone.',
            ),
          ],
          confirm: 'Exclude',
          isDangerous: true,
        },
      ),
  )
  if (exclude.length === 0) return form
  return html(
    'div',
    { class: 'stack tight' },
    form,
    html('ul', { class: 'patterns' }, ...exclude.map((pattern) => html('li', {}, html('code', {}, pattern)))),
  )
}

function seedForm(act: Act): HTMLElement {
  const input = html('input', {
    type: 'url',
    required: true,
    maxlength: 2000,
    placeholder: 'https://…',
    spellcheck: 'false',
  })
  return inputForm(
    'seed',
    'URL',
    input,
    'Add…',
    ['It is fetched like any page. It gets no trust, so the coverage stays comparable.'],
    (url) =>
      void act(
        'control/seed',
        { url },
        {
          title: 'Add this page?',
          text: [html('p', { class: 'web' }, url)],
          confirm: 'Add',
        },
      ),
  )
}

function retryButton({ retryable: { sites, pages } }: ControlState, act: Act): HTMLElement {
  const input = html('input', {
    type: 'text',
    id: 'retry-site',
    placeholder: 'all sites',
    spellcheck: 'false',
  })
  return html(
    'form',
    {
      class: 'stack tight',
      onsubmit: (event) => {
        event.preventDefault()
        const site = input.value.trim()
        void act('control/retry', site === '' ? {} : { site }, {
          title: site === '' ? 'Retry all failed sites?' : 'Retry this site?',
          text: [
            html(
              'p',
              {},
              site === ''
                ? `${plural(pages, 'page')} on ${plural(sites, 'site')} are requested again.`
                : `Pages on ${site} that failed for a temporary reason are requested again.`,
            ),
          ],
          confirm: 'Retry',
        })
      },
    },
    html(
      'p',
      {},
      pages === 0
        ? 'No page failed for a temporary reason.'
        : `${plural(pages, 'page')} on ${plural(sites, 'site')} failed for a temporary reason.`,
    ),
    html('label', { for: 'retry-site' }, 'Site'),
    input,
    html(
      'div',
      { class: 'buttons start' },
      html('button', { type: 'submit', disabled: pages === 0 }, 'Retry…'),
    ),
  )
}

function entriesCard({ entries }: ControlState): HTMLElement {
  return card(
    'Changes',
    {},
    entries.length === 0
      ? empty('Nothing was changed since the crawl began.')
      : html(
          'ol',
          { class: 'feed' },
          ...entries.map(({ atMs, action, what }) =>
            html(
              'li',
              {},
              html('span', { class: 'answer' }, action),
              html('span', {}, webText(what, 300), ' ', html('span', { class: 'soft' }, dateTime(atMs))),
            ),
          ),
        ),
  )
}
