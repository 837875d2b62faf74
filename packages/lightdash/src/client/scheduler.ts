/** A scheduled delivery of a chart or a dashboard. */

export interface Scheduler {
  readonly schedulerUuid: string;
  readonly name: string;
  readonly format: string;
  /** A cron expression. */
  readonly cron: string;
  readonly timezone?: string;
  readonly enabled: boolean;
  readonly savedChartUuid: string | null;
  readonly dashboardUuid: string | null;
  readonly createdBy: string;
  readonly updatedAt: string;
}
