/** A PostgreSQL that was started by `startPostgres`. */
export interface PostgresServer {
  /** Unset: it does not run. */
  readonly pid: number | undefined;
  /** The URL with user and password. It may be that of a pooler. */
  readonly url: string;
  /** The same without a pooler. */
  readonly direct: string;
  /** The file with the authority that signed its certificate. Unset: connections are not encrypted. */
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
