import type { StagesStanding } from '../standing.ts';

/** How a row is painted on a terminal with colours. */
export type Colour = 'green' | 'red' | 'yellow' | 'dim' | 'bold';

export interface Row {
  readonly text: string;
  readonly colour?: Colour;
}

/** What may be said in one row where there is little room. */
export interface Brevity {
  readonly ended?: boolean;
  readonly waiting?: boolean;
  readonly warnings?: boolean;
}

/** The table's part of a standing. */
export type Shown = Omit<StagesStanding, 'kind'>;
