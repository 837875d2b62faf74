/** What a requirement is: one sentence of the mission, and the room that answers for it. */

export type Level = 'must' | 'should' | 'may' | 'rule';

type Topic =
  | 'lightdash prefix decision'
  | 'lightdash prefix design'
  | 'adapter tool names'
  | 'aggregator naming convention'
  | 'aggregator requirements'
  | 'annotation guide';

/**
 * A room of the house, a part of one that is still to come (`gateway/audit` is the folder or file of that
 * name in the room), or `house` for what the repository as a whole must show.
 */
export type Room =
  | 'naming'
  | 'annotations'
  | 'core'
  | 'wire'
  | 'toolkit'
  | 'gateway'
  | 'mcpaql'
  | 'mcpaql-authoring'
  | 'lightdash'
  | 'cli'
  | 'governance/limits'
  | 'audit'
  | 'governance/policy'
  | 'governance/roles'
  | 'house';

export interface Requirement {
  readonly id: string;
  readonly topic: Topic;
  readonly level: Level;
  /** The rule in our own words. */
  readonly says: string;
  /** The room whose tests must show it. Until the room exists the entry is pending. */
  readonly room: Room;
}
