import { Afterwards, runOnSignals } from '../setup/afterwards.ts';
import { printResult } from '../summary/announce.ts';
import { runVitest } from '../summary/run-vitest.ts';
import { rewriteVariable } from './golden-folder.ts';

/* `npm run golden`: writes the golden files, which are committed. Without a change of what users see, none changes. */
const afterwards = new Afterwards();
runOnSignals(afterwards);
const variables = { [rewriteVariable]: 'yes' };
const outcome = await runVitest('unit*', ['test/golden/golden.test.ts'], variables, afterwards);
printResult([outcome]);
