import { tunnelTo } from '#contract/site/endpoints.ts';
import { describeHostedOnly } from '../../local-models.ts';
import { code, type WritePage } from '../../pages/page.ts';

/** How to use the local models from one's own machine (SPEC 4, E1 and E2). */
export const enginePage: WritePage = ({ site, models }) => {
  const { command, url } = tunnelTo(site, 'engine');
  const model = models?.chat?.name ?? 'NAME';
  const hostedOnly = models && describeHostedOnly(models);
  return {
    name: 'engine',
    title: 'The local models',
    summary: "The engine's own API, through an SSH tunnel.",
    body: [
      ...(hostedOnly
        ? [`This server has ${hostedOnly}. What follows works once a model is pulled by hand.`]
        : []),
      'The models that run on this server are for its chat page. The engine has no passwords, so it listens to nobody outside; whoever may log in reaches it through a tunnel:',
      code('sh', command),
      '## Which models there are',
      code('sh', `curl ${url}/api/tags`),
      '## Ask one',
      code(
        'sh',
        `curl ${url}/api/generate \\`,
        `  -d '{"model": "${model}", "prompt": "Why?", "stream": false}'`,
      ),
      `It speaks the API of OpenAI as well, at \`${url}/v1\`, with any key.`,
    ].join('\n\n'),
  };
};
