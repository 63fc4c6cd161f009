import { type StageName, stageNames } from '../../../appliance/stage/stage.ts';

/** Space-separated stages in the environment: where `npm run test:vm` cuts the power. */
export const cutsVariable = 'LANDFALL_TEST_CUTS';

/** The stages in which the power is to be cut. */
export function cuts(): StageName[] {
  const words = process.env[cutsVariable]?.split(' ') ?? [];
  return stageNames.filter((name) => words.includes(name));
}
