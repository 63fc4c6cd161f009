import { tunnelTo, urlOf } from '#contract/site/endpoints.ts';
import { code, type WritePage } from '../../pages/page.ts';

/** Writes the page about the relay (SPEC 4, E3 and E5). */
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
      "Hosted models under this server's address, with a relay key instead of a provider's key.",
    body: [
      `The relay has OpenAI's API and forwards requests to ${listOf(providers)}. Use its URL as the base URL and a relay key as the API key. Everything else works as in the provider's documentation, including streaming.`,
      ...(outside === undefined
        ? [
            'It is reachable through an SSH tunnel only. Keep this running:',
            code('sh', tunnel.command),
          ]
        : []),
      '## Relay key',
      'The administrator of this server prints it with `sudo landfall credentials`. It is valid for this relay only.',
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
      '## Base URLs',
      ...(providers.length > 0
        ? [providers.map((name) => `- \`${url}/${name}/v1\``).join('\n')]
        : ['No provider is configured yet.']),
    ].join('\n\n'),
  };
};

function listOf(providers: readonly string[]): string {
  return providers.length > 0
    ? providers.join(', ')
    : 'the providers that the administrator configures';
}
