// The settings of Callsign. The default has no `callsign` key at all, as most people run it. The
// bars are about this variant. Every other variant says here which settings it needs.

/** @typedef {{ label: string, settings?: object }} Variant */

const off = { audit: { mode: 'off' } };
const policy = { policy: { rules: [{ match: '*:delete_*', decision: 'deny' }] } };
const condition = { policy: { rules: [{ when: "args.text == 'no'", decision: 'deny' }] } };
const roles = { roles: { everyone: { allow: ['*:*'] } }, access: { anonymous: ['everyone'] } };
const quota = { quota: { perServer: { concurrent: 1_000 }, perCaller: { concurrent: 1_000 } } };
const breaker = { breaker: { failures: 5 } };
const retry = { retry: { attempts: 2 } };

/** The variants that take part beside peers and floor. @type {Readonly<Record<string, Variant>>} */
export const VARIANTS = {
  default: { label: 'Callsign' },
  off: { label: 'Callsign, audit off', settings: off },
  disk: { label: 'Callsign, durability: disk', settings: { audit: { durability: 'disk' } } },
  all: {
    label: 'Callsign, all on',
    settings: { ...policy, ...roles, ...quota, ...breaker, ...retry },
  },
};

/** One module each, for what each of them costs; measured against `off`. @type {Readonly<Record<string, Variant>>} */
export const MODULES = {
  audit: { label: 'audit' },
  policy: { label: 'policy, a rule by name', settings: { ...off, ...policy } },
  condition: { label: 'policy, a condition on arguments', settings: { ...off, ...condition } },
  roles: { label: 'roles', settings: { ...off, ...roles } },
  quota: { label: 'quota', settings: { ...off, ...quota } },
  breaker: { label: 'breaker', settings: { ...off, ...breaker } },
  retry: { label: 'retry', settings: { ...off, ...retry } },
};
