import type { Text } from '#contract/text/language.ts';

/**
 * Detects secrets by the name of their key or by their form. Both checks prefer false positives: a
 * leaked secret is worse than a rejected value.
 */

const secretName =
  /(?:^|_)(?:(?:api|access|secret|private|relay|signing)_?keys?|pass(?:word|wd|phrase)s?|secrets?|tokens?|credentials?)$/;

/** Returns whether a key, variable or query parameter of this name holds a secret, in any case style. */
export function isSecretName(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[-. ]/g, '_');
  return secretName.test(words.toLowerCase());
}

/** Excludes `sk-ssh-…` and `sk-ecdsa-…`: public SSH keys of hardware tokens. */
const providerKey = /(?<![\w-])sk-(?!ssh-|ecdsa-)[\w-]{8,}(?![\w.-])/;
const accessToken =
  /(?<![A-Za-z0-9])(?:hf_|gh[pousr]_|github_pat_|glpat-|xox[abpr]-|AKIA|AIza)[\w-]{8,}/;
const bearer = /\bbearer +[\w.~+/-]{8,}/i;
/** The second alternative is the start of an OpenSSH private key without its BEGIN line. */
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----|b3BlbnNzaC1rZXktdjE|PuTTY-User-Key-File-\d/;
/** Bounded quantifiers, so that matching is linear. */
const urlPassword = /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,31}:\/\/[^/\s@:]{0,255}:[^/\s@]{1,1024}@/i;
const assignment = /^\s*(?:export +)?([A-Za-z_]\w*)=(?=\S)/;
const queryParameter = /[?&]([^=&#]+)=(?=[^&#])/g;

const token = { en: 'looks like an access token', zh: '像是访问令牌' };
const looks: ReadonlyArray<readonly [RegExp, Text]> = [
  [privateKey, { en: 'is a private key', zh: '是私钥' }],
  [providerKey, { en: 'looks like a provider key', zh: '像是模型服务商的密钥' }],
  [accessToken, token],
  [bearer, token],
  [urlPassword, { en: 'contains a URL with a password', zh: '含有带密码的 URL' }],
];

/** Returns whether a text contains a private key. */
export function isPrivateKey(text: string): boolean {
  return privateKey.test(text);
}

/** Returns why a text looks like a secret, as the rest of a sentence; undefined if it does not. */
export function secretLooks(text: string): Text | undefined {
  const found = looks.find(([pattern]) => pattern.test(text));
  if (found) return found[1];
  const variable = assignment.exec(text)?.[1];
  if (variable && isSecretName(variable)) {
    return { en: `contains a value for ${variable}`, zh: `含有 ${variable} 的值` };
  }
  const parameters = [...text.matchAll(queryParameter)].map((match) => match[1] ?? '');
  const inUrl = { en: 'contains a URL with a secret', zh: '含有带机密的 URL' };
  return parameters.some(isSecretName) ? inUrl : undefined;
}
