/** A tag of the metrics catalogue. */

export interface Tag {
  readonly tagUuid: string;
  readonly projectUuid: string;
  readonly name: string;
  readonly color: string;
  readonly createdAt: string;
}
