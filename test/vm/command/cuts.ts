import { type StageName, stageNames } from '../../../appliance/stage/stage.ts';

/** Set where one server loses its power in all of them, one after the other. */
export const inARowVariable = 'LANDFALL_TEST_CUTS_IN_A_ROW';

/** Space-separated stages in the environment: where `npm run test:vm` cuts the power. */
export const cutsVariable = 'LANDFALL_TEST_CUTS';

/** For each server that is to lose its power, the stages in which it does. */
export function roundsOfCuts(): StageName[][] {
  const words = process.env[cutsVariable]?.split(' ') ?? [];
  const cuts = stageNames.filter((name) => words.includes(name));
  return process.env[inARowVariable] ? [cuts] : cuts.map((stage) => [stage]);
}
