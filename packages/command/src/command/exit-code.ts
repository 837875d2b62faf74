/** The exit codes. Scripts rely on them, so a value must not change. */

export const EXIT = {
  ok: 0,
  usage: 1,
  authentication: 3,
  unreachable: 4,
  toolError: 5,
  config: 6,
  denied: 7,
  interrupted: 130,
} as const;
