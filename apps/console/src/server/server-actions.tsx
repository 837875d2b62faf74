/** The buttons for a server: restart, enable or disable, sign in. */

import type { ConfigChange, ServerData, SignInEvent } from '@callsign/gateway/admin/data';
import { useState } from 'preact/hooks';

import { readStream } from '../live/event-stream.js';
import { href } from '../live/route.js';
import { post, session } from '../live/session.js';
import { Problem } from '../view/notice.js';
import { SaveChange } from '../view/save-change.js';

interface ServerActionsProps {
  readonly server: ServerData;
  /** Another instance runs it, so only the connection to it can be opened again here. */
  readonly isElsewhere: boolean;
}

export function ServerActions({ server, isElsewhere }: ServerActionsProps) {
  const [problem, setProblem] = useState<string>();
  const [change, setChange] = useState<ConfigChange>();
  const { key, state, canSignIn } = server;
  const path = `/servers/${encodeURIComponent(key)}`;
  const isOn = state !== 'disabled';
  const isOperator = session.value?.role === 'operator';
  const isOwner = isOperator && session.value?.name === null;
  const attempt = (work: Promise<unknown>): void => {
    setProblem(undefined);
    work.catch((error: Error) => setProblem(error.message));
  };
  const propose = (): Promise<void> =>
    post<ConfigChange>(`${path}/enabled`, { enabled: !isOn }).then(setChange);
  return (
    <>
      <Problem text={problem} />
      {!change && (
        <div class="buttons">
          {isOn && isOperator && (
            <button
              type="button"
              disabled={state === 'starting'}
              onClick={() => attempt(post(`${path}/restart`))}
            >
              {isElsewhere ? 'Connect again' : 'Restart'}
            </button>
          )}
          {isOperator && (
            <button type="button" onClick={() => attempt(propose())}>
              {isOn ? 'Disable' : 'Enable'}
            </button>
          )}
          {isOn && (
            <a class="button" href={href('tools', undefined, new URLSearchParams({ server: key }))}>
              Its tools
            </a>
          )}
          {canSignIn && isOwner && <SignIn key={key} path={`${path}/sign-in`} />}
        </div>
      )}
      {change && (
        <SaveChange
          change={change}
          save={() => post(`${path}/enabled`, { enabled: !isOn, save: true, base: change.base })}
          onCancel={() => setChange(undefined)}
          onSaved={() => setChange(undefined)}
        />
      )}
    </>
  );
}

/** The person visits the address in another tab, and the gateway waits for the answer. */
function SignIn({ path }: { readonly path: string }) {
  const [event, setEvent] = useState<SignInEvent>();
  const begin = (): void => {
    readStream<SignInEvent>('POST', path, setEvent).catch(({ message }: Error) =>
      setEvent({ problem: message }),
    );
  };
  if (event && 'visit' in event) {
    return (
      <a class="button primary" href={event.visit} target="_blank" rel="noreferrer noopener">
        Open the sign-in page
      </a>
    );
  }
  return (
    <>
      <button type="button" onClick={begin}>
        Sign in
      </button>
      {event && 'signedIn' in event && (
        <span class="done" role="status">
          Signed in.
        </span>
      )}
      {event && 'problem' in event && <Problem text={event.problem} />}
    </>
  );
}
