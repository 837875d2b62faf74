/** A problem that a check of a project found in its content. */

export interface ValidationProblem {
  readonly validationId: number | null;
  readonly validationUuid?: string;
  readonly name: string;
  readonly error: string;
  readonly errorType: string;
  /** Its source: a chart, a dashboard or a table. */
  readonly source?: string;
  readonly chartUuid?: string;
  readonly dashboardUuid?: string;
  readonly createdAt: string;
}
