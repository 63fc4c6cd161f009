import { domainToASCII } from 'node:url';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { siteSchema } from '#contract/site/site.ts';
import { webUrl } from '#contract/site/urls.ts';
import { inLanguage } from '#contract/text/language.ts';
import { ruleText } from '#explain/chinese-rules.ts';
import { parseSite, type SiteOptions } from '#explain/parse-site.ts';
import { secretLooks } from '#explain/secret-signs.ts';
import { parseYaml } from '#yaml/parse.ts';
import { hasPassword } from './answers.ts';
import { routeFor } from './site-template.ts';

/**
 * Validates the text of site.yaml before it is written, with the same rules as `landfall user-data`.
 * @param options whether the user consented to a proxy password in it, and where warnings go
 * @throws LandfallError USAGE, SITE_SECRET
 */
export function checkAnswers(siteText: string, options: SiteOptions): void {
  try {
    parseSite(parseYaml(Buffer.from(siteText), 'site.yaml'), options);
  } catch (error) {
    throw asAnswers(error);
  }
}

/** Removes lines and columns, because the file does not exist yet. */
function asAnswers(error: unknown): unknown {
  if (!(error instanceof LandfallError)) return error;
  if (error.code === 'SITE_SECRET') {
    return new LandfallError('SITE_SECRET', 'the answers contain a secret; nothing was written', {
      hint: 'Remove it. For a proxy with a password, run the command on a terminal, or use --route client and import the proxy on the server.',
      // The hints of the problems name options of other commands.
      problems: error.problems.map(({ message }) => ({ message })),
    });
  }
  return new LandfallError('USAGE', 'the answers are not a valid site; nothing was written', {
    hint: { en: 'Correct the values above.', zh: '修改上面的值。' },
    problems: error.problems.map(({ message, hint }): Problem => ({ message, hint })),
  });
}

const { admin, hosts, mirrors, route, timezone, tls } = siteSchema.shape;

const issuesOf = {
  releaseUrl: (text: string) => webUrl.safeParse(text).error?.issues,
  user: (text: string) => admin.shape.user.safeParse(text).error?.issues,
  uiHost: (text: string) => hosts.safeParse({ ui: text }).error?.issues,
  dnsProvider: (text: string) =>
    tls.safeParse({ mode: 'acme', dns: { provider: text } }).error?.issues,
  email: (text: string) => admin.shape.email.safeParse(text).error?.issues,
  proxyUrl: (text: string) => route.safeParse(routeFor(text)).error?.issues,
  aptMirror: (text: string) => mirrors.safeParse({ apt: text }).error?.issues,
  imageMirror: (text: string) =>
    mirrors.safeParse({ registries: { 'docker.io': text } }).error?.issues,
  timezone: (text: string) => timezone.safeParse(text).error?.issues,
  modelMirror: (text: string) => mirrors.safeParse({ models: text }).error?.issues,
};

/** Answers whose text is validated. */
export type AnswerName = keyof typeof issuesOf;

/**
 * Returns why an answer is invalid by the schema of site.yaml, or undefined if it is valid. The
 * password of a proxy is valid here; another question is about it.
 */
export function flawOf(name: AnswerName, answer: string): string | undefined {
  const isProxyPassword = name === 'proxyUrl' && hasPassword(answer);
  const secret = isProxyPassword ? undefined : secretLooks(answer);
  if (secret) {
    return inLanguage({
      en: `The value ${secret.en}; user-data must not contain secrets.`,
      zh: `这个值${secret.zh}；user-data 中不能有机密。`,
    });
  }
  const issues = issuesOf[name](answer);
  const [issue] = issues ?? [];
  return (
    issue && inLanguage({ en: `The value ${issue.message}.`, zh: `${ruleText(issue.message)}。` })
  );
}

/*
 * What users paste is often almost right: a URL instead of a host name, a scheme twice, capital
 * letters. The prompts show what they made of it.
 */

/** Returns the host name in an answer, in lower case, without scheme, port, path and last dot. */
export function correctHost(answer: string): string {
  const bare = answer
    .trim()
    .replace(/^(?:[a-z]+:\/\/)+/i, '')
    .replace(/[/?#].*$/, '')
    .replace(/:\d+$/, '')
    .replace(/\.$/, '')
    .toLowerCase();
  // Names in other scripts have an ASCII form in DNS (RFC 5891).
  return domainToASCII(bare) || bare;
}

/** Returns whether an answer is an IP address, with or without brackets. */
export function isAddress(answer: string): boolean {
  return /^[\d.]+$|^\[?[0-9a-f]*:[0-9a-f:.]*\]?$/i.test(answer);
}

/** Returns the URL in an answer: with one scheme, which is https by default. */
export function correctUrl(answer: string): string {
  const text = answer.trim().replace(/^https?:\/\/(?=https?:\/\/)/i, '');
  if (text === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
  return `https://${text}`;
}

/** Returns the URL of a proxy in an answer: with the scheme http by default. */
export function correctProxy(answer: string): string {
  const text = answer.trim();
  return /^[^/]+:\d+$/.test(text) ? `http://${text}` : text;
}
