/** What every module of tools is given to register and answer with. */

import type { Registrar } from '@callsign/toolkit';
import type { McpServer } from '@modelcontextprotocol/server';

import type { LightdashClient } from '../client/lightdash-client.js';
import type { ProjectScope } from './project-scope.js';

export interface Toolbox {
  readonly server: McpServer;
  /** Puts the prefix in front, insists on a preset, and sets the interceptors around each tool. */
  readonly registerToolSafe: Registrar<true>;
  readonly client: LightdashClient;
  readonly scope: ProjectScope;
}

/** Registers the tools of one domain. */
export type ToolModule = (toolbox: Toolbox) => void;
