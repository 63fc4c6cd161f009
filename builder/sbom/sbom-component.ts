/** A component of a release, as input for CycloneDX. */
export interface SbomComponent {
  /** ID in the document, unique. */
  readonly ref: string;
  readonly type: 'application' | 'container' | 'library' | 'machine-learning-model';
  readonly name: string;
  readonly version?: string | undefined;
  /** Package URL. */
  readonly purl?: string | undefined;
  /** 64 hex digits. */
  readonly sha256?: string | undefined;
  /** 128 hex digits. */
  readonly sha512?: string | undefined;
  /** As its publisher states it, usually an SPDX expression. */
  readonly license?: string | undefined;
  /** URL of the source code. */
  readonly source?: string | undefined;
  /** Whether a site must enable it. */
  readonly optional?: boolean | undefined;
  /** Download URLs. */
  readonly urls?: readonly string[] | undefined;
  /** Values without a CycloneDX field. */
  readonly properties?: Readonly<Record<string, string>> | undefined;
  /** `ref` of the components that it contains. */
  readonly dependsOn?: readonly string[] | undefined;
}
