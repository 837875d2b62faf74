import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    callsignCommand: string;
  }
}

/** The file that starts the command under test, made from the current sources by test/build.ts. */
export const BIN: string = inject('callsignCommand');
