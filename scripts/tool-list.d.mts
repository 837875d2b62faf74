export interface OfficialServer {
  readonly package: string;
  readonly args: readonly string[];
}
export const OFFICIAL_SERVERS: Readonly<
  Record<'everything' | 'filesystem' | 'memory' | 'sequential-thinking', OfficialServer>
>;
export function readToolList(
  server: OfficialServer,
): Promise<{ package: string; version: string; tools: readonly { readonly name: string }[] }>;
