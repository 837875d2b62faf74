/** Exit codes for scripts, the same as those of all our commands. */

export const EXIT = {
  ok: 0,
  usage: 1,
  authentication: 3,
  config: 6,
  interrupted: 130,
} as const;
