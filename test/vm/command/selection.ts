import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type StageName, stageNames } from '../../../appliance/server/stage/stage.ts';

/** Selection of one call of `npm run test:vm`. */
export interface VmSelection {
  /** Substrings of the names of test files; empty means all. */
  readonly files: readonly string[];
  /** Whether the packages of a first boot are preinstalled in the image. */
  readonly preinstalled: boolean;
  /** The stages in which the power is cut. */
  readonly cuts: readonly StageName[];
  /** Whether one server runs through all of these; otherwise each has a separate server. */
  readonly inARow: boolean;
}

export const usage = `npm run test:vm                         all tests; cuts the power in one stage
npm run test:vm -- [file...]            files whose name contains this
npm run test:vm -- --cuts ssh,firewall  cuts the power in these stages, one after the other
npm run test:vm -- --cuts all           cuts it in every stage, with a server for each
npm run test:vm -- --cuts all --in-a-row     one server for all power cuts
npm run test:vm -- --seed 7             selects another stage
npm run test:vm -- --preinstalled       packages of a first boot are in the image`;

const options = {
  cuts: { type: 'string' },
  seed: { type: 'string' },
  preinstalled: { type: 'boolean', default: false },
  'in-a-row': { type: 'boolean', default: false },
} as const;

const stages = z.array(z.enum(stageNames)).min(1);

/** Parses the arguments; returns undefined if one is unknown. */
export function readVmSelection(args: readonly string[]): VmSelection | undefined {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const { cuts, seed = '1', preinstalled, 'in-a-row': inARow } = values;
    const chosen = cuts === undefined ? [stageOf(seed)] : stagesOf(cuts);
    return { files: positionals, preinstalled, cuts: chosen, inARow };
  } catch {
    return undefined;
  }
}

function stagesOf(words: string): StageName[] {
  return words === 'all' ? [...stageNames] : stages.parse(words.split(','));
}

/** The same seed always selects the same stage; consecutive seeds select distant ones. */
function stageOf(seed: string): StageName {
  const number = z.coerce.number().int().nonnegative().parse(seed);
  return stages.parse([stageNames[(number * 7) % stageNames.length]])[0] ?? stageNames[0];
}
