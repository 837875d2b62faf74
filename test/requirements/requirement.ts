/** A requirement: one sentence about what Callsign must do, and the package that must show it. */

export type Level = 'must' | 'should' | 'may' | 'rule';

type Topic =
  | 'lightdash prefix decision'
  | 'lightdash prefix design'
  | 'adapter tool names'
  | 'aggregator naming convention'
  | 'aggregator requirements'
  | 'annotation guide';

/** The package that must show a requirement, one of its folders, or `repository` for all of it. */
export type Owner =
  | 'naming'
  | 'effects'
  | 'core'
  | 'wire'
  | 'toolkit'
  | 'gateway'
  | 'mcpaql'
  | 'mcpaql/authoring'
  | 'lightdash'
  | 'cli'
  | 'governance/limits'
  | 'audit'
  | 'governance/policy'
  | 'governance/roles'
  | 'repository';

export interface Requirement {
  readonly id: string;
  readonly topic: Topic;
  readonly level: Level;
  /** The rule in our own words. */
  readonly says: string;
  /** Printed when no test shows it, so that the reader knows where the test belongs. */
  readonly owner: Owner;
}
