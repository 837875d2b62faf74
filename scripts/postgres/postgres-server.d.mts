/** A PostgreSQL that was started by `startPostgres`. */
export interface PostgresServer {
  readonly port: number;
  /** With user and password. */
  readonly url: string;
  start(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  remove(): Promise<void>;
}

export function postgresPrograms(): string | undefined;
export function startPostgres(options?: {
  readonly settings?: Readonly<Record<string, string>>;
}): Promise<PostgresServer>;
