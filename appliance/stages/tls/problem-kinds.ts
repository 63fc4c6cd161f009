import type { ErrorCode } from '#contract/errors.ts';
import type { Text } from '#contract/text/language.ts';

export const again = {
  en: 'Request it now with: sudo landfall tls renew',
  zh: '立即申请：sudo landfall tls renew',
};

/** Error code and hint for each problem type of ACME (RFC 8555, 6.7). */
export const problemKinds: ReadonlyMap<string, { code: ErrorCode; hint: Text }> = new Map([
  ...kinds('ACME_CHALLENGE', {
    connection: {
      en: "Make port 80 reachable from the internet: check the provider's firewall and the A and AAAA records.",
      zh: '让 80 端口能从外网访问：检查云服务商的防火墙（安全组），以及 A 和 AAAA 记录。',
    },
    'unauthorized incorrectResponse': {
      en: 'Point the A and AAAA records of this name to this server: another server responded.',
      zh: '请把这个域名的 A 和 AAAA 记录指向这台服务器：响应的是另一台服务器。',
    },
    'dns unknownHost': {
      en: 'Create a public A or AAAA record, or fix the DNS servers of the domain.',
      zh: '添加公网的 A 或 AAAA 记录，或修复域名的 DNS 服务器。',
    },
    dnssec: {
      en: 'Fix the DNSSEC signatures of the zone, or turn DNSSEC off.',
      zh: '修复域名的 DNSSEC 签名，或关闭 DNSSEC。',
    },
    caa: {
      en: 'Add this authority to the CAA record of the domain, or remove the record.',
      zh: '在域名的 CAA 记录中加入这个颁发机构，或删除该记录。',
    },
    missingRecord: {
      en: 'Check that the NS records of the domain lead to this DNS provider. If it needs longer, set the variable of the provider that ends with PROPAGATION_TIMEOUT, in seconds.',
      zh: '检查域名的 NS 记录是否指向这个 DNS 托管商。如果它生效较慢，请设置以 PROPAGATION_TIMEOUT 结尾的变量，单位为秒。',
    },
    rejectedRecord: {
      en: 'Check with the DNS provider that the credentials are valid and may change this zone, and set them again with: sudo landfall secret set <name>',
      zh: '在 DNS 托管商处检查凭据是否有效、能否修改这个域名，再用 sudo landfall secret set <名称> 重新设置。',
    },
    tls: {
      en: 'Remove the redirect to a server with invalid TLS.',
      zh: '去掉指向 TLS 无效的服务器的重定向。',
    },
  }),
  ...kinds('ACME_REFUSED', {
    'rejectedIdentifier unsupportedIdentifier malformed badCSR': {
      en: 'Use a name of your own domain, or tls.mode: internal: the authority does not certify this name.',
      zh: '使用您自己的域名，或 tls.mode: internal：颁发机构不为这个名称签发证书。',
    },
    'invalidEmail invalidContact unsupportedContact': {
      en: 'Set admin.email to an address that receives mail.',
      zh: '把 admin.email 设为能收信的邮箱。',
    },
    accountDoesNotExist: {
      en: 'Delete the invalid ACME account in /var/lib/landfall/acme/config/accounts, then run: sudo landfall tls renew',
      zh: '删除 /var/lib/landfall/acme/config/accounts 中无效的 ACME 账户，再运行：sudo landfall tls renew',
    },
    userActionRequired: {
      en: "Read the authority's new terms, then run: sudo landfall tls renew",
      zh: '阅读颁发机构的新条款，再运行：sudo landfall tls renew',
    },
    externalAccountRequired: {
      en: 'Use an authority that does not require external account binding.',
      zh: '换用不要求外部账户绑定的颁发机构。',
    },
  }),
  ...kinds('ACME_UNREACHABLE', { 'badNonce serverInternal orderNotReady': again }),
]);

/** @param hints hint by problem types, which are separated by spaces */
function kinds(code: ErrorCode, hints: Readonly<Record<string, Text>>) {
  return Object.entries(hints).flatMap(([types, hint]) =>
    types.split(' ').map((type) => [type, { code, hint }] as const),
  );
}
