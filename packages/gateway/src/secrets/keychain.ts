/** The keychain of this system: Keychain, Credential Manager, or the Secret Service of a Linux desktop. */

import type { Environment } from '@callsign/config';

/** Each call rejects if the keychain cannot be reached, or stays locked. */
export interface Keychain {
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Why no keychain can be used. Ends a sentence that names the secret. */
export class NoKeychain extends Error {
  override readonly name = 'NoKeychain';
}

/** The name of the service under which our secrets are in a keychain. */
const SERVICE = 'callsign';
/** An unlocking window may be open. A start does not wait for it for ever. */
const PATIENCE_MS = 20_000;
/** The kernel's own key store is not used: it forgets everything when the machine starts again. */
const OPTIONS = { linux: { store: 'secret-service' } } as const;

/** Rejects with `NoKeychain` if there is none. */
export async function systemKeychain(env: Environment): Promise<Keychain> {
  if (env['CALLSIGN_KEYCHAIN'] === 'off') throw new NoKeychain('CALLSIGN_KEYCHAIN is "off"');
  const { AsyncEntry } = await import('@napi-rs/keyring').catch(() => {
    throw new NoKeychain('the package @napi-rs/keyring is not installed');
  });
  const inTime = async <T>(
    name: string,
    work: (entry: InstanceType<typeof AsyncEntry>, signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    try {
      return await Promise.race([
        work(new AsyncEntry(SERVICE, name, OPTIONS), signal),
        end(signal),
      ]);
    } catch (error) {
      const { message } = error as Error;
      // Without a desktop, the library speaks of the bus that it did not find.
      if (/\bD-?Bus\b/i.test(message)) throw new NoKeychain('no keychain service runs');
      throw new NoKeychain(`the keychain cannot be used: ${message}`);
    }
  };
  return {
    get: (name) =>
      inTime(name, async (entry, signal) => (await entry.getPassword(signal)) ?? undefined),
    set: (name, value) => inTime(name, (entry, signal) => entry.setPassword(value, signal)),
    remove: (name) =>
      inTime(name, async (entry, signal) => void (await entry.deleteCredential(signal))),
  };
}

/** A call that the system has begun cannot be taken back, so it is left alone. */
function end(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const say = (): void => reject(new Error(`it has not answered for ${PATIENCE_MS / 1000} s`));
    signal.addEventListener('abort', say, { once: true });
  });
}
