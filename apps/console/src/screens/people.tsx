/** The screen People: who is signed in with which client, and who has accounts at servers. */

import type { PeopleData, ShownAccount, ShownSignIn } from '@callsign/gateway/admin/data';
import { useState } from 'preact/hooks';

import { useLoaded } from '../live/loaded.js';
import { get, post, session } from '../live/session.js';
import { Empty, Problem, Waiting } from '../view/notice.js';
import { line } from '../view/shown-text.js';
import { sinceText } from '../view/since-text.js';

export function People() {
  const { data, problem, set } = useLoaded(() => get<PeopleData>('/people'), []);
  const [refusal, setRefusal] = useState<string>();
  const change = (path: string, body: object): void => {
    setRefusal(undefined);
    post<PeopleData>(path, body).then(set, (error: Error) => setRefusal(error.message));
  };
  return (
    <>
      <h1>People</h1>
      <Problem text={problem ?? refusal} />
      {data === undefined && problem === undefined && <Waiting />}
      {data && <SignIns signIns={data.signIns} change={change} />}
      {data && <Accounts accounts={data.accounts} change={change} />}
    </>
  );
}

type Change = (path: string, body: object) => void;

function SignIns({
  signIns,
  change,
}: {
  readonly signIns: readonly ShownSignIn[];
  readonly change: Change;
}) {
  return (
    <section aria-labelledby="sign-ins">
      <h2 id="sign-ins">Signed in</h2>
      {signIns.length === 0 && <Empty>No one is signed in.</Empty>}
      {signIns.length > 0 && (
        <ul class="list people">
          {signIns.map(({ id, person, name, client, roles, since }) => (
            <li key={id} class="row between">
              <span>
                <strong>{line(name ?? person, 100)}</strong>{' '}
                <span class="dim">
                  {name === undefined ? '' : `${line(person, 100)} · `}
                  {line(client, 100)} ·{' '}
                  {roles.length === 0 ? 'no roles' : line(roles.join(', '), 100)} ·{' '}
                  {sinceText(since)}
                </span>
              </span>
              <End
                word="Revoke"
                what={`the sign-in of ${person} with ${client}`}
                run={() => change('/people/sign-ins/revoke', { ids: [id] })}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Accounts({
  accounts,
  change,
}: {
  readonly accounts: readonly ShownAccount[];
  readonly change: Change;
}) {
  return (
    <section aria-labelledby="accounts">
      <h2 id="accounts">Accounts at servers</h2>
      {accounts.length === 0 && <Empty>No one has linked an account.</Empty>}
      {accounts.length > 0 && (
        <ul class="list people">
          {accounts.map(({ person, name, server, since }) => (
            <li key={`${person} ${server}`} class="row between">
              <span>
                <strong>{line(name ?? person, 100)}</strong> at {line(server, 100)}{' '}
                <span class="dim">
                  {name === undefined ? '' : `${line(person, 100)} · `}
                  {sinceText(since)}
                </span>
              </span>
              <End
                word="Remove"
                what={`the account of ${person} at ${server}`}
                run={() => change('/people/accounts/remove', { person, server })}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function End({
  word,
  what,
  run,
}: {
  readonly word: string;
  readonly what: string;
  readonly run: () => void;
}) {
  if (session.value?.role !== 'operator') return null;
  return (
    <button type="button" class="danger" aria-label={`${word} ${line(what, 300)}`} onClick={run}>
      {word}
    </button>
  );
}
