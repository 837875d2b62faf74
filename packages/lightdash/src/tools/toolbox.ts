/** What every module of tools gets. */

import type { Registrar } from '@callsign/toolkit';
import type { McpServer } from '@modelcontextprotocol/server';

import type { LightdashClient } from '../client/lightdash-client.js';
import type { ProjectScope } from './project-scope.js';

export interface Toolbox {
  readonly server: McpServer;
  /** Adds the prefix, requires a preset, and adds the interceptors to each tool. */
  readonly registerToolSafe: Registrar<true>;
  readonly client: LightdashClient;
  readonly scope: ProjectScope;
}

/** Registers the tools of one domain. */
export type ToolModule = (toolbox: Toolbox) => void;
