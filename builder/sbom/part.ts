/** One thing that a release is made of, before it is written as a component of CycloneDX. */
export interface Part {
  /** Its name within the document, which others refer to. */
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
  /** An SPDX expression, or whatever its maker wrote there. */
  readonly license?: string | undefined;
  /** Whether servers run it only when their site turns it on. */
  readonly optional?: boolean | undefined;
  /** Where it is fetched from. */
  readonly urls?: readonly string[] | undefined;
  /** What CycloneDX has no field for. */
  readonly properties?: Readonly<Record<string, string>> | undefined;
  /** References of the parts inside it. */
  readonly dependsOn?: readonly string[] | undefined;
}
