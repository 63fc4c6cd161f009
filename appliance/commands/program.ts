import type { Command } from 'commander';
import { completionCommand } from '#cli/completion/command.ts';
import { createProgram, type Output } from '#cli/program.ts';
import { confirmCommand } from './confirm.ts';
import { credentialsCommand } from './credentials.ts';
import { firewallCommand } from './firewall.ts';
import { firstBootCommand } from './first-boot.ts';
import { modelsCommand } from './models.ts';
import { planCommand } from './plan.ts';
import { releaseVersion } from './release-version.ts';
import { reportCommand } from './report.ts';
import { secretCommand } from './secret.ts';
import { servePageCommand } from './serve-page.ts';
import { smokeCommand } from './smoke.ts';
import { statusCommand } from './status.ts';
import { tlsCommand } from './tls.ts';

const help = `
Start here:
  landfall status             is the server up?
  landfall report             addresses, fingerprints, what to do next
  sudo landfall credentials   the passwords and keys that were created here
  sudo landfall first-boot    set up what is missing

Exit codes: 0 done, 1 a bug, 2 wrong usage, 3 configuration, 5 network or
registry, 6 release refused, 8 files and disk, 10 a tool is missing, 11 server.
\`landfall status\` also ends with 69 and 75; see its help.
`;

/** Returns `landfall` as it runs on a server, one command a file, in the order of its help. */
export function serverProgram(output: Output): Command {
  return createProgram(output, {
    description: 'Looks after a server that Landfall has set up.',
    version: releaseVersion(process.argv[1] ?? ''),
    help,
    commands: [
      firstBootCommand(),
      planCommand(),
      firewallCommand(),
      confirmCommand(),
      credentialsCommand(),
      secretCommand(),
      statusCommand(),
      smokeCommand(),
      reportCommand(),
      tlsCommand(),
      modelsCommand(),
      completionCommand(output),
    ],
    hiddenCommands: [servePageCommand()],
  });
}
