import type { TextStyle } from '#contract/text/paint.ts';
import type { StagesStanding } from '../standing.ts';

export interface Row {
  readonly text: string;
  readonly colour?: TextStyle;
}

/** Which groups of rows are abbreviated to one row. */
export interface Brevity {
  readonly ended?: boolean;
  readonly waiting?: boolean;
  readonly warnings?: boolean;
}

/** The input of the stage table. */
export type Shown = Omit<StagesStanding, 'kind'>;
