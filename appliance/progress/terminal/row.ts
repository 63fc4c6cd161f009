import type { StagesStanding } from '../standing.ts';

/** The style of a row on a terminal with colours. */
export type Colour = 'green' | 'red' | 'yellow' | 'dim' | 'bold';

export interface Row {
  readonly text: string;
  readonly colour?: Colour;
}

/** Which groups of rows are abbreviated to one row. */
export interface Brevity {
  readonly ended?: boolean;
  readonly waiting?: boolean;
  readonly warnings?: boolean;
}

/** The input of the stage table. */
export type Shown = Omit<StagesStanding, 'kind'>;
