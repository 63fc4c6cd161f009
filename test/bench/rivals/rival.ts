import type { Tagged } from '../changed-image.ts';

/** A measured program. Every program starts from the same state and fetches the same images. */
export interface Rival {
  readonly name: string;
  /** Restores the state before a first run. */
  reset(): Promise<void>;
  /** Returns the command that fetches these images and writes them out. */
  command(images: readonly Tagged[]): Promise<readonly string[]>;
}
