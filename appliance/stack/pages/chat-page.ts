import { componentNames, componentOf } from '#contract/component-names.ts';
import { isEnabled } from '#contract/site/enabled.ts';
import { tunnelTo, urlOf } from '#contract/site/endpoints.ts';
import { describeHostedOnly } from '../local-models.ts';
import { code, type WritePage } from './page.ts';

const howToSignIn = {
  account: 'Its owner makes accounts; nobody can sign up alone.',
  'access-code':
    'It asks for an access code, which the owner shows with `sudo landfall credentials`.',
};

/** Where the pages to chat on are. */
export const chatPage: WritePage = ({ site, models }) => {
  const hostedOnly = models && describeHostedOnly(models);
  return {
    name: 'chat',
    title: 'Chat in the browser',
    summary: 'Where the chat pages are, and how to get in.',
    body: componentNames
      .flatMap((name) => {
        const { page } = componentOf(name);
        if (!page || !isEnabled(site, name)) return [];
        const outside = urlOf(site, name);
        const tunnel = outside === undefined ? tunnelTo(site, name) : undefined;
        const url = outside ?? tunnel?.url;
        return [
          `## ${page.heading}`,
          ...(tunnel ? ['Keep a tunnel running:', code('sh', tunnel.command)] : []),
          `Open [${url}](${url}).`,
          ...(name === 'ui' && hostedOnly ? [`This server has ${hostedOnly}.`] : []),
          howToSignIn[page.access],
        ];
      })
      .join('\n\n'),
  };
};
