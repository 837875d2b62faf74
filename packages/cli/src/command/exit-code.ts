/** The exit codes. Scripts rely on them, so a value must not change. */

export const EXIT = {
  ok: 0,
  /** A wrong command line, a finding of `lint` or `doctor`, or an unexpected error. */
  usage: 1,
  /** A server requires a sign-in. */
  authentication: 3,
  /** A server or a gateway could not be started or reached. */
  unreachable: 4,
  /** The tool answered with an error. */
  toolError: 5,
  /** The configuration is invalid, missing or not accepted. */
  config: 6,
  /** The policy or the operator denied the call. */
  denied: 7,
  /** Ctrl-C: 128 and the number of SIGINT, as shells expect. */
  interrupted: 130,
} as const;
