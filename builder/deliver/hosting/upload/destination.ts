import type { Transfer } from '../../../base/progress/reporter.ts';
import type { HashedFile } from '../hashed-file.ts';

/** A folder on another machine that files are uploaded to. */
export interface Destination extends AsyncDisposable {
  /** Returns whether it has a complete file with the same size and SHA-256. */
  has(file: HashedFile): Promise<boolean>;
  /**
   * Uploads a file, and resumes an interrupted upload of the same bytes. Readers see the complete file
   * only.
   */
  put(file: HashedFile, transfer: Transfer): Promise<void>;
}
