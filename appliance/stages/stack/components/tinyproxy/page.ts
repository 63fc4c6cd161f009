import { bodyOf, code, tunnelBlocks, type WritePage } from '../../pages/page.ts';
import { wellKnownDomains } from './filter.ts';

/** Writes the page about the proxy (SPEC 2.2, 4). */
export const proxyPage: WritePage = (input) => {
  const { ports, tinyproxy } = input.site;
  const url = `http://USER:PASSWORD@127.0.0.1:${ports.tinyproxy}`;
  const { domains = wellKnownDomains } = tinyproxy;
  return {
    name: 'proxy',
    title: { en: 'The proxy', zh: '代理' },
    summary: {
      en: 'An HTTP proxy for command-line tools and editors, through an SSH tunnel.',
      zh: '供命令行工具和编辑器使用的 HTTP 代理，通过 SSH 隧道访问。',
    },
    body: bodyOf(
      { en: 'The proxy forwards HTTPS connections.', zh: '代理转发 HTTPS 连接。' },
      ...tunnelBlocks(input, 'tinyproxy'),
      {
        en: 'The proxy has a user and a password of its own, which the administrator prints with `sudo landfall credentials`.',
        zh: '代理有单独的用户名和密码，由管理员用 `sudo landfall credentials` 查看。',
      },
      { en: '## In a terminal', zh: '## 在终端中使用' },
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
      {
        en: 'Status 401 means that the proxy works: the provider responded and requires a key.',
        zh: '返回 401 表示代理工作正常：模型服务商已响应，只是需要密钥。',
      },
      { en: '## In a code editor', zh: '## 在代码编辑器中使用' },
      code('json', '{', `  "http.proxy": "${url}"`, '}'),
      {
        en: 'Leave `http.proxyStrictSSL` on: this proxy does not decrypt TLS.',
        zh: '请保持 `http.proxyStrictSSL` 开启：此代理不会解密 TLS。',
      },
      { en: '## Allowed destinations', zh: '## 允许访问的域名' },
      domains === 'any'
        ? { en: 'All public addresses.', zh: '所有公网地址。' }
        : domains.map((domain) => `- \`${domain}\``).join('\n'),
    ),
  };
};
