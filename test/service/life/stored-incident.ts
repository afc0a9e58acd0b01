// The incident of a service of the tests, as far as a test looks at it.

export interface StoredIncident {
  readonly id: string;
  readonly name: string;
  readonly severity: string;
  readonly services: readonly Readonly<Record<string, unknown>>[];
  readonly incidentUpdates: readonly {
    readonly id: string;
    readonly status: string;
    readonly description: string;
    readonly notifySubscribers?: boolean;
  }[];
  readonly lastUpdateStatus: string;
}
