import { startVitest } from 'vitest/node';
import { DemoReporter } from './demo-reporter.ts';
import { inOrderOf } from './named-order.ts';
import { plainStream } from './plain-stream.ts';
import { FileReporter } from './reporter.ts';
import { demoReporterVariable } from './run-vitest.ts';
import { outcomeOf } from './vitest-outcome.ts';

// The program behind `runVitest`: runs one project and sends the result to the parent.
const [project = 'unit*', ...files] = process.argv.slice(2);
const reporter = process.env[demoReporterVariable]
  ? new DemoReporter()
  : new FileReporter({ showsFiles: project !== 'unit*' });
// Whole servers take minutes each: one that begins late runs alone at the end.
const sequence = project.startsWith('host') ? { sequencer: inOrderOf(files) } : {};
const vitest = await startVitest(
  files,
  { run: true, watch: false, project, reporters: [reporter], sequence },
  {},
  { stdout: plainStream(process.stdout), stderr: plainStream(process.stderr) },
);
const { state } = vitest;
const outcome = outcomeOf(state.getTestModules(), state.getUnhandledErrors().length);
await vitest.close();
process.send?.(outcome, undefined, undefined, () => process.disconnect?.());
