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
import { backupRows } from './backups.ts';
import { commandRows } from './commands.ts';
import { helpRows } from './help.ts';
import { hostRows } from './host.ts';
import { networkRows } from './network.ts';
import { nodeRows } from './nodes.ts';
import { serviceRows } from './services.ts';
import { stageRows } from './stages.ts';

/** What the server prints in Chinese and has in English in place: help, errors and hints. */
export const serverRows: ChineseRows = {
  ...{ ...commanderRows, ...sharedHelpRows, ...httpRows, ...contractRows },
  ...{ ...fileRows, ...configurationRows, ...probeRows, ...proxyRows, ...editorRows, ...smokeRows },
  ...{ ...helpRows, ...commandRows, ...hostRows, ...serviceRows },
  ...{ ...backupRows, ...nodeRows, ...stageRows, ...networkRows },
};
