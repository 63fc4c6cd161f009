import { type StageName, stageNames } from '../../../appliance/server/stage/stage.ts';

/** Environment variable: one server loses its power in all stages, one after the other. */
export const inARowVariable = 'LANDFALL_TEST_CUTS_IN_A_ROW';

/** Environment variable: space-separated stages in which `npm run test:vm` cuts the power. */
export const cutsVariable = 'LANDFALL_TEST_CUTS';

/** Returns the stages with a power cut for each server. */
export function roundsOfCuts(): StageName[][] {
  const words = process.env[cutsVariable]?.split(' ') ?? [];
  const cuts = stageNames.filter((name) => words.includes(name));
  return process.env[inARowVariable] ? [cuts] : cuts.map((stage) => [stage]);
}
