/** Adds a server to the configuration by its command or its address. */

import type { ConfigChange, ConfigProposal } from '@callsign/gateway/admin/data';
import { useState } from 'preact/hooks';

import { goTo } from '../live/route.js';
import { post } from '../live/session.js';
import { Problem } from '../view/notice.js';
import { SaveChange } from '../view/save-change.js';

interface Proposed {
  readonly change: ConfigChange;
  readonly request: { readonly key: string; readonly entry: object };
}

export function AddServer({ onDone }: { readonly onDone: () => void }) {
  const [key, setKey] = useState('');
  const [start, setStart] = useState('');
  const [variables, setVariables] = useState('');
  const [proposed, setProposed] = useState<Proposed>();
  const [problem, setProblem] = useState<string>();
  const show = (event: Event): void => {
    event.preventDefault();
    setProblem(undefined);
    const request = { key: key.trim(), entry: entryOf(start.trim(), variables) };
    const take = (answer: ConfigProposal): void =>
      'problem' in answer ? setProblem(answer.problem) : setProposed({ change: answer, request });
    post<ConfigProposal>('/servers', request).then(take, ({ message }: Error) =>
      setProblem(message),
    );
  };
  return (
    <section class="detail add" aria-labelledby="add">
      <h2 id="add">Add a server</h2>
      <form onSubmit={show} onInput={() => setProposed(undefined)}>
        <label class="field">
          Name
          <input
            required
            value={key}
            placeholder="github"
            onInput={({ currentTarget }) => setKey(currentTarget.value)}
          />
        </label>
        <label class="field">
          Command or address
          <input
            required
            class="code"
            value={start}
            placeholder="npx -y @modelcontextprotocol/server-memory, or https://…"
            onInput={({ currentTarget }) => setStart(currentTarget.value)}
          />
        </label>
        <label class="field">
          {isAddress(start) ? 'Headers' : 'Variables'}, one per line
          <textarea
            rows={2}
            value={variables}
            placeholder={isAddress(start) ? 'X-Key: ${MY_KEY}' : 'API_TOKEN=${MY_TOKEN}'}
            onInput={({ currentTarget }) => setVariables(currentTarget.value)}
          />
        </label>
        <p class="dim">
          Write a secret as <code>{'${NAME}'}</code>, so that it stays in the environment of the
          gateway and out of the file.
        </p>
        <Problem text={problem} />
        {!proposed && (
          <div class="buttons">
            <button type="submit" class="primary">
              Show the change
            </button>
            <button type="button" onClick={onDone}>
              Cancel
            </button>
          </div>
        )}
      </form>
      {proposed && (
        <SaveChange
          change={proposed.change}
          save={() =>
            post('/servers', { ...proposed.request, save: true, base: proposed.change.base })
          }
          onCancel={onDone}
          onSaved={() => {
            onDone();
            goTo('servers', proposed.request.key);
          }}
        />
      )}
    </section>
  );
}

function isAddress(start: string): boolean {
  return /^https?:\/\//.test(start.trim());
}

function entryOf(start: string, variables: string): object {
  const lines = variables.split('\n').filter((each) => each.trim() !== '');
  if (isAddress(start)) {
    const headers = Object.fromEntries(lines.map((each) => partsOf(each, ':')));
    return { type: 'http', url: start, ...(lines.length > 0 ? { headers } : {}) };
  }
  const [command = '', ...args] = splitCommand(start);
  const env = Object.fromEntries(lines.map((each) => partsOf(each, '=')));
  return {
    command,
    ...(args.length > 0 ? { args } : {}),
    ...(lines.length > 0 ? { env } : {}),
  };
}

function partsOf(text: string, sign: string): [name: string, value: string] {
  const at = text.indexOf(sign);
  if (at === -1) return [text.trim(), ''];
  return [text.slice(0, at).trim(), text.slice(at + sign.length).trim()];
}

const WORD = /"([^"]*)"|'([^']*)'|\S+/g;

/** The words become `command` and `args`, so no shell is involved. */
function splitCommand(text: string): string[] {
  return Array.from(text.matchAll(WORD), ([word, double, single]) => double ?? single ?? word);
}
