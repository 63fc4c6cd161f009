import { Command } from 'commander';
import { hubCommand, mirrorsCommand, withProbeOptions } from '#cli/probe-options.ts';
import type { CommandContext } from '../actions/context.ts';
import type { BuilderHubFlags, BuilderMirrorFlags, BuilderProbeFlags } from '../actions/probe.ts';

const help = `
A password of a proxy is never an argument: write only the user, as in http://user@host:port, and set
LANDFALL_PROXY_PASSWORD or enter it at the prompt.
Exit codes: 0 each provider has a route, 5 a provider has none.

Example:
  landfall probe
  landfall probe https://api.openai.com --proxy socks5h://127.0.0.1:7891
`;

const authorities =
  'also trust the certificate authorities in this PEM file (default: REQUESTS_CA_BUNDLE)';

/** `landfall probe`: finds the route to hosted providers. */
export function probeCommand(context: CommandContext): Command {
  const command = new Command('probe')
    .description('test which route reaches the hosted providers')
    .argument(
      '[url...]',
      'base URLs of providers (default: those of the site, else all known ones)',
    )
    .option('--site <file>', 'site whose providers are tested (default: site.yaml, if it exists)')
    .option('--ca <file>', authorities);
  const hub = hubCommand('HTTPS_PROXY')
    .option('--ca <file>', authorities)
    .action(async (model: string, flags: BuilderHubFlags) => {
      const { probeHubAction } = await import('../actions/probe.ts');
      await probeHubAction(context, model, flags);
    });
  const mirrors = mirrorsCommand('HTTPS_PROXY')
    .option('--site <file>', 'site whose mirrors are tested (default: site.yaml, if it exists)')
    .option('--ca <file>', authorities)
    .action(async (flags: BuilderMirrorFlags) => {
      const { probeMirrorsAction } = await import('../actions/probe.ts');
      await probeMirrorsAction(context, flags);
    });
  return withProbeOptions(command, 'HTTPS_PROXY')
    .addCommand(hub)
    .addCommand(mirrors)
    .addHelpText('after', help)
    .action(async (urls: readonly string[], flags: BuilderProbeFlags) => {
      const { probeAction } = await import('../actions/probe.ts');
      await probeAction(context, urls, flags);
    });
}
