// Texts that the rules report and that stay as they are, each with the reason.

/** `text` is what the finding quotes. An exception that no finding needs is an error. */
export const ALLOWED = [
  {
    file: 'packages/rpc/src/child/process-group.ts',
    text: 'groups=quotation while read -r what pid;',
    reason: 'A shell script.',
  },
];
