import { startVitest } from 'vitest/node';
import { outcomeOf } from './vitest-outcome.ts';

// The program behind `runVitest`: runs one project and sends home what came of it.
const [project = 'unit', ...files] = process.argv.slice(2);
const vitest = await startVitest(files, { run: true, watch: false, project });
const { state } = vitest;
const outcome = outcomeOf(state.getTestModules(), state.getUnhandledErrors().length);
await vitest.close();
process.send?.(outcome, undefined, undefined, () => process.disconnect?.());
