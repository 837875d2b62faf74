/** A PostgreSQL that was started by `startPostgres`. */
export interface PostgresServer {
  /** `undefined` while it does not run. */
  readonly pid: number | undefined;
  /** The URL with user and password. It may be that of a pooler. */
  readonly url: string;
  /** The URL with user and password that goes past the pooler. */
  readonly direct: string;
  /** The file with the authority that signed its certificate. `undefined` if connections are not encrypted. */
  readonly ca: string | undefined;
  start(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  remove(): Promise<void>;
}

export function postgresPrograms(): string | undefined;
export function startPostgres(options?: {
  readonly settings?: Readonly<Record<string, string>>;
  readonly isEncrypted?: boolean;
}): Promise<PostgresServer>;
