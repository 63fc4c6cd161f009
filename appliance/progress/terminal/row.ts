import type { TextStyle } from '#contract/text/paint.ts';
import type { StagesStanding } from '../standing.ts';

export interface Row {
  readonly text: string;
  readonly colour?: TextStyle;
}

/** The groups of rows that can be abbreviated to one row, in this order. */
export const groups = ['ended', 'waiting', 'warnings'] as const;
/** The abbreviated groups. */
export type Brevity = ReadonlyArray<(typeof groups)[number]>;

/** The input of the stage table. */
export type Shown = Omit<StagesStanding, 'kind'>;
