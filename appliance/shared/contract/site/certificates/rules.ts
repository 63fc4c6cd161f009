import type { FieldProblem } from '../../errors.ts';
import { inLanguage } from '../../text/language.ts';
import { hostNames } from '../enabled.ts';
import type { Site } from '../site.ts';
import { asksAuthority } from './tls.ts';

/** Checks the settings of the certificate and returns all problems. */
export function checkTls({ tls, admin, hosts }: Partial<Site>): FieldProblem[] {
  if (!tls) return [];
  return [
    ...checkAuthority(tls, admin),
    ...checkMode(tls, hosts),
    ...checkChallenge(tls),
    ...checkNames(tls, hosts),
  ];
}

function problem(field: string, message: [string, string], hint: [string, string]): FieldProblem {
  const [en, zh] = message;
  const [adviceEn, adviceZh] = hint;
  return {
    at: field.split('.'),
    message: inLanguage({ en, zh }),
    hint: inLanguage({ en: adviceEn, zh: adviceZh }),
  };
}

function checkAuthority(tls: Site['tls'], admin: Site['admin'] | undefined): FieldProblem[] {
  if (!asksAuthority(tls)) return [];
  const terms = problem(
    'tls.accept_terms',
    [
      `tls.mode ${tls.mode} needs tls.accept_terms: true`,
      `tls.mode ${tls.mode} 需要 tls.accept_terms: true`,
    ],
    [
      "Read the certificate authority's terms (https://letsencrypt.org/repository/) and set it, or use mode: internal.",
      '阅读证书颁发机构的条款（https://letsencrypt.org/repository/）后设置它，或用 mode: internal。',
    ],
  );
  const email = problem(
    'admin.email',
    [`tls.mode ${tls.mode} needs admin.email`, `tls.mode ${tls.mode} 需要 admin.email`],
    [
      'Set your address, as in admin: { email: me@example.com }; it is used for the account at the certificate authority.',
      '设置您的邮箱，例如 admin: { email: me@example.com }；它用于证书颁发机构的账户。',
    ],
  );
  return [
    ...(tls.accept_terms ? [] : [terms]),
    ...(admin && admin.email === undefined ? [email] : []),
  ];
}

function checkMode(tls: Site['tls'], hosts: Site['hosts'] | undefined): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const unnamed = hosts && hostNames({ hosts }).length === 0;
  if (tls.mode !== 'acme-ip' && asksAuthority(tls) && unnamed) {
    problems.push(
      problem(
        'tls.mode',
        [
          `tls.mode ${tls.mode} needs a host name, but hosts has none`,
          `tls.mode ${tls.mode} 需要域名，但 hosts 中没有`,
        ],
        [
          'Add hosts.ui, or use mode: acme-ip for a certificate of the bare address.',
          '添加 hosts.ui，或用 mode: acme-ip 为 IP 地址申请证书。',
        ],
      ),
    );
  }
  if (tls.mode === 'acme-ip' && hosts && !unnamed) {
    problems.push(
      problem(
        'tls.mode',
        [
          'tls.mode acme-ip is for sites without host names, but hosts has some',
          'tls.mode acme-ip 用于没有域名的站点，但 hosts 中有域名',
        ],
        [
          'Use mode: acme, or remove hosts; with host names, the server rejects requests to its bare address.',
          '用 mode: acme，或删除 hosts；有域名时，服务器拒绝用 IP 地址的访问。',
        ],
      ),
    );
  }
  if (tls.server && tls.mode !== 'acme' && tls.mode !== 'acme-ip') {
    problems.push(
      problem(
        'tls.server',
        [
          `tls.server has no effect with tls.mode ${tls.mode}`,
          `tls.mode 为 ${tls.mode} 时 tls.server 不起作用`,
        ],
        [
          'Use mode: acme or acme-ip, or remove tls.server.',
          '用 mode: acme 或 acme-ip，或删除 tls.server。',
        ],
      ),
    );
  }
  return problems;
}

function checkChallenge(tls: Site['tls']): FieldProblem[] {
  const { challenge, dns, mode } = tls;
  if (challenge === 'dns' && mode !== 'acme' && mode !== 'acme-staging') {
    return [
      problem(
        'tls.challenge',
        [
          `tls.challenge dns does not work with tls.mode ${mode}`,
          `tls.mode 为 ${mode} 时不能使用 tls.challenge dns`,
        ],
        [
          'Use mode: acme; authorities validate addresses on port 80 only.',
          '用 mode: acme；颁发机构只在 80 端口验证 IP 地址。',
        ],
      ),
    ];
  }
  if (challenge === 'dns' && dns === undefined) {
    return [
      problem(
        'tls.dns',
        ['tls.challenge dns needs tls.dns.provider', 'tls.challenge dns 需要 tls.dns.provider'],
        [
          'Name the provider of the zone, as in dns: { provider: alidns }.',
          '设置 DNS 托管商，例如 dns: { provider: alidns }。',
        ],
      ),
    ];
  }
  if (challenge === 'dns' || dns === undefined) return [];
  return [
    problem(
      'tls.dns',
      [
        'tls.dns has no effect without tls.challenge: dns',
        '没有 tls.challenge: dns 时 tls.dns 不起作用',
      ],
      ['Add challenge: dns, or remove tls.dns.', '添加 challenge: dns，或删除 tls.dns。'],
    ),
  ];
}

function checkNames(tls: Site['tls'], hosts: Site['hosts'] | undefined): FieldProblem[] {
  const { challenge, mode, names } = tls;
  if (names === undefined) return [];
  if (mode !== 'acme' && mode !== 'acme-staging') {
    return [
      problem(
        'tls.names',
        [
          `tls.names has no effect with tls.mode ${mode}`,
          `tls.mode 为 ${mode} 时 tls.names 不起作用`,
        ],
        ['Use mode: acme, or remove tls.names.', '用 mode: acme，或删除 tls.names。'],
      ),
    ];
  }
  const wildcard = names.find((name) => name.startsWith('*.'));
  const problems: FieldProblem[] = [];
  if (wildcard !== undefined && challenge !== 'dns') {
    problems.push(
      problem(
        'tls.names',
        [`${wildcard} needs tls.challenge: dns`, `${wildcard} 需要 tls.challenge: dns`],
        [
          'Add challenge: dns and dns.provider: authorities validate a wildcard by DNS only.',
          '添加 challenge: dns 和 dns.provider：颁发机构只通过 DNS 验证通配符域名。',
        ],
      ),
    );
  }
  const left = hostNames({ hosts: hosts ?? {} }).filter((host) => !isCovered(host, names));
  if (left.length > 0) {
    problems.push(
      problem(
        'tls.names',
        [
          `tls.names does not cover ${left.join(', ')} of hosts`,
          `tls.names 没有覆盖 hosts 中的 ${left.join('、')}`,
        ],
        [
          `Add ${left[0]}, or a wildcard of its domain. A wildcard covers one label.`,
          `添加 ${left[0]}，或其上级域名的通配符。通配符只覆盖一级。`,
        ],
      ),
    );
  }
  return problems;
}

/** Returns whether one of the names of a certificate includes a host (RFC 6125, 6.4.3). */
function isCovered(host: string, names: readonly string[]): boolean {
  return names.includes(host) || names.includes(`*.${host.split('.').slice(1).join('.')}`);
}
