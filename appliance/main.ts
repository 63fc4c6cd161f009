import { dirname, join } from 'node:path';
import { exitCodeOf, LandfallError } from '#contract/errors.ts';
import { firstBoot } from './first-boot.ts';

/** The program on the server. It lies in its release as `program/landfall.mjs`. */
const commands: Readonly<Record<string, () => Promise<void>>> = {
  'first-boot': async () => {
    const root = process.env.LANDFALL_ROOT ?? '/';
    await firstBoot({ root, release: join(dirname(process.argv[1] ?? '.'), '..') });
    process.stdout.write('landfall: the release is verified and this server can carry it\n');
  },
};

try {
  const name = process.argv[2] ?? '';
  const command = commands[name];
  if (!command) {
    throw new LandfallError('USAGE', `there is no command ${JSON.stringify(name)}`, {
      hint: `Commands: ${Object.keys(commands).join(', ')}.`,
    });
  }
  await command();
} catch (error) {
  process.stderr.write(`${describe(error)}\n`);
  process.exitCode = exitCodeOf(error);
}

function describe(error: unknown): string {
  if (!(error instanceof LandfallError))
    return String(error instanceof Error ? error.stack : error);
  const problems = error.problems.map(
    ({ message, hint }) => `  ${message}${hint ? ` (${hint})` : ''}`,
  );
  const hint = error.hint ? [`hint: ${error.hint}`] : [];
  return [`landfall: ${error.code}: ${error.message}`, ...problems, ...hint].join('\n');
}
