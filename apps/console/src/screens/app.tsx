/** The frame of the console: navigation, the chosen screen, the state of the connection. */

import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { approvals, gateway, gateways, instances, isLive, status } from '../live/gateway-state.js';
import { areKeysShown, KEYS } from '../live/keys.js';
import { href, route } from '../live/route.js';
import { chooseGateway, session, signOut } from '../live/session.js';
import { Icon, Sign, type IconName } from '../view/icon.js';
import { switchTheme, theme } from '../view/theme.js';
import { Approvals } from './approvals.js';
import { Audit } from './audit.js';
import { Lock } from './lock.js';
import { Names } from './names.js';
import { Now } from './now.js';
import { People } from './people.js';
import { PolicyScreen } from './policy.js';
import { Servers } from './servers.js';
import { SignIn } from './sign-in.js';
import { Tools } from './tools.js';

interface Screen {
  readonly id: IconName;
  readonly title: string;
  readonly show: ComponentType;
}

const SCREENS: readonly Screen[] = [
  { id: 'now', title: 'Now', show: Now },
  { id: 'servers', title: 'Servers', show: Servers },
  { id: 'tools', title: 'Tools', show: Tools },
  { id: 'names', title: 'Names', show: Names },
  { id: 'policy', title: 'Policy', show: PolicyScreen },
  { id: 'approvals', title: 'Approvals', show: Approvals },
  { id: 'people', title: 'People', show: People },
  { id: 'audit', title: 'Audit', show: Audit },
  { id: 'lock', title: 'Lock', show: Lock },
];

export function App() {
  if (session.value === undefined) return <div class="splash" aria-busy="true" />;
  if (session.value === null) return <SignIn />;
  return <Frame />;
}

function Frame() {
  const { screen } = route.value;
  // A gateway that cannot list its records has no screen for them, and one that knows no people has none for these.
  const hidden = new Set<IconName>([
    ...(status.value?.hasRecords === true ? [] : (['audit'] as const)),
    ...(status.value?.hasPeople === true ? [] : (['people'] as const)),
  ]);
  const screens = SCREENS.filter(({ id }) => !hidden.has(id));
  const current = screens.find(({ id }) => id === screen) ?? screens[0]!;
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${current.title} · Callsign`;
    // Moves the focus so that a screen reader announces the new screen, except for the first one.
    // An item that is shown beside its list has the focus already.
    const isInside = main.current!.contains(document.activeElement);
    if (!isFirst.current && !isInside) main.current!.focus();
    isFirst.current = false;
  }, [current.id]);
  const Current = current.show;
  return (
    <div class="frame">
      <div class="side">
        <Header toContent={() => main.current?.focus()} />
        <nav aria-label="Screens">
          {screens.map(({ id, title }) => (
            <a key={id} href={href(id)} aria-current={id === current.id ? 'page' : undefined}>
              <Icon name={id} />
              {title}
              <Count screen={id} />
            </a>
          ))}
        </nav>
        <Footer />
      </div>
      <main ref={main} tabIndex={-1}>
        <Current />
      </main>
      <KeyHelp />
    </div>
  );
}

function Count({ screen }: { readonly screen: string }) {
  if (screen === 'approvals') {
    const waiting = approvals.value?.length ?? 0;
    return waiting === 0 ? null : <span class="count">{waiting}</span>;
  }
  if (screen !== 'now') return null;
  const warnings = [...(status.value?.warnings ?? []), ...(instances.value?.warnings ?? [])];
  const severe = warnings.filter(({ isSevere }) => isSevere).length;
  return severe === 0 ? null : <span class="count severe">{severe}</span>;
}

function Header({ toContent }: { readonly toContent: () => void }) {
  const running = gateways.value;
  return (
    <header>
      <button type="button" class="skip" onClick={toContent}>
        Skip to content
      </button>
      <a class="brand" href="#/now">
        <Sign /> Callsign
      </a>
      {running.length > 1 ? (
        <select
          aria-label="Gateway"
          value={String(gateway.value?.pid ?? '')}
          onChange={({ currentTarget }) => chooseGateway(currentTarget.value)}
        >
          {running.map(({ pid, config }) => (
            <option key={pid} value={String(pid)}>
              {shortPath(config)} · {pid}
            </option>
          ))}
        </select>
      ) : (
        <span class="config" title={gateway.value?.config}>
          {shortPath(gateway.value?.config ?? '')}
        </span>
      )}
    </header>
  );
}

function Footer() {
  const connection = isLive.value === undefined ? 'connecting' : isLive.value ? 'live' : 'lost';
  const other = theme.value === 'dark' ? 'light' : 'dark';
  return (
    <footer>
      <span class={`connection ${connection}`} role="status">
        {connection === 'lost' ? 'disconnected, trying again' : connection}
      </span>
      {session.value?.role === 'viewer' && <span class="tag">viewer</span>}
      <button
        type="button"
        class="quiet for-keys"
        aria-label="Keys"
        title="Show the keys"
        onClick={() => (areKeysShown.value = true)}
      >
        ?
      </button>
      <button
        type="button"
        class="quiet"
        aria-label={other === 'light' ? 'Light' : 'Dark'}
        title={`Switch to the ${other} theme`}
        onClick={switchTheme}
      >
        <Icon name={other} />
      </button>
      <button type="button" class="quiet" onClick={() => void signOut()}>
        Sign out
      </button>
    </footer>
  );
}

/** The overview of keys. */
function KeyHelp() {
  return areKeysShown.value ? <KeyList /> : null;
}

function KeyList() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current!.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="keys"
      aria-labelledby="keys"
      onClose={() => (areKeysShown.value = false)}
    >
      <h2 id="keys">Keys</h2>
      <dl>
        {KEYS.map(([keys, does]) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => dialog.current!.close()}>
        Close
      </button>
    </dialog>
  );
}

/** The last two parts of a path. */
function shortPath(path: string): string {
  return path.split(/[\\/]/).slice(-2).join('/');
}
