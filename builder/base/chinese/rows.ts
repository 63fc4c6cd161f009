import { commanderRows, sharedHelpRows } from '#cli/chinese.ts';
import type { ChineseRows } from '#contract/text/translated.ts';
import { httpRows } from '#http/chinese.ts';
import { bundleRows } from './bundles.ts';
import { commandRows } from './commands.ts';
import { deliveryRows } from './delivery.ts';
import { helpRows } from './help.ts';
import { deliveryHelpRows } from './help-delivery.ts';
import { inputRows } from './inputs.ts';
import { serverRows } from './servers.ts';
import { transferRows } from './transfers.ts';

/** What the builder prints in Chinese: errors, hints, progress and help. */
export const chineseRows: ChineseRows = {
  ...{
    ...commanderRows,
    ...sharedHelpRows,
    ...httpRows,
    ...helpRows,
    ...deliveryHelpRows,
    ...commandRows,
    ...transferRows,
  },
  ...{ ...inputRows, ...bundleRows, ...deliveryRows, ...serverRows },
};
