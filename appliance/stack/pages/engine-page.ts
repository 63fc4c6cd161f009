import { describeHostedOnly } from '../local-models.ts';
import { code, tunnelTo, type WritePage } from './page.ts';

/** How to use the local models from one's own machine (SPEC 4, E1 and E2). */
export const enginePage: WritePage = ({ site, models }) => {
  const { engine } = site.ports;
  const model = models?.chat?.name ?? 'NAME';
  const hostedOnly = models && describeHostedOnly(models);
  const url = `http://127.0.0.1:${engine}`;
  return {
    name: 'engine',
    title: 'The local models',
    summary: "The engine's own API, through an SSH tunnel.",
    body: [
      ...(hostedOnly
        ? [`This server has ${hostedOnly}. What follows works once a model is pulled by hand.`]
        : []),
      'The models that run on this server are for its chat page. The engine has no passwords, so it listens to nobody outside; whoever may log in reaches it through a tunnel:',
      code('sh', tunnelTo(site, engine)),
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
