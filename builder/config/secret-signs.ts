/**
 * What gives a secret away: the name of its key, or its looks. Both lean towards refusing: a false
 * alarm costs a person a minute, a key in user-data costs more.
 */

const secretName =
  /(?:^|_)(?:(?:api|access|secret|private|relay|signing)_?keys?|pass(?:word|wd|phrase)s?|secrets?|tokens?|credentials?)$/;

/** Whether a key, a variable or a query parameter of this name holds a secret; any spelling. */
export function isSecretName(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[-. ]/g, '_');
  return secretName.test(words.toLowerCase());
}

/** `sk-ssh-…` and `sk-ecdsa-…` are kinds of public SSH keys that live on a hardware token. */
const providerKey = /(?<![\w-])sk-(?!ssh-|ecdsa-)[\w-]{8,}(?![\w.-])/;
const accessToken =
  /(?<![A-Za-z0-9])(?:hf_|gh[pousr]_|github_pat_|glpat-|xox[abpr]-|AKIA|AIza)[\w-]{8,}/;
const bearer = /\bbearer +[\w.~+/-]{8,}/i;
/** The second one is how OpenSSH's private keys begin, without the lines around them. */
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----|b3BlbnNzaC1rZXktdjE/;
/** Bounded, so that a long text costs no more than its length. */
const urlPassword = /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,31}:\/\/[^/\s@:]{0,255}:[^/\s@]{1,1024}@/i;
const assignment = /^\s*(?:export +)?([A-Za-z_]\w*)=(?=\S)/;
const queryParameter = /[?&]([^=&#]+)=(?=[^&#])/g;

const looks: ReadonlyArray<readonly [RegExp, string]> = [
  [privateKey, 'is a private key'],
  [providerKey, 'looks like a provider key'],
  [accessToken, 'looks like an access token'],
  [bearer, 'looks like an access token'],
  [urlPassword, 'has a password in its URL'],
];

/** What a text looks like when it holds a secret, as the end of a sentence; else undefined. */
export function secretLooks(text: string): string | undefined {
  const found = looks.find(([pattern]) => pattern.test(text));
  if (found) return found[1];
  const variable = assignment.exec(text)?.[1];
  if (variable && isSecretName(variable)) return `holds a value for ${variable}`;
  const parameters = [...text.matchAll(queryParameter)].map((match) => match[1] ?? '');
  return parameters.some(isSecretName) ? 'has a secret in its URL' : undefined;
}
