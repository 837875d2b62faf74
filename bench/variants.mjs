// What is switched on in Callsign: the one place where the bench writes the key `callsign` of a configuration.
import { configSchema } from '@callsign/gateway';

/** @typedef {{ label: string, settings: (file: (name: string) => string) => object }} Variant `file` gives a path for a file */

/** Without a word of the operator every tool of a new server counts as destructive, and would be asked for. */
const labels = { annotations: { '*:*': { preset: 'READ_ONLY_DEFAULT' } } };
const off = { audit: { mode: 'off' }, ...labels };
const audit = (file) => ({ audit: { mode: 'best-effort', folder: file('audit') } });
const policy = { policy: { rules: [{ match: '*:delete_*', decision: 'deny' }] } };
const condition = { policy: { rules: [{ when: "args.text == 'no'", decision: 'deny' }] } };
const roles = { roles: { everyone: { allow: ['*:*'] } }, access: { anonymous: ['everyone'] } };
const quota = { quota: { perServer: { concurrent: 1_000 }, perCaller: { concurrent: 1_000 } } };
const breaker = { breaker: { failures: 5 } };
const retry = { retry: { attempts: 2 } };

/**
 * The variants that take part beside peers and floor. `governed` is the one that the bars are about.
 * @type {Readonly<Record<'plain' | 'governed' | 'all', Variant>>}
 */
export const VARIANTS = {
  plain: { label: 'Callsign, nothing on', settings: () => off },
  governed: {
    label: 'Callsign, audit and policy on',
    settings: (file) => ({ ...labels, ...audit(file), ...policy }),
  },
  all: {
    label: 'Callsign, all on',
    settings: (file) => ({
      ...labels,
      ...audit(file),
      ...policy,
      ...roles,
      ...quota,
      ...breaker,
      ...retry,
    }),
  },
};

/**
 * One interceptor each, for what each of them costs; measured against `plain`.
 * @type {Readonly<Record<string, Variant>>}
 */
export const INTERCEPTORS = {
  audit: { label: 'audit', settings: (file) => ({ ...labels, ...audit(file) }) },
  policy: { label: 'policy, a rule by name', settings: () => ({ ...off, ...policy }) },
  condition: {
    label: 'policy, a condition on arguments',
    settings: () => ({ ...off, ...condition }),
  },
  roles: { label: 'roles', settings: () => ({ ...off, ...roles }) },
  quota: { label: 'quota', settings: () => ({ ...off, ...quota }) },
  breaker: { label: 'breaker', settings: () => ({ ...off, ...breaker }) },
  retry: { label: 'retry', settings: () => ({ ...off, ...retry }) },
};

const { properties } = configSchema().properties.callsign;

/** Settings without those that this build does not have, so that an older one can be measured as well. */
export function knownSettings(settings) {
  return Object.fromEntries(
    Object.entries(settings).filter(([key]) => Object.hasOwn(properties, key)),
  );
}

/** What this build cannot switch on. */
export function unknownSettings() {
  const { settings } = VARIANTS.all;
  return Object.keys(settings(String)).filter((key) => !Object.hasOwn(properties, key));
}
