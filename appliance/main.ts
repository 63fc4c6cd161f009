import { exitCodeOf, LandfallError } from '#contract/errors.ts';
import type { Command } from './commands/command.ts';
import { confirmCommand } from './commands/confirm.ts';
import { credentialsCommand } from './commands/credentials.ts';
import { describeError } from './commands/describe-error.ts';
import { firewallCommand } from './commands/firewall.ts';
import { firstBootCommand } from './commands/first-boot.ts';
import { modelsCommand } from './commands/models.ts';
import { planCommand } from './commands/plan.ts';
import { reportCommand } from './commands/report.ts';
import { secretCommand } from './commands/secret.ts';
import { servePageCommand } from './commands/serve-page.ts';
import { smokeCommand } from './commands/smoke.ts';
import { statusCommand } from './commands/status.ts';
import { tlsCommand } from './commands/tls.ts';

/** `landfall` on the server. The program lies in its release as `program/landfall.mjs`. */
const commands: Readonly<Record<string, Command>> = {
  'first-boot': firstBootCommand,
  plan: planCommand,
  firewall: firewallCommand,
  confirm: confirmCommand,
  credentials: credentialsCommand,
  secret: secretCommand,
  status: statusCommand,
  smoke: smokeCommand,
  report: reportCommand,
  tls: tlsCommand,
  models: modelsCommand,
  'serve-page': servePageCommand,
};

// What this program writes for everybody must be readable, whatever the caller's habits.
process.umask(0o022);
try {
  const [name = 'help', ...args] = process.argv.slice(2);
  await run(name, args);
} catch (error) {
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = exitCodeOf(error);
}

async function run(name: string, args: readonly string[]): Promise<void> {
  if (['help', '--help', '-h'].includes(name)) return console.log(overview());
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    throw new LandfallError('USAGE', `there is no command ${JSON.stringify(name)}`, {
      hint: `Commands: ${forPeople()
        .map(([command]) => command)
        .join(', ')}.`,
    });
  }
  if (command.root && process.getuid?.() !== 0) {
    throw new LandfallError('NOT_ROOT', `landfall ${name} takes root`, {
      hint: `Run: sudo landfall ${[name, ...args].join(' ')}`,
    });
  }
  await command.run(args);
}

function overview(): string {
  const calls = forPeople().map(([name, { usage, summary }]): [string, string] => [
    [name, usage].filter(Boolean).join(' '),
    summary,
  ]);
  const width = Math.max(...calls.map(([call]) => call.length));
  return calls.map(([call, summary]) => `landfall ${call.padEnd(width)}  ${summary}`).join('\n');
}

function forPeople(): [string, Command][] {
  return Object.entries(commands).filter(([, { internal }]) => !internal);
}
