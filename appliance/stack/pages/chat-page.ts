import { componentNames, componentOf } from '#contract/component-names.ts';
import { isEnabled } from '#contract/site/enabled.ts';
import { tunnelTo, urlOf } from '#contract/site/endpoints.ts';
import { describeHostedOnly } from '../local-models.ts';
import { code, type WritePage } from './page.ts';

const howToSignIn = {
  account: 'The administrator creates the accounts; sign-up is disabled.',
  'access-code':
    'It requires an access code, which the administrator prints with `sudo landfall credentials`.',
};

/** Writes the page about the chat UIs. */
export const chatPage: WritePage = ({ site, models }) => {
  const hostedOnly = models && describeHostedOnly(models);
  return {
    name: 'chat',
    title: 'Chat in the browser',
    summary: 'The addresses of the chat pages, and how to sign in.',
    body: componentNames
      .flatMap((name) => {
        const { page } = componentOf(name);
        if (!page || !isEnabled(site, name)) return [];
        const outside = urlOf(site, name);
        const tunnel = outside === undefined ? tunnelTo(site, name) : undefined;
        const url = outside ?? tunnel?.url;
        return [
          `## ${page.heading}`,
          ...(tunnel ? ['Keep an SSH tunnel running:', code('sh', tunnel.command)] : []),
          `Open [${url}](${url}).`,
          ...(name === 'ui' && hostedOnly ? [`This server has ${hostedOnly}.`] : []),
          howToSignIn[page.access],
        ];
      })
      .join('\n\n'),
  };
};
