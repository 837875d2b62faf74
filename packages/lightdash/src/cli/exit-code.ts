/** What a script may rely on; the same numbers as those of every command of the house. */

export const EXIT = {
  ok: 0,
  usage: 1,
  authentication: 3,
  config: 6,
  interrupted: 130,
} as const;
