import { tunnelTo, urlOf } from '#contract/site/endpoints.ts';
import { code, type WritePage } from '../../pages/page.ts';

/** How to point an SDK at the relay (SPEC 4, E3 and E5). */
export const relayPage: WritePage = ({ site }) => {
  const outside = urlOf(site, 'relay');
  const tunnel = tunnelTo(site, 'relay');
  const url = outside ?? tunnel.url;
  const providers = Object.keys(site.providers);
  const base = `${url}/${providers[0] ?? 'PROVIDER'}/v1`;
  return {
    name: 'relay',
    title: 'The relay',
    summary:
      "Hosted models under this server's address, with a relay key in place of a provider's.",
    body: [
      `The relay speaks the API of OpenAI and passes requests on to ${listOf(providers)}. Use its address as the base and a relay key as the key; everything else stays as the provider describes it, streaming included.`,
      ...(outside === undefined
        ? ['It is reachable through a tunnel only. Keep this running:', code('sh', tunnel.command)]
        : []),
      '## Which key',
      'The owner of this server shows it with `sudo landfall credentials`. It opens this relay and nothing else.',
      '## With an SDK',
      code(
        'python',
        'from openai import OpenAI',
        'client = OpenAI(',
        `    base_url="${base}",`,
        '    api_key="RELAY_KEY",',
        ')',
        'print(client.models.list())',
      ),
      '## With curl',
      code('sh', `curl ${base}/models \\`, '  -H "Authorization: Bearer RELAY_KEY"'),
      '## Bases',
      ...(providers.length > 0
        ? [providers.map((name) => `- \`${url}/${name}/v1\``).join('\n')]
        : ['No provider has been set up yet.']),
    ].join('\n\n'),
  };
};

function listOf(providers: readonly string[]): string {
  return providers.length > 0 ? providers.join(', ') : 'the providers that its owner sets up';
}
