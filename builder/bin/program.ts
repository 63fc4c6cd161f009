import type { CommandUnknownOpts } from 'commander';
import { completionCommand } from '#cli/completion.ts';
import { createProgram } from '#cli/program.ts';
import { runProgram } from '#cli/run-program.ts';
import { formatError } from '#contract/text/error.ts';
import { languageOfLocale, setLanguage } from '#contract/text/language.ts';
import { sshThroughProxyCommand } from '#probe/ssh-through-proxy-command.ts';
import { paintFor } from '#terminal/paint-for.ts';
import { columnsOf } from '#terminal/wrap-for.ts';
import { builderVersion } from '../base/version.ts';
import { buildCommand } from '../commands/build.ts';
import { channelCommand } from '../commands/channel/channel.ts';
import { trustCommand } from '../commands/channel/trust.ts';
import type { CommandContext } from '../commands/context.ts';
import { installCommand, pushCommand, siteCommand } from '../commands/delivery/commands.ts';
import { diffCommand } from '../commands/diff.ts';
import { editorCommand } from '../commands/editor.ts';
import { explainCommand } from '../commands/explain/explain.ts';
import { initCommand } from '../commands/init.ts';
import { inspectCommand } from '../commands/inspect.ts';
import { keygenCommand } from '../commands/keygen.ts';
import { lockCommand } from '../commands/lock.ts';
import { manualCommand } from '../commands/manual.ts';
import { pageCommand } from '../commands/page/page.ts';
import { previewCommand } from '../commands/preview.ts';
import { probeCommand } from '../commands/probe.ts';
import { routeCommand } from '../commands/route/route.ts';
import { schemaCommand } from '../commands/schema.ts';
import { serveCommand } from '../commands/serve.ts';
import { signCommand } from '../commands/sign.ts';
import { smokeCommand } from '../commands/smoke.ts';
import { uploadCommand } from '../commands/upload.ts';
import { userDataCommand } from '../commands/user-data.ts';
import { verifyCommand } from '../commands/verify.ts';

const help = `
Start here:
  landfall init                             write appliance.yaml and site.yaml
  landfall keygen                           create the key that signs releases
  landfall lock                             look up the digests of images and models
  landfall build                            build the bundles
  landfall user-data --site site.yaml --release dist/*.tar
                                            write the user-data to paste at your provider

Exit codes: 0 success, 1 internal error, 2 usage, 3 configuration, 4 lock file, 5 network or
registry, 6 bundle rejected, 7 key, 8 files and disk, 9 user-data, 10 missing tool, 11 server,
12 findings of landfall explain or doctor, 13 SSH.
landfall diff --exit-code: 1 also means that there are differences. landfall install and push: 69 means
that a component is down, and 75 that the server waits for its proxies.
`;

type Make = (context: CommandContext) => CommandUnknownOpts;

/** Creates the command line of the builder. `completion` and the tests use the same definition. */
export function landfallProgram(context: CommandContext) {
  const groups: Readonly<Record<string, readonly Make[]>> = {
    'Make a release': [initCommand, schemaCommand, lockCommand, buildCommand, previewCommand],
    Inspect: [verifyCommand, inspectCommand, diffCommand, explainCommand],
    'Keys and channels': [keygenCommand, signCommand, trustCommand, channelCommand],
    Deliver: [
      userDataCommand,
      pageCommand,
      serveCommand,
      uploadCommand,
      installCommand,
      pushCommand,
      siteCommand,
      smokeCommand,
    ],
    Network: [probeCommand, routeCommand, editorCommand],
    Help: [completionCommand, manualCommand],
  };
  return createProgram(context, {
    description: 'A private AI server from one paste.',
    version: builderVersion,
    help,
    groups: Object.fromEntries(
      Object.entries(groups).map(([heading, commands]) => [
        heading,
        commands.map((command) => command(context)),
      ]),
    ),
    hiddenCommands: [sshThroughProxyCommand(context)],
  });
}

/**
 * Runs a command line and returns its exit code.
 * @param args arguments without the program's name
 */
export function run(args: readonly string[], context: CommandContext): Promise<number> {
  setLanguage(languageOfLocale(context.env));
  const paint = paintFor(context.stderr, context.env);
  return runProgram(landfallProgram(context), args, context, (error) =>
    formatError(error, { paint, columns: columnsOf(context.stderr) }),
  );
}
