import type { Command } from 'commander';
import { completionCommand } from '#cli/completion/command.ts';
import { createProgram, type Output } from '#cli/program.ts';
import { alertCommand } from './alert/alert.ts';
import { confirmCommand } from './confirm.ts';
import { credentialsCommand } from './credentials.ts';
import { doctorCommand } from './doctor.ts';
import { editorCommand } from './editor.ts';
import { firewallCommand } from './firewall.ts';
import { firstBootCommand } from './first-boot.ts';
import { modelsCommand } from './models.ts';
import { planCommand } from './plan.ts';
import { probeCommand } from './probe.ts';
import { releaseVersion } from './release-version.ts';
import { reportCommand } from './report.ts';
import { routeCommand } from './route/route.ts';
import { secretCommand } from './secret.ts';
import { servePageCommand } from './serve-page.ts';
import { smokeCommand } from './smoke.ts';
import { statusCommand } from './status.ts';
import { tlsCommand } from './tls.ts';

const help = `
Start here:
  landfall status             show whether the server is up
  sudo landfall doctor        find faults, with the remedy for each
  landfall report             show URLs, fingerprints and next steps
  sudo landfall credentials   show the generated passwords and keys
  sudo landfall first-boot    set up what is missing

Exit codes: 0 success, 1 bug, 2 usage, 3 configuration, 5 network or registry,
6 release rejected, 8 files and disk, 10 missing tool, 11 server.
\`landfall doctor\` exits with 12 if it finds a fault, and \`landfall status\` also with 69 and 75; see their help.
`;

/** Returns the `landfall` command of the server, with subcommands in help order. */
export function serverProgram(output: Output): Command {
  return createProgram(output, {
    description: 'Manages a server that Landfall has set up.',
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
      doctorCommand(),
      probeCommand(),
      smokeCommand(),
      reportCommand(),
      tlsCommand(),
      routeCommand(),
      alertCommand(),
      modelsCommand(),
      editorCommand(),
      completionCommand(output),
    ],
    hiddenCommands: [servePageCommand()],
  });
}
