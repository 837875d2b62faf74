/** The sign-in screen: how to get a link, and a field for an API key. */

import { useState } from 'preact/hooks';

import { signInProblem, signInWithKey } from '../live/session.js';
import { Sign } from '../view/icon.js';
import { Problem } from '../view/notice.js';

export function SignIn() {
  const [key, setKey] = useState('');
  return (
    <main class="sign-in">
      <h1 class="brand">
        <Sign /> Callsign console
      </h1>
      <Problem text={signInProblem.value} />
      <p>
        On the machine where the gateway runs, run <code>callsign console</code>. It opens this page
        and signs you in.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (key !== '') void signInWithKey(key.trim());
        }}
      >
        <label>
          <span>
            Or sign in with an API key that has <code>console</code> set
          </span>
          <input
            type="password"
            autocomplete="off"
            value={key}
            onInput={({ currentTarget }) => setKey(currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary">
          Sign in
        </button>
      </form>
    </main>
  );
}
