import { type ErrorCode, type ErrorDetails, LandfallError } from '../errors.ts';
import type { Text } from '../text/language.ts';

/**
 * The rules of verification with their codes; `docs/errors.md` states what each requires. Every
 * refusal names its rule. The tests require at least one malicious bundle per rule, so an unchecked
 * rule fails a test.
 */
export const rules = {
  'not-truncated': 'BUNDLE_TRUNCATED',
  'canonical-header': 'BUNDLE_HEADER',
  'one-time': 'BUNDLE_HEADER',
  'zero-padding': 'BUNDLE_HEADER',
  'head-first': 'BUNDLE_HEAD',
  'head-capped': 'BUNDLE_HEAD',
  pinned: 'BUNDLE_PINNED',
  'short-signature': 'BUNDLE_SIGNATURE',
  trusted: 'BUNDLE_UNTRUSTED',
  'same-sigstore': 'BUNDLE_SIGNATURE',
  'same-provenance': 'BUNDLE_SIGNATURE',
  'canonical-manifest': 'BUNDLE_MANIFEST',
  understood: 'BUNDLE_MANIFEST',
  'unique-paths': 'BUNDLE_MANIFEST',
  offsets: 'BUNDLE_MANIFEST',
  'model-files': 'BUNDLE_MANIFEST',
  'recovery-changes-keys': 'BUNDLE_KEYS',
  target: 'BUNDLE_WRONG_TARGET',
  'no-rollback': 'BUNDLE_ROLLBACK',
  'updates-from': 'BUNDLE_ROLLBACK',
  fresh: 'BUNDLE_EXPIRED',
  checksums: 'BUNDLE_CHECKSUMS',
  members: 'BUNDLE_MEMBER',
  content: 'BUNDLE_CONTENT',
  'nothing-after': 'BUNDLE_TRAILING',
} as const satisfies Record<string, ErrorCode>;

export type Rule = keyof typeof rules;

const adviceByRule: Partial<Record<Rule, Text>> = {
  'not-truncated': {
    en: 'Download the bundle again; an interrupted download can be resumed.',
    zh: '重新下载发布包，可断点续传。',
  },
  trusted: {
    en: 'Do not use this bundle. Compare the key ID with the published one, and pass a key that you trust with --key.',
    zh: '不要使用这个发布包。把密钥指纹与公布的核对，再用 --key 指定您信任的公钥。',
  },
  'recovery-changes-keys': {
    en: 'Compare the new key IDs with the published ones, then pass every key with --key and --recovery-key, or accept the change with --accept-new-keys.',
    zh: '把新的密钥指纹与公布的核对，再用 --key 和 --recovery-key 指定每个公钥，或用 --accept-new-keys 接受更换。',
  },
  pinned: {
    en: 'Create the user-data again from the release to install; it was created for another build of this release.',
    zh: '用要安装的版本重新生成 user-data；现在的 user-data 属于这个版本的另一次构建。',
  },
  understood: {
    en: 'Update in steps: install the listed release first.',
    zh: '分步更新：先安装列出的版本。',
  },
  fresh: {
    en: 'Check the clock of this machine with `date -u`, then look for a newer release.',
    zh: '用 `date -u` 检查本机的时钟，再换用更新的版本。',
  },
  'no-rollback': {
    en: 'Install an older release on a new server with its user-data; downgrades are not supported.',
    zh: '旧版本请用它的 user-data 装在新服务器上；不支持降级。',
  },
  'updates-from': {
    en: 'Update to an intermediate release first.',
    zh: '先更新到中间的版本。',
  },
  target: {
    en: 'Download the bundle for this machine: `uname -m` prints x86_64 for amd64, aarch64 for arm64.',
    zh: '下载适合这台机器的发布包：`uname -m` 显示 x86_64 时用 amd64，aarch64 时用 arm64。',
  },
};

const defaultAdvice = {
  en: 'Do not use this bundle. Download it again from the project and compare the key ID.',
  zh: '不要使用这个发布包。从项目重新下载，并核对密钥指纹。',
};

/** The error of a violated rule. Programs compare the code; tests also compare the rule. */
type Refusal = LandfallError & { readonly rule: Rule };

/** Returns the refusal for a violated rule, with its code, message and hint. */
export function refusal(
  rule: Rule,
  found: string,
  details: Pick<ErrorDetails, 'problems' | 'cause'> = {},
): Refusal {
  const hint = adviceByRule[rule] ?? defaultAdvice;
  return Object.assign(new LandfallError(rules[rule], found, { ...details, hint }), { rule });
}
