import type { Release } from '#contract/bundle/release.ts';
import type { ServerFile } from '../user-data/server-file.ts';

/** What one server gets. */
export interface Prepared {
  readonly release: Release;
  /** The bundle on this computer, or one of its parts. */
  readonly bundle: string;
  /** The administrator's account on the server. */
  readonly admin: string;
  /** Returns the files to place, for a bootstrap that downloads from this URL. */
  filesFor(source: string): readonly ServerFile[];
}
