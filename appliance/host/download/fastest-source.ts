import { type Pace, TooSlow } from './minimum-rate.ts';

/** How fast a place has to be while there is another, and where there is none. */
export interface Paces {
  readonly hurried: Pace;
  readonly patient: Pace;
}

/**
 * With 50 kB/s a program of 60 MB takes twenty minutes, and another place may well have it sooner.
 * Below 4 kB/s it would take more than four hours: somebody who sends that little keeps the server
 * waiting, and no line that is going to carry the images as well is as slow.
 */
export const usualPaces: Paces = {
  hurried: { bytesPerSecond: 50_000, seconds: 60 },
  patient: { bytesPerSecond: 4_000, seconds: 60 },
};

/**
 * Takes the first place that works and is fast; where none is, the first of the slow ones that works.
 * @throws what the last attempt threw
 */
export async function fromFastestSource(
  places: readonly string[],
  { hurried, patient }: Paces,
  attempt: (place: string, pace: Pace) => Promise<void>,
): Promise<void> {
  const slow: string[] = [];
  let failure: unknown;
  const isAlone = places.length === 1;
  for (const place of isAlone ? [] : places) {
    try {
      return await attempt(place, hurried);
    } catch (error) {
      if (error instanceof TooSlow) slow.push(place);
      failure = error;
    }
  }
  for (const place of isAlone ? places : slow) {
    try {
      return await attempt(place, patient);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
