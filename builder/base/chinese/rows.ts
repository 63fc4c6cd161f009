import { commanderRows, sharedHelpRows } from '#cli/chinese.ts';
import { contractRows } from '#contract/chinese.ts';
import type { ChineseRows } from '#contract/text/translated.ts';
import { editorRows } from '#editor/chinese.ts';
import { fileRows } from '#files/chinese.ts';
import { httpRows } from '#http/chinese.ts';
import { probeRows } from '#probe/chinese.ts';
import { proxyRows } from '#proxies/chinese.ts';
import { smokeRows } from '#smoke/chinese.ts';
import { configurationRows } from '#yaml/chinese.ts';
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
    ...contractRows,
    ...fileRows,
    ...configurationRows,
    ...probeRows,
    ...proxyRows,
    ...editorRows,
    ...smokeRows,
    ...helpRows,
    ...deliveryHelpRows,
    ...commandRows,
    ...transferRows,
  },
  ...{ ...inputRows, ...bundleRows, ...deliveryRows, ...serverRows },
};
