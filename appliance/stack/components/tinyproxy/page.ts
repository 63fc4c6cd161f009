import { tunnelTo } from '#contract/site/endpoints.ts';
import { code, type WritePage } from '../../pages/page.ts';
import { wellKnownDomains } from './filter.ts';

/** How to send one's own tools through the server (SPEC 2.2, 4). */
export const proxyPage: WritePage = ({ site }) => {
  const { tinyproxy: port } = site.ports;
  const url = `http://USER:PASSWORD@127.0.0.1:${port}`;
  const { domains = wellKnownDomains } = site.tinyproxy;
  return {
    name: 'proxy',
    title: 'The proxy',
    summary: 'An HTTP proxy for command-line tools and editors, through an SSH tunnel.',
    body: [
      'The proxy fetches pages over TLS for whoever has a tunnel and its user and password, which the owner shows with `sudo landfall credentials`.',
      code('sh', tunnelTo(site, 'tinyproxy').command),
      '## In a terminal',
      code(
        'sh',
        'proxy_on() {',
        `  export http_proxy=${url}`,
        '  export https_proxy=$http_proxy no_proxy=localhost,127.0.0.1',
        '  echo "Proxy on"',
        '}',
        'proxy_off() { unset http_proxy https_proxy no_proxy; echo "Proxy off"; }',
        '',
        'proxy_on',
        'curl -sS -o /dev/null -w "%{http_code}\\n" https://api.openai.com/v1/models',
      ),
      'A 401 means that the way is open: the provider answered and wants a key.',
      '## In a code editor',
      code('json', '{', `  "http.proxy": "${url}"`, '}'),
      'Leave `http.proxyStrictSSL` on: this proxy does not open what it carries.',
      '## Where it goes',
      domains === 'any'
        ? 'Everywhere but to private addresses.'
        : domains.map((domain) => `- \`${domain}\``).join('\n'),
    ].join('\n\n'),
  };
};
