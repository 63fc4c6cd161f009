import { tunnelTo } from '#contract/site/endpoints.ts';
import { code, type WritePage } from '../../pages/page.ts';
import { wellKnownDomains } from './filter.ts';

/** Writes the page about the proxy (SPEC 2.2, 4). */
export const proxyPage: WritePage = ({ site }) => {
  const { tinyproxy: port } = site.ports;
  const url = `http://USER:PASSWORD@127.0.0.1:${port}`;
  const { domains = wellKnownDomains } = site.tinyproxy;
  return {
    name: 'proxy',
    title: 'The proxy',
    summary: 'An HTTP proxy for command-line tools and editors, through an SSH tunnel.',
    body: [
      'The proxy forwards HTTPS connections. To use it, open a tunnel and use its user and password, which the administrator prints with `sudo landfall credentials`.',
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
      'Status 401 means that the proxy works: the provider responded and requires a key.',
      '## In a code editor',
      code('json', '{', `  "http.proxy": "${url}"`, '}'),
      'Leave `http.proxyStrictSSL` on: this proxy does not decrypt TLS.',
      '## Allowed destinations',
      domains === 'any'
        ? 'All public addresses.'
        : domains.map((domain) => `- \`${domain}\``).join('\n'),
    ].join('\n\n'),
  };
};
