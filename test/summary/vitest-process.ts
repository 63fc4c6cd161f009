import { startVitest } from 'vitest/node';
import { DemoReporter } from './demo-reporter.ts';
import { demoReporterVariable } from './run-vitest.ts';
import { outcomeOf } from './vitest-outcome.ts';

// The program behind `runVitest`: runs one project and sends home what came of it.
const [project = 'unit', ...files] = process.argv.slice(2);
const options = process.env[demoReporterVariable] ? { reporters: [new DemoReporter()] } : {};
const vitest = await startVitest(files, { run: true, watch: false, project, ...options });
const { state } = vitest;
const outcome = outcomeOf(state.getTestModules(), state.getUnhandledErrors().length);
await vitest.close();
process.send?.(outcome, undefined, undefined, () => process.disconnect?.());
