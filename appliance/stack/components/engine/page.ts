import { tunnelTo } from '#contract/site/endpoints.ts';
import { describeHostedOnly } from '../../local-models.ts';
import { code, type WritePage } from '../../pages/page.ts';

/** Writes the page about local models (SPEC 4, E1 and E2). */
export const enginePage: WritePage = ({ site, models }) => {
  const { command, url } = tunnelTo(site, 'engine');
  const model = models?.chat?.name ?? 'NAME';
  const hostedOnly = models && describeHostedOnly(models);
  return {
    name: 'engine',
    title: 'The local models',
    summary: "Ollama's API, through an SSH tunnel.",
    body: [
      ...(hostedOnly
        ? [`This server has ${hostedOnly}. To use this page, pull a model by hand first.`]
        : []),
      'The chat page uses the models of this server. Ollama has no authentication, so its port is not reachable from outside. Users with an SSH login reach it through a tunnel:',
      code('sh', command),
      '## List the models',
      code('sh', `curl ${url}/api/tags`),
      '## Prompt a model',
      code(
        'sh',
        `curl ${url}/api/generate \\`,
        `  -d '{"model": "${model}", "prompt": "Why?", "stream": false}'`,
      ),
      `OpenAI's API is available at \`${url}/v1\`, with any key.`,
    ].join('\n\n'),
  };
};
