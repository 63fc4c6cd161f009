import { describeHostedOnly } from '../local-models.ts';
import { addressOf, code, type WritePage } from './page.ts';

const titles = {
  ui: 'Local models',
  chat: 'One hosted provider',
  lobe: 'Several hosted providers',
};

/** Where the pages to chat on are. */
export const chatPage: WritePage = (input) => {
  const { chat, lobe } = input.site.components;
  const hostedOnly = input.models && describeHostedOnly(input.models);
  const parts = (['ui', 'chat', 'lobe'] as const).filter(
    (part) => part === 'ui' || (part === 'chat' ? chat : lobe),
  );
  return {
    name: 'chat',
    title: 'Chat in the browser',
    summary: 'Where the chat pages are, and how to get in.',
    body: parts
      .map((part) => {
        const { url, tunnel } = addressOf(input, part);
        return [
          `## ${titles[part]}`,
          ...(tunnel ? ['Keep a tunnel running:', code('sh', tunnel)] : []),
          `Open [${url}](${url}).`,
          ...(part === 'ui' && hostedOnly ? [`This server has ${hostedOnly}.`] : []),
          part === 'ui'
            ? 'Its owner makes accounts; nobody can sign up alone.'
            : 'It asks for an access code, which the owner shows with `sudo landfall credentials`.',
        ].join('\n\n');
      })
      .join('\n\n'),
  };
};
