import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const programs = ['builder/bin/landfall.mjs', 'appliance/commands/main.ts'].map((path) =>
  fileURLToPath(new URL(`../../../../${path}`, import.meta.url)),
);

// Regression: `landfall --help | head` ended with a stack trace.
it.each(programs)('a reader that goes away ends the program without a message: %s', (program) => {
  const line = `{ "$0" "$1" --help; echo "code $?" >&2; } | true`;
  const { stderr } = spawnSync('sh', ['-c', line, process.execPath, program], { encoding: 'utf8' });
  expect(stderr.replace(/^.*ExperimentalWarning.*\n/gm, '')).toBe('code 141\n');
});
